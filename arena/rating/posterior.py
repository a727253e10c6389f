"""Chances: how likely a bot is to be better than another, to be first, to be among the first few.

A difference that was looked for, between neighbours whom the same games have put side by side,
looks larger than it is. So each estimate is drawn towards the others, by as much as the field's
spread is no larger than the errors make it: true strengths are taken to be normal with a spread of
their own, which the ratings tell (empirical Bayes: Efron and Morris 1975). Few bots tell little of
it; so no spread is picked, but all are averaged over, each by how well it fits.

Of the spread nothing is known before but its order of size (half-Cauchy: Gelman 2006), and the
errors' own size is known as well as their degrees of freedom have it. Strengths are then drawn: a
field and its errors by chance, moved by what the ratings tell of them (Papandreou and Yuille 2010).
"""

from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating.comparisons import MOST_BOTS, draws_for, root
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints

SPREAD = 0.5
"""The half-Cauchy's scale, in standard errors of one rating. Of 0.5, 1, 2 and TrueSkill's sigma, it
is the one under which what is said is right as often as said, over fields of equals and of spreads
of 0.4, 1.4 and 4 errors: `python -m tests.benchmarks.calibration`."""
TOP = 10  # places that are counted
_SEED = 1
_SPREADS, _ERRORS = 96, 9  # points of the grid
_NARROW, _WIDE = 1e-3, 5.0  # its ends: in standard errors; in these or the largest estimate
_DIGITS = 9  # strengths that agree in so many are equal


class Chances(NamedTuple):
    """What a table's bots may be, given best first; None where there is too little evidence.

    Probabilities, over the bots with enough of it. Equals share what is between them: half each of
    being better, one part each of their places.
    """

    next: list[float | None]  # to be better than the next in the list
    top: list[tuple[float, ...] | None]  # to be among the first 1, 2, .. `TOP`, or of all bots
    better: Array | None  # (bots, bots): row than column, else nan; of `MOST_BOTS` at most


class _Tridiagonal(NamedTuple):
    """A symmetric matrix as basis times tridiagonal times basis transposed."""

    diagonal: Array
    beside: Array
    basis: Array  # orthogonal


def chances(mu: Sequence[float], covariance: Array, freedom: Ints, shrinkage: Array) -> Chances:
    """Return the chances of bots with such ratings, errors, degrees of freedom (0: too few).

    Draws are seeded. What the prior has held back, `shrinkage`, is given back first, since the
    field's own spread takes its place; and it counts as an error, known to first order only. The
    field's spread is judged without: next to bots that win or lose nearly all, whom the prior holds
    most, such an error would explain any spread away, and their order with it.
    """
    bots = len(mu)
    known = np.flatnonzero(freedom)
    held, at = shrinkage[known], np.ix_(known, known)
    estimates = np.array(mu, dtype=np.float64)[known] + held
    drawn = _drawn(estimates, covariance[at], held, freedom[known])
    nexts: list[float | None] = [None] * bots
    top: list[tuple[float, ...] | None] = [None] * bots
    for place, (bot, shares) in enumerate(zip(known.tolist(), _top(drawn), strict=True)):
        top[bot] = tuple(shares.tolist())
        if bot + 1 < bots and freedom[bot + 1]:
            nexts[bot] = _better(drawn[place], drawn[place + 1])
    if bots > MOST_BOTS:
        return Chances(nexts, top, None)
    better = np.full((bots, bots), np.nan)
    for a, b in combinations(range(len(known)), 2):
        chance = _better(drawn[a], drawn[b])
        better[known[a], known[b]], better[known[b], known[a]] = chance, 1 - chance
    return Chances(nexts, top, better)


def _better(one: Array, other: Array) -> float:
    ahead = np.count_nonzero(one > other) + np.count_nonzero(one == other) / 2
    return float(ahead / len(one))


def _top(drawn: Array) -> Array:
    """Return how often each bot is among the first 1, 2, ..: (bots, places)."""
    order = np.sort(drawn, axis=0)[::-1]
    shares = []
    for places, least in enumerate(order[:TOP], 1):
        above, equal = drawn > least, drawn == least
        part = (places - above.sum(axis=0)) / equal.sum(axis=0)
        shares.append((above + equal * part).mean(axis=1))
    return np.array(shares).T


def _drawn(estimates: Array, covariance: Array, held: Array, freedom: Ints) -> Array:
    """Return strengths as they may be, up to a constant: (bots, draws)."""
    bots = len(estimates)
    half = _centred(covariance + held[:, None] * held)
    if bots < 2 or np.abs(half).max() < 10**-_DIGITS:
        return np.round(estimates[:, None], _DIGITS)
    off, of_results = estimates - estimates.mean(), _centred(covariance)
    if np.abs(of_results).max() < 10**-_DIGITS:
        of_results = half  # nothing else is known of the errors
    spreads, scales, weights = _fields(_squared(of_results), off, int(freedom.min()))
    form = _squared(half)
    turned = np.einsum("ij,i->j", form.basis, off)
    draws = draws_for(bots)
    cumulated = np.cumsum(weights)
    cell = np.searchsorted(cumulated, cumulated[-1] * (np.arange(draws) + 0.5) / draws)
    spread, scale = spreads[cell], scales[cell]
    rng = np.random.default_rng(_SEED)
    turn = np.einsum("ij,ik->jk", form.basis, half)
    errors = np.einsum("ij,jn->in", turn, rng.standard_normal((bots, draws)))
    field = spread * rng.standard_normal((bots, draws))
    field += spread**2 * _solved(form, spread**2, scale,
                                 turned[:, None] - field - np.sqrt(scale) * errors)  # fmt: skip
    drawn: Array = np.round(np.einsum("ij,jn->in", form.basis, field), _DIGITS)
    return drawn


def _centred(covariance: Array) -> Array:
    """Return a root of a covariance of ratings whose mean is held: (bots, bots)."""
    half = root(covariance)
    return half - half.mean(axis=0) if len(half) else half


def _squared(half: Array) -> _Tridiagonal:
    return _tridiagonal(np.einsum("ij,kj->ik", half, half))


def _fields(form: _Tridiagonal, off: Array, freedom: int) -> tuple[Array, Array, Array]:
    """Return spreads of the field, factors of the errors' covariance, and how likely each is
    together with estimates so far off their mean: three of one length.
    """
    turned = np.einsum("ij,i->j", form.basis, off)
    error = np.sqrt(form.diagonal.sum() / (len(turned) - 1))
    widest = _WIDE * max(error, float(np.abs(turned).max()))
    grid = np.geomspace(_NARROW * error, widest, _SPREADS)
    prior = grid / (1 + (grid / (SPREAD * error)) ** 2)  # its distances grow as it does
    # Chi-square over its degrees of freedom, at quantiles of equal weight (Wilson, Hilferty 1931).
    part = 2 / (9 * freedom)
    z = np.array([NormalDist().inv_cdf((i + 0.5) / _ERRORS) for i in range(_ERRORS)])
    factors = (1 - part + z * np.sqrt(part)) ** -3
    spreads, scales = np.repeat(grid, _ERRORS), np.tile(factors, _SPREADS)
    pivots, left = _eliminated(form, spreads**2, scales, turned[:, None])
    # The mean has no error, and says nothing.
    logs = -(np.log(pivots).sum(axis=0) - 2 * np.log(spreads) + (left**2 / pivots).sum(axis=0)) / 2
    weights: Array = np.repeat(prior, _ERRORS) * np.exp(logs - logs.max())
    return spreads, scales, weights


def _eliminated(
    form: _Tridiagonal, added: Array, scale: Array, right: Array
) -> tuple[Array, Array]:
    """Return the pivots of `scale` times the tridiagonal, `added` on its diagonal, and what
    elimination leaves of the right side: (bots, columns) each, a column for each scale.
    """
    pivots = added + scale * form.diagonal[:, None]
    left = np.broadcast_to(right, pivots.shape).copy()
    for row in range(1, len(pivots)):
        factor = scale * form.beside[row - 1] / pivots[row - 1]
        pivots[row] -= factor * scale * form.beside[row - 1]
        left[row] -= factor * left[row - 1]
    return pivots, left


def _solved(form: _Tridiagonal, added: Array, scale: Array, right: Array) -> Array:
    """Return the solutions of these equations, (bots, columns)."""
    pivots, left = _eliminated(form, added, scale, right)
    left[-1] /= pivots[-1]
    for row in range(len(left) - 2, -1, -1):
        left[row] = (left[row] - scale * form.beside[row] * left[row + 1]) / pivots[row]
    return left


def _tridiagonal(matrix: Array) -> _Tridiagonal:
    """Return the form, by Householder's reflections (1958): LAPACK's digits depend on its
    threads.
    """
    left, basis = matrix.copy(), np.eye(len(matrix))
    for column in range(len(matrix) - 2):
        axis = left[column + 1 :, column].copy()
        length = np.sqrt((axis**2).sum())
        if not length:
            continue
        axis[0] += np.copysign(length, axis[0])
        axis /= np.sqrt((axis**2).sum())
        rest = slice(column + 1, None)
        left[rest] -= 2 * axis[:, None] * np.einsum("i,ij->j", axis, left[rest])
        left[:, rest] -= 2 * np.einsum("ij,j->i", left[:, rest], axis)[:, None] * axis
        basis[:, rest] -= 2 * np.einsum("ij,j->i", basis[:, rest], axis)[:, None] * axis
    return _Tridiagonal(np.diag(left).copy(), np.diag(left, 1).copy(), basis)
