"""The gate: what a bot may do only while it loads waits here until the parent lets it go on.

The kernel stops each such call of the child (`arena.sandbox.seccomp.GATED`) and tells the listener
of its filter; the listener is the parent's, sent over before the bot's first line was read. While
the bot loads, every call goes on: what it may touch, the other walls decide. Then the parent closes
the gate, and the kernel answers these calls with ENOSYS for ever. Nothing in the child can keep it
open, because nothing in the child holds an end of it. Source: `seccomp_unotify(2)`.
"""

import errno
import fcntl
import os
import struct

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV, _SEND
_CALL = 80  # bytes of struct seccomp_notif; it begins with the call's id
_ANSWER = struct.Struct("<QqiI")  # struct seccomp_notif_resp: id, value, error, flags
_GO_ON = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE


class Gate:
    """The parent's end of one child's gate."""

    def __init__(self, listener: int) -> None:
        self.fd = listener

    def let_through(self) -> None:
        """Let the call go on that waits; there is one when `fd` can be read."""
        call = bytearray(_CALL)  # the kernel wants it empty
        try:
            fcntl.ioctl(self.fd, _RECEIVE, call)
            fcntl.ioctl(self.fd, _SEND, _ANSWER.pack(*struct.unpack_from("<Q", call), 0, 0, _GO_ON))
        except OSError as error:
            if error.errno != errno.ENOENT:  # the caller has been killed meanwhile
                raise

    def close(self) -> None:
        """Have every further call fail."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
