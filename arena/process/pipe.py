"""Our ends of a bot's two pipes, one frame there, one frame back, and of the gate that it loads
through; never waiting for long.

Knows how bytes become frames, nothing of their contents. The bot may send whatever it likes at any
time; all but a single frame in its turn ends it. A piece sent before the question is taken for the
beginning of the answer, which cannot be guessed: it has the question's number in it.

What a bot may do only while it loads waits at the gate until the parent lets it go on. The kernel
stops each such call of the child (`arena.sandbox.seccomp.GATED`) and tells the listener of its
filter; the listener is the parent's, sent over before the bot's first line was read. While the bot
loads, every call goes on: what it may touch, the other walls decide. Pipes alone are counted: the
kernel counts their pages by user, and past a bound makes the next pipe smaller, for every process
of that user. Then the parent closes the gate, and the kernel answers these calls with ENOSYS for
ever. Nothing in the child can keep it open, because nothing in the child holds an end of it.
Source: `seccomp_unotify(2)`.
"""

import errno
import fcntl
import os
import select
import struct

from arena.model import Reason
from arena.process.death import HungUp, Misbehaved
from arena.sandbox import wire
from arena.sandbox.bpf import number_of

_buffer = memoryview(bytearray(1 << 16))
"""One buffer to read into for all pipes, for only one is listened to at a time. A fresh buffer a
read was a fresh mapping a read."""

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV, _SEND
_CALL = 80  # bytes of struct seccomp_notif
_BEGINNING = struct.Struct("<QIIi")  # of it: id, pid, flags, the call's number
_ANSWER = struct.Struct("<QqiI")  # struct seccomp_notif_resp: id, value, error, flags
_GO_ON = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE

SPARE_PIPES = 1  # that a bot may make: enough for one that looks at its own memory


class Pipe:
    """Both pipes of one bot, whose descriptors do not block, and the listener of its gate: -1 where
    nothing confines it.
    """

    def __init__(self, to_bot: int, from_bot: int, gate: int = -1) -> None:
        self._to, self._from, self._gate = to_bot, from_bot, gate
        self._poll = select.poll()
        self._poll.register(from_bot, select.POLLIN)
        if gate >= 0:
            self._poll.register(gate, select.POLLIN)
        self._spare_pipes = SPARE_PIPES
        self._unsent = memoryview(b"")
        self._received = bytearray()  # of a frame that did not come in one piece

    def send(self, frame: bytes | bytearray) -> None:
        """Begin to send a frame: as much as fits, the rest while the answer is waited for.

        Raises HungUp.
        """
        self._unsent = memoryview(frame)
        self._write()
        if self._unsent:
            self._poll.register(self._to, select.POLLOUT)

    def receive(self, cap: int, wait_ms: int) -> memoryview | bytes | None:
        """Receive the body of the bot's frame, None if it is not there within `wait_ms`. Calls that
        wait at the gate may go on meanwhile.

        It is good until anything else is received. Raises HungUp, and Misbehaved over a frame
        longer than `cap` bytes or out of turn.
        """
        body = None
        for fd, _ in self._poll.poll(wait_ms):  # a read alone could not wait for so long only
            if fd == self._from:
                body = self._read(cap)
            elif fd == self._to:
                self._write()
                if not self._unsent:
                    self._poll.unregister(self._to)
            else:
                self._let_through()
        return body

    def close_gate(self) -> None:
        """Have every further call that waits there fail."""
        if self._gate >= 0:
            self._poll.unregister(self._gate)
            os.close(self._gate)
            self._gate = -1

    def close(self) -> None:
        """Close all ends."""
        self.close_gate()
        os.close(self._to)
        os.close(self._from)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass  # it is full; the poll says when it no longer is
        except BrokenPipeError:
            raise HungUp from None

    def _let_through(self) -> None:
        """Let the call that waits at the gate go on; a pipe too many fails with EPERM."""
        call = bytearray(_CALL)  # the kernel wants it empty
        try:
            fcntl.ioctl(self._gate, _RECEIVE, call)
            id, _, _, number = _BEGINNING.unpack_from(call)
            verdict = (0, _GO_ON)
            if number == number_of("pipe2"):
                self._spare_pipes -= 1
                if self._spare_pipes < 0:
                    verdict = (-errno.EPERM, 0)
            fcntl.ioctl(self._gate, _SEND, _ANSWER.pack(id, 0, *verdict))
        except OSError as error:
            if error.errno != errno.ENOENT:  # the caller has been killed meanwhile
                raise

    def _read(self, cap: int) -> memoryview | bytes | None:
        read = os.readv(self._from, [_buffer])
        if not read:
            raise HungUp
        data: memoryview | bytearray = _buffer[:read]
        if self._received:
            self._received += data
            data = self._received
        if len(data) >= wire.HEAD.size:
            frame_bytes = wire.HEAD.size + wire.HEAD.unpack_from(data)[0]
            if frame_bytes > cap:
                problem = f"its answer is {frame_bytes} bytes long; at most {cap} are read"
                raise Misbehaved(Reason("protocol", problem))
            if len(data) > frame_bytes or (len(data) == frame_bytes and self._unsent):
                raise Misbehaved(Reason("protocol", "it answered out of turn"))
            if len(data) == frame_bytes:
                self._received = bytearray()
                return memoryview(data)[wire.HEAD.size :]
        if data is not self._received:
            self._received += data
        return None
