"""Opens its own source to write, to append and to empty it.

Must: play on
"""

import os

got = []
for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND, os.O_RDONLY | os.O_TRUNC):
    try:
        got.append(os.open(__file__, flags))
    except PermissionError:
        pass


def decide(view):
    return "GOT it open" if got else view.legal[0]
