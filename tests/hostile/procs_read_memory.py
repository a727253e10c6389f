"""Reads another process's memory (process_vm_readv).

Must: forbidden
"""

import ctypes
import os

libc = ctypes.CDLL(None)


def decide(view):
    libc.process_vm_readv(os.getppid(), None, 0, None, 0, 0)
    return view.legal[0]
