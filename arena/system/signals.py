"""Ctrl-C and its like, by signals: asked once, arena stops in order; twice, at once."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C; `kill`, a queue's or a machine's end; a closed terminal."""


class Stopped(BaseException):
    """Somebody wants this to end now. Not KeyboardInterrupt: click answers that one itself."""


def at_once() -> None:
    """From here on have these signals raise Stopped, save the ones that we were told to ignore."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup does
            signal.signal(number, _stop)
    sys.unraisablehook = _unraisable


def no_more() -> None:
    """From here on ignore these signals: all is done, and Python, on its way out, would die of
    one instead of ending with its exit code.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def in_order(asked: Callable[[], bool]) -> Iterator[None]:
    """Have a signal call `asked`; if that says it was asked before, raise Stopped."""

    def stop(number: int, frame: object) -> None:
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
def out_of_reach(*more: signal.Signals) -> Iterator[None]:
    """Have processes that are started here never hear of Ctrl-C or a closed terminal.

    Their end is ours to say. A signal that comes meanwhile comes to us afterwards, and so do
    `more`.
    """
    kept = (signal.SIGINT, signal.SIGHUP, *more)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, kept)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(number: int, frame: object) -> None:
    raise Stopped


def _unraisable(unraised: "sys.UnraisableHookArgs") -> None:
    """Report an exception that Python could not raise, but no Stopped: who asks again is heard."""
    if unraised.exc_type is not Stopped:
        sys.__unraisablehook__(unraised)
