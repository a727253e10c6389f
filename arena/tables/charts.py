"""What is drawn in the cells of a page's tables: intervals on a scale, shares as colours. Pure.

An interval is drawn in percent of its cell, not in pixels: so it is as wide as the page lets it be,
and its strokes keep their width. A crosstable is a heatmap of results by two bots: a colour for
the share, and the number of games.
"""

from collections.abc import Iterable
from math import ceil, floor, isqrt, log10
from typing import NamedTuple

from arena.tables.document import Crosstable, PoolTable
from arena.tables.values import Counts, Shares

MARGIN = 6.0  # percent left free at either end, for the outermost tick's number
TICKS = 4  # at most
MOST = 40  # bots of a crosstable
CELLS = 9_600  # of a page: some 21 bytes each, of the 300,000 that a page may have
CLASSES = 21  # of cells: 10 is even, 20 all, 0 nothing


class Scale(NamedTuple):
    """A linear scale from the least to the greatest of its values."""

    least: float
    most: float
    ticks: tuple[float, ...]  # round numbers on it, ascending
    middle: float | None = None  # the value that others are compared with, if it is on the scale

    def at(self, value: float | None, open_end: float = 0.0) -> float:
        """Where a value lies, in percent from the left; None lies at `open_end`."""
        if value is None:
            return open_end
        within = (value - self.least) / (self.most - self.least)
        return round(MARGIN + (100 - 2 * MARGIN) * within, 1)

    def label(self, tick: float) -> str:
        """A tick's number, with as many decimals as the scale's ticks need."""
        step = self.ticks[1] - self.ticks[0] if len(self.ticks) > 1 else 1.0
        return f"{round(tick, 9) + 0.0:.{max(0, -floor(log10(step) + 1e-9))}f}"


def scale_of(values: Iterable[float | None], middle: float | None = None) -> Scale:
    """The scale that holds these values, None left out; from 0 to 1 without any value. `middle` is
    marked if it lies on the scale.
    """
    known = [value for value in values if value is not None]
    least, most = min(known, default=0.0), max(known, default=1.0)
    if most - least < 1e-6:
        least, most = least - 0.5, most + 0.5
    on_it = middle if middle is not None and least <= middle <= most else None
    return Scale(least, most, _ticks(least, most), on_it)


def _ticks(least: float, most: float) -> tuple[float, ...]:
    """Round numbers on a scale, `TICKS` at most: multiples of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10((most - least) / TICKS))
    for factor in (1, 2, 5, 10, 20, 50):
        step = factor * power
        numbers = range(ceil(least / step - 1e-9), floor(most / step + 1e-9) + 1)
        if len(numbers) <= TICKS:
            break
    return tuple(number * step for number in numbers)


AHEAD = (
    "How often the row's bot finished ahead of the column's, in percent, a tie half; below it, in "
    "how many games."
)
WINS = (
    "How often the row's bot won with the column's against it, in percent; below it, of how many "
    "games."
)
LEFT = (
    "How often the row's bot won with the column's to its left, who plays next, in percent; below "
    "it, of how many games."
)


class Heatmap(NamedTuple):
    """A table by two bots."""

    id: str  # unique on its page
    title: str
    words: str  # what a cell says
    bots: tuple[str, ...]  # by row and by column, best first
    rows: tuple[tuple[tuple[int, float, int] | None, ...], ...]  # class, share, games; None: unmet
    left_out: int  # bots of lower places


def heatmaps(pool: PoolTable, id: str, most: int = MOST) -> list[Heatmap]:
    """A pool's tables of its first `most` bots: who finished ahead of whom; then, with three sides
    or more, wins by opponent and by left neighbour. With two sides these would say the same again.
    """
    cross = pool.crosstable
    of_ahead = cross.ahead, cross.games
    out = [_heatmap(cross, f"{id}-ahead", "Finished ahead of", AHEAD, of_ahead, 0.5, most)]
    if cross.left_wins and cross.left_games:
        even, of_wins = 1 / pool.players, (cross.wins, cross.games)
        of_left = cross.left_wins, cross.left_games
        title = "Wins by left neighbour"
        out.append(_heatmap(cross, f"{id}-wins", "Wins by opponent", WINS, of_wins, even, most))
        out.append(_heatmap(cross, f"{id}-left", title, LEFT, of_left, even, most))
    return out


def most_for(tables: int, cells: int = CELLS) -> int:
    """How many bots each of a page's crosstables may have, to keep the page small."""
    return min(MOST, isqrt(cells // max(1, tables)))


def _heatmap(
    cross: Crosstable,
    id: str,
    title: str,
    words: str,
    of: tuple[Shares, Counts],
    even: float,
    most: int,
) -> Heatmap:
    shares, games = of
    shown = len(cross.bots[:most])
    rows = tuple(
        tuple(
            None if share is None else (heat(share, even), share, games[row][column])
            for column, share in enumerate(shares[row][:shown])
        )
        for row in range(shown)
    )
    return Heatmap(id, title, words, cross.bots[:shown], rows, len(cross.bots) - shown)


def heat(share: float, even: float) -> int:
    """The class of a share's cell, 0 to 20: 10 where it is even, 20 from twice that on."""
    return max(0, min(CLASSES - 1, round(10 + 10 * (share - even) / even)))
