"""Chances: how likely a bot is to be better than another, to be first, to be among the first few.

Estimates are drawn towards the others (empirical Bayes: Efron and Morris 1975), averaged over the
field's possible spreads (half-Cauchy: Gelman 2006). README.md beside this file says why.
"""

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating.comparisons import CLOSE, MOST_BOTS, NOTHING_MU, count_draws, difference_errors
from arena.rating.gaussian import Array, normal_cdf
from arena.rating.outcomes import Ints

SPREAD = 0.5
"""The half-Cauchy's scale, in standard errors of one rating. Of 0.5, 1, 2 and TrueSkill's sigma, it
is the one under which what is said is right as often as said, over fields of equals and of spreads
of 0.4, 1.4 and 4 errors: `python -m tests.benchmarks.coverage --only chances`."""
TOP = 10  # places that are counted
_SEED = 1
_SPREADS, _ERRORS = 96, 9  # points of the grid
_NARROW, _WIDE = 1e-3, 5.0  # its ends: in standard errors; in these or the largest estimate
_LEAST = 1e-12  # of the weights: a part of the mixture that has less is left out


class Chances(NamedTuple):
    """The probabilities that a table shows of its bots, given best first; None if there is too
    little evidence.

    They are over the bots with enough evidence. Equal bots share what is between them: half each of
    being better, an equal part each of their places.
    """

    next: list[float | None]  # to be better than the next in the list
    top: list[tuple[float, ...] | None]  # to be among the first 1, 2, .. `TOP`, or of all bots
    better: Array | None  # (bots, bots): row than column, else nan; of `MOST_BOTS` at most


class _Mixture(NamedTuple):
    """The possible strengths: normal distributions, each independent along the same axes."""

    weights: Array  # (parts,): they add up to 1
    means: Array  # (parts, axes)
    variances: Array  # (parts, axes)
    axes: Array  # (bots, axes): orthonormal


def estimate_chances(
    mu: Sequence[float],
    covariance: Array,
    freedom: Ints,
    shrinkage: Array,
    excess: Array | None = None,
) -> Chances:
    """Estimate the chances of bots with such ratings, errors and degrees of freedom (0: too few).

    `excess` is what intervals add to the covariance of bots that never lose or never win,
    `shrinkage` what the prior has held back. Draws are seeded.
    """
    bots = len(mu)
    known = np.flatnonzero(freedom)
    held, at = shrinkage[known], np.ix_(known, known)
    estimates = np.array(mu, dtype=np.float64)[known] + held
    errors = covariance[at] + held[:, None] * held
    if excess is not None:
        errors = errors + excess[at]
    strengths = _strengths(estimates, covariance[at], errors, freedom[known])
    shares = _top(strengths, _equals(estimates, difference_errors(covariance[at], held)))
    nexts: list[float | None] = [None] * bots
    top: list[tuple[float, ...] | None] = [None] * bots
    better = np.full((bots, bots), np.nan) if bots <= MOST_BOTS else None
    for place, bot in enumerate(known.tolist()):
        top[bot] = tuple(shares[place].tolist())
        others = slice(place + 1, None if better is not None else place + 2)
        chance = _better(strengths, place, others)
        if bot + 1 < bots and freedom[bot + 1]:
            nexts[bot] = float(chance[0])
        if better is not None:
            better[bot, known[others]], better[known[others], bot] = chance, 1 - chance
    return Chances(nexts, top, better)


def _better(strengths: _Mixture, bot: int, others: slice) -> Array:
    """The chances that a bot is better than each of the others; half if they cannot differ."""
    apart = strengths.axes[bot] - strengths.axes[others]
    gap = strengths.means @ apart.T
    variance = strengths.variances @ (apart**2).T
    return np.asarray(strengths.weights @ normal_cdf(gap / np.sqrt(variance + NOTHING_MU**2)))


def _top(strengths: _Mixture, equals: Ints) -> Array:
    """The share of draws in which a bot is among the first 1, 2, ..: (bots, places).

    `equals` numbers the bots by the first that each is equal to. Equal bots share their places, to
    the last digit: what is counted is whole numbers.
    """
    first = np.flatnonzero(equals == np.arange(len(equals)))  # of those that are equal
    sizes = np.bincount(equals, minlength=len(equals))[first]
    drawn = _draw(strengths, first, draws := count_draws(max(len(equals), 2)))
    places = np.arange(1, min(TOP, len(equals)) + 1)
    order = np.argsort(-drawn, axis=0)[: len(places)]
    size = sizes[order]
    ahead = np.cumsum(size, axis=0) - size  # (as many as there are places, draws)
    counted = np.zeros((len(first), len(places)))
    for row, before, tied in zip(order, ahead, size, strict=True):
        for at, most in enumerate(places.tolist()):
            inside = np.clip(most - before, 0, tied)
            counted[:, at] += np.bincount(row, inside, len(first))
    shares = counted / (sizes[:, None] * draws)
    return np.asarray(shares[np.searchsorted(first, equals)])


def _equals(estimates: Array, errors: Array) -> Ints:
    """The first bot that a bot is equal to, maybe itself: their difference and its error are
    0.
    """
    alike = (errors == 0) & (np.abs(estimates[:, None] - estimates) <= CLOSE)
    equals = np.arange(len(estimates))
    for bot in range(len(estimates)):
        equals[bot] = equals[alike[bot].argmax()]
    return equals


def _draw(strengths: _Mixture, bots: Ints, draws: int) -> Array:
    """Draws of the strengths of some bots: (bots, draws).

    Each part of the mixture is drawn from in proportion to its weight.
    """
    cumulated = np.cumsum(strengths.weights)
    part = np.searchsorted(cumulated, cumulated[-1] * (np.arange(draws) + 0.5) / draws)
    normals = np.random.default_rng(_SEED).standard_normal((len(strengths.axes), draws))
    # Turned to the axes and back, draws do not depend on which of equivalent axes they are.
    along = (strengths.axes.T @ normals) * np.sqrt(strengths.variances.T[:, part])
    along += strengths.means.T[:, part]
    return np.asarray(strengths.axes[bots] @ along)


def _strengths(estimates: Array, covariance: Array, errors: Array, freedom: Ints) -> _Mixture:
    """The possible strengths, up to a constant; `covariance` is the results' part of `errors`."""
    bots = len(estimates)
    errors, of_results = _centre(errors), _centre(covariance)
    if np.trace(errors) <= bots * NOTHING_MU**2:
        return _Mixture(np.ones(1), estimates[None], np.zeros((1, bots)), np.eye(bots))
    off = estimates - estimates.mean()
    if np.trace(of_results) < bots * NOTHING_MU**2:
        of_results = errors  # nothing else is known of them
    spreads, scales, weights = _fields(of_results, off, int(freedom.min()))
    variances, axes = _axes(errors)
    field = spreads[:, None] ** 2
    drawn_in = field / (field + scales[:, None] * variances)
    return _Mixture(weights, drawn_in * (off @ axes), drawn_in * scales[:, None] * variances, axes)


def _centre(covariance: Array) -> Array:
    """The covariance of the differences to the bots' mean."""
    with_mean = covariance.sum(axis=0) / max(len(covariance), 1)
    of_mean = with_mean.sum() / max(len(covariance), 1)
    return np.asarray(covariance - with_mean - with_mean[:, None] + of_mean)


def _axes(covariance: Array) -> tuple[Array, Array]:
    """A covariance's variances, 0 or more, and the axes along which it has them, (bots, axes)."""
    variances, axes = np.linalg.eigh(covariance)
    return np.maximum(variances, 0.0), axes


def _fields(covariance: Array, off: Array, freedom: int) -> tuple[Array, Array, Array]:
    """Spreads of the field and factors of the errors' covariance, with the weight of each such
    pair.

    The weight is how likely the pair is, given estimates so far `off` their mean. Three arrays of
    one length, without the least likely pairs.
    """
    variances, axes = _axes(covariance)
    error = np.sqrt(variances.sum() / (len(off) - 1))
    widest = _WIDE * max(error, float(np.abs(off).max()))
    grid = np.geomspace(_NARROW * error, widest, _SPREADS)
    prior = grid / (1 + (grid / (SPREAD * error)) ** 2)  # its distances grow as it does
    # Chi-square over its degrees of freedom, at quantiles of equal weight (Wilson, Hilferty 1931).
    part = 2 / (9 * freedom)
    z = np.array([NormalDist().inv_cdf((i + 0.5) / _ERRORS) for i in range(_ERRORS)])
    factors = (1 - part + z * np.sqrt(part)) ** -3
    spreads, scales = np.repeat(grid, _ERRORS), np.tile(factors, _SPREADS)
    total = spreads[:, None] ** 2 + scales[:, None] * variances
    # The mean has no error, and says nothing.
    logs = np.log(total).sum(axis=1) - 2 * np.log(spreads) + ((off @ axes) ** 2 / total).sum(axis=1)
    weights = np.repeat(prior, _ERRORS) * np.exp((logs.min() - logs) / 2)
    weights /= weights.sum()
    likely = weights > _LEAST
    return spreads[likely], scales[likely], weights[likely]
