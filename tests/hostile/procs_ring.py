"""Asks the kernel to do forbidden calls for it (io_uring).

Must: forbidden
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    libc.syscall(425, 4, bytes(120))  # io_uring_setup: the number on every machine
    return view.legal[0]
