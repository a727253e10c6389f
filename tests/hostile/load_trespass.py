"""Makes a forbidden system call while it loads.

Must: load
"""

import ctypes

ctypes.CDLL(None).ptrace(0, 0, 0, 0)


def decide(view):
    return view.legal[0]
