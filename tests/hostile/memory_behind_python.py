"""Takes memory from the C library, past Python.

Must: play on
"""

import ctypes

libc = ctypes.CDLL(None)
libc.malloc.restype = libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def decide(view):
    if libc.malloc(ctypes.c_size_t(1 << 30)):
        return "GOT a GiB"
    if libc.mmap(None, 1 << 30, 3, 0x4022, -1, 0) != ctypes.c_void_p(-1).value:
        return "GOT a GiB not reserved"
    return view.legal[0]
