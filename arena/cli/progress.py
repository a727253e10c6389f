"""Progress of long work, printed to stderr: the current step, and how far play has come.

On a terminal, a line and for play a live view are redrawn, and cleared in the end; elsewhere a line
is printed now and then. A thread draws the line, for a step may be one long call that reports
nothing. `rich` draws the view and is loaded for that alone: `rich.progress` would draw the same,
but takes the rate, the time left and the leaders as words.
"""

import json
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from math import ceil
from typing import Any

from arena.cli.options import say_unread
from arena.cli.terminal import draw, out, say
from arena.progress import Alike, Look, Progress
from arena.system.signals import shield_children
from arena.words import MORE, amount, duration, progress, visible

REDRAW_S = 0.25
SHOWN_AFTER_S = 1.0  # on a terminal: shorter steps would only flicker
FIRST_LINE_S, LINE_EVERY_S = 2.0, 30.0  # elsewhere
RECENT_S = 10.0  # from which the time left is estimated
TOP = 5  # most bots in the live view
NAMES = 3  # most parts named that a step waits for
PLAYING = "playing"
ENOUGH = 100  # games, or a tenth of all: before, time left and leaders are chance


class Tally:
    """Counts how far play has come, and who leads so far, among the bots `only` if it names any."""

    def __init__(self, only: Collection[str] = ()) -> None:
        self._only = only
        self.total = self.done = 0
        self.before = 0  # games stored already, shown with these
        self.more = False  # whether their results may ask for more games
        self._began_s = 0.0
        self._recent: deque[tuple[float, int]] = deque()  # when so many games were done
        self._games: dict[str, int] = {}
        self._above: dict[str, float] = {}  # wins above what chance would give
        self._looks: dict[str, str] = {}  # by pool that is not settled: what the last look found

    def begin(self, games: int, now_s: float) -> None:
        """Add games to play; the clock starts with the first of them."""
        if not self.total:
            self._began_s = now_s
            self._recent.append((now_s, 0))
        self.total += games

    def add(self, games: int, now_s: float) -> None:
        """Count finished games."""
        self.done += games
        self._recent.append((now_s, self.done))
        while len(self._recent) > 2 and self._recent[1][0] <= now_s - RECENT_S:
            self._recent.popleft()

    def results(self, games: Iterable[Alike]) -> None:
        """Count what bots won in finished games."""
        for bots, ranks, many in games:
            winners = {bot for bot, rank in zip(bots, ranks, strict=True) if rank == 1}
            players = set(bots)
            for bot in players:
                share = (bot in winners) / len(winners) - 1 / len(players)
                self._games[bot] = self._games.get(bot, 0) + many
                self._above[bot] = self._above.get(bot, 0.0) + many * share

    def looked(self, look: Look) -> None:
        """Keep what the last look found at a pool that is not settled."""
        self._looks.pop(look.pool, None)
        if look.words:
            self._looks[look.pool] = f"{look.pool}: {look.words}"

    def rate(self, now_s: float) -> str:
        """Games played a second since the clock started, in words."""
        return f"{self.done / max(now_s - self._began_s, 1e-9):,.0f}"

    def time_left(self, now_s: float) -> str:
        """The time left in words, at the recent rate: the last games may be slow ones, with few
        workers still busy.

        It is at least the time since a game was last finished.
        """
        if not self.done or self._is_early():
            return "? left"
        (then_s, before), (last_s, _) = self._recent[0], self._recent[-1]
        lately = (self.done - before) / max(now_s - then_s, 1e-9)
        return time_left(max((self.total - self.done) / lately, now_s - last_s))

    def _is_early(self) -> bool:
        return self.before + self.done < min(ENOUGH, (self.before + self.total) // 10)

    def pace(self, now_s: float) -> str:
        return f"{self.rate(now_s)} games/s, {self.time_left(now_s)}"

    def top(self) -> list[tuple[str, float, int]]:
        """The leading bots: name, wins a game above chance, games; none while games are few."""
        if self._is_early():
            return []
        rows = [
            (bot, self._above[bot] / games, games)
            for bot, games in self._games.items()
            if not self._only or bot in self._only
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))[:TOP]

    def line(self, now_s: float) -> str:
        """The progress of play, and the result of the last look at a pool."""
        come = f"{progress(self.done, self.total, self.more)}, {self.pace(now_s)}"
        return "; ".join((come, *[*self._looks.values()][-1:]))

    def picture(self, waits: str = "") -> Any:
        """The picture for `rich`: a bar, the rate, the time left, what is awaited, the leaders."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        now_s = time.monotonic()
        done, total = self.before + self.done, self.before + self.total
        head = Table.grid(padding=(0, 1))
        head.add_row(
            ProgressBar(total=max(total, 1), completed=done, width=24),
            Text(progress(done, total, self.more)),
            Text(f"{self.rate(now_s)}/s", "cyan"),
            Text(self.time_left(now_s), "dim"),
        )
        table = Table.grid(padding=(0, 2))
        for place, (bot, above, games) in enumerate(self.top(), 1):
            won = Text(f"{above:+.0%}", "green" if above > 0 else "red")
            count = Text(amount(games, "game"), "dim")
            table.add_row(Text(f"{place}", "dim"), Text(visible(bot)), won, count)
        note = Text("leaders so far, wins above chance:" if self.top() else "", "dim")
        looks = [Text(look, "dim") for look in self._looks.values()]
        slow = [Text(visible(waits), "yellow")] if waits else []
        return Group(head, *slow, *looks[-TOP:], note, table)


def time_left(seconds: float) -> str:
    """The time left in words: a second at least, for the work is not done."""
    return f"{duration(max(1, ceil(seconds)))} left"


class Quiet(Progress):
    """Shows no progress."""

    def say(self, *lines: str) -> None:
        """Print messages for people, for warnings are no progress."""
        say(*lines)

    def say_unread(self, *lines: str) -> None:
        say_unread(*lines)


class JsonLines(Quiet):
    """Shows each look as a line of JSON, for programs."""

    def looked(self, look: Look) -> None:
        fields = look._asdict()
        del fields["words"]
        say(json.dumps(fields))


class Display(Progress):
    """Shows progress while it is entered; leaders among the bots `only` if it names any."""

    def __init__(self, only: Collection[str] = ()) -> None:
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"  # Windows sets none
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
        self._parts += parts

    def at(self, names: Sequence[str]) -> None:
        self._at = names

    def before(self, games: Iterable[Alike]) -> None:
        """Count wins in games that are stored already; for the live view alone."""
        if self._live:
            self.tally.results(games)

    def start(self, games: int, workers: int, more: bool) -> None:
        """Show the view of play; where there is no terminal, say once how much there is to do."""
        if not self._live and not self.tally.total:
            further = f"{MORE}," if more else ""
            self.say(f"playing {games:,} games{further} with {amount(workers, 'worker')}")
            self._due_s = time.monotonic() + LINE_EVERY_S
        self.tally.begin(games, time.monotonic())
        self.tally.more = more
        if not self._live:
            self.begin(PLAYING)
            return
        self.end()
        from rich.console import Console
        from rich.live import Live

        self._view = Live(console=Console(stderr=True), get_renderable=self.view, transient=True)
        with shield_children(signal.SIGTERM):  # signals are not for the thread that draws
            self._view.start()

    def played(self, count: int, games: Iterable[Alike]) -> None:
        """Count finished games; the next line or redraw shows them."""
        self.tally.add(count, time.monotonic())
        self.before(games)

    def looked(self, look: Look) -> None:
        self.tally.looked(look)

    def say(self, *lines: str) -> None:
        with self._lock:
            self._clear()
            say(*lines)

    def say_unread(self, *lines: str) -> None:
        say_unread(*lines, say=self.say)

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
            say(f"played {self.tally.done:,} games, {rate} games/s")
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

    def line(self, now_s: float) -> str:
        """The line of progress: the current step, or how far play has come."""
        playing = self.what == PLAYING and self.tally.total  # other work has steps of that name
        words = self.tally.line(now_s) if playing else self._step(now_s - self._began_s)
        return "; ".join(filter(None, (words, self._waits())))

    def view(self) -> Any:
        """The live view of play, as `rich` draws it."""
        return self.tally.picture(self._waits())

    def _step(self, seconds: float) -> str:
        parts, of = self._parts, self._of
        come = f"{duration(seconds)} so far"
        if not of:
            return f"{self.what}: {f'{parts:,} in ' if parts else ''}{come}"
        left = time_left((of - parts) * seconds / parts) if parts and seconds else come
        return f"{self.what}: {parts:,} of {of:,}, {left}"

    def _waits(self) -> str:
        """The parts that the step waits for, in words; "" if there are none."""
        more = f" and {len(self._at) - NAMES:,} more" if len(self._at) > NAMES else ""
        return f"waiting for {', '.join(self._at[:NAMES])}{more}" if self._at else ""

    def _show(self) -> None:
        while not self._over.wait(REDRAW_S):
            with self._lock:
                now_s = time.monotonic()
                if now_s < self._due_s:
                    continue
                if self._live:
                    draw(self.line(now_s))
                    self._drawn = True
                else:
                    say(self.line(now_s))
                    self._due_s = now_s + LINE_EVERY_S

    def _clear(self) -> None:
        if self._drawn:
            draw("")
            self._drawn = False

    def _hide(self) -> None:
        if self._view is not None:
            self._view.stop()
            self._view = None
