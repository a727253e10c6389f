"""`python -m tests.benchmarks.sequential [--seed S] [--gammas G ...]`: games that a test takes.

Simulated matches of two bots, every deck from both sides, 5,000 games at most, end by arena's test
and by a test of fishtest's kind (GSPRT on pairs of 50 % against 53 %, errors of .05). Prints for
each share of games that the better bot wins: how often it is told apart or called equal, the mean
games of both tests, and their ratio beside the most that it may be. Then, for versions of a bot
that decide differently on few decks,
how often each verdict came, and how often it was wrong (better or worse where the two are equal or
the other is better, equal where they are more than `BAND_MU` apart), by the test of a match and by
that without regard to even decks (`every deck`). Ends with an error where a bound is broken, by
three standard errors or, of the games, at all.

`--gammas` prints the first table for other values of `arena.sequential.limits.GAMMA`, those
that it was chosen from.
"""

import argparse
import sys
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from tabulate import tabulate

from arena.rating.outcomes import Ints
from arena.rating.p_values import BAND_MU
from arena.sequential import limits
from tests.paired_decks import (
    Truth,
    Verdicts,
    gsprt,
    lead,
    match_design,
    played,
    settled,
    share_of,
)

SEED = 15
"""The seed that `limits.GAMMA` was chosen on; another one checks the choice."""
DECKS = 2500
SHARES = (0.5, 0.51, 0.53, 0.55, 0.6, 0.75, 0.97)
TIMES = {0.53: 1.6, 0.55: 1.3, 0.6: 1.3, 0.75: 1.3, 0.97: 1.3}
GAMES = 60
"""The games that a test may take: so many times those of the GSPRT, or `GAMES`, if that is more."""

LEVEL, EQUAL = 0.05, 0.025
"""How often a verdict may be wrong: of better or worse, and of equal."""


class Rule(NamedTuple):
    """How often two versions differ on a deck, and how such a deck ends."""

    rate: float  # of decks on which the rule fires
    won: float  # of these, both games go to the first
    lost: float  # and to the second; the others end level all the same

    @property
    def mu(self) -> float:
        """By how much the first is truly better."""
        return lead(0.5 + self.rate * (self.won - self.lost) / 2)


RULES = {
    "equal, differ always": Rule(1.0, 0.25, 0.25),
    "equal, 1 in 20": Rule(1 / 20, 0.5, 0.5),
    "1 in 20, +": Rule(1 / 20, 0.6, 0.2),
    "1 in 20, wins all": Rule(1 / 20, 1.0, 0.0),
    "1 in 9, wins all": Rule(1 / 9, 1.0, 0.0),
    "1 in 14, wins all": Rule(1 / 14, 1.0, 0.0),  # just outside the band
    "just outside the band": Rule(0.5, 0.24, 0.1),
}


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
    broken = [
        each for table in (print_games, print_versions) for each in table(given.matches, given.seed)
    ]
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
            (f"{share:.0%}", f"{share_of(ours, 'better', 'worse'):.3f}",
             f"{share_of(ours, 'equal'):.3f}",
             f"{mean:,.0f} ± {ours.games.std() / sqrt(matches):.0f}",
             f"{share_of(theirs, 'better'):.3f}", f"{other:,.0f}", f"{mean / other:.2f}",
             f"{most:,.0f}" if most else "")
        )  # fmt: skip
        if most and mean > most:
            broken.append(f"at {share:.0%} {mean:,.0f} games, more than {most:,.0f}")
    heads = ("truth", "told apart", "equal", "games", "GSPRT 53 %", "its games", "ratio", "may be")
    print(tabulate(rows, heads, disable_numparse=True, colalign=("right",) * len(heads)), "\n")
    return broken


def play_versions(rule: Rule, matches: int, decks: int, rng: np.random.Generator) -> Ints:
    """Return how the decks of simulated matches ended: places in `paired_decks.ENDS`."""
    won, lost = rule.rate * rule.won, rule.rate * rule.lost
    drawn = rng.random((matches, decks), np.float32)
    ends: Ints = np.where(drawn < won, 0, np.where(drawn < won + lost, 2, 1)).astype(np.int8)
    return ends


def wrong_verdicts(rule: Rule, found: Verdicts) -> tuple[float, float]:
    """The shares of matches that ended in a wrong better or worse, and in a wrong equal."""
    mu = round(rule.mu, 6)
    apart = share_of(found, "better", "worse") if not mu else share_of(found, "worse")
    return apart, share_of(found, "equal") if abs(mu) > BAND_MU else 0.0


def print_versions(matches: int, seed: int = SEED) -> list[str]:
    """Print the verdicts on versions that seldom differ; return which are wrong too often."""
    rows, broken = [], []
    for name, rule in RULES.items():
        ends = play_versions(rule, matches, DECKS, np.random.default_rng(seed))
        for every in (True, False):
            found = settled(ends, match_design(DECKS), every)
            wrong = wrong_verdicts(rule, found)
            for share, most in zip(wrong, (LEVEL, EQUAL), strict=True):
                if not every and share > most + 3 * sqrt(most * (1 - most) / matches):
                    broken.append(f"{name}: {share:.1%} wrong")
            shares = [share_of(found, each) for each in ("better", "worse", "equal", "open")]
            rows.append(
                (name, f"{rule.mu:+.2f}", "every deck" if every else "a match",
                 *(f"{share:.1%}" for share in (*shares, sum(wrong))), f"{found.games.mean():,.0f}")
            )  # fmt: skip
    heads = ("versions", "mu", "test", "better", "worse", "equal", "open", "wrong", "games")
    print("\n" + tabulate(rows, heads, disable_numparse=True))
    return broken


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
