"""Strata: decks of one line-up (and one seating, where each has its own), as the schedule has them.

What a seat is worth, and how a bot fares against just these opponents, is no luck: other deals come
up in the same seats against the same bots. So the pull of a deck is held against the mean of its
stratum, not against 0. The schedule fixes how many decks a stratum has, and each but one tells of
the spread (stratified sampling: Cochran, Sampling Techniques (1977), 5.4; of estimates by maximum
likelihood: Wooldridge, Econometric Theory 17 (2001) 451).
"""

from typing import NamedTuple

import numpy as np

from arena.model import LEAST_DECKS
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, Rated, added

LEAST_FREEDOM = 20
"""Degrees of freedom that each bot keeps, or else larger strata do: Student's t is then at most 6 %
above the normal distribution's, and the variance itself right to a third."""


class Strata(NamedTuple):
    """The clusters of a pool, divided."""

    of_cluster: Ints  # (clusters,): numbers from 0
    sizes: Ints  # (strata,): clusters, 1 or more
    freedom: Ints  # (bots,): clusters with the bot, less one for each stratum


def strata(rated: Rated, bots: int) -> Strata:
    """Return the finest division that leaves every bot with an interval `LEAST_FREEDOM` degrees of
    freedom: by line-up and seating, by line-up, none. There are clusters.
    """
    clusters = added(rated.line_ups, 1, bots)
    known = clusters >= LEAST_DECKS
    for of_cluster in rated.strata:
        sizes = np.bincount(of_cluster)
        freedom = added(rated.line_ups, 1 - 1 / sizes[of_cluster], bots)
        if sizes.min() > 1 and (freedom[known] + 1e-9 >= LEAST_FREEDOM).all():
            return Strata(of_cluster, sizes, (freedom + 1e-9).astype(np.int64))
    whole = np.zeros(rated.line_ups.shape[1], dtype=np.int64)
    return Strata(whole, np.bincount(whole), np.maximum(clusters - 1, 0).astype(np.int64))


def centred(pulls: Array, of: Strata) -> Array:
    """Return pulls, (clusters,), less their means in each stratum, and so much greater that their
    squares add up to the variance of the sum; undivided, they keep their mean.

    All pulls of a stratum are at the same bot.
    """
    scale = np.sqrt(of.sizes / np.maximum(of.sizes - 1, 1))
    if len(of.sizes) > 1:
        pulls = pulls - (added(of.of_cluster, pulls, len(of.sizes)) / of.sizes)[of.of_cluster]
    spread: Array = pulls * scale[of.of_cluster]
    return spread


def drawn(of: Strata, rng: np.random.Generator) -> Array:
    """Return how often each cluster counts in a resample, (clusters,).

    From each stratum one cluster less than it has is drawn, which then counts for more: the
    variance of a sum is then that of `centred` (Rao and Wu, J. Am. Stat. Assoc. 83 (1988) 231).
    Undivided, as many clusters are drawn as there are.
    """
    clusters = len(of.of_cluster)
    if len(of.sizes) == 1:
        return np.bincount(rng.integers(0, clusters, clusters), minlength=clusters).astype(float)
    order = np.argsort(of.of_cluster, kind="stable")
    first = np.cumsum(of.sizes) - of.sizes
    draws = np.repeat(np.arange(len(of.sizes)), of.sizes - 1)
    at = order[first[draws] + rng.integers(0, of.sizes[draws])]
    times: Array = np.bincount(at, minlength=clusters) * (of.sizes / (of.sizes - 1))[of.of_cluster]
    return times
