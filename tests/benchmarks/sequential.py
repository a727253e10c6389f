"""`python -m tests.benchmarks.sequential [--seed S] [--gammas G ...]`: games that a test takes.

Simulated matches of two bots, every deck from both sides, 5,000 games at most, end by arena's test
and by a test of fishtest's kind (pentanomial GSPRT of 50 % against 53 %, errors of .05). Prints for
each share of games that the better bot wins: how often it is told apart or called equal, the mean
games of both tests, and their ratio beside the most that it may be. Then, for equal bots whose
decks are of all kinds, how often any look tells them apart, which may be 5 %: also where the first
look is nearly all there is. Ends with an error where a bound is broken, by three standard errors
or, of the games, at all.

`--gammas` prints the first table for other values of `arena.sequential.limits.GAMMA`, those
that it was chosen from.
"""

import argparse
import sys
from collections.abc import Sequence
from math import sqrt

import numpy as np
from tabulate import tabulate

from arena.sequential import limits
from tests.paired_decks import (
    Truth,
    gsprt,
    match_design,
    played,
    settled,
    share_of,
    told_apart,
)

SEED = 15
"""The seed that `limits.GAMMA` was chosen on; another one checks the choice."""
DECKS = 2500
SHARES = (0.5, 0.51, 0.53, 0.55, 0.6, 0.75, 0.97)
TIMES = {0.53: 1.6, 0.55: 1.3, 0.6: 1.3, 0.75: 1.3, 0.97: 1.3}
GAMES = 60
"""The games that a test may take: so many times those of the GSPRT, or `GAMES`, if that is more."""

EQUALS = {
    "games of a deck independent": Truth(),
    "hands cancel, rho -.6": Truth(rho=-0.6),
    "hands nearly cancel, rho -.95": Truth(rho=-0.95),
    "decks interact, rho +.5": Truth(rho=0.5),
    "decks decide, rho +.95": Truth(rho=0.95),
    "40 % ties": Truth(ties=0.4),
    "80 % ties": Truth(ties=0.8),
    "40 % ties, rho -.6": Truth(ties=0.4, rho=-0.6),
    "40 % ties, rho +.5": Truth(ties=0.4, rho=0.5),
}
LENGTHS = (20, 40, 100, 2500)  # decks


def main(words: Sequence[str]) -> int:
    """Measure and print; return 1 if a bound is broken."""
    parser = argparse.ArgumentParser(prog="sequential", description="How many games a test takes.")
    parser.add_argument("--matches", type=int, default=2000, metavar="N", help="a line (2000)")
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help=f"({SEED})")
    parser.add_argument("--gammas", type=float, nargs="+", metavar="G", help="only compare these")
    given = parser.parse_args(words)
    if given.gammas:
        for gamma in given.gammas:
            limits.GAMMA = gamma
            limits.find_limits.cache_clear()
            print(f"gamma {gamma:g}")
            print_games(given.matches, given.seed)
        return 0
    print(f"{given.matches:,} matches a line, seed {given.seed}")
    broken = print_games(given.matches, given.seed) + print_equals(given.matches, given.seed)
    for what in broken:
        print(f"broken: {what}")
    return 1 if broken else 0


def print_games(matches: int, seed: int = SEED) -> list[str]:
    """Print the table of games; return what is more than it may be."""
    rows, broken = [], []
    for share in SHARES:
        ends = played(Truth(share), matches, DECKS, np.random.default_rng(seed))
        ours, theirs = settled(ends, match_design(DECKS)), gsprt(ends)
        mean, other = ours.games.mean(), theirs.games.mean()
        most = max(TIMES[share] * other, GAMES) if share in TIMES else None
        rows.append(
            (f"{share:.0%}", f"{told_apart(ours):.3f}", f"{share_of(ours, 'equal'):.3f}",
             f"{mean:,.0f} ± {ours.games.std() / sqrt(matches):.0f}",
             f"{share_of(theirs, 'better'):.3f}", f"{other:,.0f}", f"{mean / other:.2f}",
             f"{most:,.0f}" if most else "")
        )  # fmt: skip
        if most and mean > most:
            broken.append(f"at {share:.0%} {mean:,.0f} games, more than {most:,.0f}")
    heads = ("truth", "told apart", "equal", "games", "GSPRT 53 %", "its games", "ratio", "may be")
    print(tabulate(rows, heads, disable_numparse=True, colalign=("right",) * len(heads)), "\n")
    return broken


def print_equals(matches: int, seed: int = SEED) -> list[str]:
    """Print how often equals are told apart; return where that is more than planned."""
    rows, broken = [], []
    bound = 0.05 + 3 * sqrt(0.05 * 0.95 / matches)
    for name, truth in EQUALS.items():
        apart = []
        for decks in LENGTHS:
            ends = played(truth, matches, decks, np.random.default_rng(seed))
            apart.append(told_apart(settled(ends, match_design(decks))))
            if apart[-1] > bound:
                broken.append(f"{name}, {decks} decks: {apart[-1]:.3f} told apart")
        rows.append((name, *(f"{each:.3f}" for each in apart)))
    heads = ("equals told apart", *(f"{decks:,} decks" for decks in LENGTHS))
    print(tabulate(rows, heads, disable_numparse=True, colalign=("left", *["right"] * 4)))
    return broken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
