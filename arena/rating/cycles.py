"""Cycles that are surely there: a finishes ahead of b, b of c, and c of a. Pure.

Ratings cannot show one. Three pairs that look so by luck are found in any league, so each of the
three has to be sure, all pairs of the pool taken together. If two bots were equal, every deck might
as well have favoured the other: then the lead, over the root of its squares by deck, exceeds z
with a probability of at most exp(-z^2 / 2), whatever the decks are like and however few (Efron
1969; Hoeffding 1963).
"""

from typing import NamedTuple

import numpy as np

from arena.rating import holm
from arena.rating.comparisons import LEVEL
from arena.rating.gaussian import Array
from arena.rating.pair_results import PairResults
from arena.rating.update import Flags


class Cycle(NamedTuple):
    """Three bots, each ahead of the next and the last ahead of the first."""

    bots: tuple[int, int, int]  # the lowest number first
    surety: float  # z of its least sure pair


def ahead(results: PairResults, bots: int) -> tuple[Flags, Array]:
    """Return who surely finishes ahead of whom more often than behind, and z: (bots, bots) each."""
    lead = results.ahead - results.games / 2
    root = np.sqrt(results.squares)
    pair_z = np.divide(lead, root, out=np.zeros(len(lead)), where=root > 0)
    by_luck = np.minimum(2 * np.exp(-(pair_z**2) / 2), 1)
    sure = np.array(holm.adjusted(by_luck.tolist())) <= 1 - LEVEL
    z = np.zeros((bots, bots))
    one, other = results.pairs.T
    z[one, other] = np.where(sure, pair_z, 0)
    z[other, one] = -z[one, other]
    return z > 0, z


def cycles(sure: Flags, z: Array) -> list[Cycle]:
    """Return all cycles of three, the surest first, then by number."""
    found: list[Cycle] = []
    for a in range(len(sure)):
        later = np.arange(len(sure)) > a
        circle = sure & (sure[a] & later)[:, None] & (sure[:, a] & later)
        for b, c in np.argwhere(circle).tolist():
            found.append(Cycle((a, b, c), float(min(z[a, b], z[b, c], z[c, a]))))
    return sorted(found, key=lambda cycle: (-cycle.surety, cycle.bots))
