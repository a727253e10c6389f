"""Makes its pipe of questions one that does not wait: its process ends at the first.

Must: crash
"""

import os

os.set_blocking(3, False)


def decide(view):
    return view.legal[0]
