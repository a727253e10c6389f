"""Pools taken together: their mean ratings, and what a bot is worth besides its mu, its duel chance
and its place by majority of pools. Pure.

A mean of mu over games adds lengths that each game's luck and field have set. A duel chance does
not: it lies between 0 and 1, an opponent that plays blindly adds to it once and no more, and 0.5 is
the mean of any field. And a mean of mu rewards crushing weak bots; a majority asks each pool only
which of two bots is better (Copeland 1951, in the setting of Lanctot et al., "Evaluating Agents
using Social Choice Theory", 2023, which calls tasks voters). Readers should see where these differ.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import lcm, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from trueskill import BETA

from arena.rating import gaussian
from arena.rating.comparisons import tie_neighbours
from arena.rating.fit import margin_of
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints
from arena.rating.rate import Ratings


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
        excess=add(part.spread - part.covariance for part in parts) / count**2,
        won_all=frozenset().union(*(part.won_all for part in parts)),
        lost_all=frozenset().union(*(part.lost_all for part in parts)),
    )


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
        above=np.maximum(ratings.above[at] - elsewhere, 0),
        below=np.maximum(ratings.below[at] - elsewhere, 0),
        shrinkage=ratings.shrinkage[at],
        excess=None if ratings.excess is None else ratings.excess[square],
        won_all=ratings.won_all & {*names},
        lost_all=ratings.lost_all & {*names},
    )


class Rated(NamedTuple):
    """What is known of bots' strength in a pool, or on average over pools or games."""

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
    """How often a side finishes ahead of another in the model, a tie half.

    `gap` is how far the mu of its members, added up, are above the other's. Performances are
    independent normal, and tie if they differ by less than the margin (Herbrich, Minka and Graepel
    2007) with which two equal sides tie as often as `draw_probability`.
    """
    margin = margin_of(draw_probability, members)
    deviation = sqrt(2 * members) * BETA
    ahead, not_behind = gaussian.normal_cdf(np.array((gap - margin, gap + margin)) / deviation)
    return np.asarray((ahead + not_behind) / 2)


def duel_chances(ratings: Ratings, members: int) -> dict[str, float]:
    """How often each bot of a pool would beat one drawn from the others, a tie half.

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
    """Where a bot stands by majority of pools."""

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
