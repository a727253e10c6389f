"""The end of a bot's two pipes, and its page of memory, in a process that a zygote forked."""

import ctypes
import faulthandler
import mmap
import os
import sys

from arena.sandbox import seccomp, wire

INBOX_BYTES = 1 << 16  # at first: most batches


def answer_where() -> None:
    """Have this process and its children write the lines they are at to their output, at the signal
    `wire.WHERE`. The parent sends it before it ends a bot for taking too long.

    In C: it runs none of Python's code, which a bot could notice, and also while numpy computes.
    """
    faulthandler.register(wire.WHERE, 1, all_threads=False)


_MMAP = ctypes.CDLL(None, use_errno=True).mmap  # the module mmap keeps the descriptor open
_MMAP.restype = ctypes.c_void_p
_MMAP.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def map_word() -> memoryview:
    """Map the word shared with the parent, as a view of one u32; its descriptor is closed."""
    both = mmap.PROT_READ | mmap.PROT_WRITE
    address = _MMAP(None, mmap.PAGESIZE, both, mmap.MAP_SHARED, wire.WORD_FD, 0)
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "the shared word cannot be mapped")
    os.close(wire.WORD_FD)
    return memoryview((ctypes.c_uint32 * 1).from_address(address)).cast("B").cast("I")


class PipeLine:
    """The line (`harness.Line`) over the descriptors that the process starts with. Messages are
    read into one buffer that is kept.
    """

    output_bytes = sys.maxsize  # the system sets a limit of its own

    def __init__(self, confined: bool) -> None:
        self.confined, self.word, self.end_loading = confined, map_word(), seccomp.install_kept
        self._buffer = bytearray(INBOX_BYTES)
        self._whole = [memoryview(self._buffer)]
        self._held = self._given = 0  # bytes read, and of these given out

    def receive(self) -> memoryview:
        """Wait for the next message and return its body, to be released before the next call.

        Ends the process when the parent has hung up. Until the read it makes nothing that Python's
        garbage collector counts: a collection before a question would be charged as thinking.
        """
        buffer, held = self._buffer, self._held - self._given
        if held:  # only the first question comes right behind another message
            buffer[:held] = buffer[self._given : self._held]
        size = wire.HEAD.size
        while True:
            if held >= wire.HEAD.size:
                size = wire.HEAD.size + wire.HEAD.unpack_from(buffer)[0]
                if held >= size:
                    self._held, self._given = held, size
                    return memoryview(buffer)[wire.HEAD.size : size]
            if size > len(buffer):
                self._whole.pop().release()
                buffer.extend(bytes(size - len(buffer)))
                self._whole.append(memoryview(buffer))
            read = os.readv(wire.IN_FD, [self._whole[0][held:]] if held else self._whole)
            if not read:
                os._exit(0)
            held += read

    def send(self, message: object) -> None:
        """Send a message, however long."""
        data = wire.frame(message)
        sent = os.write(wire.OUT_FD, data)
        while sent < len(data):
            sent += os.write(wire.OUT_FD, data[sent:])
