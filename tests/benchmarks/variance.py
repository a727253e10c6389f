"""`python -m tests.benchmarks.variance [--deals N] [--only WORD ...]`: are shared decks worth it?

The house bots play each pool in one process, every deal in all seatings that `"auto"` takes (a
balanced 24 from five seats on). Prints, for each pool, the variance of the mean difference between
two bots with shared decks, as a multiple of that with a deck for every game, at as many games:
below 1, sharing is worth it. Line-ups hold the bots that know the game first.

`score` and `wins`: difference of two bots, variances added up over all pairs, with the least and
the most of a pair. `beaten`: share of the others left behind, what `duplicate = "auto"` goes by.
`rotations`: the same, if the rotations of each circular order share a deck and no others.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import stdev
from typing import NamedTuple

from tabulate import tabulate

from arena.model import Pool, Seating
from arena.runner.pilot import Spread, beaten, spread, total
from arena.schedule.seatings import make_seatings
from tests.house_bots import play

KNOWING = {
    "diciassette": ("champion", "reader", "trapper", "random_choice", "first_legal", "nines"),
    "no_thanks": ("champion", "ledger", "almanac", "haggler", "arrays", "random_choice"),
    "sixteen": ("champion", "nines", "random_choice", "first_legal"),
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

Result = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""Of a game, by bot of the line-up: score, part of the win, share of the others beaten."""
SCORE, WINS, BEATEN = range(3)


class Row(NamedTuple):
    """What was measured in a pool."""

    pool: Pool
    deals: int
    seatings: int
    score: Spread
    wins: Spread
    beaten: Spread
    pairs: list[tuple[float, float]]  # ratio of score and of wins
    error: float  # standard error of the ratio of `beaten`
    rotations: float | None  # ratio of `beaten`
    seconds: float


def main(words: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="variance", description="Are shared decks worth it?")
    parser.add_argument("--deals", type=int, default=300, metavar="N", help="of a line-up (300)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only such pools")
    given = parser.parse_args(words)
    if given.deals < 2 * PARTS:
        parser.error(f"--deals: found {given.deals}; it takes {2 * PARTS} or more")
    rows = []
    for pool in POOLS:
        if not given.only or any(word in pool.title for word in given.only):
            rows.append(measured(pool, given.deals))
            print(f"{pool.title}: {rows[-1].seconds:.0f} s", file=sys.stderr)
    heads = ["pool", "deals", "seatings", "score", "of a pair", "wins", "of a pair", "beaten",
             "rotations"]  # fmt: skip
    align = ("left", *["right"] * 8)
    print(tabulate(map(_shown, rows), heads, colalign=align, disable_numparse=True))


def measured(pool: Pool, deals: int) -> Row:
    """Return what sharing decks is worth in a pool, over up to `LINE_UPS` line-ups."""
    began = time.process_time()
    ways = make_seatings(pool, "auto")
    pairs: list[tuple[Spread, Spread]] = []
    everywhere: list[Spread] = []
    turned: list[Spread] = []
    parts: list[list[Spread]] = [[] for _ in range(PARTS)]
    line_ups = list(_line_ups(pool))
    for line_up in line_ups:
        played = [[_played(pool, line_up, way, deal) for way in ways] for deal in range(deals)]
        for a, b in combinations(range(pool.entrants), 2):
            pairs.append((_difference(played, SCORE, a, b), _difference(played, WINS, a, b)))
        everywhere.append(_of_all(played))
        for number in range(PARTS):
            parts[number].append(_of_all(played[number::PARTS]))
        for cycle in _cycles(ways):
            turned.append(_of_all([[deal[index] for index in cycle] for deal in played]))
    ratios = [total(part).ratio for part in parts]
    return Row(
        pool, deals * len(line_ups), len(ways),
        total(score for score, _ in pairs), total(wins for _, wins in pairs),
        total(everywhere), [(score.ratio, wins.ratio) for score, wins in pairs],
        stdev(ratios) / PARTS**0.5, total(turned).ratio if turned else None,
        time.process_time() - began,
    )  # fmt: skip


def _line_ups(pool: Pool) -> Iterator[tuple[str, ...]]:
    """Yield line-ups, as far as bots and limit go; those of bots that know the game first."""
    names = KNOWING[pool.game]
    sets = sorted(
        combinations(range(len(names)), pool.entrants), key=lambda each: (sum(each), each)
    )
    for line_up in sets[:LINE_UPS]:
        yield tuple(names[index] for index in line_up)


def _played(pool: Pool, line_up: Sequence[str], way: Seating, deal: int) -> Result:
    """Return one game's results. The bots' luck is the game's own, the deck the deal's."""
    bots = [line_up[index] for index in way]
    seed = hash((SEED, deal, way))  # of numbers alone: the same in every process
    ended = play((pool.game, pool.players), bots, seed, deal=SEED << 32 | deal)
    by_bot = [way.index(index) for index in range(len(line_up))]  # a team's first seat
    ranks = [ended.ranks[seat] for seat in by_bot]
    wins = tuple((rank == 1) / ranks.count(1) for rank in ranks)
    return tuple(float(ended.scores[seat]) for seat in by_bot), wins, tuple(beaten(ranks))


def _difference(played: Sequence[Sequence[Result]], what: int, a: int, b: int) -> Spread:
    return spread([[game[what][a] - game[what][b] for game in deal] for deal in played])


def _of_all(played: Sequence[Sequence[Result]]) -> Spread:
    """Return the variances of the share beaten, added up over the bots."""
    bots = range(len(played[0][0][BEATEN]))
    return total(spread([[game[BEATEN][bot] for game in deal] for deal in played]) for bot in bots)


def _cycles(ways: Sequence[Seating]) -> list[list[int]]:
    """Return which seatings are rotations of one circular order, if all orders are whole."""
    orders: dict[Seating, list[int]] = {}
    for index, way in enumerate(ways):
        first = way.index(0)
        orders.setdefault(way[first:] + way[:first], []).append(index)
    whole = all(len(cycle) == len(ways[0]) for cycle in orders.values())
    return list(orders.values()) if whole and len(orders) > 1 else []


def _shown(row: Row) -> list[str]:
    def range_of(what: int) -> str:
        ratios = [pair[what] for pair in row.pairs]
        return f"{min(ratios):.2f}..{max(ratios):.2f}"

    return [
        row.pool.title, f"{row.deals:,}", str(row.seatings),
        f"{row.score.ratio:.2f}", range_of(SCORE), f"{row.wins.ratio:.2f}", range_of(WINS),
        f"{row.beaten.ratio:.2f} +- {2 * row.error:.2f}",
        "" if row.rotations is None else f"{row.rotations:.2f}",
    ]  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
