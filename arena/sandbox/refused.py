"""A system call that fails on the way to a bot's process, by its name: whoever runs the machine may
allow it. A zygote or its child sends the worker this. Imports the standard library alone.
"""

import json
import os
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")
_MARK = b"refused"  # begins no reply of a zygote: it would be the pid 0x75666572


class Refused(OSError):
    """A system call, as seccomp profiles name it, and maybe a remedy; or what happened instead."""

    def __init__(self, call: str, number: int, text: str = "") -> None:
        super().__init__(number, os.strerror(number))
        self.call, self.text = call, text


def syscall(call: str, make: Callable[..., _T], *given: Any, **more: Any) -> _T:
    """Make a system call by a function of Python's. Raises Refused where it fails."""
    try:
        return make(*given, **more)
    except (ConnectionError, TimeoutError):  # the other end is gone, or late
        raise
    except OSError as error:
        raise Refused(call, error.errno or 0) from error


def pack(error: OSError | LookupError) -> bytes:
    """Make a message of an error, for `unpack`."""
    call, number = getattr(error, "call", ""), getattr(error, "errno", 0)
    return _MARK + json.dumps([call, number, getattr(error, "text", str(error))]).encode()


def unpack(message: bytes) -> Refused | None:
    """The error that a message was made of; None for any other message."""
    return Refused(*json.loads(message[len(_MARK) :])) if message.startswith(_MARK) else None
