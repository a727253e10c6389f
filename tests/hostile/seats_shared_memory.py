"""Shares memory and semaphores with its partner, by name and by number.

Must: play on
"""

import ctypes
from multiprocessing import shared_memory

libc = ctypes.CDLL(None)
got = ""
try:
    shared_memory.SharedMemory("arena-partners", create=True, size=64)
    got = "memory by name"
except PermissionError:
    pass
if libc.shmget(4711, 4096, 0o1666) >= 0:
    got = "memory by number"
if libc.shm_open(b"/arena-partners", 0o102, 0o600) >= 0:
    got = "memory by path"
if libc.semget(4711, 1, 0o1666) >= 0:
    got = "semaphores"
if libc.msgget(4711, 0o1666) >= 0:
    got = "messages"
if libc.mq_open(b"/arena-partners", 0o102, 0o600, None) >= 0:
    got = "a queue"


def decide(view):
    return f"GOT {got}" if got else view.legal[0]
