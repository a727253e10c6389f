"""Progress of long work, printed to stderr: the current step, and how far play has come.

On a terminal, a line and for play a live view are redrawn, and cleared in the end; elsewhere a line
is printed now and then. A thread draws the line, for a step may be one long call that reports
nothing. `rich` draws the view and is loaded for that alone: `rich.progress` would draw the same,
but takes the rate, the time left and the leaders as words.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from arena.cli.tally import Tally, picture, time_left
from arena.cli.terminal import draw, out, say
from arena.progress import Alike, Progress
from arena.system import shield_children
from arena.words import amount, duration

REDRAW_S = 0.25
SHOWN_AFTER_S = 1.0  # on a terminal: shorter steps would only flicker
FIRST_LINE_S, LINE_EVERY_S = 2.0, 30.0  # elsewhere
NAMES = 3  # most parts named that a step waits for
PLAYING = "playing"


class Quiet(Progress):
    """Shows no progress."""

    def say(self, *lines: str) -> None:
        """Print messages for people, for warnings are no progress."""
        say(*lines)


class Display(Progress):
    """Shows progress while it is entered; leaders among the bots `only` if it names any."""

    def __init__(self, only: Collection[str] = ()) -> None:
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.what = ""  # the current step
        self._parts = self._of = 0
        self._at: Sequence[str] = ()
        self._began_s = self._due_s = 0.0
        self._drawn = False
        self._only = only
        self.tally = Tally(only)
        self._view: Any = None  # of play, on a terminal

    def __enter__(self) -> "Display":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def begin(self, what: str, of: int = 0) -> None:
        """Show a step; on a terminal it replaces the view of games."""
        self._hide()
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
            with shield_children(signal.SIGTERM):  # signals are for the main thread
                self._thread.start()

    def done(self, parts: int = 1) -> None:
        """Count finished parts of the step."""
        self._parts += parts

    def at(self, names: Sequence[str]) -> None:
        """Show the parts that the step waits for."""
        self._at = names

    def before(self, games: Iterable[Alike]) -> None:
        """Count wins in games that are stored already; for the live view alone."""
        if self._live:
            self.tally.results(games)

    def start(self, games: int, workers: int) -> None:
        """Show the view of play; where there is no terminal, say once how much there is to do."""
        if not self._live and not self.tally.total:
            self.say(f"playing {games:,} games with {amount(workers, 'worker')}")
            self._due_s = time.monotonic() + LINE_EVERY_S
        self.tally.begin(games, time.monotonic())
        if not self._live:
            self.begin(PLAYING)
            return
        self.end()
        from rich.console import Console
        from rich.live import Live

        self._view = Live(console=Console(stderr=True), get_renderable=self.drawn, transient=True)
        with shield_children(signal.SIGTERM):  # signals are not for the thread that draws
            self._view.start()

    def played(self, count: int, games: Iterable[Alike]) -> None:
        """Count finished games; the next line or redraw shows them."""
        self.tally.add(count, time.monotonic())
        if self._live:
            self.tally.results(games)

    def looked(self, pool: str, found: str) -> None:
        """Keep the result of a look; a line shows that of the pool looked at last."""
        self.tally.looked(pool, found)

    def say(self, *lines: str) -> None:
        """Print messages for people, above the line."""
        with self._lock:
            self._clear()
            say(*lines)

    def out(self, *lines: str) -> None:
        """Print results, above the line."""
        with self._lock:
            self._clear()
            out(*lines)

    def stop(self) -> None:
        """Clear what is drawn, and say how much was played."""
        self.end()
        if self.tally.done:
            rate = self.tally.rate(time.monotonic())
            say(f"played {self.tally.done:,} games, {rate:,.0f} games/s")
        self.tally = Tally(self._only)

    def end(self) -> None:
        """End the current step, if there is one, and clear what is drawn."""
        self._hide()
        if self._thread is not None:
            self._over.set()
            self._thread.join()
            self._thread = None
        self._clear()
        self.what, self._at = "", ()

    def told(self, now_s: float) -> str:
        """The line of progress: the current step, or how far play has come."""
        if self.what == PLAYING:
            words = play_in_words(self.tally, now_s)
        else:
            words = step_in_words(self.what, self._parts, self._of, now_s - self._began_s)
        return "; ".join(filter(None, (words, self.waits())))

    def waits(self) -> str:
        """The parts that the step waits for, in words; "" if there are none."""
        if not self._at:
            return ""
        more = f" and {len(self._at) - NAMES:,} more" if len(self._at) > NAMES else ""
        return f"waiting for {', '.join(self._at[:NAMES])}{more}"

    def drawn(self) -> Any:
        """The live view of play."""
        return picture(self.tally, time.monotonic(), self.waits())

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

    def _hide(self) -> None:
        if self._view is not None:
            self._view.stop()
            self._view = None


@contextmanager
def shown(quiet: bool, only: Collection[str] = ()) -> Iterator[Progress]:
    """Show progress; if `quiet`, print messages alone."""
    if quiet:
        yield Quiet()
    else:
        with Display(only) as display:
            yield display


def step_in_words(what: str, parts: int, of: int, seconds: float) -> str:
    """How far a step has come in `seconds`; `of` is 0 if the number of parts is unknown."""
    if not of:
        return f"{what}: {f'{parts:,} in ' if parts else ''}{duration(seconds)} so far"
    if parts and seconds:
        left = time_left((of - parts) * seconds / parts)
    else:
        left = f"{duration(seconds)} so far"
    return f"{what}: {parts:,} of {of:,}, {left}"


def play_in_words(tally: Tally, now_s: float) -> str:
    """How far play has come, and the result of the last look at a pool."""
    rate = f"{tally.rate(now_s):,.0f} games/s, {tally.left(now_s)}"
    looks = [f"{pool}, {found}" for pool, found in tally.looks.items()]
    return "; ".join((f"{tally.done:,} of {tally.total:,} games, {rate}", *looks[-1:]))
