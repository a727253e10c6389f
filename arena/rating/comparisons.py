"""Places as far as they are sure: who is ahead of whom, all comparisons taken together.

Among a dozen equal bots some pair always looks different. So a difference counts only if it is
larger, in its own standard errors, than the largest of all differences would be by luck in 95 of
100 leagues of equals (single-step max-t: Hothorn, Bretz and Westfall 2008).
"""

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating import student_t
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints
from arena.rating.update import Flags

LEVEL = 0.95
_SEED = 0
_MOST_DRAWS, _LEAST_DRAWS = 40_000, 10_000
_GAPS = 100_000_000  # drawn for one table, at most; the least draws are made in any case


class Placing(NamedTuple):
    """A bot's place as far as the evidence goes; None where there is too little of it."""

    places: tuple[int, int] | None  # first and last it may have, 95 % for all bots at once
    next: float | None  # the probability that it is better than the next in the list
    group: int  # from 1; neighbours that cannot be told apart share one


def placings(mu: Sequence[float], covariance: Array, freedom: Ints) -> list[Placing]:
    """Return the placings of bots, given best first, with `mu` as it is published.

    `freedom` is the degrees of freedom of the evidence on each, 0 where there is too little.
    """
    bots = range(len(mu))
    variance = np.diag(covariance)
    errors = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    pairs = np.minimum(freedom[:, None], freedom)
    ahead = _ahead(mu, errors, pairs, _level(covariance, errors))
    placed, group = [], 0
    for bot in bots:
        if bot == 0 or ahead[bot - 1, bot]:
            group += 1
        if not freedom[bot]:
            placed.append(Placing(None, None, group))
            continue
        places = 1 + int(ahead[:, bot].sum()), len(mu) - int(ahead[bot].sum())
        better = None
        if bot + 1 < len(mu) and freedom[bot + 1]:
            gap = mu[bot] - mu[bot + 1]
            better = _better(gap, errors[bot, bot + 1], pairs[bot, bot + 1])
        placed.append(Placing(places, better, group))
    return placed


def _ahead(mu: Sequence[float], errors: Array, pairs: Ints, level: float) -> Flags:
    """Return whether a bot is surely ahead of another, by both: (bots, bots).

    `errors` are the standard errors of the differences, `pairs` their degrees of freedom.
    """
    ahead = np.zeros(errors.shape, dtype=bool)
    for a, b in np.argwhere(pairs > 0).tolist():
        ahead[a, b] = mu[a] - mu[b] > errors[a, b] * student_t.two_sided(level, pairs[a, b])
    return ahead


def _better(gap: float, error: float, freedom: int) -> float:
    """Return the probability that a difference, estimated as `gap` (0 or more), is above 0."""
    if error:
        return 1 - student_t.above(gap / error, freedom)
    return 1.0 if gap else 0.5


def _level(covariance: Array, errors: Array) -> float:
    """Return the level to test one difference at, for `LEVEL` to hold for all at once."""
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
