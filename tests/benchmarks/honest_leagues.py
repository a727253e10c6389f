"""`python -m tests.benchmarks.honest_leagues [--leagues N]`: whom an audit names, and finds.

First leagues in which no bot helps another: ten bots in seven pools, as many games of each as
`round_robin.toml` has them, with luck of the deals and with styles that suit each other more
and less. Prints how many of these leagues have a pair named with all pools judged together, and how
many would have with each pool judged alone.

Then leagues in which two bots help each other: prints what their lean comes to, the least lean that
the audit says it could have found for them, and how often it found them. And leagues in which one
bot forfeits some of its games with another, which then finishes ahead of it: how often the audit
names the two.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import NamedTuple

import numpy as np
from tabulate import tabulate

from arena.audit.collusion import Lean, find_leans, judge_leans
from arena.model import Outcome, Pool
from tests.simulated import LUCK


class Shape(NamedTuple):
    """How many games a pool has."""

    seats: int
    deals: int  # of each line-up
    games: int  # of each deal


POOLS = (
    Shape(3, 4, 6), Shape(4, 1, 12), Shape(5, 1, 20), Shape(6, 1, 12),
    Shape(3, 6, 6), Shape(4, 1, 24), Shape(5, 1, 24),
)  # fmt: skip
"""The pools of three sides and more of `round_robin.toml`."""
BOTS = 10
SKILL, SUITS = 4.0, 1.0  # sd in mu: between bots; of what a deal gives a bot in all its games
STYLES = (0.0, 0.5, 1.0, 2.0)  # sd in mu of what a bot makes of another at the table
HELPS = (0.0, 2.0, 3.0, 4.0, 6.0)  # mu that each of two bots gains from the other
FORFEITS = (0.1, 0.5, 1.0)  # of the games with both that the first of the two forfeits


def pool_of(shape: Shape) -> Pool:
    return Pool("no_thanks", shape.seats, "{}", "")


def pairs_of(
    shape: Shape,
    rng: np.random.Generator,
    styles: float,
    helps: float = 0.0,
    forfeits: float = 0.0,
    bots: int = BOTS,
) -> list[Lean]:
    """The leans of a pool of bots of random skill and styles. The bots of the middle, by
    name, help each other; the first of them forfeits a share of its games with the second.
    """
    skills = SKILL * rng.standard_normal(bots)
    suited = styles * rng.standard_normal((bots, bots)) * (1 - np.eye(bots))
    a, b = helpers(bots)
    suited[a, b] += helps
    suited[b, a] += helps
    line_ups = np.array([*combinations(range(bots), shape.seats)])
    strength = skills[line_ups] + suited[line_ups[:, :, None], line_ups[:, None]].sum(axis=2)
    per_deal = (len(line_ups), shape.deals, 1, shape.seats)
    per_game = (len(line_ups), shape.deals, shape.games, shape.seats)
    performance = strength[:, None, None] + SUITS * rng.standard_normal(per_deal)
    points = np.round(performance + LUCK * rng.standard_normal(per_game))
    if forfeits:
        friends = (line_ups == a) & (line_ups == b).any(axis=1, keepdims=True)
        given_up = rng.random(per_game[:3]) < forfeits
        points[friends[:, None, None] & given_up[..., None]] = -np.inf
    ranks = 1 + (points[..., None, :] > points[..., :, None]).sum(axis=-1)
    return find_leans(pool_of(shape), _games(line_ups, ranks))


def helpers(bots: int) -> tuple[int, int]:
    """The numbers of the two that help each other."""
    return bots // 2 - 1, bots // 2


def _games(
    line_ups: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
    ranks: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
) -> Iterator[tuple[Outcome, tuple[int, int]]]:
    nothing = (0,) * line_ups.shape[1]
    faultless = ("",) * line_ups.shape[1]
    for number, line_up in enumerate(line_ups.tolist()):
        names = tuple([f"bot{bot:02}" for bot in line_up])
        for deal, games in enumerate(ranks[number].tolist()):
            for of_game in games:
                yield Outcome("", names, tuple(of_game), nothing, faultless), (number, deal)


def named(pools: Sequence[tuple[Pool, Sequence[Lean]]]) -> bool:
    """Whether an audit of the pools names anybody."""
    return any(pair.significant for pair in judge_leans(pools))


def honest(styles: float, leagues: int) -> tuple[int, int]:
    """Return in how many leagues a pair is named: of all pools together, and of each alone."""
    together = alone = 0
    for seed in range(leagues):
        rng = np.random.default_rng(seed)
        pools = [(pool_of(shape), pairs_of(shape, rng, styles)) for shape in POOLS]
        together += named(pools)
        alone += any(named([pool]) for pool in pools)
    return together, alone


def found(
    shape: Shape, helps: float, styles: float, leagues: int, forfeits: float = 0.0
) -> tuple[float, float, float]:
    """Return of two that help each other, or of which one forfeits games for the other, the mean
    lean, the median of the least that the audit could have found, and the share of leagues that
    name them.
    """
    a, b = helpers(BOTS)
    who, lean, least, hits = (f"bot{a:02}", f"bot{b:02}"), [], [], 0
    for seed in range(leagues):
        rng = np.random.default_rng(seed)
        pool = pool_of(shape), pairs_of(shape, rng, styles, helps, forfeits)
        pairs = judge_leans([pool])
        (own,) = (pair for pair in pairs if pair.bots == who)
        lean.append(own.effect)
        least.append(own.detectable_effect or float("inf"))
        hits += own.significant
    return fmean(lean), float(np.median(least)), hits / leagues


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="honest_leagues", description="Whom does audit name?")
    parser.add_argument("--leagues", type=int, default=400, metavar="N", help="of each kind (400)")
    leagues = parser.parse_args(words).leagues
    rows = list[tuple[str, ...]]()
    for styles in STYLES:
        together, alone = (number / leagues for number in honest(styles, leagues))
        error = sqrt(0.05 * 0.95 / leagues)
        rows.append((f"{styles}", f"{together:.3f}", f"{alone:.3f}", f"± {error:.3f}"))
        print(f"styles {styles}: done", file=sys.stderr)
    heads = ["styles, mu", "named", "pool by pool", "error"]
    print(tabulate(rows, heads, disable_numparse=True))
    rows = list[tuple[str, ...]]()
    for styles in STYLES[::2]:
        for helps in HELPS:
            lean, least, share = found(POOLS[4], helps, styles, leagues // 4)
            rows.append((f"{styles}", f"{helps}", f"{lean:.1f}", f"{least:.1f}", f"{share:.2f}"))
    print()
    heads = ["styles, mu", "help, mu", "lean", "least lean", "found"]
    print(tabulate(rows, heads, disable_numparse=True))
    rows = [
        (f"{share:.0%}", f"{found(POOLS[4], 0.0, 1.0, leagues // 4, share)[2]:.2f}")
        for share in FORFEITS
    ]
    print()
    print(tabulate(rows, ["games forfeit to another", "found"], disable_numparse=True))


if __name__ == "__main__":
    main(sys.argv[1:])
