"""Asks for a listener of its own, to answer its calls itself; must be refused.

Must: play on
"""

import os

import arena.sandbox.seccomp

got = None
try:
    got = arena.sandbox.seccomp.listen(arena.sandbox.seccomp.gate().code)
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
