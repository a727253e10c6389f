"""How far play has come, and who leads so far: counted, in words, and as `rich` draws it.

`rich` is loaded only where something is drawn.
"""

from collections import deque
from collections.abc import Collection, Iterable
from math import ceil
from typing import Any

from arena.escape import visible
from arena.progress import Alike
from arena.words import amount, duration

TOP = 5  # bots in the live table
RECENT_S = 10.0  # from which the time left is estimated


class Tally:
    """Counts how far play has come, and who leads so far."""

    def __init__(self, only: Collection[str] = ()) -> None:
        self._only = only  # bots that are compared; empty: all
        self.total = self.done = 0
        self.before = 0  # games stored already, shown with these
        self._began_s = 0.0
        self._recent: deque[tuple[float, int]] = deque()  # when so many games were done
        self._games: dict[str, int] = {}
        self._above: dict[str, float] = {}  # wins above what chance would give
        self.looks: dict[str, str] = {}  # by pool that is not settled: what the last look found

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

    def looked(self, pool: str, found: str) -> None:
        """Keep what the last look at a pool found; "" if it is settled."""
        self.looks.pop(pool, None)
        if found:
            self.looks[pool] = found

    def rate(self, now_s: float) -> float:
        """Games played a second, since the clock started."""
        return self.done / max(now_s - self._began_s, 1e-9)

    def left(self, now_s: float) -> str:
        """The time left in words, at the recent rate: the last games may be slow ones, with few
        workers still busy.

        It is at least the time since a game was last finished.
        """
        if not self.done:
            return "? left"
        (then_s, before), (last_s, _) = self._recent[0], self._recent[-1]
        lately = (self.done - before) / max(now_s - then_s, 1e-9)
        return time_left(max((self.total - self.done) / lately, now_s - last_s))

    def top(self) -> list[tuple[str, float, int]]:
        """The leading bots: name, wins a game above chance, games."""
        rows = [
            (bot, self._above[bot] / games, games)
            for bot, games in self._games.items()
            if not self._only or bot in self._only
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))[:TOP]


def time_left(seconds: float) -> str:
    """The time left in words: a second at least, for the work is not done."""
    return f"{duration(max(1, ceil(seconds)))} left"


def picture(tally: Tally, now_s: float, waits: str = "") -> Any:
    """A tally as `rich` draws it: a bar, the rate, the time left, the bots that all wait for, and
    the leaders.
    """
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    done, total = tally.before + tally.done, tally.before + tally.total
    head = Table.grid(padding=(0, 1))
    head.add_row(
        ProgressBar(total=max(total, 1), completed=done, width=24),
        Text(f"{done:,} of {total:,} games"),
        Text(f"{tally.rate(now_s):,.0f}/s", "cyan"),
        Text(tally.left(now_s), "dim"),
    )
    table = Table.grid(padding=(0, 2))
    for place, (bot, above, games) in enumerate(tally.top(), 1):
        won = Text(f"{above:+.0%}", "green" if above > 0 else "red")
        table.add_row(
            Text(f"{place}", "dim"), Text(visible(bot)), won, Text(amount(games, "game"), "dim")
        )
    note = Text("ahead so far, wins above chance:" if tally.top() else "", "dim")
    looks = [Text(f"{pool}, {found}", "dim") for pool, found in tally.looks.items()]
    slow = [Text(visible(waits), "yellow")] if waits else []
    return Group(head, *slow, *looks[-TOP:], note, table)
