"""How far bots moved between two leagues, and whether that is more than luck.

Both leagues are measured from the same bots first (`arena.rating.anchor`); then a bot's move is a
difference of two independent estimates. Its degrees of freedom are Welch's (1947). Of a dozen
bots that stay as they are some look moved, so the intervals of a table hold together: each is
drawn at a level that leaves the table its 95 % (Bonferroni; Dunn 1961). Pure.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from arena.rating import p_values
from arena.rating.anchor import measure_from
from arena.rating.comparisons import LEVEL
from arena.rating.rate import Ratings, combine_ratings


class Move(NamedTuple):
    """How far a bot moved."""

    difference: float  # of its mu now from that then
    interval: tuple[float, float] | None  # 95 % for all bots at once; None on too few decks


class Both(NamedTuple):
    """Ratings of two leagues, measured from the same bots."""

    then: Ratings
    now: Ratings
    reference: tuple[str, ...]  # these bots, ascending; of several pools, of any; maybe none


def measure_both(then: Ratings, now: Ratings, reference: Sequence[str]) -> Both:
    """Measure a pool's two ratings from the mean of bots in both; leave them as they are if none
    are.
    """
    if not reference:
        return Both(then, now, ())
    return Both(
        measure_from(then, reference, 0.0), measure_from(now, reference, 0.0), tuple(reference)
    )


def join_parts(parts: Sequence[Both]) -> Both:
    """Average one or more parts, for the bots in all of them."""
    return Both(
        combine_ratings([part.then for part in parts]),
        combine_ratings([part.now for part in parts]),
        tuple(sorted({bot for part in parts for bot in part.reference})),
    )


def choose_reference(then: Ratings, now: Ratings, unchanged: Sequence[str]) -> tuple[str, ...]:
    """Choose the bots to measure both leagues from, ascending; none if the leagues have no bot in
    common.

    They are the `unchanged` bots with enough decks in both leagues, or else all bots, by name, with
    enough decks in both. If no bot has enough, they are the unchanged ones in both, or else all in
    both.
    """
    common = sorted({*then.names} & {*now.names})
    for some in ({*unchanged} & {*common}, common):
        sure = [bot for bot in sorted(some) if _known(then, bot) and _known(now, bot)]
        if sure:
            return tuple(sure)
    return tuple(sorted({*unchanged} & {*common}) or common)


def _known(ratings: Ratings, bot: str) -> bool:
    return bool(ratings.freedom[ratings.names.index(bot)])


def find_moves(part: Both) -> dict[str, Move]:
    """The moves of the bots in both leagues; bots without a game that counts are left out."""
    then, now, _ = part
    both = [
        (bot, at, now.names.index(bot))
        for at, bot in enumerate(then.names)
        if bot in now.names and then.clusters[at] and now.clusters[now.names.index(bot)]
    ]
    spread = [np.maximum(np.diag(ratings.spread), 0).tolist() for ratings in (then, now)]
    variances = [(spread[0][a], spread[1][b]) for _, a, b in both]
    free = sum(old + new > 0 for old, new in variances)  # the only bot of a reference cannot move
    moves = {}
    for (bot, a, b), (old, new) in zip(both, variances, strict=True):
        difference = float(now.mu[b] - then.mu[a])
        freedom = _freedom((old, int(then.freedom[a])), (new, int(now.freedom[b])))
        if not freedom:
            moves[bot] = Move(difference, None)
            continue
        t = p_values.t_critical((1 - LEVEL) / max(free, 1), freedom)
        reach = t * sqrt(old + new)
        moves[bot] = Move(difference, (difference - reach, difference + reach))
    return moves


def _freedom(*parts: tuple[float, int]) -> int:
    """The degrees of freedom of a sum of variances, each given with its own.

    Welch's, rounded down; 0 if one has none.
    """
    least = min(freedom for _, freedom in parts)
    squares = sum(variance**2 / max(freedom, 1) for variance, freedom in parts)
    if not least or not squares:
        return least
    return int(sum(variance for variance, _ in parts) ** 2 / squares + 1e-9)
