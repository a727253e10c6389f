"""Requests of a worker to a zygote, and the replies, each in one place of memory.

All that a zygote ever had in its memory, each of its later children can read there, freed or not.
So a request is no Python object in it: the kernel writes it to this place and reads the reply from
another, both are emptied after each use, and the path in it is decoded by the child that it is for.
Imports the standard library alone.
"""

import ctypes
import os
import socket

START, REAP = 1, 2
READY, BEGUN = b"ready", b"begun"  # what a zygote says first, and a child of it
PATH_BYTES = 4096  # PATH_MAX: no path that can be opened is longer

_FDS = 8  # of a request, at most
_LIBC = ctypes.CDLL(None, use_errno=True)


class Request(ctypes.Structure):
    """A process that is to be started, or to be reaped."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("pid", ctypes.c_int),  # of who is to be reaped
        ("memory_bytes", ctypes.c_int64),
        ("output_bytes", ctypes.c_int64),
        ("path", ctypes.c_char * PATH_BYTES),  # of the bot's snapshot
    )


class Usage(ctypes.Structure):
    """The kernel's struct rusage."""

    _fields_ = (
        ("user_s", ctypes.c_long),
        ("user_us", ctypes.c_long),
        ("system_s", ctypes.c_long),
        ("system_us", ctypes.c_long),
        ("rest", ctypes.c_long * 14),
    )


class Reply(ctypes.Structure):
    """The process that was started, or how the one that was reaped had ended."""

    _fields_ = (("pid", ctypes.c_int), ("status", ctypes.c_int), ("usage", Usage))

    @property
    def cpu_s(self) -> float:
        """The CPU time that it used in all."""
        usage: Usage = self.usage
        return float(usage.user_s + usage.system_s + (usage.user_us + usage.system_us) / 1e6)


class Desk:
    """The zygote's one place for requests and one for replies."""

    def __init__(self) -> None:
        self._request, self._reply = Request(), Reply()

    def receive(self, control: socket.socket) -> tuple[int, list[int]]:
        """Wait for the next request: its kind, 0 if the worker has left, and its descriptors."""
        size = socket.CMSG_SPACE(_FDS * ctypes.sizeof(ctypes.c_int))
        _, ancillary, _, _ = control.recvmsg_into([self._request], size)
        fds = [fd for _, _, data in ancillary for fd in memoryview(data).cast("i")]
        return self._request.kind, fds

    def take(self) -> tuple[str, int, int]:
        """Take the request's path, memory_bytes and output_bytes, and empty it: for the child that
        it is for.
        """
        request = self._request
        taken = os.fsdecode(request.path), request.memory_bytes, request.output_bytes
        self.clear()
        return taken

    def reply_to_start(self, pid: int) -> Reply:
        """The reply to a start."""
        self._reply.pid = pid
        return self._reply

    def reap(self) -> Reply:
        """Reap the request's process; return the reply. Raises OSError."""
        reply = self._reply
        reply.pid = self._request.pid
        status, usage = ctypes.byref(reply, Reply.status.offset), ctypes.byref(reply.usage)
        if _LIBC.wait4(self._request.pid, status, 0, usage) < 0:
            raise OSError(ctypes.get_errno(), "no such process of the zygote's to be reaped")
        return reply

    def clear(self) -> None:
        """Empty both places."""
        for place in (self._request, self._reply):
            ctypes.memset(ctypes.byref(place), 0, ctypes.sizeof(place))
