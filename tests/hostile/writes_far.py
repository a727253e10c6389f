"""Writes far behind the end of the file that keeps its prints.

Must: play on
"""

import os


def decide(view):
    for far in (1 << 20, 1 << 40, (1 << 63) - 9):
        os.lseek(1, far, os.SEEK_SET)
        try:
            return f"GOT {os.write(1, b'!')}"
        except OSError:
            pass
    os.lseek(1, 0, os.SEEK_SET)
    return view.legal[0]
