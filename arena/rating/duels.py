"""The duel chance: what a rating is worth against the field, on one scale in every game.

A mean of mu over games adds lengths that each game's luck and field have set. A chance does not:
it lies between 0 and 1, an opponent that plays blindly adds to it once and no more, and 0.5 is the
mean of any field. Pure.
"""

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from trueskill import BETA

from arena.rating import gaussian
from arena.rating.draw_margin import margin_of
from arena.rating.gaussian import Array
from arena.rating.rate import Ratings

Duels = dict[str, float]
"""Duel chances by bot; one that has no game that counts, or no opponent with one, is missing."""


def chance(gap: Array, margin: float, members: int) -> Array:
    """Return how often a side finishes ahead of another in the model, a tie half.

    `gap` is what the mu of its members are above the other's, all added up. Performances are
    independent normal, and tie where they differ by less than `margin` (Herbrich, Minka and
    Graepel 2007).
    """
    deviation = sqrt(2 * members) * BETA
    ahead, not_behind = gaussian.below(np.array((gap - margin, gap + margin)) / deviation)
    return np.asarray((ahead + not_behind) / 2)


def duels(ratings: Ratings, members: int) -> Duels:
    """Return how often each bot of a pool would beat one drawn from the others, a tie half.

    A duel is between two sides of so many members; the bots' partners are as good as each other.
    """
    playing = np.flatnonzero(ratings.clusters)
    if ratings.draw_probability is None or len(playing) < 2:
        return {}
    mu = ratings.mu[playing]
    beaten = chance(mu[:, None] - mu, margin_of(ratings.draw_probability, members), members)
    means = (beaten.sum(axis=1) - 0.5) / (len(playing) - 1)  # less the half against itself
    return dict(zip([ratings.names[bot] for bot in playing], means.tolist(), strict=True))


def mean(parts: Sequence[Mapping[str, float]]) -> Duels:
    """Return the equal-weight means of one or more pools' or games' chances, of the bots in all."""
    names = sorted(set.intersection(*({*part} for part in parts)))
    return {name: sum(part[name] for part in parts) / len(parts) for name in names}
