"""How sure the ratings are: how much they would vary with other deals.

TrueSkill's sigma treats every game as a draw of its own and the model as true. Games that share a
deck share their luck, and a deck may suit one bot better than another; so evidence is counted here
by *clusters*, the games that share a deck. Two ways: from the fit itself, by the pull of each
cluster on the ratings (the sandwich: Liang and Zeger 1986); and by rating again as many clusters,
drawn anew from these (the bootstrap: Efron 1979). Both go by strata of clusters, whose numbers are
no luck (`arena.rating.strata`).
"""

from collections.abc import Callable

import numpy as np
from trueskill import BETA, MU

from arena.rating.fit import PRIOR, Chain, Fit, Normal, fit_sites, update_beliefs
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, Rated, Sites, find_distinct, sum_by
from arena.rating.strata import Strata, center, draw_clusters, remove_seats

Tick = Callable[[], object]


def no_tick() -> None:
    """Report no progress."""


_STEP = 1e-3  # in mu, of the differences for slopes
_SWEEPS = 2  # enough to pass such a step along a finishing order, to 3 digits


def respond_to_pulls(sites: Sites, fitted: Fit, bots: int) -> Array:
    """How far the bots' mu move for a pull of 1 on each: (bots moved, bots pulled).

    The pool's mean is held at 25.
    """
    who = sites.bots.reshape(-1, sites.bots.shape[2])
    scores = _scores(sites, fitted)
    slopes = np.zeros((bots, bots))
    for place in range(len(who)):
        rise = (_scores(sites, fitted, place) - scores) / _STEP
        slopes += _squared(bots, who, who[place], rise * sites.counts)
    moves = np.linalg.inv(PRIOR * np.eye(bots) - slopes)
    moves -= moves[find_distinct(who)].mean(axis=0)
    return moves


def find_shrinkage(fitted: Fit, moves: Array) -> Array:
    """How far the prior holds each bot's mu from where games alone would put it: (bots,).

    That is one step of Newton's from mu, with `moves` the response, and without the prior's pull.
    """
    return np.asarray(moves @ (PRIOR * (fitted.mu - MU)))


def sandwich_covariance(rated: Rated, fitted: Fit, moves: Array, of: Strata) -> Array:
    """The covariance of the bots' mu, (bots, bots), from the pull of two or more clusters.

    `moves` is the response. Pulls are measured from the mean of their stratum.
    """
    sites, line_ups = rated.sites, rated.line_ups
    who = sites.bots.reshape(-1, sites.bots.shape[2])
    bots, clusters = len(moves), line_ups.shape[1]
    scores = _scores(sites, fitted)
    of_game = np.take_along_axis(scores, np.argsort(who, axis=0), axis=0)[:, rated.site]
    pulls = np.array([sum_by(rated.cluster, row, clusters) for row in of_game])
    pulls = remove_seats(pulls, rated, of, bots)
    of_cluster = np.array([center(row, of) for row in pulls])
    varied = np.zeros((bots, bots))
    for place in range(len(who)):
        varied += _squared(bots, line_ups, line_ups[place], of_cluster * of_cluster[place])
    return np.asarray(moves @ varied @ moves.T)


def bootstrap_covariance(
    rated: Rated, fitted: Fit, of: Strata, refits: int, seed: int = 0, tick: Tick = no_tick
) -> Array:
    """The covariance of the bots' mu, (bots, bots), from 2 refits or more to clusters drawn by
    `seed`.

    `tick` is called after each refit.
    """
    rng, sites, bots = np.random.default_rng(seed), rated.sites, len(fitted.mu)
    played = find_distinct(sites.bots)
    replicates = np.zeros((refits, bots))
    for row in replicates:
        counts = sum_by(rated.site, draw_clusters(of, rng)[rated.cluster], len(sites.counts))
        here = counts > 0
        some = Sites(sites.bots[:, :, here], sites.ties[:, here], counts[here])
        chain = Chain(*(side[:, here] for side in fitted.chain))
        start = fitted._replace(messages=fitted.messages[:, :, here], chain=chain)
        row[played] = fit_sites(some, bots, start).mu[played] - MU
        tick()
    replicates[:, played] -= replicates[:, played].mean(axis=1, keepdims=True)
    off = replicates - replicates.mean(axis=0)
    covariance: Array = off.T @ off
    return covariance / (refits - 1)


def _squared(bots: int, one: Ints, other: Ints, values: Array) -> Array:
    """The sums of values by two bots, (bots, bots)."""
    return sum_by(one * bots + other, values, bots * bots).reshape(bots, bots)


def _scores(sites: Sites, fitted: Fit, moved: int | None = None) -> Array:
    """How strongly one game of each site pulls at the mu of its players, (players, sites).

    The other games' estimate of the player `moved` is taken a `_STEP` higher than it is.
    """
    precision = fitted.sigma**-2
    others = Normal(precision, precision * fitted.mu)[sites.bots] / fitted.messages
    if moved is not None:
        place, member = divmod(moved, sites.bots.shape[1])
        others.shift[place, member] += _STEP * others.precision[place, member]
    chain = fitted.chain.copy()
    messages = update_beliefs(others, sites.ties, fitted.margin, BETA, chain, _SWEEPS)
    pull = messages.shift - messages.precision * others.mu
    pull *= others.precision / (others.precision + messages.precision)
    return pull.reshape(-1, sites.bots.shape[2])
