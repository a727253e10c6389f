"""How often games tie, and the margin that makes the model tie as often.

In the model two sides tie whose performances differ by less than a margin. The observed share of
ties among neighbours in the finishing orders is no estimate of the margin by itself: bots are
unequal, which makes ties rarer, and at a table of many the performances stand closer.
"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from trueskill import BETA

from arena.rating import gaussian
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, Sites, number_rows, sum_by

BOUNDS = (0.001, 0.99)
"""Of a pool's draw probability: the update needs both a margin and room outside it."""

_AT, _WORTH = np.polynomial.hermite_e.hermegauss(8)  # nodes and weights: good to 1 in 10,000
_TABLES = 5000  # looked at; of more, as many or half, evenly taken from all


class Ties(NamedTuple):
    """How often a pool's games tied, and who sat together in them."""

    share: float  # of ties among neighbours in the finishing orders
    sides: Ints  # (sides, members, tables): the bots of different tables, of many a sample
    counts: Array  # (tables,): games


def count_ties(sites: Sites) -> Ties:
    """Count how often the games of the sites, one or more, tied."""
    places, members, number = sites.bots.shape
    share = (sites.ties * sites.counts).sum() / (len(sites.ties) * sites.counts.sum())
    order = np.argsort(sites.bots[:, 0], axis=0)
    sides = np.take_along_axis(sites.bots, order[:, None], axis=0)
    table, example = number_rows(sides.reshape(places * members, number).T)
    counts = sum_by(table, sites.counts, len(example))
    some = slice(None, None, -(-len(counts) // _TABLES))
    return Ties(float(share), sides[:, :, example[some]], counts[some])


def guess_margin(observed: Ties) -> float:
    """A margin to begin with: that of equals who tie as often as neighbours did."""
    low, high = BOUNDS
    return margin_of(min(max(observed.share, low), high), observed.sides.shape[1])


def correct_margin(observed: Ties, margin: float, mu: Array, variance: Array) -> float:
    """A margin with which the model ties more nearly as often as the games did; within `BOUNDS`.

    The bots' performances are normal, with these means and variances.
    """
    low, high = (margin_of(bound, observed.sides.shape[1]) for bound in BOUNDS)
    likely = expect_ties(observed, mu, variance, margin)
    return min(max(margin * observed.share / likely, low), high) if likely else low


def expect_ties(observed: Ties, mu: Array, variance: Array, margin: float) -> float:
    """The share of ties among neighbours that the model expects at the same tables.

    A side ties with the next if another performs at most the margin below it: the probability is
    taken by Gauss-Hermite quadrature over the side's own performance.
    """
    means = mu[observed.sides].sum(axis=1)
    deviations = np.sqrt(variance[observed.sides].sum(axis=1))
    tied = np.zeros(len(observed.counts))
    for side in range(len(means)):
        at = means[side] + deviations[side] * _AT[:, None]  # (nodes, tables)
        nobody = np.ones_like(at)
        for other in range(len(means)):
            if other != side:
                gap = (at - means[other]) / deviations[other]
                lower = gap - margin / deviations[other]
                likely, less = gaussian.normal_cdf(np.array((gap, lower)))
                nobody *= 1 - (likely - less)
        tied += (_WORTH[:, None] * (1 - nobody)).sum(axis=0) / _WORTH.sum()
    return float((tied * observed.counts).sum() / ((len(means) - 1) * observed.counts.sum()))


def margin_of(probability: float, members: int) -> float:
    """The margin with which two equal sides of so many members tie with a probability."""
    return NormalDist(sigma=sqrt(2 * members) * BETA).inv_cdf((1 + probability) / 2)


def probability_of(margin: float, members: int) -> float:
    """The probability that two equal sides of so many members tie."""
    return 2 * NormalDist(sigma=sqrt(2 * members) * BETA).cdf(margin) - 1
