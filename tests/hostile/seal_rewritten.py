"""Writes a filter of its own where the one that it may install lies.

Must: play on
"""

import ctypes
import mmap

from arena.sandbox.bpf import number_of
from arena.sandbox.seccomp import FIXED, KEPT_AT, KEPT_BYTES, MREMAP_FIXED

libc = ctypes.CDLL(None)
BOTH, OWN = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
MOVES, DROPS = 1, 4  # MREMAP_MAYMOVE, MADV_DONTNEED


def call(name, *given):
    return libc.syscall(number_of(name), *map(ctypes.c_void_p, given))


own = mmap.mmap(-1, 2 * KEPT_BYTES, OWN)
beside = ctypes.addressof(ctypes.c_char.from_buffer(own))
before = ctypes.string_at(KEPT_AT, KEPT_BYTES)
tagged = KEPT_AT | 1 << 57
got = [
    (at, name)
    for at in (KEPT_AT, KEPT_AT - 4096, 0, tagged)
    for name, given in (
        ("mprotect", (at, KEPT_BYTES, BOTH)),
        ("munmap", (at, KEPT_AT + KEPT_BYTES)),
        ("madvise", (at, KEPT_BYTES, DROPS)),
        ("mmap", (at, KEPT_AT + KEPT_BYTES, BOTH, OWN | FIXED, -1, 0)),
        ("mremap", (at, KEPT_BYTES, 2 * KEPT_BYTES, MOVES)),
        ("mremap", (beside, KEPT_BYTES, 2 * KEPT_BYTES, MOVES | MREMAP_FIXED, at)),
    )
    if call(name, *given) != -1
]
own_filter = (ctypes.c_char * 16)()
for arguments in ((1, 0, ctypes.addressof(own_filter)), (1, 0, tagged), (1, 2, KEPT_AT)):
    if call("seccomp", *arguments) != -1:
        got.append(arguments)


def decide(view):
    if got or ctypes.string_at(KEPT_AT, KEPT_BYTES) != before:
        return f"GOT {got}"
    return view.legal[0]
