"""Asks for a listener of its own, to answer its calls itself.

Must: play on
"""

import os

from arena.sandbox import seccomp

got = None
try:
    got = seccomp.install(seccomp.gate().code, seccomp.NEW_LISTENER)
except OSError:
    pass
held = []
for fd in range(64):
    try:
        os.fstat(fd)
        held.append(fd)
    except OSError:
        pass


def decide(view):
    return f"GOT {got} {held}" if got or max(held) > 4 else view.legal[0]
