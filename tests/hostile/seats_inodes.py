"""Moves the number of the next file without a name, by memory that it shares.

A bot that loads later on this core can ask for the number of its own output.

Must: play on
"""

import mmap


def decide(view):
    try:
        mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS).close()
    except PermissionError:
        return view.legal[0]
    return "GOT a number"
