"""Reads memory, environment and arguments of its parent, the zygote, in /proc.

Must: play on
"""

import os

got = ""
for name in ("mem", "maps", "environ", "cmdline", "status", "stat", "fd", "task", "root", "cwd", "fd/0", "fd/3"):
    try:
        os.open(f"/proc/{os.getppid()}/{name}", os.O_RDONLY)
        got = name
    except (PermissionError, FileNotFoundError):
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
