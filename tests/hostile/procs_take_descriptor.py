"""Takes a descriptor out of another process (pidfd_getfd).

Must: forbidden
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    libc.syscall(438, 3, 3, 0)  # the number on every machine
    return view.legal[0]
