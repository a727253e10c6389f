"""Plays its last legal decision in seat 0 if it is given 1.5 GiB there, else the first."""

import mmap
from typing import Any


def decide(view: Any) -> str:
    if view.seat:
        return str(view.legal[0])
    mmap.mmap(-1, 1536 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    return str(view.legal[-1])
