"""Ctrl-C and similar signals: at the first, arena stops in order; at the second, at once."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.errors import INTERRUPTED
from arena.system.abilities import WINDOWS

SIGNALS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C; `kill`, a queue's or a machine's end; a closed terminal, which Windows has no signal
for."""


DEAF_S = 5.0
"""The longest time that a signal may go unheard. Python hears it between two steps of its own, and
one of them may have no end: a query of SQLite's, a file without a line's end."""

_heard = threading.Event()


class Stopped(BaseException):
    """A user or the system wants this to end now. Not KeyboardInterrupt: click handles that
    itself.
    """


def stop_at_once(deaf_s: float = DEAF_S) -> None:
    """Have these signals raise Stopped from here on, save those that arena was told to ignore."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup does
            signal.signal(number, _stop)
    sys.unraisablehook = _unraisable
    if WINDOWS:  # such a pipe takes Python 3.12 there
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    with shield_children(signal.SIGTERM):
        try:
            threading.Thread(target=_end_the_deaf, args=(read, deaf_s), daemon=True).start()
        except RuntimeError as error:
            sys.exit(
                f"arena: {error}; raise `ulimit -u`, or have the container's profile know clone3"
            )


def ignore_signals() -> None:
    """Ignore these signals from here on: all is done, and Python, on its way out, would die of one
    instead of ending with its exit code.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def stop_in_order(asked: Callable[[], bool]) -> Iterator[None]:
    """Have a signal call `asked`; if that returns True (a second request), raise Stopped."""

    def stop(number: int, frame: object) -> None:
        _heard.set()
        if asked():
            _stop(number, frame)

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def shield_children(*more: signal.Signals) -> Iterator[None]:
    """Keep Ctrl-C and a closed terminal from the processes that are started here: arena ends them
    itself. Such a signal, or one of `more`, reaches arena afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows, where we start no process
        yield
        return
    blocked = (signal.SIGINT, signal.SIGHUP, *more)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def say_stopped() -> str:
    """The message once the program was stopped at once; it mentions games if any are played."""
    safe = "; saved games are safe" if {"tournament", "match"} & {*sys.argv[1:2]} else ""
    return f"stopped at once{safe}"


def _stop(number: int, frame: object) -> None:
    _heard.set()
    raise Stopped


def _end_the_deaf(read: int, deaf_s: float) -> None:
    """End the program as SIGKILL would, which it must be able to bear, where a signal came and was
    not handled in time; `read` has a byte for each signal.
    """
    while os.read(read, 1):
        if not _heard.wait(deaf_s):
            os.write(2, f"{say_stopped()}\n".encode())
            os._exit(INTERRUPTED)
        _heard.clear()


def _unraisable(unraised: "sys.UnraisableHookArgs") -> None:
    """Report an exception that Python could not raise, save Stopped: a second signal is heard."""
    if unraised.exc_type is not Stopped:
        sys.__unraisablehook__(unraised)
