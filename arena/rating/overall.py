"""What a bot is worth besides its mu: its duel chance, and its place by majority of pools. Pure.

A mean of mu over games adds lengths that each game's luck and field have set. A duel chance does
not: it lies between 0 and 1, an opponent that plays blindly adds to it once and no more, and 0.5 is
the mean of any field. And a mean of mu rewards crushing weak bots; a majority asks each pool only
which of two bots is better (Copeland 1951, in the setting of Lanctot et al., "Evaluating Agents
using Social Choice Theory", 2023, which calls tasks voters). Readers should see where these differ.
"""

from collections.abc import Mapping, Sequence
from math import lcm, sqrt
from typing import NamedTuple

import numpy as np
from trueskill import BETA

from arena.rating import gaussian
from arena.rating.draw_margin import margin_of
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints
from arena.rating.rate import Ratings

Duels = dict[str, float]
"""Duel chances by bot; one that has no game that counts, or no opponent with one, is missing."""


def win_chance(gap: Array, margin: float, members: int) -> Array:
    """How often a side finishes ahead of another in the model, a tie half.

    `gap` is how far the mu of its members, added up, are above the other's. Performances are
    independent normal, and tie if they differ by less than `margin` (Herbrich, Minka and Graepel
    2007).
    """
    deviation = sqrt(2 * members) * BETA
    ahead, not_behind = gaussian.normal_cdf(np.array((gap - margin, gap + margin)) / deviation)
    return np.asarray((ahead + not_behind) / 2)


def duel_chances(ratings: Ratings, members: int) -> Duels:
    """How often each bot of a pool would beat one drawn from the others, a tie half.

    A duel is between two sides of so many members; the bots' partners are as good as each other.
    """
    playing = np.flatnonzero(ratings.clusters)
    if ratings.draw_probability is None or len(playing) < 2:
        return {}
    mu = ratings.mu[playing]
    beaten = win_chance(mu[:, None] - mu, margin_of(ratings.draw_probability, members), members)
    means = (beaten.sum(axis=1) - 0.5) / (len(playing) - 1)  # less the half against itself
    return dict(zip([ratings.names[bot] for bot in playing], means.tolist(), strict=True))


def mean_duel_chances(parts: Sequence[Mapping[str, float]]) -> Duels:
    """The equal-weight means of one or more pools' or games' chances, for the bots in all."""
    names = sorted(set.intersection(*({*part} for part in parts)))
    return {name: sum(part[name] for part in parts) / len(parts) for name in names}


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
