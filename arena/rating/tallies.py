"""Counts of a pool's games, besides the ratings: wins, scores, who finished ahead of whom.

By bot, by seat, by opponent and by left neighbour. Shares of wins are kept in units that make them
whole, so that sums are exact and depend on no order. Pure.
"""

from math import lcm
from typing import NamedTuple

import numpy as np

from arena.rating.gaussian import Array
from arena.rating.outcomes import Columns, Counted, Ints, Rated, sum_by


class Tallies(NamedTuple):
    """Each bot's games, wins and scores, added up: (bots,) each."""

    games: Ints  # in which it had a seat
    rated: Ints  # of these, the ones that count
    wins: Array  # 1 for a win, a shared one divided among its sharers
    scores: Array  # the mean of its seats', summed over the games that count


class Pairs(NamedTuple):
    """Games and wins of two bots at one table: (bots, bots) each, the row's bot's with the
    column's.
    """

    games: Ints  # on different sides of one table
    ahead: Array  # finished ahead of the other, a tie half
    wins: Array  # won, with the other against it
    left_games: Ints  # with the other to the left: next, clockwise
    left_wins: Array


class Seats(NamedTuple):
    """How often each seat won, and how sure that is: (seats,) each."""

    wins: Array  # the share of games it won
    error: Array  # the standard error of the share, by clusters


def tally_bots(table: Columns, counted: Counted) -> Tallies:
    """Tally games, wins and scores by bot, for all of the table's names."""
    bots = len(table.names)
    seated = np.sort(table.bots, axis=1)
    first = np.ones(seated.shape, dtype=bool)
    first[:, 1:] = seated[:, 1:] != seated[:, :-1]
    scores = np.zeros(bots)
    by_side = table.scores[counted.games][:, counted.seats]
    sitting = table.bots[counted.games][:, counted.seats]
    for member in np.moveaxis(counted.bots, 2, 0):
        mine = sitting == member[:, :, None]
        scores += sum_by(member, (by_side * mine).sum(axis=2) / mine.sum(axis=2), bots)
    unit, shares = share_wins(counted)
    return Tallies(
        sum_by(seated[first], 1, bots).astype(np.int64),
        sum_by(counted.bots, 1, bots).astype(np.int64),
        sum_by(counted.bots, shares[:, :, None], bots) / unit,
        scores,
    )


def tally_pairs(table: Columns, counted: Counted) -> Pairs:
    """Tally games and wins of every two bots, for all of the table's names."""
    bots = len(table.names)
    games, ahead, wins, left_games, left_wins = np.zeros((5, bots * bots))
    unit, shares = share_wins(counted)
    sides = counted.ranks.shape[1]
    for one in range(sides):
        for other in range(sides):
            if one == other:
                continue
            mine, theirs = counted.ranks[:, one], counted.ranks[:, other]
            halves = 2 * (mine < theirs) + (mine == theirs)
            for bot in counted.bots[:, one].T:
                for opponent in counted.bots[:, other].T:
                    at = bot * bots + opponent
                    games += sum_by(at, 1, bots * bots)
                    ahead += sum_by(at, halves, bots * bots) / 2
                    wins += sum_by(at, shares[:, one], bots * bots)
                    if sides > 2 and other == (one + 1) % sides:
                        left_games += sum_by(at, 1, bots * bots)
                        left_wins += sum_by(at, shares[:, one], bots * bots)
    square = (bots, bots)
    return Pairs(
        games.reshape(square).astype(np.int64),
        ahead.reshape(square),
        wins.reshape(square) / unit,
        left_games.reshape(square).astype(np.int64),
        left_wins.reshape(square) / unit,
    )


def tally_seats(counted: Counted, rated: Rated) -> Seats:
    """Each seat's share of wins; both seats of a team have the team's wins.

    There are games. The error is 0 for one cluster.
    """
    unit, shares = share_wins(counted)
    games, clusters = len(shares), rated.line_ups.shape[1]
    wins, error = np.zeros((2, counted.seats.size))
    size = sum_by(rated.cluster, 1, clusters)
    for side, share in zip(counted.seats, shares.T, strict=True):
        wins[side] = mean = share.sum() / (unit * games)
        off = sum_by(rated.cluster, share, clusters) / unit - mean * size
        error[side] = np.sqrt((off**2).sum() * clusters / max(clusters - 1, 1)) / games
    return Seats(wins, error)


def share_wins(counted: Counted) -> tuple[int, Ints]:
    """Divide each game's win among those that share it: the units of a win, and each side's.

    The latter is (games, sides).
    """
    unit = lcm(*range(1, counted.ranks.shape[1] + 1))
    won = counted.ranks == counted.ranks.min(axis=1, keepdims=True)
    return unit, won * (unit // won.sum(axis=1, keepdims=True))
