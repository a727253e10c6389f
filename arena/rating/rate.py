"""Ratings: TrueSkill over the finishing orders of a pool, and how sure they are.

Pure: the same outcomes give the same numbers, whatever order they come in. A pool is rated alone;
a game's rating is the mean of its pools', the overall one the mean of the games'.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from trueskill import MU, SIGMA

from arena.model import LEAST_DECKS
from arena.rating.fit import fit
from arena.rating.gaussian import Array
from arena.rating.intervals import Tick, bootstrap, no_tick, response, sandwich, shrinkage
from arena.rating.outcomes import Ints, Rated, added


class Ratings(NamedTuple):
    """The strength of some bots as it is believed to be, and the evidence for it."""

    names: tuple[str, ...]  # in order
    mu: Array  # (bots,)
    sigma: Array  # TrueSkill's own doubt, with its model taken for the truth
    covariance: Array  # (bots, bots), of mu, over other deals
    freedom: Ints  # (bots,): degrees of freedom of its variance, 0 where there are too few clusters
    clusters: Ints  # (bots,): games that share a deck are one; of several pools, the fewest
    draw_probability: float | None  # of two equal sides; None if made of several pools
    shrinkage: Array  # (bots,): without the prior mu would be so much higher, to first order
    converged: bool = True  # else the fit was ended, and would have moved them further


def rate(names: Sequence[str], rated: Rated, refits: int = 0, tick: Tick = no_tick) -> Ratings:
    """Return the ratings of `names`, the bots that `rated` numbers, with a mean of 25.

    A bot without a game has the package's prior. The covariance is that of so many refits, or,
    with none, the sandwich. `tick` is called after each refit.
    """
    bots = len(names)
    if not len(rated.site):
        nothing = np.zeros(bots, dtype=np.int64)
        return Ratings(
            tuple(names),
            mu=np.full(bots, MU),
            sigma=np.full(bots, SIGMA),
            covariance=np.zeros((bots, bots)),
            freedom=nothing,
            clusters=nothing,
            draw_probability=None,
            shrinkage=np.zeros(bots),
        )
    fitted = fit(rated.sites, bots)
    clusters = added(rated.line_ups, 1, bots).astype(np.int64)
    covariance, held = np.zeros((bots, bots)), np.zeros(bots)
    if clusters.max() >= LEAST_DECKS:
        moves = response(rated.sites, fitted, bots)
        held = shrinkage(fitted, moves)
        covariance = (
            bootstrap(rated, fitted, bots, refits, tick=tick)
            if refits
            else sandwich(rated, fitted, moves)
        )
    freedom = np.where(clusters >= LEAST_DECKS, clusters - 1, 0)
    return Ratings(
        tuple(names),
        fitted.mu,
        fitted.sigma,
        covariance,
        freedom,
        clusters,
        fitted.draw_probability,
        held,
        fitted.converged,
    )


def combine(ratings: Sequence[Ratings]) -> Ratings:
    """Return the equal-weight means of one or more independent ratings, of the bots in all.

    Degrees of freedom are Welch's (1947), rounded down; none where one of the parts has none.
    """
    if len(ratings) == 1:
        return ratings[0]
    names = sorted(set.intersection(*({*each.names} for each in ratings)))
    count = len(ratings)
    parts = [_cut(each, names) for each in ratings]
    spread = np.array([np.diag(each.covariance) for each in parts])
    freedom = np.array([each.freedom for each in parts])
    least = freedom.min(axis=0)
    squares = (spread**2 / np.maximum(freedom, 1)).sum(axis=0)
    welch = np.where(squares > 0, spread.sum(axis=0) ** 2 / np.maximum(squares, 1e-300), least)
    return Ratings(
        tuple(names),
        mu=np.array([each.mu for each in parts]).sum(axis=0) / count,
        sigma=np.sqrt(np.array([each.sigma**2 for each in parts]).sum(axis=0)) / count,
        covariance=np.array([each.covariance for each in parts]).sum(axis=0) / count**2,
        freedom=np.where(least > 0, welch + 1e-9, 0).astype(np.int64),
        clusters=np.array([each.clusters for each in parts]).min(axis=0),
        draw_probability=None,
        shrinkage=np.array([each.shrinkage for each in parts]).sum(axis=0) / count,
    )


def _cut(ratings: Ratings, names: Sequence[str]) -> Ratings:
    at = np.array([ratings.names.index(name) for name in names], dtype=np.int64)
    return Ratings(
        tuple(names),
        mu=ratings.mu[at],
        sigma=ratings.sigma[at],
        covariance=ratings.covariance[np.ix_(at, at)],
        freedom=ratings.freedom[at],
        clusters=ratings.clusters[at],
        draw_probability=None,
        shrinkage=ratings.shrinkage[at],
    )
