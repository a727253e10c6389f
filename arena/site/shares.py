"""Shares of games with some result, and their intervals where games share their deck. Pure.

Games on one deck are one piece of evidence, so sums are kept by deck, in a form that adds up over
pools.
"""

from collections.abc import Sequence
from math import prod, sqrt
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from arena.model import LEAST_DECKS, LEVEL
from arena.rating.gaussian import Array
from arena.rating.outcomes import sum_by
from arena.rating.p_values import t_critical

RARE = 2
"""Decks. Where fewer go against the run of the results they say nothing of their own spread, and
each deck counts as one game (as `arena.rating.separation` has it of ratings)."""


class Sums(NamedTuple):
    """Results added up, each 0 to 1, of many cases at once: arrays of one shape."""

    games: Array  # how many results
    total: Array  # of the results
    decks: Array  # on which they were
    spoilt: Array  # decks on which some result was less than 1
    scored: Array  # decks on which some result was more than 0
    squares: Array  # of a deck's total, added up
    products: Array  # of a deck's total and its games
    sizes: Array  # squares of a deck's games

    def plus(self, other: Self) -> Self:
        """The sums of both, which share no deck."""
        return type(self)(*map(np.add, self, other))

    def complement(self) -> Self:
        """The sums of 1 less each result: what the other side has."""
        return self._replace(
            total=self.games - self.total,
            spoilt=self.scored,
            scored=self.spoilt,
            squares=self.sizes - 2 * self.products + self.squares,
            products=self.sizes - self.products,
        )

    def at(self, *index: int) -> "Share":
        """The share of one case."""
        return Share(*(float(sums[index]) for sums in self))


class Share(NamedTuple):
    """The sums of one case, and what they say."""

    games: float
    total: float
    decks: float
    spoilt: float
    scored: float
    squares: float
    products: float
    sizes: float

    @property
    def mean(self) -> float | None:
        """The share, 0 to 1; None without games."""
        return self.total / self.games if self.games else None

    def interval(self, cases: int = 1) -> tuple[float, float] | None:
        """Both ends of the share's 95 % interval, from 0 to 1, which holds for so many `cases` at
        once (Bonferroni). None on fewer than 8 decks.

        Wilson's interval (JASA 22 (1927) 209) with the number of independent games that would have
        this spread (Kish's effective sample size), and Student's t: decks are taken for draws from
        one lot, whatever their seating, which makes it rather too wide.
        """
        if self.decks < LEAST_DECKS:
            return None
        share = self.total / self.games
        off = self.squares - 2 * share * self.products + share**2 * self.sizes
        variance = max(off, 0.0) * self.decks / (self.decks - 1) / self.games**2
        size = share * (1 - share) / variance if variance > 0 else self.decks
        if min(self.spoilt, self.scored) < RARE:
            size = min(size, self.decks)
        squared = t_critical((1 - LEVEL) / cases, self.decks - 1) ** 2
        middle = (share + squared / (2 * size)) / (1 + squared / size)
        reach = sqrt(squared * (share * (1 - share) + squared / (4 * size)) / size)
        reach /= 1 + squared / size
        return max(middle - reach, 0.0), min(middle + reach, 1.0)


def add_up(
    at: npt.NDArray[np.integer],
    values: npt.NDArray[np.floating],
    clusters: npt.NDArray[np.integer],
    shape: tuple[int, ...],
) -> Sums:
    """Add up results by case: sums of that shape each.

    Each result has the number of its case (`at`) in the order of the shape, its value, 0 to 1, and
    the number of its deck (`clusters`): all one-dimensional.
    """
    order = np.lexsort((clusters, at))
    at, values, clusters = at[order], values[order], clusters[order]
    new = np.ones(len(at), dtype=bool)
    new[1:] = (at[1:] != at[:-1]) | (clusters[1:] != clusters[:-1])
    deck = np.cumsum(new) - 1  # of one case on one deck
    of, count = at[new].astype(np.int64), int(new.sum())
    games, total = sum_by(deck, 1.0, count), sum_by(deck, values, count)

    def by_case(values: npt.ArrayLike) -> Array:
        return sum_by(of, values, prod(shape)).reshape(shape)

    return Sums(
        games=by_case(games),
        total=by_case(total),
        decks=by_case(1.0),
        spoilt=by_case(total < games),
        scored=by_case(total > 0),
        squares=by_case(total**2),
        products=by_case(total * games),
        sizes=by_case(games**2),
    )


def together(shares: Sequence[Share]) -> Share:
    """Combine shares on different decks, all games together."""
    return Share(*map(sum, zip([0.0] * 8, *shares, strict=True)))
