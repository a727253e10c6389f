"""`python -m tests.benchmarks.places [--leagues R] [--only WORD ...]`: are ranges of places right?

Prints for leagues of bots of known skill, R of each kind (400: four minutes), how many have a
range that excludes a place that its bot holds: at most 5 % should, and a `*` marks a line that
misses. `twins` is how many leagues tell apart two bots of equal skill.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from arena.rating.rate import rate_bots
from tests.simulated import World, merge_league, ranges

SEED = 1
EQUALS = (25.0,) * 10

WORLDS = {
    "5 equals, one 2 mu behind": World((*EQUALS[:5], 23.0), 2, 10),
    "5 equals, one 4 mu ahead": World((29.0, *EQUALS[:5]), 2, 10),
    "10 equals, 10 decks a pair": World(EQUALS, 2, 10),
    "10 equals, a deck a pair that decides all": World(EQUALS, 2, 1, suits=60),
    "4 equals, 3 decks a pair, decks decide": World(EQUALS[:4], 2, 3, suits=60),
    "5 equals, 3p, a deck that decides": World(EQUALS[:5], 3, 2, suits=60),
    "4 equals, 8 decks of 4, decks decide": World(EQUALS[:4], 4, 8, suits=60),
    "2 equals, 8 decks, decks decide": World(EQUALS[:2], 2, 8, suits=60),
    "9 equals, 1 that forfeits, a deck a pair": World((*EQUALS[:9], -200.0), 2, 1, suits=8),
    "2 forfeit, decks decide": World((*EQUALS[:6], -200.0, -200.0), 2, 2, suits=60),
    "39 equals, 1 that forfeits 234 games": World((*(25.0,) * 39, -200.0), 2, 3),
    "first +15, last -15, 8 decks a pair": World((40.0, *EQUALS[:8], 10.0), 2, 8),
    "same, at tables of 4": World((40.0, *EQUALS[:4], 10.0), 4, 1),
    "same, decks not shared": World((40.0, *EQUALS[:8], 10.0), 2, 8, shared=False),
    "three +18 ahead of three": World((43.0,) * 3 + (25.0,) * 3, 2, 10),
}


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="places", description="Are ranges of places right?")
    parser.add_argument("--leagues", type=int, default=400, metavar="R", help="of each kind (400)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only such kinds")
    given = parser.parse_args(words)
    print(f"seed {SEED}, {given.leagues} leagues a line", flush=True)
    for kind, world in WORLDS.items():
        if not given.only or any(word in kind for word in given.only):
            wrong, twins = simulated(world, given.leagues)
            missed = wrong > 0.05 + 2 * (0.05 * 0.95 / given.leagues) ** 0.5
            print(f"{kind:<44} wrong {wrong:6.1%}  twins {twins:6.1%}{'  *' if missed else ''}",
                  flush=True)  # fmt: skip


def simulated(world: World, leagues: int) -> tuple[float, float]:
    """The shares of leagues with a wrong range, and of those that tell equals apart."""
    rng, skills = np.random.default_rng(SEED), np.array(world.skills)
    bots = len(skills)
    best = (skills[:, None] < skills).sum(axis=1) + 1
    worst = bots - (skills[:, None] > skills).sum(axis=1)
    equal = np.triu(skills[:, None] == skills, 1)
    wrong = twins = 0
    for _ in range(leagues):
        ratings = rate_bots([f"bot{number}" for number in range(bots)], merge_league(world, rng))
        low, high = np.array([each or (1, bots) for each in ranges(ratings)]).T
        apart = high[:, None] < low
        wrong += bool(((low > best) | (high < worst)).any())
        twins += bool((equal & (apart | apart.T)).any())
    return wrong / leagues, twins / leagues


if __name__ == "__main__":
    main(sys.argv[1:])
