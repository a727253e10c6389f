"""Attaches to its parent as a debugger would (ptrace).

Must: forbidden
"""

import ctypes
import os

libc = ctypes.CDLL(None)


def decide(view):
    libc.ptrace(16, os.getppid(), 0, 0)
    return view.legal[0]
