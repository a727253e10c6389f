"""The worth of sharing decks: the variance of results with shared decks, and without.

Where bots are dealt hands, playing one deck in all seatings cancels the luck of the hand. Where
they are not, it keeps the luck of a bot with a deck, and is worth less than as many decks. Which of
the two weighs more is measured here, from games played with shared decks alone: the variance of the
same games with decks of their own follows from each seating by itself. Pure.
"""

from collections.abc import Iterable, Sequence
from math import fsum
from statistics import variance
from typing import NamedTuple


class Spread(NamedTuple):
    """The variance of the mean result of one game in each seating."""

    shared: float  # all on one deck
    apart: float  # each on a deck of its own

    @property
    def ratio(self) -> float:
        """The variance with shared decks, as a multiple of that without, at as many games.

        1.0 where nothing ever varied.
        """
        return self.shared / self.apart if self.apart else 1.0


def total(spreads: Iterable[Spread]) -> Spread:
    """Return the sums: of several results, bots or line-ups; of none, zeros."""
    several = list(spreads)
    return Spread(fsum(each.shared for each in several), fsum(each.apart for each in several))


def spread(results: Sequence[Sequence[float]]) -> Spread:
    """Return how a result varies; `results[deal][seating]`, two deals or more, all seatings."""
    seatings = len(results[0])
    shared = variance([fsum(deal) / seatings for deal in results])
    apart = fsum(map(variance, zip(*results, strict=True))) / seatings**2
    return Spread(shared, apart)


def beaten(ranks: Sequence[int]) -> list[float]:
    """Return the share of the others behind each side, ties half; by side, two or more."""
    others = len(ranks) - 1
    return [
        (sum(rank > own for rank in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks
    ]
