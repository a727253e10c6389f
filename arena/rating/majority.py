"""Another order of the bots, by majority: every pool votes, and by how much it is won is no matter.

A mean of mu rewards whoever crushes the weak; a majority asks each pool only who is the better of
two. Both are defensible, so a reader should see where they part. The method is Copeland's (1951)
in the setting of Lanctot et al., "Evaluating Agents using Social Choice Theory" (2023), which calls
tasks voters. Pure, in whole numbers.
"""

from collections.abc import Mapping, Sequence
from math import lcm
from typing import NamedTuple

import numpy as np

from arena.rating.outcomes import Ints


class Standing(NamedTuple):
    """Where a bot stands by majority of pools."""

    place: int  # from 1; bots of equal `majorities` share the better place
    majorities: float  # the others that a majority puts it above, an even vote half
    mean_place: float  # over pools, shared places halved; games weigh the same


def by_majority(
    games: Sequence[Sequence[Mapping[str, float]]], bots: Sequence[str]
) -> dict[str, Standing]:
    """Return the standing of bots that are rated in every pool, in the order given.

    `games` has the ratings of each game's pools. Games weigh the same, and so do the pools of one;
    ratings that are equal are no vote.
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
