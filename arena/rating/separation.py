"""Bots that never lose, never win, or never met, not even through others: how far off their ratings
may be, and an exact sign test of who is better (Hoeffding 1956). README.md beside this file derives
both.
"""

from collections.abc import Iterator
from itertools import takewhile
from math import comb
from typing import NamedTuple

import numpy as np

from arena.model import LEVEL
from arena.rating.comparisons import tie_neighbours
from arena.rating.fit import Fit
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints, MergedGames, Sites, find_distinct, sum_by

RARE = 2
"""Decks. Of two bots and independent games all combinations were counted out (`python -m
tests.benchmarks.coverage`): with 1, intervals hold in 93.5 % of leagues of 1000 games at 99.5 %;
with 2, in 94.5 % or more everywhere; with 3, they are wider and hold hardly more often."""

REACH = 1.5
"""The reach of a gap between groups, in the model's deviations. By the exact limits
of a number of upsets (Garwood, Biometrika 28 (1936) 437) a bot with 0 losses in 200 games lies up
to 1.36 times as far from where it is rated, one with 1 loss up to 1.5 times."""


class Separated(NamedTuple):
    """The bots that never lose or never win, and what a pool's results leave open about them."""

    won_all: Ints  # bots that finished ahead of every opponent in all their games, ascending
    lost_all: Ints  # bots that every opponent finished ahead of, ascending
    above: Ints  # (bots,): how many are better than each, at least
    below: Ints  # (bots,): how many are worse
    excess: Array  # (bots, bots): to be added to the covariance of mu, for their intervals
    group: Ints  # (bots,): the first of those that each has met, if only through others


class _Gap(NamedTuple):
    """A gap between some bots and the others, about which the results say little."""

    weights: Array  # (bots,): of mu, in the gap
    moved: Array  # (bots,): where the bots go, were that 1 greater; the pool's mean stays
    variance: float  # as the model has it


def find_separation(
    merged: MergedGames, fitted: Fit, moves: Array, covariance: Array, rare: Flags
) -> Separated:
    """Find the bots that never lose or never win, and what that adds to intervals and tests.

    `moves` is the response to a pull; `covariance`, that of mu from the results; `rare`, (bots,),
    are those of whom few decks tell: their variance too is at least the model's. There are games.
    """
    bots = len(covariance)
    beaten = _find_beaten(merged.sites)
    behind, ahead = (  # in how many games each bot had one of these places
        sum_by(merged.sites.bots, places[:, None] * merged.sites.counts, bots) for places in beaten
    )
    played = sum_by(merged.sites.bots, 1, bots) > 0
    few = np.flatnonzero(rare & played).tolist()
    gaps = [_between(np.arange(bots) == bot, played, 1.0, moves) for bot in few]
    below, above = np.zeros((2, bots), dtype=np.int64)
    for sure, games, places in ((below, behind, beaten[0]), (above, ahead, beaten[1])):
        for bot, upsets in _rare(merged, games, places):
            gaps.append(_of_bot(merged.sites, fitted, bot))
            sure[bot] = _count_passed(merged, bot, upsets)
    group = find_groups(merged.line_ups, bots)
    met = find_distinct(group[played])
    gaps += [_between(group == one, played, REACH**2, moves) for one in met if len(met) > 1]
    gaps += _of_groups(merged, fitted, moves)
    wide = covariance.copy()
    while gaps:
        short = tie_neighbours(
            np.array([gap.variance - _variance(gap.weights, wide) for gap in gaps])
        )
        most = int(np.argmax(short))
        if short[most] <= 0:
            break
        moved = gaps.pop(most).moved
        wide += short[most] * moved[:, None] * moved
    return Separated(
        np.flatnonzero(played & (behind == 0)),
        np.flatnonzero(played & (ahead == 0)),
        above,
        below,
        wide - covariance,
        group,
    )


def find_groups(line_ups: Ints, bots: int) -> Ints:
    """The first of the bots that each has met, if only through others, itself one: (bots,).

    `line_ups` are (bots at a table, clusters).
    """
    group, before = np.arange(bots), np.arange(0)
    while not np.array_equal(group, before):
        before, lowest = group.copy(), group[line_ups].min(axis=0)
        for row in line_ups:  # all rows at once are wrong: numpy reads past what it repeats
            np.minimum.at(group, row, lowest)
    return group


def _find_beaten(sites: Sites) -> tuple[Flags, Flags]:
    """True where a place has one ahead of it or level, and where it has one behind it or level.

    (places, sites) each.
    """
    level = np.zeros((len(sites.ties) + 2, len(sites.counts)), dtype=bool)
    level[1:-1] = sites.ties
    behind, ahead = level[1:].copy(), level[:-1].copy()
    behind[1:] = ahead[:-1] = True
    return behind, ahead


def _rare(merged: MergedGames, games: Array, places: Flags) -> Iterator[tuple[int, int]]:
    """Yield the bots that had one of these places on fewer than `RARE` decks, and on how many.

    `games` is in how many games each had one.
    """
    sites = merged.sites
    played = find_distinct(sites.bots)
    crowd = int(np.bincount(merged.cluster).max())
    for bot in played[games[played] < RARE * crowd].tolist():
        decks = _count_decks(merged, ((sites.bots == bot) & places[:, None]).any(axis=(0, 1)))
        if decks < RARE:
            yield bot, decks


def _of_bot(sites: Sites, fitted: Fit, bot: int) -> _Gap:
    weights, moved = np.zeros((2, len(fitted.mu)))
    played = find_distinct(sites.bots)
    moved[played] = -1 / (len(played) - 1)
    weights[bot] = moved[bot] = 1.0
    return _Gap(weights, moved, float(fitted.sigma[bot] ** 2))


def _count_passed(merged: MergedGames, bot: int, upsets: int) -> int:
    """Count the bots that are surely better (or worse) than one whose decks went one way but for
    `upsets`.

    A deck counts until all opponents on it are set aside. With both directions and all bots taken
    together, all are right in `LEVEL` of pools. Nothing is sure of a bot with changing partners.
    """
    line_ups, members = merged.line_ups, merged.sites.bots.shape[1]
    if members > 1:
        return 0
    played = line_ups[:, (line_ups == bot).any(axis=0)]
    met = np.bincount(played.ravel())
    decks, met[bot] = played.shape[1], 0
    error = (1 - LEVEL) / (2 * len(find_distinct(merged.sites.bots)))
    aside = np.cumsum(np.sort(met)[::-1]) // (len(played) - 1)  # at most, with so many opponents
    left = decks - np.array([0, *aside])
    chances = (_at_most(upsets, int(decks)) for decks in left)
    return sum(1 for _ in takewhile(lambda chance: chance <= error, chances))


def _at_most(heads: int, coins: int) -> float:
    """The chance of `heads` heads or fewer among so many coins."""
    return sum(comb(coins, few) for few in range(heads + 1)) * float(0.5**coins)


def _of_groups(merged: MergedGames, fitted: Fit, moves: Array) -> Iterator[_Gap]:
    """Yield the gaps between two or more bots and two or more below, by mu.

    Such bots lose to each other, so that sigma is small; the model's variance of the gap is not.
    The response is the model's covariance too, except for the mean.
    """
    played = find_distinct(merged.sites.bots)
    order = played[np.argsort(-fitted.mu[played], kind="stable")]
    size = len(order)
    first, last = _find_crossed(merged.sites, order)
    crowd = int(np.bincount(merged.cluster).max())
    everybody = np.isin(np.arange(len(fitted.mu)), played)
    for above in range(2, size - 1):
        upset = np.any((first <= above) & (above <= last), axis=0)
        if merged.sites.counts[upset].sum() >= RARE * crowd or _count_decks(merged, upset) >= RARE:
            continue
        upper = np.isin(np.arange(len(fitted.mu)), order[:above])
        yield _between(upper, everybody, REACH**2, moves)


def _between(some: Flags, played: Flags, reach: float, moves: Array) -> _Gap:
    """The gap between some of those who played and all others who did."""
    others = played & ~some
    weights = (played & some) / (played & some).sum() - others / others.sum()
    moved = np.where(some, others.sum(), -(played & some).sum()) / played.sum() * played
    return _Gap(weights, moved, reach * _variance(weights, moves))


def _find_crossed(sites: Sites, order: Ints) -> tuple[Ints, Ints]:
    """The first and the last cut of the order that each result goes against.

    (comparisons, sites) each. A cut is a number of bots above it. Results are comparisons of two
    neighbouring places; if these tie, also the other way round. If the last cut is below the first,
    none is crossed.
    """
    rank = np.zeros(int(order.max()) + 1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    best, worst = rank[sites.bots].min(axis=1), rank[sites.bots].max(axis=1)
    first = np.vstack([best[1:], np.where(sites.ties, best[:-1], len(order))]) + 1
    return first, np.vstack([worst[:-1], worst[1:]])


def _count_decks(merged: MergedGames, upset: Flags) -> int:
    return len(find_distinct(merged.cluster[upset[merged.site]]))


def _variance(weights: Array, covariance: Array) -> float:
    return float(weights @ covariance @ weights)
