"""Makes files next to its own and where all users may.

Must: play on
"""

import os

got = ""
for path in (os.path.dirname(__file__) + "/made", "/tmp/made-by-a-bot", "/dev/shm/made-by-a-bot"):
    for mode in ("w", "a", "x"):
        try:
            with open(path, mode) as file:
                file.write("!")
            got = path
        except (PermissionError, FileNotFoundError):
            pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
