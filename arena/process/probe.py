"""The bot that `arena doctor` plays: tries what no bot may do, and says how each try ended.

Loaded like any bot, under the same walls. The first tries are made while it loads, the others when
it is asked, one a question; `view.table` says which. Its decision is what the try is called and how
it ended: "refused", or "DONE" if it went through.
"""

import errno
import os
import resource
import socket
import threading
from collections.abc import Callable
from typing import Any


def _try(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except (OSError, MemoryError, RuntimeError) as error:
        refused = getattr(error, "errno", errno.EPERM)
        return "refused" if refused != errno.ENOENT else "found nothing"
    return "DONE"


def _open(path: str, mode: str) -> None:
    with open(path, mode):
        pass


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


LOADING: tuple[tuple[str, Callable[[], object]], ...] = (
    ("reads only its own files", lambda: _open("/etc/passwd", "rb")),
    ("lists only its own folder", lambda: os.listdir("/proc")),
    ("writes no file", lambda: _open(os.path.join(os.path.dirname(__file__), "made"), "wb")),
    ("opens no connection", lambda: socket.socket()),
    ("starts no process", _fork),
    ("starts no thread", threading.Thread(target=int).start),
    ("sends no signal", lambda: os.kill(os.getppid(), 0)),
    (
        "changes no limits of other processes",
        lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU),
    ),
    ("gets no memory above its limit", lambda: bytearray(1 << 40)),
)
PLAYING: tuple[tuple[str, Callable[[], object]], ...] = (
    ("opens nothing after loading", lambda: _open(__file__, "rb")),
    ("sees no file after loading", lambda: os.stat("/")),
    ("learns nothing about the machine after loading", os.uname),
)
_outcomes = [_try(attempt) for _, attempt in LOADING]


def decide(view: Any) -> str:
    """Make the try that `view.table` names; "" where there are no more."""
    number: int = view.table
    for name, attempt in (*LOADING, *PLAYING)[number : number + 1]:
        return f"{name}: {_outcomes[number] if number < len(LOADING) else _try(attempt)}"
    return ""
