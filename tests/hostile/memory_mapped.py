"""Maps memory of its own, which no heap counts; refused, and it says so.

Must: error
"""

import mmap


def decide(view):
    kept = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return f"GOT {len(kept)}"
