"""Rights of root's that a test does without, so that it meets what an ordinary user would."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

CAPABILITIES_V3 = 0x20080522  # linux/capability.h
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
Words = ctypes.c_uint32 * 6  # effective, permitted, inheritable; and once more for 32 and up
NOBODY = 65534  # a user


@contextmanager
def without_override() -> Iterator[None]:
    """Have file modes count for this thread, also if it is root's."""
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_V3, 0)
    before = Words()
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.capget(header, before) == 0, ctypes.get_errno()
    without = Words.from_buffer_copy(before)
    without[0] = int(before[0]) & ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    assert libc.capset(header, without) == 0, ctypes.get_errno()
    try:
        yield
    finally:
        assert libc.capset(header, before) == 0, ctypes.get_errno()
