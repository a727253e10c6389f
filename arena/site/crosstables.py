"""Crosstables as heatmaps: who did what against whom, a colour for the share, and n. Pure."""

from math import isqrt
from typing import NamedTuple

from arena.tables.document import Crosstable, PoolTable
from arena.tables.values import Counts, Shares

MOST = 40  # bots of a table
CELLS = 9_600  # of a page: some 21 bytes each, of the 300,000 that a page may have
CLASSES = 21  # of cells: 10 is even, 20 all, 0 nothing

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
    """Return a pool's tables of its first `most` bots, without those that say the same again: who
    finished ahead of whom; then, with three sides and more, wins by opponent and by left neighbour.
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
    """Return how many bots each of a page's crosstables may have, for the page to stay small."""
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
    """Return the class of a share's cell, 0 to 20: 10 where it is even, 20 from twice that on."""
    return max(0, min(CLASSES - 1, round(10 + 10 * (share - even) / even)))
