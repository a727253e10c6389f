"""`python -m tests.benchmarks.rare [--matches N] [--seed S]`: two versions of a bot that seldom
differ.

They play mirrored decks: each deck from both seatings, a seat with the same dice. So a deck ends
level unless the versions decided differently on it. Simulated matches of 5,000 games, in which a
deck differs at a rate, and then goes to one of the two at two others, end by the test of a match,
and by the test without regard to even decks (`old`). Prints for each truth how often each verdict
came, how often it was wrong, with its 95 % interval (Clopper and Pearson 1934), and the mean games.

Then real matches of 300 decks in this process, by both tests at the same looks (`--real 0`: none).

Wrong is: better or worse where the two are equal, or the other is better; equal where they are more
than `BAND_MU` apart. Ends with an error where the test of a match is wrong more often than planned
(5 %, and 2.5 % for equal), by three standard errors.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple, get_args

import numpy as np
from tabulate import tabulate

import arena.testing
from arena.model import Mirrored, Pool
from arena.rating.outcomes import (
    GameColumns,
    Ints,
    count_differing,
    merge_games,
    select_counted,
)
from arena.rating.p_values import BAND_MU, incomplete_beta
from arena.rating.rate import find_uneven_mu, rate_bots
from arena.sequential.stages import make_looks
from arena.sequential.verdicts import Design, Evidence, VerdictWord, judge_pair
from games import no_thanks
from tests.paired_decks import MU, Truth, Verdicts, lead, match_design, settled, share_of

DECKS = 2500
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
        return float(lead(Truth(0.5 + self.rate * (self.won - self.lost) / 2))[0] * MU)


RULES = {
    "equal, differ always": Rule(1.0, 0.25, 0.25),
    "equal, 1 in 20": Rule(1 / 20, 0.5, 0.5),
    "equal, 1 in 200": Rule(1 / 200, 0.5, 0.5),
    "1 in 20, +": Rule(1 / 20, 0.6, 0.2),
    "1 in 20, wins all": Rule(1 / 20, 1.0, 0.0),
    "1 in 200, +": Rule(1 / 200, 0.6, 0.2),
    "1 in 200, wins all": Rule(1 / 200, 1.0, 0.0),
    "1 in 9, wins all": Rule(1 / 9, 1.0, 0.0),
    "1 in 14, wins all": Rule(1 / 14, 1.0, 0.0),  # just outside the band
    "just outside the band": Rule(0.5, 0.24, 0.1),
}


def play(rule: Rule, matches: int, decks: int, rng: np.random.Generator) -> Ints:
    """Return how the decks of simulated matches ended: places in `paired_decks.ENDS`."""
    won, lost = rule.rate * rule.won, rule.rate * rule.lost
    drawn = rng.random((matches, decks), np.float32)
    ends: Ints = np.where(drawn < won, 0, np.where(drawn < won + lost, 5, 2)).astype(np.int8)
    return ends


def wrong_verdicts(rule: Rule, found: Verdicts) -> tuple[float, float]:
    """The shares of matches that ended in a wrong better or worse, and in a wrong equal."""
    mu = round(rule.mu, 6)
    apart = share_of(found, "better", "worse") if not mu else share_of(found, "worse")
    return apart, share_of(found, "equal") if abs(mu) > BAND_MU else 0.0


def interval_of(share: float, of: int) -> tuple[float, float]:
    """The 95 % interval of a share that was seen in so many, after Clopper and Pearson."""
    seen = round(share * of)
    low = _quantile(0.025, seen, of - seen + 1) if seen else 0.0
    return low, _quantile(0.975, seen + 1, of - seen) if seen < of else 1.0


def _quantile(share: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        under = incomplete_beta(middle, 1 - middle, a, b) < share
        low, high = (middle, high) if under else (low, middle)
    return low


class Real(NamedTuple):
    """Two versions that play in this process; who wins more is known."""

    game: str
    players: int
    first: type
    second: type
    better: bool  # whether the first is, or else they are equal
    decks: int
    apart: bool = False  # whether they play in each other's place, and not at one table


class _Seldom:
    """Plays at random; in some of its games, by its seat's first number, as the haggler does."""

    LOW, HIGH = 0.0, 0.0

    def __init__(self, game: Any) -> None:
        self._fires = self.LOW <= game.rng.random() < self.HIGH

    def decide(self, view: Any) -> str:
        number = random.random()  # in any case: both versions throw the same dice
        if self._fires:
            mine = view.taken[view.seat]
            cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
            wanted = no_thanks.TAKE if 2 * view.pot >= cost else no_thanks.PASS
            return wanted if wanted in view.legal else str(view.legal[0])
        return str(view.legal[int(number * len(view.legal))])


class _Never(_Seldom):
    pass


class _Low20(_Seldom):
    HIGH = 1 / 20


class _High20(_Seldom):
    LOW, HIGH = 19 / 20, 1.0


class _Low200(_Seldom):
    HIGH = 1 / 200


class _Forwards:
    def __init__(self, game: Any) -> None:
        pass

    def decide(self, view: Any) -> str:
        return str(random.choice(view.legal))


class _Backwards(_Forwards):
    def decide(self, view: Any) -> str:
        return str(random.choice(view.legal[::-1]))


REAL = {
    "equal, dice used otherwise": Real("sixteen", 2, _Forwards, _Backwards, False, 300),
    "equal, a rule mirrored": Real("no_thanks", 3, _Low20, _High20, False, 300),
    "equal, at three seats": Real("no_thanks", 3, _Forwards, _Backwards, False, 300),
    "equal, with --field": Real("no_thanks", 3, _Forwards, _Backwards, False, 300, True),
    "1 in 20, true effect": Real("no_thanks", 3, _Low20, _Never, True, 300),
    "1 in 200, true effect": Real("no_thanks", 3, _Low200, _Never, True, 300),
}


def play_real(real: Real, seed: int) -> tuple[dict[str, tuple[VerdictWord, int]], int]:
    """Play mirrored decks until the last look: how each test ended, after how many games, and the
    decks that differed.
    """
    others = [_Never] * (real.players - 2 + real.apart)
    bots, ranks, deals = list[list[int]](), list[list[int]](), list[int]()
    pool = Pool(real.game, real.players, "{}", "")
    names = ("first", "second", "third", "whoever")[: 2 + len(others)]
    sharing = Mirrored(("first", "second"), real.apart)
    both = [[0, 1, 2], [1, 0, 2]] if not real.apart else [[0, 2, 3], [1, 2, 3]]
    design = Design(make_looks(20, real.decks), LEVEL)
    ended: dict[str, tuple[VerdictWord, int]] = {}
    differing = 0
    for look, stage in enumerate(design.stages):
        for deck in range(len(deals) // 2, stage):
            for all_seats in both:
                seats = all_seats[: real.players]
                line_up = [(real.first, real.second, *others)[bot] for bot in seats]
                result = arena.testing.play(real.game, line_up, seed=seed, deck=deck).result
                bots.append(seats)
                ranks.append(result["ranks"])
                deals.append(deck)
        table = np.array(ranks)
        columns = GameColumns(
            pool, names, np.array(bots), table, -table, np.array(deals), Counter()
        )
        counted = select_counted(columns)
        merged = merge_games(columns, counted, sharing)
        rated = rate_bots(names, merged)
        differing = count_differing(counted, merged, 0, 1)
        for test in {"old", "new"} - {*ended}:
            seen = Evidence(
                float(rated.mu[0] - rated.mu[1]), float(rated.errors[0, 1]), stage,
                int(rated.freedom[:2].min()), None if test == "old" else differing,
                find_uneven_mu(rated, names[:2], 1, not real.apart),
            )  # fmt: skip
            answer = judge_pair(design, look, seen).answer
            if answer != "open" or stage == real.decks:
                ended[test] = answer, 2 * stage
        if len(ended) == 2:
            break
    return ended, differing


def is_wrong(real: Real, answer: VerdictWord) -> bool:
    """Whether a verdict is wrong: rules that fire in 1 of 20 games make less than the band."""
    return answer == "worse" or (answer == "better" and not real.better)


def print_real(matches: int, seed: int) -> list[str]:
    """Play and print real matches of each kind; return what is broken."""
    rows, broken = [], []
    for name, real in REAL.items():
        played = [play_real(real, seed + number) for number in range(matches)]
        for test in ("old", "new"):
            found = [ended[test] for ended, _ in played]
            wrong = sum(is_wrong(real, answer) for answer, _ in found)
            early = sum(few < 20 and ended[test][0] != "open" for ended, few in played)
            if test == "new" and early:
                broken.append(f"{name}: a verdict on fewer than 20 decks that differ")
            answers = Counter(answer for answer, _ in found)
            mean = sum(games for _, games in found) / matches
            rows.append(
                (
                    name,
                    test,
                    *(answers[each] for each in get_args(VerdictWord)),
                    wrong,
                    f"{mean:,.0f}",
                )
            )
    heads = ("real matches", "test", *get_args(VerdictWord), "wrong", "games")
    print("\n" + tabulate(rows, heads, disable_numparse=True))
    return broken


def main(words: Sequence[str]) -> int:
    """Measure and print; return 1 if a bound is broken."""
    parser = argparse.ArgumentParser(prog="rare", description="Versions that seldom differ.")
    parser.add_argument("--matches", type=int, default=400, metavar="N", help="a line (400)")
    parser.add_argument("--seed", type=int, default=29, metavar="S", help="(29)")
    parser.add_argument("--real", type=int, default=5, metavar="N", help="of each kind (5)")
    given = parser.parse_args(words)
    print(f"{given.matches:,} matches a line, seed {given.seed}")
    rows, broken = [], []
    for name, rule in RULES.items():
        ends = play(rule, given.matches, DECKS, np.random.default_rng(given.seed))
        for test in ("old", "new"):
            found = settled(ends, match_design(DECKS), every=test == "old")
            for_apart, for_equal = wrong_verdicts(rule, found)
            wrong = for_apart + for_equal
            low, high = interval_of(wrong, given.matches)
            for share, most in ((for_apart, LEVEL), (for_equal, EQUAL)):
                bound = most + 3 * sqrt(most * (1 - most) / given.matches)
                if test == "new" and share > bound:
                    broken.append(f"{name}: {share:.1%} wrong")
            shares = (share_of(found, each) for each in ("better", "worse", "equal", "open"))
            rows.append(
                (name, f"{rule.mu:+.2f}", test, *(f"{share:.1%}" for share in shares),
                 f"{wrong:.1%} [{low:.1%}, {high:.1%}]", f"{found.games.mean():,.0f}")
            )  # fmt: skip
    heads = ("rule", "mu", "test", "better", "worse", "equal", "open", "wrong", "games")
    align = ("left", "right", "left", *["right"] * 6)
    print(tabulate(rows, heads, disable_numparse=True, colalign=align))
    broken += print_real(given.real, given.seed) if given.real else []
    for what in broken:
        print(f"broken: {what}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
