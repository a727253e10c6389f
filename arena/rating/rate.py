"""Ratings: TrueSkill over the finishing orders of a pool, and how sure they are.

Pure: the same outcomes give the same numbers, whatever order they come in. A pool is rated alone;
a game's rating is the mean of its pools', the overall one the mean of the games'.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from trueskill import MU, SIGMA

from arena.model import LEAST_DECKS
from arena.rating import p_values
from arena.rating.comparisons import LEVEL, difference_errors, tie_neighbours
from arena.rating.fit import fit_sites
from arena.rating.gaussian import Array
from arena.rating.intervals import (
    Tick,
    bootstrap_covariance,
    divide,
    find_shrinkage,
    no_tick,
    respond_to_pulls,
    sandwich_covariance,
)
from arena.rating.outcomes import Ints, Merged, sum_by
from arena.rating.separation import find_separation


class Ratings(NamedTuple):
    """The estimated strength of some bots, and the evidence for it."""

    names: tuple[str, ...]  # in order
    mu: Array  # (bots,)
    sigma: Array  # TrueSkill's own doubt, with its model taken for the truth
    covariance: Array  # (bots, bots), of mu, over other deals: for tests of differences
    freedom: Ints  # (bots,): degrees of freedom of its variance, 0 where there are too few clusters
    clusters: Ints  # (bots,): games that share a deck are one; of several pools, the fewest
    draw_probability: float | None  # of two equal sides; None if made of several pools
    above: Ints  # (bots,): at least so many are surely better, by exact tests (`separation`)
    below: Ints  # (bots,): and worse
    shrinkage: Array  # (bots,): without the prior mu would be so much higher, to first order
    converged: bool = True  # else the fit was ended, and would have moved them further
    excess: Array | None = None  # (bots, bots): what intervals of mu add to the covariance
    won_all: frozenset[str] = frozenset()  # bots ahead of every opponent in all games of a pool
    lost_all: frozenset[str] = frozenset()  # bots behind every opponent in all of them

    @property
    def spread(self) -> Array:
        """The covariance of mu for intervals, (bots, bots).

        It is wider than that for tests if bots never lose or never win (`arena.rating.separation`).
        """
        return self.covariance if self.excess is None else self.covariance + self.excess

    @property
    def errors(self) -> Array:
        """The standard errors of the differences of mu, for tests: (bots, bots).

        A bot with an exact test has two, both too large rather than too small: with what the prior
        holds back, and with what intervals add. The smaller one is taken. A bot that won all is
        surely behind no other, and one that lost all is surely ahead of none: the error of such a
        difference is infinite.
        """
        errors = difference_errors(self.covariance, self.shrinkage)
        exact = self.above + self.below > 0
        wide = difference_errors(self.spread, 0 * self.shrinkage)
        errors = np.where(exact | exact[:, None], np.minimum(errors, wide), errors)
        won, lost = (
            np.array([name in bots for name in self.names], dtype=bool)
            for bots in (self.won_all, self.lost_all)
        )
        endless = (self.mu[:, None] > self.mu) & (lost[:, None] | won)
        return np.where(endless | endless.T, np.inf, errors)


def rate_bots(
    names: Sequence[str], merged: Merged, refits: int = 0, tick: Tick = no_tick
) -> Ratings:
    """Rate `names`, the bots that `merged` numbers, with a mean of 25.

    A bot without a game has the package's prior. The covariance is that of so many refits, or, with
    none, the sandwich. `tick` is called after each refit.
    """
    bots = len(names)
    if not len(merged.site):
        nothing = np.zeros(bots, dtype=np.int64)
        return Ratings(
            tuple(names),
            mu=np.full(bots, MU),
            sigma=np.full(bots, SIGMA),
            covariance=np.zeros((bots, bots)),
            freedom=nothing,
            clusters=nothing,
            draw_probability=None,
            above=nothing,
            below=nothing,
            shrinkage=np.zeros(bots),
        )
    fitted, of = fit_sites(merged.sites, bots), divide(merged, bots)
    fitted = fitted._replace(mu=tie_neighbours(fitted.mu))
    clusters = sum_by(merged.line_ups, 1, bots).astype(np.int64)
    covariance, held = np.zeros((bots, bots)), np.zeros(bots)
    moves = respond_to_pulls(merged.sites, fitted, bots)
    if clusters.max() >= LEAST_DECKS:
        held = find_shrinkage(fitted, moves)
        covariance = (
            bootstrap_covariance(merged, fitted, of, refits, tick=tick)
            if refits
            else sandwich_covariance(merged, fitted, moves, of)
        )
    freedom = np.where(clusters >= LEAST_DECKS, of.freedom, 0)
    apart = find_separation(merged, fitted, moves, covariance)
    return Ratings(
        tuple(names),
        fitted.mu,
        fitted.sigma,
        covariance,
        freedom,
        clusters,
        fitted.draw_probability,
        apart.above,
        apart.below,
        held,
        fitted.converged,
        apart.excess,
        frozenset(names[bot] for bot in apart.won_all),
        frozenset(names[bot] for bot in apart.lost_all),
    )


def find_bounds(
    ratings: Ratings, mu: Sequence[float]
) -> list[tuple[float | None, float | None] | None]:
    """Both ends of the 95 % intervals round each bot's mu as it is published.

    None for a bot on too few decks. None for the upper end of a bot that won all games of a pool,
    and for the lower end of one that lost all: the other end then holds in 97.5 %.
    """
    variance = np.maximum(np.diag(ratings.spread), 0.0)
    ends: list[tuple[float | None, float | None] | None] = []
    for bot, name in enumerate(ratings.names):
        if not ratings.freedom[bot]:
            ends.append(None)
            continue
        reach = p_values.t_critical(1 - LEVEL, ratings.freedom[bot]) * sqrt(variance[bot])
        low = None if name in ratings.lost_all else mu[bot] - reach
        high = None if name in ratings.won_all else mu[bot] + reach
        ends.append((low, high))
    return ends
