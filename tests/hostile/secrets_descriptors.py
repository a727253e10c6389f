"""Looks for open descriptors beside its own five; must find none.

Must: play on
"""

import os

got = []
for fd in range(5, 4096):
    try:
        os.get_inheritable(fd)
        got.append(fd)
    except OSError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
