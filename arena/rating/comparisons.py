"""What can be said of the places: who is surely ahead of whom, all comparisons taken together.

Among a dozen equal bots some pair always looks different. So a difference counts only if it is
larger, in its own standard errors, than the largest of all differences would be by luck in 95 of
100 leagues of equals (single-step max-t: Hothorn, Bretz and Westfall 2008).
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating import student_t
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints

LEVEL = 0.95
_SEED = 0
_MOST_DRAWS, _LEAST_DRAWS = 40_000, 10_000
_GAPS = 100_000_000  # that are drawn for one table, where that leaves more than the least


class Placing(NamedTuple):
    """What the evidence says of one bot; None where there is too little of it."""

    interval: tuple[float, float] | None  # of mu, 95 %
    places: tuple[int, int] | None  # first and last it may have, 95 % for all bots at once
    next: float | None  # the probability that it is better than the next in the list
    group: int  # from 1; neighbours that cannot be told apart share one


def placings(mu: Sequence[float], covariance: Array, freedom: Ints) -> list[Placing]:
    """Return what can be said of bots, given best first, with `mu` as it is published.

    `freedom` is the degrees of freedom of the evidence on each, 0 where there is too little.
    """
    bots = range(len(mu))
    variance = np.diag(covariance)
    errors = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    pairs = np.minimum(freedom[:, None], freedom)
    level = _level(covariance, errors)
    ahead = np.array([
        [
            bool(pairs[a, b])
            and mu[a] - mu[b] > errors[a, b] * student_t.two_sided(level, pairs[a, b])
            for b in bots
        ]
        for a in bots
    ]).reshape(len(mu), len(mu))  # fmt: skip
    out, group = [], 0
    for bot in bots:
        group += bot == 0 or bool(ahead[bot - 1, bot])
        if not freedom[bot]:
            out.append(Placing(None, None, None, group))
            continue
        reach = student_t.two_sided(LEVEL, freedom[bot]) * sqrt(variance[bot])
        places = 1 + int(ahead[:, bot].sum()), len(mu) - int(ahead[bot].sum())
        better = None
        if bot + 1 < len(mu) and freedom[bot + 1]:
            gap = mu[bot] - mu[bot + 1]
            better = _better(gap, errors[bot, bot + 1], pairs[bot, bot + 1])
        out.append(Placing((mu[bot] - reach, mu[bot] + reach), places, better, group))
    return out


def _better(gap: float, error: float, freedom: int) -> float:
    """Return the probability that a true difference is above 0, found to be `gap` (0 or more)."""
    if error:
        return 1 - student_t.above(gap / error, freedom)
    return 1.0 if gap else 0.5


def _level(covariance: Array, errors: Array) -> float:
    """Return at what level one difference is to be tested, for `LEVEL` to hold for all at once."""
    if not (errors > 0).any():
        return LEVEL
    scale = np.divide(1, errors, out=np.zeros_like(errors), where=errors > 0)
    draws = min(max(_GAPS // (errors > 0).sum(), _LEAST_DRAWS), _MOST_DRAWS)
    normals = np.random.default_rng(_SEED).standard_normal((len(covariance), draws))
    drawn = np.einsum("ij,jn->in", _root(covariance), normals)
    largest = np.zeros(draws)
    for bot in range(len(drawn) - 1):
        gaps = np.abs(drawn[bot + 1 :] - drawn[bot]) * scale[bot, bot + 1 :, None]
        np.maximum(largest, gaps.max(axis=0), out=largest)
    most = float(np.sort(largest)[int(LEVEL * draws)])
    return 2 * NormalDist().cdf(most) - 1


def _root(covariance: Array) -> Array:
    """Return a matrix whose product with its own transpose is `covariance`, by Cholesky with
    pivots: the mean does not vary, so it is singular.
    """
    left = covariance.copy()
    root = np.zeros_like(left)
    for column in range(len(left)):
        pivot = int(np.argmax(np.diag(left)))
        if left[pivot, pivot] <= 1e-12 * covariance.max():
            break
        root[:, column] = left[pivot] / np.sqrt(left[pivot, pivot])
        left -= root[:, column, None] * root[:, column]
    return root
