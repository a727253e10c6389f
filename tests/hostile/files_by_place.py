"""Opens files by O_PATH, which file permissions do not cover.

Must: play on
"""

import os

got = ""
for path in ("/", "/etc/passwd", "/proc/self", os.path.dirname(__file__)):
    try:
        os.open(path, os.O_PATH)
        got = path
    except PermissionError:
        pass


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
