"""Moves pages of a library between disk and memory, and counts what its partner moved.

Must: play on
"""

import ctypes
import errno
import mmap
import os
import resource

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.madvise.argtypes = libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
PAGE, READ, PRIVATE, ANONYMOUS = mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE, mmap.MAP_ANONYMOUS
ADVICES = {
    "RANDOM": 1, "SEQUENTIAL": 2, "WILLNEED": 3, "FREE": 8, "REMOVE": 9, "MERGEABLE": 12,
    "COLD": 20, "PAGEOUT": 21, "POPULATE_READ": 22, "POPULATE_WRITE": 23, "COLLAPSE": 25,
}  # fmt: skip
POOLS = {"MAP_HUGETLB": 1 << 18, "MAP_DROPPABLE": 1 << 3}  # what all processes draw from
NUMBERS = {"process_madvise": 440, "cachestat": 451}  # on every machine
if os.uname().machine == "x86_64":
    NUMBERS |= {"preadv2": 327, "readahead": 187}

kept = os.open(os.__file__, os.O_RDONLY)
mapped = libc.mmap(None, PAGE, READ, PRIVATE, kept, 0)
own = libc.mmap(None, PAGE, READ | mmap.PROT_WRITE, PRIVATE | ANONYMOUS, -1, 0)
space = ctypes.create_string_buffer(4096)


def through():
    """Yield the name of each way that is open."""
    for name, way in {
        "fadvise": lambda: os.posix_fadvise(kept, 0, 0, os.POSIX_FADV_DONTNEED),
        "getrusage": lambda: resource.getrusage(resource.RUSAGE_SELF),
        "of children": lambda: resource.getrusage(resource.RUSAGE_CHILDREN),
    }.items():
        try:
            way()
            yield name
        except PermissionError:
            pass
    for place in (mapped, own):
        for name, advice in ADVICES.items():
            if libc.madvise(place, PAGE, advice) == 0:
                yield f"madvise {name}"
    if libc.mincore(mapped, PAGE, ctypes.addressof(space)) == 0:
        yield "mincore"
    for name, flag in POOLS.items():
        ctypes.set_errno(0)
        kind = ANONYMOUS | (PRIVATE if flag != 1 << 3 else 0) | flag
        libc.mmap(None, 2 << 20, READ, kind, -1, 0)
        if ctypes.get_errno() != errno.EPERM:  # what no kernel answers by itself
            yield name
    for name, number in NUMBERS.items():
        if libc.syscall(number, kept, space, 1, 0, 0, 8) >= 0:
            yield name


got = list(through())


def decide(view):
    if libc.mmap(None, PAGE, READ, PRIVATE, kept, 0) != ctypes.c_void_p(-1).value:
        got.append("a mapping of a file")
    got.extend(through())
    return f"GOT {got}" if got else view.legal[0]
