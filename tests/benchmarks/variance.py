"""`python -m tests.benchmarks.variance [--deals N] [--only WORD ...]`: are shared decks worth it?

The house bots play each pool in one process, every deal in all seatings that `"auto"` takes (a
balanced 24 from five seats on). Prints, for each pool, the variance of a bot's result (the share of
the others that it left behind) with shared decks, as a multiple of that with a deck for every game,
at as many games, with twice its error: below 1, sharing is worth it. The variance with decks of
their own follows from each seating by itself. Line-ups hold the bots that know the game first.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import fsum
from statistics import stdev, variance
from typing import NamedTuple

from arena.model import Pool, Seating
from arena.schedule.seatings import make_seatings
from tests.house_bots import play

KNOWING = {
    "diciassette": ("champion", "ledger", "haggler", "adder", "novice", "random_choice"),
    "no_thanks": ("champion", "ledger", "almanac", "haggler", "arrays", "random_choice"),
    "sixteen": ("champion", "ledger", "haggler", "adder", "novice", "random_choice"),
}
"""The bots of the line-ups by game, those that know it first."""

POOLS = (
    *(Pool("diciassette", players, "{}", "") for players in (2, 3, 4, 5, 6)),
    *(Pool("no_thanks", players, "{}", "") for players in (3, 4, 5)),
    Pool("sixteen", 2, "{}", ""),
    Pool("sixteen", 4, "{}", "same"),
)
LINE_UPS = 4  # of a pool, at most
SEED = 1
PARTS = 10  # of the deals: how far their ratios differ says how sure the ratio is


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


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="variance", description="Are shared decks worth it?")
    parser.add_argument("--deals", type=int, default=300, metavar="N", help="of a line-up (300)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="only such pools")
    given = parser.parse_args(words)
    for pool in POOLS:
        if any(word in pool.title for word in given.only):
            ratio, error = measured(pool, given.deals)
            print(f"{pool.title:18} {ratio:.2f} +- {2 * error:.2f}", flush=True)


def measured(pool: Pool, deals: int) -> tuple[float, float]:
    """The ratio of variances in a pool over up to `LINE_UPS` line-ups, and its standard error."""
    ways, names = make_seatings(pool, "auto"), KNOWING[pool.game]
    sets = combinations(range(len(names)), pool.entrants)
    spreads = list[Spread]()
    parts: list[list[Spread]] = [[] for _ in range(PARTS)]
    for places in sorted(sets, key=lambda each: (sum(each), each))[:LINE_UPS]:
        line_up = [names[place] for place in places]
        results = [[_played(pool, line_up, way, deal) for way in ways] for deal in range(deals)]
        spreads.append(_of_all(results))
        for number in range(PARTS):
            parts[number].append(_of_all(results[number::PARTS]))
    return total(spreads).ratio, stdev(total(part).ratio for part in parts) / PARTS**0.5


def _played(pool: Pool, line_up: Sequence[str], way: Seating, deal: int) -> list[float]:
    """A game's results by bot of the line-up. The bots' luck is the game's own, the deck the
    deal's.
    """
    seed = hash((SEED, deal, way))  # of numbers alone: the same in every process
    ended = play((pool.game, pool.players), [line_up[index] for index in way], seed,
                 deal=SEED << 32 | deal)  # fmt: skip
    return beaten([ended.result.ranks[way.index(index)] for index in range(len(line_up))])


def _of_all(results: Sequence[Sequence[Sequence[float]]]) -> Spread:
    """The variances of the share beaten, added up over the bots; by deal and seating."""
    bots = range(len(results[0][0]))
    return total(spread([[game[bot] for game in deal] for deal in results]) for bot in bots)


def total(spreads: Iterable[Spread]) -> Spread:
    """Add up spreads: of several results, bots or line-ups; of none, zeros."""
    several = list(spreads)
    return Spread(fsum(each.shared for each in several), fsum(each.apart for each in several))


def spread(results: Sequence[Sequence[float]]) -> Spread:
    """How a result varies; `results[deal][seating]`, two deals or more, all seatings."""
    seatings = len(results[0])
    shared = variance([fsum(deal) / seatings for deal in results])
    apart = fsum(map(variance, zip(*results, strict=True))) / seatings**2
    return Spread(shared, apart)


def beaten(ranks: Sequence[int]) -> list[float]:
    """The share of the others behind each side, ties half; by side, two or more."""
    others = len(ranks) - 1
    return [
        (sum(rank > own for rank in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
