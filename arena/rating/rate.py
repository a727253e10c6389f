"""Ratings: TrueSkill over the finishing orders of a pool, how sure they are, and their means.

Pure: the same outcomes give the same numbers, whatever order they come in. A pool is rated alone;
a game's rating is the mean of its pools', the overall one the mean of the games'. README.md beside
this file says what such means, duel chances and majorities tell.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, lcm, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.model import LEAST_DECKS, LEVEL
from arena.rating import gaussian, p_values
from arena.rating.comparisons import (
    MOST_BOTS,
    difference_errors,
    difference_variances,
    tie_neighbours,
)
from arena.rating.fit import BETA, MU, SIGMA, fit_sites, margin_of
from arena.rating.gaussian import Array
from arena.rating.intervals import (
    divide,
    find_pulls,
    find_rare,
    find_shrinkage,
    respond_to_pulls,
    sandwich_covariance,
)
from arena.rating.outcomes import Ints, MergedGames, number_rows, sum_by
from arena.rating.p_values import BAND_MU
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
    group: Ints  # (bots,): equal of bots that have met, if only through others
    lack: Array  # (bots, bots): what the variances of differences lack where few decks tell
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
        difference is infinite. So it is of two that never met, not even through others. Where few
        decks tell of a difference, its error is no smaller than the model's.
        """
        errors = np.hypot(difference_errors(self.covariance, self.shrinkage), np.sqrt(self.lack))
        exact = self.above + self.below > 0
        wide = difference_errors(self.spread, 0 * self.shrinkage)
        errors = np.where(exact | exact[:, None], np.minimum(errors, wide), errors)
        won, lost = (
            np.array([name in bots for name in self.names], dtype=bool)
            for bots in (self.won_all, self.lost_all)
        )
        endless = (self.mu[:, None] > self.mu) & (lost[:, None] | won)
        endless |= self.group[:, None] != self.group
        return np.where(endless | endless.T, np.inf, errors)


def rate_bots(names: Sequence[str], merged: MergedGames) -> Ratings:
    """Rate `names`, the bots that `merged` numbers, with a mean of 25.

    A bot without a game has the package's prior.
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
            group=np.arange(bots),
            lack=np.zeros((bots, bots)),
        )
    if not merged.strata:  # a line-up is one cluster, whatever its decks
        at, first = number_rows(merged.line_ups.T)
        merged = merged._replace(cluster=at[merged.cluster], line_ups=merged.line_ups[:, first])
    fitted, of = fit_sites(merged.sites, bots), divide(merged, bots)
    fitted = fitted._replace(mu=tie_neighbours(fitted.mu))
    clusters = sum_by(merged.line_ups, 1, bots).astype(np.int64)
    (covariance, lack), held = np.zeros((2, bots, bots)), np.zeros(bots)
    rare = np.zeros((bots, bots), dtype=bool)
    moves = respond_to_pulls(merged.sites, fitted, bots)
    if clusters.max() >= LEAST_DECKS:
        held = find_shrinkage(fitted, moves)
        pulls = find_pulls(merged, fitted, moves, of)
        covariance = sandwich_covariance(merged, moves, pulls)
        if bots <= MOST_BOTS:
            rare = find_rare(merged, moves, pulls)
            of_model, varied = difference_variances(moves), difference_variances(covariance)
            lack = np.where(rare, np.maximum(of_model - varied, 0.0), 0.0)
    freedom = np.where(clusters >= LEAST_DECKS, of.freedom, 0)
    apart = find_separation(merged, fitted, moves, covariance, np.diag(rare))
    return Ratings(
        names=tuple(names),
        mu=fitted.mu,
        sigma=fitted.sigma,
        covariance=covariance,
        freedom=freedom,
        clusters=clusters,
        draw_probability=fitted.draw_probability,
        above=apart.above,
        below=apart.below,
        shrinkage=held,
        group=apart.group,
        lack=lack,
        converged=fitted.converged,
        excess=apart.excess,
        won_all=frozenset(names[bot] for bot in apart.won_all),
        lost_all=frozenset(names[bot] for bot in apart.lost_all),
    )


def find_rating_bounds(
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


def combine_ratings(ratings: Sequence[Ratings]) -> Ratings:
    """Average one or more independent ratings, with equal weights, for the bots in all of them.

    A bot that won all games of one part has won all, though it lost others: its mean has no upper
    end either. `above` and `below` count bots that are better, or worse, in every part: if the
    parts have too many for all to be different bots, some are in all parts.
    """
    if len(ratings) == 1:
        return ratings[0]
    names = sorted(set.intersection(*({*part.names} for part in ratings)))
    count = len(ratings)
    parts = [select_bots(part, names) for part in ratings]

    def add(values: Iterable[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        return np.asarray(np.array([*values]).sum(axis=0))

    def count_in_all(numbers: Iterable[Ints]) -> Ints:
        return np.asarray(np.maximum(add(numbers) - (count - 1) * (len(names) - 1), 0))

    return Ratings(
        tuple(names),
        mu=tie_neighbours(add(part.mu for part in parts) / count),
        sigma=np.sqrt(add(part.sigma**2 for part in parts)) / count,
        covariance=add(part.covariance for part in parts) / count**2,
        freedom=add_freedom(
            np.array([np.diag(part.covariance) for part in parts]),
            np.array([part.freedom for part in parts]),
        ),
        clusters=np.array([part.clusters for part in parts]).min(axis=0),
        draw_probability=None,
        above=count_in_all(part.above for part in parts),
        below=count_in_all(part.below for part in parts),
        shrinkage=add(part.shrinkage for part in parts) / count,
        group=number_rows(np.array([part.group for part in parts]).T)[0],
        lack=add(part.lack for part in parts) / count**2,
        excess=_add_dependent([part.spread - part.covariance for part in parts]) / count**2,
        won_all=frozenset().union(*(part.won_all for part in parts)),
        lost_all=frozenset().union(*(part.lost_all for part in parts)),
    )


def _add_dependent(covariances: Sequence[Array]) -> Array:
    """Bound the covariance of a sum of errors that may all point the same way."""
    sizes = [sqrt(max(float(np.trace(part)), 0.0)) for part in covariances]
    shares = [part / size for part, size in zip(covariances, sizes, strict=True) if size]
    return np.asarray(sum(sizes) * sum(shares, np.zeros_like(covariances[0])))


def add_freedom(variances: Array, freedom: Ints) -> Ints:
    """The degrees of freedom of sums of variances, given as (parts, bots) with those of each part.

    Welch's (1947), rounded down; 0 if a part has none.
    """
    least = freedom.min(axis=0)
    squares = (variances**2 / np.maximum(freedom, 1)).sum(axis=0)
    welch = np.where(squares > 0, variances.sum(axis=0) ** 2 / np.maximum(squares, 1e-300), least)
    return np.where(least > 0, welch + 1e-9, 0).astype(np.int64)


def select_bots(ratings: Ratings, names: Sequence[str]) -> Ratings:
    """The ratings of some of the bots, in order of name."""
    at = np.array([ratings.names.index(name) for name in names], dtype=np.int64)
    square = np.ix_(at, at)
    elsewhere = len(ratings.names) - len(names)
    return ratings._replace(
        names=tuple(names),
        mu=ratings.mu[at],
        sigma=ratings.sigma[at],
        covariance=ratings.covariance[square],
        freedom=ratings.freedom[at],
        clusters=ratings.clusters[at],
        group=ratings.group[at],
        lack=ratings.lack[square],
        above=np.maximum(ratings.above[at] - elsewhere, 0),
        below=np.maximum(ratings.below[at] - elsewhere, 0),
        shrinkage=ratings.shrinkage[at],
        excess=None if ratings.excess is None else ratings.excess[square],
        won_all=ratings.won_all & {*names},
        lost_all=ratings.lost_all & {*names},
    )


class Rated(NamedTuple):
    """Estimates of bots' strength in a pool, or on average over pools or games."""

    ratings: Ratings  # with a mean of 25
    anchored: Ratings | None  # the same, measured from the anchor; None where there is none
    duels: Mapping[str, float]  # duel chances by bot; a bot that met none in a game that counts
    # is missing


def combine_rated(parts: Sequence[Rated]) -> Rated:
    """Average one or more parts, all of the same weight, for the bots in all of them."""
    names = sorted(set.intersection(*({*part.duels} for part in parts)))
    return Rated(
        combine_ratings([part.ratings for part in parts]),
        combine_ratings([part.anchored or part.ratings for part in parts])
        if any(part.anchored for part in parts)
        else None,
        {name: sum(part.duels[name] for part in parts) / len(parts) for name in names},
    )


def win_chance(gap: Array, draw_probability: float, members: int) -> Array:
    """The chance that a side finishes ahead of another in the model, a tie half.

    `gap` is how far the mu of its members, added up, are above the other's. Performances are
    independent normal, and tie if they differ by less than the margin (Herbrich, Minka and Graepel
    2007) with which two equal sides tie as often as `draw_probability`.
    """
    margin = margin_of(draw_probability, members)
    deviation = sqrt(2 * members) * BETA
    ahead, not_behind = gaussian.normal_cdf(np.array((gap - margin, gap + margin)) / deviation)
    return np.asarray((ahead + not_behind) / 2)


def find_uneven_mu(ratings: Ratings, two: Sequence[str], members: int, meet: bool) -> float:
    """The distance in mu of two bots of a match if one finishes ahead on every deck and the other
    behind: infinite where that is not known.

    It is taken from the share of decks that puts them the band apart, wherever they may be: one
    that beats all others in nearly all games is the band better by very few of them.
    """
    draws, playing = ratings.draw_probability, ratings.clusters > 0
    if draws is None or (not meet and {*two} & (ratings.won_all | ratings.lost_all)):
        return inf
    at = np.array([ratings.names.index(bot) for bot in two])
    others = np.delete(ratings.mu, at)[np.delete(playing, at)]
    direct = 2 * win_chance(np.array([BAND_MU] if meet else []), draws, members) - 1
    reach, shares = BAND_MU / 2 + 2 * ratings.sigma[at].max(), list[float]()
    for shift in (-reach, 0.0, reach):
        upper = ratings.mu[at].mean() + shift + BAND_MU / 2 - others
        ahead = win_chance(upper, draws, members) - win_chance(upper - BAND_MU, draws, members)
        shares.append(float(np.mean([*direct, *ahead])))
    return BAND_MU / max(min(shares), 1e-9)


def duel_chances(ratings: Ratings, members: int) -> dict[str, float]:
    """The chance of each bot of a pool to beat one drawn from the others, a tie half.

    A duel is between two sides of so many members; the bots' partners are as good as each other.
    """
    playing = np.flatnonzero(ratings.clusters)
    if ratings.draw_probability is None or len(playing) < 2:
        return {}
    mu = ratings.mu[playing]
    beaten = win_chance(mu[:, None] - mu, ratings.draw_probability, members)
    means = (beaten.sum(axis=1) - 0.5) / (len(playing) - 1)  # less the half against itself
    return dict(zip([ratings.names[bot] for bot in playing], means.tolist(), strict=True))


class Standing(NamedTuple):
    """A bot's place by majority of pools."""

    place: int  # from 1; bots of equal `majorities` share the better place
    majorities: float  # the others that a majority puts it above, an even vote half
    mean_place: float  # over pools, shared places halved; games weigh the same


def rank_by_majority(
    games: Sequence[Sequence[Mapping[str, float]]], bots: Sequence[str]
) -> dict[str, Standing]:
    """Rank bots that are rated in every pool by majority of pools; bots in the order given.

    `games` has the ratings of each game's pools. Games weigh the same, and so do the pools of one
    game. Equal ratings are no vote.
    """
    unit = lcm(*map(len, games))  # votes of a game, shared among its pools
    votes: Ints = np.zeros((len(bots), len(bots)), dtype=np.int64)
    for pools in games:
        for ratings in pools:
            mu = np.array([ratings[bot] for bot in bots])
            votes += unit // len(pools) * np.sign(mu[:, None] - mu).astype(np.int64)
    halves = (1 + np.sign(votes)).sum(axis=1) - 1  # less the half against itself
    places = 1 + (halves[:, None] < halves).sum(axis=1)
    above = (len(bots) - 1 - votes.sum(axis=1) / (unit * len(games))) / 2
    return {
        bot: Standing(place, half / 2, 1 + over)
        for bot, place, half, over in zip(
            bots, places.tolist(), halves.tolist(), above.tolist(), strict=True
        )
    }
