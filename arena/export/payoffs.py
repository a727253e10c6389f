"""A pool as a game among bots: what each choice of bots for the seats was worth, with its games.

The form of empirical game theory (Wellman 2006), as alpha-rank (Omidshafiei et al. 2019) takes it:
a player is a seat, a strategy a bot. No bot sits twice at a table, so much of such a tensor is
empty. In a round-robin the duels of every two bots never are, whoever else sat with them.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import IO, NamedTuple

import numpy as np

from arena.model import Outcome, Pool
from arena.rating import (
    Array,
    CountedGames,
    GameColumns,
    Ints,
    make_columns,
    number_rows,
    select_counted,
    share_wins,
    sum_by,
    tally_pairs,
)

MOST_CELLS = 5_000_000
"""Of a tensor: 40 MB. Five seats have room for 15 bots, six for 9; others get rows alone."""

LONGEST = 80  # characters of a file's name


class Payoffs(NamedTuple):
    """What bots won in a pool's games that count, by who sat where.

    Each seat is a player, except in teams of one bot twice: there each team is one.
    """

    bots: tuple[str, ...]  # strategies are places in it
    seated: Ints  # (rows, players): bots, in ascending order of the rows
    games: Ints  # (rows,): in which they sat so, 1 or more
    wins: Array  # (rows, players): the mean share of a win, which its sharers divide
    scores: Array  # (rows, players): the mean score in the game's points
    pairs: Array  # (bots, bots): how often ahead of another, a tie half; nan where they never met


def payoffs(pool: Pool, names: Iterable[str], games: Iterable[tuple[Outcome, int]]) -> Payoffs:
    """Work out the payoffs of a pool's games, each given with its deal, in any order."""
    columns = make_columns(pool, names, games)
    counted = select_counted(columns)
    bots, side, scores = _players(columns, counted)
    row, first = number_rows(bots)
    number = np.bincount(row, minlength=len(first)).astype(np.int64)
    unit, shares = share_wins(counted)
    met = tally_pairs(columns, counted)
    never = np.full(met.games.shape, np.nan)
    return Payoffs(
        columns.names,
        bots[first],
        number,
        _means(row, shares[:, side], number) / unit,
        _means(row, scores, number),
        np.divide(met.ahead, met.games, out=never, where=met.games > 0),
    )


def _players(columns: GameColumns, counted: CountedGames) -> tuple[Ints, Ints, Array]:
    """The players of the games that count, the side that each plays on, and their scores.

    Their shapes are (games, players), (players,) and (games, players).
    """
    sides, members = counted.seats.shape
    scores = columns.scores[counted.games]
    if columns.pool.partners == "same":
        mean = scores[:, counted.seats].sum(axis=2) / members
        return counted.bots[:, :, 0], np.arange(sides), mean
    side = np.empty(sides * members, dtype=np.int64)
    side[counted.seats] = np.arange(sides)[:, None]
    return columns.bots[counted.games], side, scores.astype(np.float64)


def _means(row: Ints, values: Array | Ints, games: Ints) -> Array:
    """The means of values, (games, players), by row: (rows, players)."""
    sums = [sum_by(row, each, len(games)) for each in values.T]
    return np.array(sums).T / games[:, None]


def tensor(found: Payoffs) -> tuple[Array, Ints] | None:
    """Spread payoffs over all choices of bots for the seats: the wins and the games.

    The wins are (players, bots of the first player, bots of the second, ...), nan if no game was so
    seated; the games, the same without the first axis. None if the wins have more than `MOST_CELLS`
    cells.
    """
    bots, players = len(found.bots), found.seated.shape[1]
    if players * bots**players > MOST_CELLS:
        return None
    wins = np.full((players, *(bots,) * players), np.nan)
    games = np.zeros((bots,) * players, dtype=np.int64)
    at = tuple(found.seated.T)
    wins[(slice(None), *at)] = found.wins.T
    games[at] = found.games
    return wins, games


def write(out: IO[bytes], found: Payoffs) -> None:
    """Write the payoffs as numpy's .npz; equal games give equal bytes."""
    arrays = found._asdict() | {"bots": np.array(found.bots, dtype=np.str_)}
    if made := tensor(found):
        arrays |= {"tensor": made[0], "tensor_games": made[1]}
    np.savez_compressed(out, **arrays)


def file_names(pools: Sequence[Pool]) -> list[str]:
    """A file's name for each pool, without its ending: `sixteen-2v2-bonus-true`.

    Names that would be the same are numbered: options may differ by what a name leaves out.
    """
    titles = (f"{pool.game} {pool.shape}" for pool in pools)
    plain = [re.sub(r"[^A-Za-z0-9_]+", "-", title).strip("-")[:LONGEST] for title in titles]
    names: list[str] = []
    for name in plain:
        numbered = (f"{name}-{number}" for number in count(2))
        names.append(name if name not in names else next(n for n in numbered if n not in names))
    return names
