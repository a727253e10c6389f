"""`python -m tests.benchmarks.gauntlets [NUMBER]`: does identical play pass for different strength?

Plays gauntlets of Sixteen 2p, 60 deals, in three fields (tests/simulated.py says how): a champion
and a twin of the gauntlet's bot; a champion and a peer; and all three. Prints in how many the
gauntlet's bot and its twin, or peer, were told apart: by places in the table, at any look of a test
with `settle = 0.95`, and in a match of the two alone; and how often, in percent, the table said of
the one listed first that it was better (the mean, and the most). `before` is the error by the
sandwich alone, and no band, as it was up to version 2 of standings.json.
"""

import sys
from typing import NamedTuple

import numpy as np

from arena.model import Bot, Entry
from arena.rating.comparisons import compared as places
from arena.rating.outcomes import Columns, counted, merged
from arena.rating.posterior import chances
from arena.rating.rate import Ratings, rate
from arena.rating.sequential import BETTER, WORSE
from arena.schedule import stages
from arena.tables import settling
from tests.simulated import gauntlet, until

GAUNTLETS = 200
DEALS = 60
SEED = 16
FIELDS = {
    "twin": {"champion": "champion", "first_legal": "twin"},
    "peer": {"champion": "champion", "first_legal": "peer"},
    "both": {"champion": "champion", "first_legal": "twin", "greedy": "peer"},
}


class Told(NamedTuple):
    """What was said of the gauntlet's bot and another."""

    apart: bool  # by places in the table
    before: bool  # at some look, as it was
    settled: bool  # at some look
    match: bool  # at some look of the two alone
    better: float  # the chance that the one listed first is better


def told(table: Columns, others: list[str]) -> list[Told]:
    """Return what a gauntlet says of `thrifty` and others."""
    rates = rated(table)
    order = sorted(range(len(rates.names)), key=lambda bot: -round(float(rates.mu[bot]), 3))
    square = np.ix_(order, order)
    covariance, freedom = rates.covariance[square], rates.freedom[order]
    mu = [round(float(rates.mu[bot]), 3) for bot in order]
    ranges = [
        each or (1, len(mu))
        for each in places(mu, covariance, rates.errors[square], freedom).places
    ]
    better = chances(rates.mu[order].tolist(), covariance, freedom, rates.shrinkage[order]).better
    assert better is not None
    before, settled = looked(table, ("thrifty",))
    out = []
    for other in others:
        one, two = sorted(order.index(rates.names.index(bot)) for bot in ("thrifty", other))
        _, match = looked(only(table, ("thrifty", other)), ("thrifty", other))
        apart = ranges[one][1] < ranges[two][0]
        chance = float(better[one, two])
        out.append(Told(apart, other in before, other in settled, other in match, chance))
    return out


def rated(table: Columns) -> Ratings:
    """Return the ratings of games whose seatings share their decks."""
    return rate(table.names, merged(table, counted(table), True))


def only(table: Columns, names: tuple[str, str]) -> Columns:
    """Return the games of two bots."""
    numbers = sorted(table.names.index(name) for name in names)
    own = np.isin(table.bots, numbers).all(axis=1)
    bots, ranks, scores, deals = (column[own] for column in table[2:6])
    return table._replace(
        names=tuple(table.names[number] for number in numbers),
        bots=np.searchsorted(numbers, bots),
        ranks=ranks,
        scores=scores,
        deals=deals,
    )


def looked(table: Columns, always: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """Return whom some look of a test told from `thrifty`: as it was, and as it is."""
    bots = tuple(Bot(name, "") for name in table.names)
    first = stages.planned(
        Entry(table.pool, bots, DEALS, "auto", True, None, always), 0.95, None, True
    )
    assert first.settle
    before: set[str] = set()
    now: set[str] = set()
    for look in range(first.settle.looks):
        at = stages.at_look(first, look)
        rates = rated(until(table, at.deals))
        for each in settling.compared(at, rates._replace(shrinkage=np.zeros(len(rates.mu)))):
            if each.verdict.low > 0 or each.verdict.high < 0:
                before |= {each.bot, each.other}
        for each in settling.compared(at, rates):
            if each.verdict.answer in (BETTER, WORSE):
                now |= {each.bot, each.other}
    return before, now


def count(field: str, gauntlets: int, seed: int) -> dict[str, list[Told]]:
    """Return what so many gauntlets of a field say, by whom `thrifty` is compared with."""
    rng, rivals = np.random.default_rng(seed), FIELDS[field]
    others = [other for other, kind in rivals.items() if kind != "champion"]
    found = [told(gauntlet(rivals, DEALS, rng), others) for _ in range(gauntlets)]
    return {rivals[other]: [each[at] for each in found] for at, other in enumerate(others)}


def main(gauntlets: int) -> None:
    """Play, and print."""
    print(f"seed {SEED}, {gauntlets} gauntlets of each field: told apart from thrifty")
    heads = ("field", "of whom", "places", "before", "settle", "match", "said better", "most")
    print("".join(f"{head:>12}" for head in heads))
    for field in FIELDS:
        for kind, found in count(field, gauntlets, SEED).items():
            sums = [sum(column) for column in list(zip(*found, strict=True))[:4]]
            said = [each.better for each in found]
            cells = (field, kind, *sums, f"{100 * sum(said) / len(said):.1f}",
                     f"{100 * max(said):.1f}")  # fmt: skip
            print("".join(f"{cell:>12}" for cell in cells), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAUNTLETS)
