"""The step that a command is at, on stderr: a line redrawn on a terminal, now and then a line else.

A thread of its own shows it, for a step may be one long call that tells of nothing.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from math import ceil

from arena.cli.terminal import draw, out, say
from arena.system.signals import out_of_reach
from arena.words import duration

REDRAW_S = 0.25
SHOWN_AFTER_S = 1.0  # on a terminal: what is over by then would only flicker
FIRST_LINE_S, LINE_EVERY_S = 2.0, 30.0  # elsewhere
NAMES = 3  # of parts at hand


class StepLine:
    """Shows the step at hand while it is entered; what it drew on a terminal is gone in the end."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.what = ""  # the step at hand
        self._parts = self._of = 0
        self._at: Sequence[str] = ()
        self._began_s = self._due_s = 0.0
        self._drawn = False

    def __enter__(self) -> "StepLine":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def begin(self, what: str, of: int = 0) -> None:
        """Begin a step of so many parts, 0 if nobody knows how many."""
        with self._lock:
            self.what, self._parts, self._of, self._at = what, 0, of, ()
            self._began_s = time.monotonic()
            if self._live:
                self._due_s = self._began_s + SHOWN_AFTER_S
            elif not self._due_s:  # lines are due by the command's time, not by the step's
                self._due_s = self._began_s + FIRST_LINE_S
            self._clear()
        if self._thread is None:
            self._over.clear()
            self._thread = threading.Thread(target=self._show, daemon=True)
            with out_of_reach(signal.SIGTERM):  # what comes is the main thread's to hear
                self._thread.start()

    def done(self, parts: int = 1) -> None:
        """Count parts of the step that are done."""
        self._parts += parts

    def at(self, names: Sequence[str]) -> None:
        """Show the parts that are at hand."""
        self._at = names

    def say(self, *lines: str) -> None:
        """Print words for people, above the line."""
        with self._lock:
            self._clear()
            say(*lines)

    def out(self, *lines: str) -> None:
        """Print results, above the line."""
        with self._lock:
            self._clear()
            out(*lines)

    def put_off(self) -> None:
        """Have the next line wait, for something else was just said."""
        self._due_s = time.monotonic() + LINE_EVERY_S

    def told(self, now_s: float) -> str:
        """Return the step at hand in words."""
        told = in_words(self.what, self._parts, self._of, now_s - self._began_s)
        return "; ".join(filter(None, (told, self.waits())))

    def waits(self) -> str:
        """Return the parts that are at hand in words, "" where none is."""
        return f"waiting for {listed(self._at)}" if self._at else ""

    def end(self) -> None:
        """End the step at hand, if there is one, and clear the line away."""
        if self._thread is not None:
            self._over.set()
            self._thread.join()
            self._thread = None
        self._clear()
        self.what, self._at = "", ()

    def _show(self) -> None:
        while not self._over.wait(REDRAW_S):
            with self._lock:
                now_s = time.monotonic()
                if now_s < self._due_s:
                    continue
                told = self.told(now_s)
                if self._live:
                    draw(told)
                    self._drawn = True
                else:
                    say(told)
                    self._due_s = now_s + LINE_EVERY_S

    def _clear(self) -> None:
        if self._drawn:
            draw("")
            self._drawn = False


def in_words(what: str, parts: int, of: int, seconds: float) -> str:
    """Return how far a step has come that has taken so long."""
    if not of:
        return f"{what}: {f'{parts:,} in ' if parts else ''}{duration(seconds)} so far"
    if parts and seconds:
        left = left_in_words((of - parts) * seconds / parts)
    else:
        left = f"{duration(seconds)} so far"
    return f"{what}: {parts:,} of {of:,}, {left}"


def listed(names: Sequence[str]) -> str:
    """Return names as a line has room for: `ann, bob, cid and 9 more`."""
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    return ", ".join(names[:NAMES]) + more


def left_in_words(seconds: float) -> str:
    """Return the time left in words: a second at least, for the work is not done."""
    return f"{duration(max(1, ceil(seconds)))} left"
