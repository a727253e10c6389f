"""Our ends of a bot's two pipes: one frame there, one frame back, never waiting for long.

Knows how bytes become frames, nothing of their contents. The bot may send whatever it likes at any
time; all but a single frame in its turn ends it.
"""

import fcntl
import os
import select
import termios
from collections.abc import Callable

from arena.process.death import Misbehaved
from arena.sandbox import wire

READ_BYTES = 1 << 20  # at once


class HungUp(Exception):
    """The bot's end of a pipe is closed."""


class Pipe:
    """Both pipes of one bot, whose descriptors do not block."""

    def __init__(self, to_bot: int, from_bot: int) -> None:
        self._to, self._from = to_bot, from_bot
        self._poll = select.poll()
        self._poll.register(from_bot, select.POLLIN)
        self._unsent = memoryview(b"")
        self._received = bytearray()
        self._served: dict[int, Callable[[], None]] = {}

    def serve(self, fd: int, act: Callable[[], None]) -> None:
        """Have `act` called whenever `fd` can be read while a frame is waited for."""
        self._served[fd] = act
        self._poll.register(fd, select.POLLIN)

    def unserve(self, fd: int) -> None:
        """Leave the descriptor alone again."""
        self._poll.unregister(fd)
        del self._served[fd]

    def has_unread(self) -> bool:
        """Return whether there are bytes to read already."""
        if not self._poll.poll(0):
            return False
        waiting = fcntl.ioctl(self._from, termios.FIONREAD, b"\0\0\0\0")
        return any(waiting)  # none: the end of a dead process's pipe

    def send(self, frame: bytes) -> None:
        """Begin to send a frame: as much as fits, the rest while the answer is waited for.

        Raises HungUp.
        """
        self._unsent = memoryview(frame)
        self._write()
        if self._unsent:
            self._poll.register(self._to, select.POLLOUT)

    def receive(self, cap: int, wait_ms: int) -> bytes | None:
        """Return the body of the bot's frame if it is there within `wait_ms`, else None.

        Raises HungUp, and Misbehaved over a frame longer than `cap` bytes or out of turn.
        """
        ready = {fd for fd, _ in self._poll.poll(wait_ms)}
        if self._to in ready:
            self._write()
            if not self._unsent:
                self._poll.unregister(self._to)
        for fd, act in self._served.items():
            if fd in ready:
                act()
        if self._from in ready:
            data = os.read(self._from, READ_BYTES)
            if not data:
                raise HungUp
            self._received += data
        return self._body(cap)

    def close(self) -> None:
        """Close both ends."""
        os.close(self._to)
        os.close(self._from)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass  # it is full; the poll says when it no longer is
        except BrokenPipeError:
            raise HungUp from None

    def _body(self, cap: int) -> bytes | None:
        received = len(self._received)
        if received < wire.HEAD.size:
            return None
        frame_bytes = wire.HEAD.size + wire.HEAD.unpack_from(self._received)[0]
        if frame_bytes > cap:
            problem = f"its answer is {frame_bytes} bytes long; at most {cap} are read"
            raise Misbehaved("protocol", problem)
        if received < frame_bytes:
            return None
        if received > frame_bytes or self._unsent:
            raise Misbehaved("protocol", "it answered out of turn")
        body = bytes(self._received[wire.HEAD.size :])
        self._received.clear()
        return body
