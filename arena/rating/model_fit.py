"""Does one number for each bot suffice? A test of the model against who finished ahead of whom.

Ratings lie on a line; results need not. What the pairs' results are off by is squared and added
up, each by what independent games would make of it (Pearson's chi-square). Three things are made
up for. Ratings were fitted to the same games: what other ratings could explain, or another margin
where ties stand in rows, is taken out, so that the test does not depend on how they were fitted
(Neyman 1959, "C(alpha)"). Games share decks and tables: the mean and variance of the sum follow
from the covariance of the pairs' results by deck (Rao and Scott 1981 and 1984; Satterthwaite 1946),
and an F takes the place of the chi-square where decks are few (Thomas and Rao 1987). And where the
model all but knows an end, upsets are rare and each adds a lot, so that the sum varies by more than
chi-square does (Haldane 1937). Pure.
"""

from typing import NamedTuple

import numpy as np

from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, number_rows, sum_by
from arena.rating.p_values import incomplete_beta
from arena.rating.pair_results import PairResults

_LEAST = 1e-9  # of a direction's length: what is left of one that others span is rounding
_FLOOR = 0.1
"""Added to the variance of each pair's result, in games squared. Without it the first upset of a
sure winner outweighs all else; with more of it none counts. In leagues as 17 with two, that the
model explains, 2 % are then named; the house bots there, whom it does not, were named in 6
tournaments of 6, and with 0.25 in 3 (`python -m tests.benchmarks.model_fit`)."""

LEAST_FREEDOM = 0.5
"""With less, all games but a few were sure beforehand: bots that load against bots that do not had
0.0003 degrees of freedom, and a p of 0.003 that meant nothing."""


class ModelFit(NamedTuple):
    """How well one number for each bot explains who finished ahead of whom."""

    chi_square: float  # scaled so that its mean is `freedom` where the model is right
    freedom: float  # not whole: by the covariance; at most the pairs less the ratings
    p: float  # how likely so much or more would be by luck, were the model right
    standardised: Array  # (pairs,): what each pair is off by, in its standard errors


class _Covariance(NamedTuple):
    """The covariance of the pairs' results, were the model right; each two pairs once."""

    one: Ints
    other: Ints
    values: Array


def assess_fit(results: PairResults) -> ModelFit | None:
    """Test whether one number for each bot explains the results.

    None if there are no more pairs than the ratings explain anyway, if no two bots met on two
    decks, or if hardly any result was open.
    """
    covariance = _covariance(results)
    weight = 1 / np.sqrt(results.variance + _FLOOR)
    basis = _basis(weight[:, None] * results.slopes)
    count, rank = basis.shape
    if count <= rank or covariance is None:
        return None
    one, other, values = covariance
    values = values * weight[one] * weight[other]
    apart = one != other
    moved = np.zeros((count, rank))
    for column in range(rank):
        moved[:, column] = sum_by(one, values * basis[other, column], count)
        moved[:, column] += sum_by(other, values * basis[one, column] * apart, count)
    inner = basis.T @ moved
    variances = sum_by(one, values * ~apart, count)
    variances += (basis @ inner * basis - 2 * basis * moved).sum(axis=1)
    variances = np.maximum(variances, 0)
    off = weight * (results.ahead - results.expected)
    off -= basis @ (basis.T @ off)
    mean, total = float(variances.sum()), float((off**2).sum())
    square = (values**2 * (1 + apart)).sum() - 2 * (moved**2).sum() + (inner**2).sum()
    peak = results.variance * np.maximum(1 - 6 * results.variance / results.games, 0)
    square = float(square + (weight**4 * peak).sum() / 2)
    if mean <= _LEAST * count:
        return None
    freedom = mean**2 / square
    if freedom < LEAST_FREEDOM:
        return None
    return ModelFit(
        chi_square=total * mean / square,
        freedom=freedom,
        p=f_tail(total / mean, freedom, results.number.shape[1] - 1),
        standardised=off / np.sqrt(variances + _FLOOR * weight**2),
    )


def f_tail(x: float, one: float, other: float) -> float:
    """The probability that a variable of Fisher's F distribution exceeds x, 0 or more.

    `one` and `other` are its degrees of freedom, above and below.
    """
    part = other + one * x
    return incomplete_beta(other / part, one * x / part, other / 2, one / 2)


def _basis(columns: Array) -> Array:
    """An orthonormal basis of what the columns span, (rows, rank)."""
    basis, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(basis[:, lengths > _LEAST * lengths.max(initial=0)])


def _covariance(results: PairResults) -> _Covariance | None:
    """The covariance of pairs that met at one table; None if no pair has two decks.

    What is taken from the games is how much the results depend on each other, and by how much those
    of one deck are more alike than independent games. How unequal single results are, the model
    says. So a pair that is far off does not widen its own error.
    """
    number, spread, decks = results.number, results.spread, results.decks
    count, at_table = len(results.pairs), len(number)
    varied = (decks > 1) & (spread > _LEAST * results.games)
    if not varied.any():
        return None
    # both are taken round the pair's own mean: squares of games lose a game, those of decks a deck
    games = results.games
    fair = np.divide(decks * (games - 1), (decks - 1) * games, out=np.zeros(count), where=varied)
    scale = np.sqrt(np.divide(results.variance * fair, spread, out=np.zeros(count), where=varied))
    new = np.ones(number.shape[1], dtype=bool)
    new[1:] = (number[:, 1:] != number[:, :-1]).any(axis=0)
    table, tables = np.cumsum(new) - 1, number[:, new]
    keys, products = [], []
    for one in range(at_table):
        for other in range(one, at_table):
            keys.append(tables[one] * count + tables[other])
            both = results.deviations[one] * results.deviations[other]
            products.append(sum_by(table, both, tables.shape[1]))
    key = np.concatenate(keys)
    place, first = number_rows(key[:, None])
    values = sum_by(place, np.concatenate(products), len(first))
    one_of, other_of = np.divmod(key[first], count)
    own = one_of == other_of
    alike = (values[own] * fair)[varied].sum() / spread[varied].sum()
    values *= scale[one_of] * scale[other_of]
    values[own] = np.where(varied, values[own], alike * results.variance)
    return _Covariance(one_of, other_of, values)
