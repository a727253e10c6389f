"""`python -m tests.benchmarks.model_fit [--leagues N] [--only WORD ...]`: does one number suffice?

Plays simulated leagues and prints, for each kind, in how many of N the model is said not to fit
(p at most .05 and .01) and in how many a cycle is said to be there. Above, leagues that one number
for each bot explains: at most 5 % and 1 % should be named, and a cycle in next to none. Below,
leagues that it does not. `chi` is the mean of chi-square over its degrees of freedom, `df` the mean
of these. 300 leagues of each kind take some ten minutes.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.rating.fit import margin_of
from arena.rating.model_fit import (
    ModelFit,
    assess_fit,
    find_cycles,
    find_pair_results,
    find_who_leads,
)
from arena.rating.rate import rate_bots
from tests.simulated import World, merge_league

SIX = (32.0, 29, 26, 24, 21, 18)
TEN = (41.5, 34.7, 34.2, 24.8, 24.8, 24.5, 24.0, 22.5, 14.5, 4.6)
"""Ten house bots of November 2026 in 17 with two, as rated."""
_DRAWN = np.random.default_rng(1)
THIRTY = tuple(_DRAWN.normal(25, 4, 30).tolist())
CHANCE = tuple((one, other, 4 * _DRAWN.normal()) for one, other in combinations(range(30), 2))
CIRCLE = tuple((bot, (bot + 1) % 3, 6.0) for bot in range(3))

HOLDS = {
    "six equal bots 3p": World((25,) * 6, deals=4, shared=False),
    "six 2p, 10 decks a pair, decks suit bots": World(SIX, 2, 10, suits=2),
    "six 2p, 8 decks a pair, decks suit bots much": World(SIX, 2, 8, suits=4),
    "five 4p, 8 decks a line-up, decks suit bots much": World(SIX[:5], 4, 8, suits=4),
    "a dominant bot 2p": World((40, 27, 25, 25, 23, 21), 2, 20, shared=False),
    "ten as in 17 2p, 40 games a pair": World(TEN, 2, 20, shared=False),
    "ten as in 17 2p, 20 decks a pair": World(TEN, 2, 20, suits=2),
    "thirty 2p, 2 decks a pair": World(THIRTY, 2, 1, shared=False),
    "four 4p, all but the winner tie": World((29, 26, 24, 21), 4, 20, shared=False,
                                             winner_only=True),
    "six 2p, most games tie": World(SIX, 2, 20, shared=False, step=12),
    "five 4p, many tie": World(SIX[:5], 4, 4, shared=False, step=6),
}  # fmt: skip
FAILS = {
    "thirty 2p, 2 decks a pair, each pair off by chance, sd 4 mu": World(
        THIRTY, 2, 1, shared=False, feuds=CHANCE),
    "ten 2p, the second beaten in 97 %, by rating 88 %": World(TEN, 2, 20, shared=False,
                                                            feuds=((0, 1, 4.5),)),
    "ten 2p, champion beaten in 10 %, by rating 0.2 %": World(TEN, 2, 20, shared=False,
                                                              feuds=((3, 0, 9.2),)),
    "six 3p, one pair off by 3 mu": World(SIX, 3, 40, shared=False, feuds=((1, 2, 3.0),)),
    "rock, paper, scissors and three others, 2p": World((25,) * 6, 2, 30, shared=False,
                                                        feuds=CIRCLE),
    "the same, 15 decks a pair, decks suit bots": World((25,) * 6, 2, 15, suits=2, feuds=CIRCLE),
    "the same, 3p": World((25,) * 6, 3, 10, shared=False, feuds=CIRCLE),
}  # fmt: skip


class Found(NamedTuple):
    fit: ModelFit
    cycles: int


def found(world: World, seed: int, league: int) -> Found:
    """What is found in a league; raises AssertionError where there is nothing to test."""
    games = merge_league(world, np.random.default_rng([seed, league]))
    ratings = rate_bots([f"bot{number}" for number in range(len(world.skills))], games)
    assert ratings.draw_probability is not None, "a league without games"
    results = find_pair_results(games, ratings.mu, margin_of(ratings.draw_probability, 1))
    fit = assess_fit(results)
    assert fit, "nothing to test"
    return Found(fit, len(find_cycles(*find_who_leads(results, len(world.skills)))))


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="model_fit", description="Does one number suffice?")
    parser.add_argument("--leagues", type=int, default=300, metavar="N", help="of a kind (300)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="only such leagues")
    given = parser.parse_args(words)
    for title, worlds in (("one number suffices", HOLDS), ("it does not", FAILS)):
        print(title)
        for name, world in worlds.items():
            if any(word in name for word in given.only):
                leagues = [found(world, 1, at) for at in range(given.leagues)]
                p = np.array([each.fit.p for each in leagues])
                chi = [each.fit.chi_square / each.fit.freedom for each in leagues]
                print(
                    f"{name}: p <= .05 {(p <= 0.05).mean():.3f}, p <= .01 {(p <= 0.01).mean():.3f}"
                    f", cycle {np.mean([each.cycles > 0 for each in leagues]):.3f}"
                    f", chi {np.mean(chi):.2f}"
                    f", df {np.mean([each.fit.freedom for each in leagues]):.1f}", flush=True,
                )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
