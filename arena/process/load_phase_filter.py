"""The gate: what a bot may do only while it loads waits here until the parent lets it go on.

The kernel stops each such call of the child (`arena.sandbox.seccomp.GATED`) and tells the listener
of its filter; the listener is the parent's, sent over before the bot's first line was read. While
the bot loads, every call goes on: what it may touch, the other walls decide. Pipes alone are
counted: the kernel counts their pages by user, and past a bound makes the next pipe smaller, for
every process of that user. Then the parent closes the gate, and the kernel answers these calls with
ENOSYS for ever. Nothing in the child can keep it open, because nothing in the child holds an end of
it. Source: `seccomp_unotify(2)`.
"""

import errno
import fcntl
import os
import struct

from arena.sandbox.syscalls import number_of

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV, _SEND
_CALL = 80  # bytes of struct seccomp_notif
_BEGINNING = struct.Struct("<QIIi")  # of it: id, pid, flags, the call's number
_ANSWER = struct.Struct("<QqiI")  # struct seccomp_notif_resp: id, value, error, flags
_GO_ON = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE

_PIPES = 1  # enough for a bot that looks at its own memory


class Gate:
    """The parent's end of one child's gate."""

    def __init__(self, listener: int) -> None:
        self.fd = listener
        self._pipes_left = _PIPES

    def let_through(self) -> None:
        """Let the waiting call go on; a pipe too many fails with EPERM.

        There is a waiting call when `fd` can be read.
        """
        call = bytearray(_CALL)  # the kernel wants it empty
        try:
            fcntl.ioctl(self.fd, _RECEIVE, call)
            id, _, _, number = _BEGINNING.unpack_from(call)
            verdict = (0, _GO_ON)
            if number == number_of("pipe2"):
                self._pipes_left -= 1
                if self._pipes_left < 0:
                    verdict = (-errno.EPERM, 0)
            fcntl.ioctl(self.fd, _SEND, _ANSWER.pack(id, 0, *verdict))
        except OSError as error:
            if error.errno != errno.ENOENT:  # the caller has been killed meanwhile
                raise

    def close(self) -> None:
        """Have every further call fail."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
