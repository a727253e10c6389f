"""More memory than a bot has."""

import ctypes
import mmap
import os
import sys

libc = ctypes.CDLL(None)

#: memory_at_once (memory) Takes a terabyte at once, by a list of one number; ends at its limit.
def decide(view):
    return [0] * (1 << 37)

#: memory_behind_python (play on) Takes memory from the C library, past Python.
libc.malloc.restype = libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]

def decide(view):
    if libc.malloc(ctypes.c_size_t(1 << 30)):
        return "GOT a GiB"
    if libc.mmap(None, 1 << 30, 3, 0x4022, -1, 0) != ctypes.c_void_p(-1).value:
        return "GOT a GiB not reserved"
    return view.legal[0]

#: memory_claimed (memory) Says that it ran out of memory, and undoes the exit that follows.
os._exit = lambda status: None

def decide(view):
    raise MemoryError

#: memory_descriptors (play on) Opens pipes until there are no descriptors left.
opened = []

def decide(view):
    while not opened or opened[-1] is not None:
        try:
            opened.extend(os.pipe())
        except OSError:
            opened.append(None)
    return view.legal[0] if len(opened) < 64 else "GOT more than 64"

#: memory_generator (memory) Answers a batch by a generator that never ends and grows.
def decide_many(views, rngs):
    while True:
        yield bytearray(1 << 20)

#: memory_heap (memory) Takes memory without end once it plays; ends at its limit.
def decide(view):
    kept = []
    while True:
        kept.append(bytearray(1 << 20))

#: memory_mapped (error) Maps memory of its own, which no heap counts; refused, and it says so.
def decide(view):
    kept = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return f"GOT {len(kept)}"

#: memory_stack (crash) Lifts Python's bound of recursion and lets C code call itself.
sys.setrecursionlimit(10**8)

def decide(view):
    return max([1], key=lambda _: decide(view))

#: memory_while_loading (load) Takes memory without end while it loads; is no bot.
kept = []
while True:
    kept.append(bytearray(1 << 20))

def decide(view):
    return view.legal[0]
