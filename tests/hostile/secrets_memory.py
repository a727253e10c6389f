"""Reads its memory past Python, page by page where a pipe shows that it may, for secrets.

Looks for the secret and for other bots' paths.

Must: play on
"""

import ctypes
import os
import re

PAGE, GAP = 4096, 1024  # pages without memory that end a search: libraries lie closer
ALL, OWN = map(os.fsencode, os.path.split(os.path.dirname(__file__)))
OTHERS = re.compile(ALL + b"/(?!" + OWN + b")[0-9a-f]{8}")
SECRET = re.compile(b"(?:secre[t]){3}")  # the tests': does not match its own text
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
read, write = os.pipe()
held = 0  # bytes in the pipe
seen = set()
got = None


def can_be_read(page):
    global held
    if held == 1 << 15:
        os.read(read, held)
        held = 0
    if libc.write(write, page, 1) != 1:
        return False
    held += 1
    return True


def search(page, step):
    """Look at all that can be read from one page on, or before it, until nothing comes for long."""
    global got
    empty = 0
    while empty < GAP and page > 0 and page not in seen:
        if can_be_read(page):
            empty = 0
            seen.add(page)
            data = ctypes.string_at(page, PAGE)
            if ALL in data or b"secret" in data:
                got = got or OTHERS.search(data) or SECRET.search(data)
        else:
            empty += 1
        page += step * PAGE


for near in (  # in the heap, among the libraries, on the stack
    libc.sbrk(0) - 1,
    id(got),
    id(search),
    ctypes.cast(libc.write, ctypes.c_void_p).value,
    ctypes.c_void_p.in_dll(libc, "environ").value,
):
    page = near // PAGE * PAGE
    search(page, -1)
    search(page + PAGE, 1)


def decide(view):
    if len(seen) < 2000:
        return f"GOT no further than {len(seen)} pages"
    return f"GOT {got}" if got else view.legal[0]
