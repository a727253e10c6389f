"""Two bots whose every result is counted out: how often an interval holds, without chance."""

from functools import cache
from math import comb

import numpy as np

from arena.model import Pool
from arena.rating.fit import fit_sites
from arena.rating.outcomes import MergedGames
from arena.rating.rate import Ratings, find_rating_bounds, rate_bots
from tests.simulated import merge, play

MANY = 10**8  # games; the prior of so many is worth nothing


def rated(won: int, lost: int) -> MergedGames:
    """So many games of two bots by the first one's result, each with a deck of its own."""
    ends = [(1, 2)] * won + [(2, 1)] * lost
    games = (("ab", ranks, deal) for deal, ranks in enumerate(ends))
    return merge(play(Pool("sixteen", 2, "{}", ""), "ab", *games), False)


@cache
def ratings(won: int, lost: int) -> Ratings:
    return rate_bots("ab", rated(won, lost))


def coverage(games: int, chance: float) -> float:
    """Return how often the first one's interval holds the mu that its ratings tend to, after so
    many games, if it wins so often.
    """
    often = MANY * np.array([chance, 1 - chance])
    truth = fit_sites(rated(1, 1).sites._replace(evidence=often), 2).mu[0]
    held = 0.0
    for won in range(games + 1):
        likely = comb(games, won) * chance**won * (1 - chance) ** (games - won)
        if likely > 1e-9:
            result = ratings(won, games - won)
            low, high = find_rating_bounds(result, result.mu.tolist())[0] or (None, None)
            held += likely * ((low is None or low <= truth) and (high is None or truth <= high))
    return held
