"""How the scores of a pool's bots are distributed: counts in bins that all of them share. Pure."""

from typing import NamedTuple

import numpy as np

from arena.rating.outcomes import Ints
from arena.site.stats_games import Games

BINS = 24  # at most, the two open ones beside them
TAIL = 0.005  # of the pool's scores that lie beyond each end


class Spread(NamedTuple):
    """A bot's scores."""

    games: int  # that nobody of its side forfeited
    counts: tuple[int, ...]  # by bin: below the first, the bins, and above the last
    quartiles: tuple[float, ...]  # lowest, lower quartile, median, upper quartile, highest


class Scores(NamedTuple):
    """A pool's scores."""

    first: int  # where the first bin begins
    width: int  # of a bin, in points
    bots: tuple[Spread, ...]  # by bot, in the order of names
    everybody: Spread


def scores(games: Games) -> Scores:
    """Return the scores of the games that count, of seats whose side did not forfeit."""
    by_seat = games.scored[games.number][:, games.seats]  # (games, sides, seats of a side)
    points = np.rint(by_seat.mean(axis=2)).astype(np.int64)
    fair = np.ones(games.scored.shape, dtype=bool)
    for each in games.forfeits:
        fair[each.game, each.seat] = False
    played = fair[games.number][:, games.seats].all(axis=2)
    everything = np.sort(points[played])
    first, width, bins = _bins(everything)
    spreads = []
    for bot in range(len(games.names)):
        own = played & (games.bots == bot).any(axis=2)
        spreads.append(_spread(np.sort(points[own]), first, width, bins))
    return Scores(first, width, tuple(spreads), _spread(everything, first, width, bins))


def _bins(ordered: Ints) -> tuple[int, int, int]:
    """Return where bins begin, how wide they are and how many, for scores in ascending order."""
    if not len(ordered):
        return 0, 1, 0
    low, high = int(_at(ordered, TAIL)), int(_at(ordered, 1 - TAIL))
    width = next(
        width
        for power in range(20)
        for width in (10**power, 2 * 10**power, 5 * 10**power)
        if high // width - low // width < BINS
    )
    first = low // width
    return first * width, width, high // width - first + 1


def _spread(ordered: Ints, first: int, width: int, bins: int) -> Spread:
    place = np.clip((ordered - first) // width + 1, 0, bins + 1)
    counts = np.bincount(place, minlength=bins + 2)
    quartiles = [_at(ordered, share) for share in (0, 0.25, 0.5, 0.75, 1)] if len(ordered) else []
    return Spread(len(ordered), tuple(counts.tolist()), tuple(quartiles))


def _at(ordered: Ints, share: float) -> float:
    """Return a quantile of numbers in ascending order: of an even number the middle of two."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (at - low) * (ordered[high] - ordered[low]))
