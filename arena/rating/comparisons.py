"""Place ranges: which bots are significantly ahead of which, all comparisons taken together.

Among a dozen equal bots some pair always looks different. So a difference counts only if it is
larger, in its own standard errors, than the largest of all differences would be by luck in 95 of
100 leagues of equals (single-step max-t: Hothorn, Bretz and Westfall 2008).
"""

from collections.abc import Sequence
from math import inf
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.model import LEVEL
from arena.rating import p_values
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints

CLOSE = 1e-9
"""Numbers that are no further apart than this are equal: they differ by rounding alone."""
NOTHING_MU = 1e-5
"""A standard error of a difference of mu that is no larger is none. Tables show thousandths; where
results do not vary, rounding leaves the root of some 1e-16."""
MOST_BOTS = 100
"""Larger tables have no matrices: 1000 bots would fill a hundred megabytes."""
_SEED = 0
_MOST_DRAWS, LEAST_DRAWS = 40_000, 10_000
_GAPS = 100_000_000  # drawn for one table, at most; the least draws are made in any case


def tie_neighbours(values: Array) -> Array:
    """Make values equal that differ by rounding alone: each becomes the lowest of its ties.

    Values are tied if they are neighbours, in order of size, and `CLOSE`. Equal values computed in
    two ways are then equal again, and order by name.
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    lowest = np.flatnonzero(np.diff(ascending, prepend=-inf) > CLOSE)
    level = np.empty_like(ascending)
    level[order] = np.repeat(ascending[lowest], np.diff(lowest, append=len(values)))
    return level


class Comparisons(NamedTuple):
    """The significance of a table's differences, all taken together."""

    places: list[tuple[int, int] | None]  # first and last that a bot may have, 95 % for all bots
    # at once, in the order given; None where there is too little evidence
    levels: Array | None  # (bots, bots), see `_levels`; None of more than `MOST_BOTS`


def difference_variances(covariance: Array) -> Array:
    """The variances of differences, (bots, bots), by the covariance."""
    variance = np.diag(covariance)
    return np.asarray(variance[:, None] + variance - 2 * covariance)


def difference_errors(covariance: Array, shrinkage: Array) -> Array:
    """The standard errors of the differences of bots' mu: (bots, bots).

    An error is no smaller than what the prior's shrinkage has put between the two bots: those that
    play alike on every deck differ by nothing else (Sixteen, 60 decks: 0.013, with an error of
    0.002).
    """
    squares = np.maximum(difference_variances(covariance), 0)
    floor = np.abs(shrinkage[:, None] - shrinkage)
    errors = np.maximum(np.sqrt(squares), floor)
    return np.where(errors > NOTHING_MU, errors, 0.0)


def count_draws(bots: int) -> int:
    """The number of draws of a table's ratings; it has 2 bots or more."""
    return min(max(_GAPS // (bots * (bots - 1)), LEAST_DRAWS), _MOST_DRAWS)


def compare_bots(
    mu: Sequence[float],
    covariance: Array,
    errors: Array,
    freedom: Ints,
    above: Ints | int = 0,
    below: Ints | int = 0,
) -> Comparisons:
    """Compare the bots of a table, given best first, with `mu` as it is published.

    `errors` are the standard errors of the differences. `freedom` is the degrees of freedom of the
    evidence on each bot, 0 if there is too little. By a bot's results alone, whatever the errors,
    at least `above` bots are surely better and `below` surely worse (`arena.rating.separation`).
    """
    pairs = np.minimum(freedom[:, None], freedom)
    largest = _largest(covariance, errors)
    ahead = _ahead(mu, errors, pairs, _level(largest))
    first = 1 + np.maximum(ahead.sum(axis=0), above)
    last = len(mu) - np.maximum(ahead.sum(axis=1), below)
    places = [
        (best, worst) if known else None
        for best, worst, known in zip(first.tolist(), last.tolist(), freedom > 0, strict=True)
    ]
    levels = _levels(mu, errors, pairs, largest) if len(mu) <= MOST_BOTS else None
    return Comparisons(places, levels)


def _ahead(mu: Sequence[float], errors: Array, pairs: Ints, level: float) -> Flags:
    """True where the row's bot is significantly ahead of the column's: (bots, bots).

    `errors` are the standard errors of the differences, `pairs` their degrees of freedom.
    Differences that are negligible do not count.
    """
    ahead = np.zeros(errors.shape, dtype=bool)
    for a, b in np.argwhere(pairs > 0).tolist():
        gap, reach = mu[a] - mu[b], errors[a, b] * p_values.t_critical(1 - level, pairs[a, b])
        ahead[a, b] = gap > reach and not p_values.is_negligible(gap, reach)
    return ahead


def _levels(mu: Sequence[float], errors: Array, pairs: Ints, largest: Array) -> Array:
    """The highest level at which the row's bot is ahead of the column's, all pairs taken together.

    (bots, bots), from 0 to 1: 0 if it is not ahead, nan if there is too little evidence and on the
    diagonal. That is 1 minus the p-value adjusted for all pairs; the band is left out of account.
    """
    levels = np.where(pairs > 0, 0.0, np.nan)
    for a, b in np.argwhere(pairs > 0).tolist():
        gap = mu[a] - mu[b]
        if gap > 0:
            chance = p_values.t_tail(gap / errors[a, b], pairs[a, b]) if errors[a, b] else 0.0
            z = -NormalDist().inv_cdf(chance / 2) if chance else inf
            levels[a, b] = min(1 - chance, np.searchsorted(largest, z) / len(largest))
    np.fill_diagonal(levels, np.nan)
    return levels


def _largest(covariance: Array, errors: Array) -> Array:
    """The largest of all differences in each of many drawn leagues of equals, ascending.

    Differences are in their own standard errors.
    """
    if not (errors > 0).any():
        return np.zeros(1)
    scale = np.divide(1, errors, out=np.zeros_like(errors), where=errors > 0)
    draws = count_draws(len(covariance))
    normals = np.random.default_rng(_SEED).standard_normal((len(covariance), draws))
    drawn = symmetric_root(covariance) @ normals
    largest = np.zeros(draws)
    for bot in range(len(drawn) - 1):
        gaps = np.abs(drawn[bot + 1 :] - drawn[bot]) * scale[bot, bot + 1 :, None]
        np.maximum(largest, gaps.max(axis=0), out=largest)
    return np.sort(largest)


def _level(largest: Array) -> float:
    """The level to test one difference at, for `LEVEL` to hold for all at once.

    It is at least `LEVEL`: for differences whose errors are a floor, the draws are too small.
    """
    most = float(largest[int(LEVEL * len(largest))])
    return max(LEVEL, 2 * NormalDist().cdf(most) - 1)


def symmetric_root(covariance: Array) -> Array:
    """The symmetric matrix whose square is `covariance`, (bots, bots): a triangular one jumps if
    two bots are known equally well and rounding decides whose row comes first.
    """
    values, axes = np.linalg.eigh(covariance)
    return np.asarray((axes * np.sqrt(np.maximum(values, 0.0))) @ axes.T)
