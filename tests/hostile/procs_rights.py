"""Becomes another user, traceable, and free of its parent's death.

Must: play on
"""

import ctypes
import os

libc = ctypes.CDLL(None)
got = ""
for name, attempt in {
    "user": lambda: os.setuid(os.getuid()),
    "group": lambda: os.setgid(os.getgid()),
    "groups": lambda: os.setgroups([]),
}.items():
    try:
        attempt()
        got = name
    except PermissionError:
        pass
if libc.prctl(1, 0, 0, 0, 0) == 0:
    got = "no death with the parent"
if libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(3, 0, 0, 0, 0) != 0:
    got = "dumpable"
if libc.personality(0x0040000) >= 0:
    got = "memory in known places"


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
