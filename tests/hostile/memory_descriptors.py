"""Opens pipes until there are no descriptors left; refused at its limit.

Must: play on
"""

import os

opened = []


def decide(view):
    while not opened or opened[-1] is not None:
        try:
            opened.extend(os.pipe())
        except OSError:
            opened.append(None)
    return view.legal[0] if len(opened) < 64 else "GOT more than 64"
