"""Calls its process so that a careless reader of /proc takes it for running, and sleeps.

Must: time
"""

import ctypes
import time

libc = ctypes.CDLL(None)
libc.prctl(15, b"x) R 1 (", 0, 0, 0)


def decide(view):
    time.sleep(60)
    return view.legal[0]
