"""Makes calls by a second set of numbers that filters often forget (x32).

Must: forbidden
"""

import ctypes
import os

libc = ctypes.CDLL(None)
machine = os.uname().machine


def decide(view):
    if machine == "x86_64":
        libc.syscall(0x40000000 + 39)  # getpid, which by its usual number is allowed
    else:
        libc.ptrace(16, 1, 0, 0)  # there is no second set there
    return view.legal[0]
