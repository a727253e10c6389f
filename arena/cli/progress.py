"""What a user sees while games are played: a live view on a terminal, now and then a line else.

All of it goes to stderr. `rich` is loaded only where it shows something.
"""

import json
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from arena.cli.step_line import StepLine, left_in_words
from arena.cli.terminal import say
from arena.escape import visible
from arena.model import Outcome
from arena.steps import Untold
from arena.store.chunk import Chunk
from arena.system.signals import out_of_reach
from arena.words import amount

PLAYING = "playing"
TOP = 5  # bots in the live table
RECENT_S = 10.0  # that the time left is told from


class Quiet(Untold):
    """Says nothing."""

    def before(self, outcomes: Iterable[Outcome]) -> None:
        """Read nothing."""

    def start(self, games: int, workers: int) -> None:
        """Say nothing."""

    def played(self, games: Chunk) -> None:
        """Say nothing."""

    def looked(self, pool: str, found: str) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""

    def say(self, *lines: str) -> None:
        """Print words for people: warnings are no progress."""
        say(*lines)

    def end(self) -> None:
        """Clear nothing away."""


class Count:
    """How far play has come, and who is ahead so far."""

    def __init__(self, only: Collection[str] = ()) -> None:
        self._only = only  # bots that are compared; empty: all
        self.total = self.done = 0
        self.before = 0  # games that were there already, and are shown with these
        self._began_s = 0.0
        self._recent: deque[tuple[float, int]] = deque()  # when so many games were done
        self._games: dict[str, int] = {}
        self._above: dict[str, float] = {}  # wins above what chance would give
        self.looks: dict[str, str] = {}  # by pool that is not settled: what the last look found

    def begin(self, games: int, now_s: float) -> None:
        """Add games that are to be played; the clock starts with the first of them."""
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

    def results(self, games: Chunk) -> None:
        """Count what bots won in finished games."""
        alike = Counter(zip(games.own_line_ups, games.seatings, games.ranks, strict=True))
        for (own, seating, ranks), many in alike.items():
            bots = [games.line_ups[own][index].name for index in json.loads(seating)]
            self.result(bots, json.loads(ranks), many)

    def result(self, bots: Sequence[str], ranks: Sequence[int], many: int = 1) -> None:
        """Count what bots won in so many games that ended alike; bots and ranks by seat."""
        winners = {bot for bot, rank in zip(bots, ranks, strict=True) if rank == 1}
        players = set(bots)
        for bot in players:
            share = (bot in winners) / len(winners) - 1 / len(players)
            self._games[bot] = self._games.get(bot, 0) + many
            self._above[bot] = self._above.get(bot, 0.0) + many * share

    def looked(self, pool: str, found: str) -> None:
        """Keep what the last look at a pool found; "" where it is settled."""
        self.looks.pop(pool, None)
        if found:
            self.looks[pool] = found

    def rate(self, now_s: float) -> float:
        """Return the games played a second."""
        return self.done / max(now_s - self._began_s, 1e-9)

    def left(self, now_s: float) -> str:
        """Return the time left in words, at the rate of late: the last games may be slow ones, and
        few workers still have any. It is no less than the time that nothing has been finished for.
        """
        if not self.done:
            return "? left"
        (then_s, before), (last_s, _) = self._recent[0], self._recent[-1]
        lately = (self.done - before) / max(now_s - then_s, 1e-9)
        return left_in_words(max((self.total - self.done) / lately, now_s - last_s))

    def top(self) -> list[tuple[str, float, int]]:
        """Return the bots furthest ahead: name, wins a game above chance, games."""
        rows = [
            (bot, self._above[bot] / games, games)
            for bot, games in self._games.items()
            if not self._only or bot in self._only
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))[:TOP]


class Lines(StepLine):
    """Plain lines, where stderr is no terminal: how much there is to do, how far it has come."""

    def __init__(self) -> None:
        super().__init__()
        self._count = Count()

    def before(self, outcomes: Iterable[Outcome]) -> None:
        """Read nothing: lines tell of no results."""

    def start(self, games: int, workers: int) -> None:
        """Say how much there is to do, once."""
        if not self._count.total:
            self.say(f"playing {games:,} games with {amount(workers, 'worker')}")
            self.put_off()
        self._count.begin(games, time.monotonic())
        self.begin(PLAYING)

    def played(self, games: Chunk) -> None:
        """Count."""
        self._count.add(len(games.ids), time.monotonic())

    def looked(self, pool: str, found: str) -> None:
        """Keep what was found: the next line says it of the pool that was looked at last."""
        self._count.looked(pool, found)

    def told(self, now_s: float) -> str:
        """Return the step at hand in words, or how far play has come."""
        count = self._count
        if self.what != PLAYING:
            return super().told(now_s)
        rate = f"{count.rate(now_s):,.0f} games/s, {count.left(now_s)}"
        looks = [f"{pool}, {found}" for pool, found in count.looks.items()]
        told = (f"{count.done:,} of {count.total:,} games, {rate}", *looks[-1:], self.waits())
        return "; ".join(filter(None, told))

    def stop(self) -> None:
        """Say how much was done."""
        self.end()
        _say_done(self._count)
        self._count = Count()


class Live(StepLine):
    """A bar, the rate, the time left, and who is ahead, redrawn four times a second."""

    def __init__(self, only: Collection[str] = ()) -> None:
        super().__init__()
        self._only = only
        self._count = Count(only)
        self._view: Any = None

    def before(self, outcomes: Iterable[Outcome]) -> None:
        """Count who is ahead in games that are stored already."""
        for outcome in outcomes:
            self._count.result(outcome.bots, outcome.ranks)

    def begin(self, what: str, of: int = 0) -> None:
        """Show a step in the place of games."""
        self._hide()
        super().begin(what, of)

    def start(self, games: int, workers: int) -> None:
        """Draw."""
        self.end()
        self._count.begin(games, time.monotonic())
        from rich.console import Console
        from rich.live import Live as RichLive

        self._view = RichLive(
            console=Console(stderr=True), get_renderable=self._draw, transient=True
        )
        with out_of_reach(signal.SIGTERM):  # what comes is not for the thread that draws
            self._view.start()

    def played(self, games: Chunk) -> None:
        """Count; the next redraw shows it."""
        self._count.add(len(games.ids), time.monotonic())
        self._count.results(games)

    def looked(self, pool: str, found: str) -> None:
        """Keep what was found; the next redraw shows it."""
        self._count.looked(pool, found)

    def end(self) -> None:
        """Clear away what is drawn."""
        self._hide()
        super().end()

    def stop(self) -> None:
        """Clear the drawing away, and say how much was done."""
        self.end()
        _say_done(self._count)
        self._count = Count(self._only)

    def _hide(self) -> None:
        if self._view is not None:
            self._view.stop()
            self._view = None

    def _draw(self) -> Any:
        return picture(self._count, time.monotonic(), self.waits())


@contextmanager
def shown(quiet: bool, only: Collection[str] = ()) -> Iterator[Quiet | Live | Lines]:
    """Give what shows how play goes on: live on a terminal, in lines elsewhere. It is cleared away
    in the end. Of who is ahead it tells among these bots alone, if there are any.
    """
    progress = Quiet() if quiet else Live(only) if sys.stderr.isatty() else Lines()
    try:
        yield progress
    finally:
        progress.end()


def picture(count: Count, now_s: float, waits: str = "") -> Any:
    """Return what `rich` draws of a count: a bar, the rate, the time left, which bots all wait for,
    and who is ahead.
    """
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    done, total = count.before + count.done, count.before + count.total
    head = Table.grid(padding=(0, 1))
    head.add_row(
        ProgressBar(total=max(total, 1), completed=done, width=24),
        Text(f"{done:,} of {total:,} games"),
        Text(f"{count.rate(now_s):,.0f}/s", "cyan"),
        Text(count.left(now_s), "dim"),
    )
    table = Table.grid(padding=(0, 2))
    for place, (bot, above, games) in enumerate(count.top(), 1):
        won = Text(f"{above:+.0%}", "green" if above > 0 else "red")
        table.add_row(
            Text(f"{place}", "dim"), Text(visible(bot)), won, Text(amount(games, "game"), "dim")
        )
    note = Text("ahead so far, wins above chance:" if count.top() else "", "dim")
    looks = [Text(f"{pool}, {found}", "dim") for pool, found in count.looks.items()]
    slow = [Text(visible(waits), "yellow")] if waits else []
    return Group(head, *slow, *looks[-TOP:], note, table)


def _say_done(count: Count) -> None:
    if count.done:
        rate = count.rate(time.monotonic())
        say(f"played {count.done:,} games, {rate:,.0f} games/s")
