"""Waits in the C library for a lock that is never freed, spinning.

Must: time
"""

import ctypes

libc = ctypes.CDLL(None)


def decide(view):
    lock = ctypes.c_int(0)
    libc.pthread_spin_lock(ctypes.byref(lock))
    libc.pthread_spin_lock(ctypes.byref(lock))
    libc.pthread_spin_init(ctypes.byref(lock), 0)
    libc.pthread_spin_lock(ctypes.byref(lock))
    libc.pthread_spin_lock(ctypes.byref(lock))
