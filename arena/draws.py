"""How often games tie, and the margin that makes the model tie as often.

In the model two sides tie whose performances differ by less than a margin. The observed share of
ties among neighbours in the finishing orders is no estimate of the margin by itself: bots are
unequal, which makes ties rarer, and at a table of many the performances stand closer.
"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena import normal
from arena.normal import Array
from arena.outcomes import Ints, Sites, numbered

BOUNDS = (0.001, 0.99)
"""Of a pool's draw probability: the update needs both a margin and room beside it."""

_AT, _WORTH = np.polynomial.hermite_e.hermegauss(16)  # places and weights of the quadrature


class Tables(NamedTuple):
    """Who sat together, in whatever seats."""

    sides: Ints  # (sides, members, tables): bots
    counts: Ints  # (tables,): games


def tables(sites: Sites) -> Tables:
    """Return the different tables of the sites."""
    places, members, number = sites.bots.shape
    order = np.argsort(sites.bots[:, 0], axis=0)
    sides = np.take_along_axis(sites.bots, order[:, None], axis=0)
    table, first = numbered(sides.reshape(places * members, number).T)
    return Tables(sides[:, :, first], np.bincount(table, sites.counts).astype(np.int64))


def observed(sites: Sites) -> float:
    """Return the share of ties among neighbours in the finishing orders."""
    return float((sites.ties * sites.counts).sum() / (len(sites.ties) * sites.counts.sum()))


def expected(tables: Tables, mu: Array, variance: Array, margin: float) -> float:
    """Return the same share as the model has it, of bots whose performances are so distributed.

    A side ties with the next if another performs at most the margin below it. That is worked out
    by Gauss-Hermite quadrature over its own performance.
    """
    means, deviations = mu[tables.sides].sum(axis=1), np.sqrt(variance[tables.sides].sum(axis=1))
    ties = np.zeros(len(tables.counts))
    for side in range(len(means)):
        at = means[side] + deviations[side] * _AT[:, None]  # (nodes, tables)
        nobody = np.ones_like(at)
        for other in range(len(means)):
            if other != side:
                gap = (at - means[other]) / deviations[other]
                nobody -= nobody * (
                    normal.below(gap) - normal.below(gap - margin / deviations[other])
                )
        ties += (_WORTH[:, None] * (1 - nobody)).sum(axis=0) / _WORTH.sum()
    pairs = len(means) - 1
    return float((ties * tables.counts).sum() / (pairs * tables.counts.sum()))


def margin_of(probability: float, members: int, beta: float) -> float:
    """Return the margin by which two equal sides of so many members tie with a probability."""
    return NormalDist().inv_cdf((1 + probability) / 2) * sqrt(2 * members) * beta


def probability_of(margin: float, members: int, beta: float) -> float:
    """Return the probability that two equal sides of so many members tie."""
    return 2 * NormalDist().cdf(margin / (sqrt(2 * members) * beta)) - 1
