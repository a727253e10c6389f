"""Opens devices; must be refused, but for /dev/null and /dev/urandom.

Must: play on
"""

import os

got = ""
for name in ("zero", "full", "random", "tty", "ptmx"):
    try:
        os.open(f"/dev/{name}", os.O_RDONLY)
        got = name
    except (PermissionError, FileNotFoundError):
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
