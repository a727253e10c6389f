"""Tells its partner by the flags of its descriptors.

Must: play on
"""

import fcntl
import os

got = []
for fd in range(5):
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    try:
        fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_APPEND)
        got.append(fd)
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
