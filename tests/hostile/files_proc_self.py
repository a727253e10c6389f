"""Reads its own memory map, memory and limits in /proc, and lists descriptors.

Must: play on
"""

import os

got = ""
for name in ("mem", "maps", "environ", "cmdline", "limits", "fd", "pagemap", "../1/fd"):
    try:
        os.open(f"/proc/self/{name}", os.O_RDONLY)
        got = name
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
