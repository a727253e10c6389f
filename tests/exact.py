"""Two bots whose every result is counted out: how often an interval holds, without chance."""

from functools import cache
from math import comb

import numpy as np

from arena.rating.fit import fit_sites
from arena.rating.outcomes import MergedGames, Sites
from arena.rating.rate import Ratings, find_rating_bounds, rate_bots

NAMES = ("a", "b")
MANY = 10**8  # games; the prior of so many is worth nothing


def rated(won: int, lost: int) -> MergedGames:
    """So many games of two bots by the first one's result, each with a deck of its own."""
    endings = [(ending, count) for ending, count in (((0, 1), won), ((1, 0), lost)) if count]
    bots = np.array([ending for ending, _ in endings]).T[:, None]
    counts = np.array([count for _, count in endings])
    sites = Sites(
        np.ascontiguousarray(bots), np.zeros((1, len(counts)), dtype=bool), counts, counts
    )
    games = np.arange(won + lost)
    line_ups = np.repeat([[0], [1]], won + lost, axis=1)
    alike = (np.zeros(won + lost, dtype=np.int64),)
    return MergedGames(
        sites, np.repeat(np.arange(len(counts)), counts), games, line_ups, alike, None
    )


@cache
def ratings(won: int, lost: int) -> Ratings:
    """What is published of them."""
    return rate_bots(NAMES, rated(won, lost))


def limit(chance: float) -> float:
    """Return the mu that the first one's ratings tend to, if it wins so often."""
    won = round(chance * MANY)
    sites = rated(1, 1).sites._replace(evidence=np.array([won, MANY - won], dtype=np.float64))
    return float(fit_sites(sites, 2).mu[0])


def coverage(games: int, chance: float) -> float:
    """Return how often the first one's interval holds that limit, after so many games."""
    truth, held = limit(chance), 0.0
    for won in range(games + 1):
        likely = comb(games, won) * chance**won * (1 - chance) ** (games - won)
        if likely > 1e-9:
            result = ratings(won, games - won)
            ends = find_rating_bounds(result, result.mu.tolist())[0]
            assert ends, "there are decks enough"
            low, high = ends
            held += likely * ((low is None or low <= truth) and (high is None or truth <= high))
    return held
