"""What a user sees while games are played: a live view on a terminal, now and then a line else.

All of it goes to stderr. `rich` is loaded only where it shows something.
"""

import json
import time
from collections import Counter
from typing import Any

import typer

from arena.store.chunk import Chunk

LINE_EVERY_S = 30.0  # where stderr is no terminal
TOP = 5  # bots in the live table


class Quiet:
    """Says nothing."""

    def start(self, games: int, workers: int) -> None:
        """Say nothing."""

    def played(self, games: Chunk) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""


class Count:
    """How far play has come, and who is ahead so far."""

    def __init__(self) -> None:
        self.total = self.done = 0
        self._began_s = 0.0
        self._games: dict[str, int] = {}
        self._above: dict[str, float] = {}  # wins above what chance would give

    def begin(self, games: int) -> bool:
        """Add games that are to be played; return whether the clock starts with them."""
        first = not self.total
        if first:
            self._began_s = time.monotonic()
        self.total += games
        return first

    def add(self, games: Chunk) -> None:
        """Count finished games, and what their bots won."""
        self.done += len(games.ids)
        alike = Counter(zip(games.own_line_ups, games.seatings, games.ranks, strict=True))
        for (own, seating, ranks), many in alike.items():
            bots = [games.line_ups[own][index].name for index in json.loads(seating)]
            by_seat = zip(bots, json.loads(ranks), strict=True)
            winners = {bot for bot, rank in by_seat if rank == 1}
            players = set(bots)
            for bot in players:
                share = (bot in winners) / len(winners) - 1 / len(players)
                self._games[bot] = self._games.get(bot, 0) + many
                self._above[bot] = self._above.get(bot, 0.0) + many * share

    def rate(self) -> float:
        """Return the games played a second."""
        return self.done / max(time.monotonic() - self._began_s, 1e-9)

    def eta(self) -> str:
        """Return the time left at this rate."""
        return duration((self.total - self.done) / self.rate()) if self.done else "?"

    def top(self) -> list[tuple[str, float, int]]:
        """Return the bots furthest ahead: name, wins a game above chance, games."""
        rows = [(bot, self._above[bot] / games, games) for bot, games in self._games.items()]
        return sorted(rows, key=lambda row: (-row[1], row[0]))[:TOP]


class Lines:
    """A plain line every half minute."""

    def __init__(self) -> None:
        self._count = Count()
        self._said_s = 0.0

    def start(self, games: int, workers: int) -> None:
        """Say how much there is to do, once."""
        if self._count.begin(games):
            self._said_s = time.monotonic()
            typer.echo(f"playing {games:,} games with {workers} {workers_of(workers)}", err=True)

    def played(self, games: Chunk) -> None:
        """Count, and say so now and then."""
        count = self._count
        count.done += len(games.ids)
        if time.monotonic() - self._said_s > LINE_EVERY_S:
            self._said_s = time.monotonic()
            rate = f"{count.rate():,.0f} games/s, {count.eta()} left"
            typer.echo(f"{count.done:,} of {count.total:,} games, {rate}", err=True)

    def stop(self) -> None:
        """Say how much was done."""
        count = self._count
        if count.done:
            typer.echo(f"played {count.done:,} games, {count.rate():,.0f} games/s", err=True)


class Live:
    """A bar, the rate, the time left, and who is ahead, redrawn four times a second."""

    def __init__(self) -> None:
        self._count = Count()
        self._live: Any = None

    def start(self, games: int, workers: int) -> None:
        """Draw."""
        if not self._count.begin(games):
            return
        from rich.console import Console
        from rich.live import Live as RichLive

        self._live = RichLive(
            console=Console(stderr=True), get_renderable=self._draw, transient=True
        )
        self._live.start()

    def played(self, games: Chunk) -> None:
        """Count; the next redraw shows it."""
        self._count.add(games)

    def stop(self) -> None:
        """Clear the drawing away, and say how much was done."""
        if self._live is not None:
            self._live.stop()
        count = self._count
        if count.done:
            typer.echo(f"played {count.done:,} games, {count.rate():,.0f} games/s", err=True)

    def _draw(self) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        count = self._count
        head = Table.grid(padding=(0, 1))
        head.add_row(
            ProgressBar(total=max(count.total, 1), completed=count.done, width=24),
            Text(f"{count.done:,} of {count.total:,} games"),
            Text(f"{count.rate():,.0f}/s", "cyan"),
            Text(f"{count.eta()} left", "dim"),
        )
        table = Table.grid(padding=(0, 2))
        for place, (bot, above, games) in enumerate(count.top(), 1):
            won = Text(f"{above:+.0%}", "green" if above > 0 else "red")
            table.add_row(Text(f"{place}", "dim"), Text(bot), won, Text(f"{games:,} games", "dim"))
        note = Text("ahead so far, wins above chance:" if count.done else "", "dim")
        return Group(head, note, table)


def duration(seconds: float) -> str:
    """Return a length of time as people say it: `45 s`, `3 min`, `2 h 10 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def workers_of(count: int) -> str:
    """Return `worker` or `workers`."""
    return "worker" if count == 1 else "workers"
