"""Turns a file into a handle and opens that, past every path.

Must: forbidden
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    libc.open_by_handle_at(-100, bytes(128), 0)
    return view.legal[0]
