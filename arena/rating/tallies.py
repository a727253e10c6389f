"""What is counted of a pool's games beside ratings: wins, scores, who finished ahead of whom.

By bot, by seat, by opponent and by left neighbour. Shares of wins are kept in units that make
them whole, so that sums are exact and depend on no order. Pure.
"""

from math import lcm
from typing import NamedTuple

import numpy as np

from arena.rating.gaussian import Array
from arena.rating.outcomes import Columns, Counted, Ints, Rated, added


class Tallies(NamedTuple):
    """What each bot did, added up: (bots,) each."""

    games: Ints  # in which it had a seat
    rated: Ints  # of these, those that count
    wins: Array  # 1 for a win, a shared one divided among its sharers
    scores: Array  # mean of its seats', summed over the games that count


class Pairs(NamedTuple):
    """What bots did in each other's company: (bots, bots) each, by whose it is and the other."""

    games: Ints  # on different sides of one table
    ahead: Array  # finished ahead of the other, a tie half
    wins: Array  # won, with the other against it
    left_games: Ints  # with the other to the left: who comes next, clockwise
    left_wins: Array


class Seats(NamedTuple):
    """What a seat was worth: (seats,) each."""

    wins: Array  # the share of games it won
    error: Array  # the standard error of that, by clusters


def tallies(table: Columns, those: Counted) -> Tallies:
    """Return what each bot did, for all of the table's names."""
    bots = len(table.names)
    seated = np.sort(table.bots, axis=1)
    first = np.ones(seated.shape, dtype=bool)
    first[:, 1:] = seated[:, 1:] != seated[:, :-1]
    scores = np.zeros(bots)
    by_side = table.scores[those.games][:, those.seats]
    sitting = table.bots[those.games][:, those.seats]
    for member in np.moveaxis(those.bots, 2, 0):
        own = sitting == member[:, :, None]
        scores += added(member, (by_side * own).sum(axis=2) / own.sum(axis=2), bots)
    unit, shares = _shares(those)
    return Tallies(
        added(seated[first], 1, bots).astype(np.int64),
        added(those.bots, 1, bots).astype(np.int64),
        added(those.bots, shares[:, :, None], bots) / unit,
        scores,
    )


def pairs(table: Columns, those: Counted) -> Pairs:
    """Return what bots did in each other's company, for all of the table's names."""
    bots = len(table.names)
    games, ahead, wins, left_games, left_wins = np.zeros((5, bots * bots))
    unit, shares = _shares(those)
    sides = those.ranks.shape[1]
    for one in range(sides):
        for other in range(sides):
            if one == other:
                continue
            mine, theirs = those.ranks[:, one], those.ranks[:, other]
            halves = 2 * (mine < theirs) + (mine == theirs)
            for bot in those.bots[:, one].T:
                for opponent in those.bots[:, other].T:
                    at = bot * bots + opponent
                    games += added(at, 1, bots * bots)
                    ahead += added(at, halves, bots * bots) / 2
                    wins += added(at, shares[:, one], bots * bots)
                    if sides > 2 and other == (one + 1) % sides:
                        left_games += added(at, 1, bots * bots)
                        left_wins += added(at, shares[:, one], bots * bots)
    square = (bots, bots)
    return Pairs(
        games.reshape(square).astype(np.int64),
        ahead.reshape(square),
        wins.reshape(square) / unit,
        left_games.reshape(square).astype(np.int64),
        left_wins.reshape(square) / unit,
    )


def seats(those: Counted, rated: Rated) -> Seats:
    """Return what each seat was worth; a team's two seats both have the team's wins.

    There are games. The error is 0 for one cluster.
    """
    unit, shares = _shares(those)
    games, clusters = len(shares), rated.line_ups.shape[1]
    wins, error = np.zeros((2, those.seats.size))
    size = added(rated.cluster, 1, clusters)
    for own, share in zip(those.seats, shares.T, strict=True):
        wins[own] = mean = share.sum() / (unit * games)
        off = added(rated.cluster, share, clusters) / unit - mean * size
        error[own] = np.sqrt((off**2).sum() * clusters / max(clusters - 1, 1)) / games
    return Seats(wins, error)


def _shares(those: Counted) -> tuple[int, Ints]:
    """Return how many units a game's win has, and each side's part of it: (games, sides)."""
    unit = lcm(*range(1, those.ranks.shape[1] + 1))
    won = those.ranks == those.ranks.min(axis=1, keepdims=True)
    return unit, won * (unit // won.sum(axis=1, keepdims=True))
