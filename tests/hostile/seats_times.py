"""Reads a file of its own, so that its partner sees the time of it; must be refused.

Must: play on
"""

import os

kept = os.open(__file__, os.O_RDONLY)


def decide(view):
    os.lseek(kept, 0, os.SEEK_SET)
    os.read(kept, 1)
    for attempt in (lambda: os.stat(__file__).st_atime, lambda: os.utime(kept)):
        try:
            return f"GOT {attempt()}"
        except PermissionError:
            pass
    return view.legal[0]
