"""`python -m tests.benchmarks.coverage [--leagues R] [--only WORD ...]`: intervals and chances.

Prints how often published 95 % intervals hold the mu that the same ratings tend to with ever more
deals. First two bots with independent games, every result counted out, so that nothing is left to
chance: `holds` should be 94.5 % or more, and is above 97 % where a game more or less is the whole
of the outcome. Then leagues of bots of known skill, R of each kind (200), a minute a kind: `holds`
should be 93 to 97 % within two of its Monte-Carlo errors; two bots on few decks may have more. A
`*` marks a line that misses.

`chances` lines say how often a bot was said to be better than the next in the table (`next`) or the
best of all (`first`), and how often it was, in percent, over all and in bins, with two standard
errors and the number of claims. They are of fields of 7 and 12 bots on 8 decks a pair, so that
errors of a difference are about 1 mu. Leagues are independent, the bots of one are not; of two bots
of equal skill either is better in half.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from arena.rating.posterior import estimate_chances
from arena.rating.rate import rate_bots
from tests import exact
from tests.simulated import World, held, limit, merge_league

EXACT = {
    "10 games": (0.8, 0.9, 0.95, 0.98),
    "20 games": (0.8, 0.9, 0.95, 0.98, 0.99),
    "50 games": (0.9, 0.95, 0.98, 0.99, 0.999),
    "200 games": (0.95, 0.98, 0.99, 0.995, 0.999),
    "1000 games": (0.99, 0.995, 0.999),
}
"""Games, and how likely the better bot is to win one."""

SIX = (29.0, 27.0, 25.5, 24.5, 23.0, 21.0)
FIVE = SIX[:5]
SEATS = (4.0, 0.0, -4.0)
SEED = 1
DEALS = 1000  # leagues that the truth is taken from; of rare upsets it takes as many


def ahead(lead: float) -> tuple[float, ...]:
    """Six bots, the first so far ahead of five equals."""
    return (25.0 + lead, *(25.0,) * 5)


def ring(gain: float) -> tuple[tuple[int, int, float], ...]:
    """What bots gain beside each other: each of the first five beats the next two of them."""
    beaten = [((bot + step) % 5, bot) for bot in range(5) for step in (1, 2)]
    return tuple(
        feud for low, high in beaten for feud in ((low, high, -gain / 2), (high, low, gain / 2))
    )


WORLDS = {
    "independent, 6 bots 3p, 480 games": World(SIX, deals=4, shared=False),
    "decks suit bots (sd 4), shared, 40 decks": World(SIX, deals=4, suits=4),
    "decks suit bots, 10 decks": World(SIX, seats=2, deals=2, suits=4),
    "decks suit bots, 5 bots 4p, 8 decks": World(FIVE, seats=4, deals=2, suits=4),
    "luck of the hand (sd 4), shared 2p, 10 decks": World(SIX, seats=2, deals=2, hands=4),
    "seats +4/0/-4, decks not shared": World(SIX, deals=4, shared=False, by_seat=SEATS),
    "seats +4/0/-4, one deck a seating": World(SIX, deals=1, shared=False, by_seat=SEATS),
    "seats +4/0/-4, shared, 20 decks": World(SIX, by_seat=SEATS),
    "seats +4/-4 2p, 40 decks": World(SIX, 2, 4, shared=False, by_seat=(4.0, -4.0)),
    "rock-paper-scissors of 5, 50 decks": World((25.0,) * 5 + (20.0,), 2, 10, feuds=ring(8)),
    "rock-paper-scissors of 5, 10 decks": World((25.0,) * 5 + (20.0,), 2, 2, feuds=ring(8)),
    "winner only (most tie), 4p": World(SIX, 4, 1, shared=False, winner_only=True),
    "60 % ties, 2p": World(SIX, 2, 8, shared=False, step=10.0),
    "2 bots, 12 games": World(SIX[1:3], 2, 6, shared=False),
    "dominant +8, 2p, 200 games a bot": World(ahead(8), 2, 20, shared=False),
    "dominant +15": World(ahead(15), 2, 20, shared=False),
    "dominant +18": World(ahead(18), 2, 20, shared=False),
    "dominant +15, 3p shared, 40 decks": World(ahead(15), 3, 4),
    "three +18 ahead of three": World((43.0,) * 3 + (25.0,) * 3, 2, 20, shared=False),
    "four steps of 15": World((55.0, 40.0, 40.0, 25.0, 25.0, 10.0), 2, 10, shared=False),
    "equal bots, shared, 20 decks": World((25.0,) * 6, suits=4),
}

CHANCES = {
    f"{bots} bots, spread {spread}": (bots, spread)
    for bots in (7, 12)
    for spread in (0.0, 0.3, 1.0, 3.0, 9.0)
}
"""Bots, and the spread of their skills in mu."""
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1)


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="coverage", description="Do 95 of 100 intervals hold?")
    parser.add_argument("--leagues", type=int, default=200, metavar="R", help="of each kind (200)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="only such kinds")
    given = parser.parse_args(words)
    leagues = given.leagues

    def of(kinds: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for name, kind in kinds.items():
            if any(word in prefix + name for word in given.only):
                yield prefix + name, kind

    print(f"seed {SEED}; limit of 1,000 leagues, {leagues} leagues a line", flush=True)
    for name, games in of(EXACT, "exact, "):
        for chance in games:
            holds = exact.coverage(int(name.split()[1]), chance)
            print(f"{name}, P(win) {chance:.3f}: {holds:.2%}{'' if holds >= 0.945 else ' *'}")
    for name, world in of(WORLDS):
        print(_line(name, world, leagues), flush=True)
    for name, (bots, spread) in of(CHANCES, "chances, "):
        for method, made in claims(bots, spread, leagues, np.random.default_rng(SEED)).items():
            shown = [binned(made, *ends) for ends in ((0.0, 1.1), *pairwise(BINS))]
            cells = (
                f"{100 * found.said:.0f}: {100 * found.right:.0f} ±{200 * found.error:.0f} "
                f"({found.claims})" for found in shown if found.claims
            )  # fmt: skip
            print(f"{name}, {method}:", *cells, sep="  ", flush=True)


def _line(kind: str, world: World, leagues: int) -> str:
    holds, error = simulated(world, leagues)
    few = len(world.skills) == 2
    off = max(0.93 - holds, 0 if few else holds - 0.97)
    return f"{kind:<46}{holds:>7.1%} ±{error:<5.1%}{'  *' if off > 2 * error else ''}"


def simulated(world: World, leagues: int) -> tuple[float, float]:
    """How often intervals hold in so many leagues, and its error: leagues vary, the bots of one
    vary together.
    """
    rng = np.random.default_rng(SEED)
    truth = limit(world, rng, DEALS)
    names = tuple(f"bot{number}" for number in range(len(world.skills)))
    by_league = [
        np.mean(held(rate_bots(names, merge_league(world, rng)), truth)) for _ in range(leagues)
    ]
    return float(np.mean(by_league)), float(np.std(by_league, ddof=1) / leagues**0.5)


class Claim(NamedTuple):
    """What was said, and whether it was right; between equals half."""

    league: int
    said: float
    right: float


class Bin(NamedTuple):
    """Claims of one size."""

    said: float
    right: float
    error: float  # standard error of right less said
    claims: int


def claims(
    bots: int, spread: float, leagues: int, rng: np.random.Generator
) -> dict[str, list[Claim]]:
    """What is said of so many leagues of a field, by method."""
    out: dict[str, list[Claim]] = {"next": [], "first": []}
    for league in range(leagues):
        skills = 25.0 + spread * rng.standard_normal(bots)
        names = [f"bot{number:02}" for number in range(bots)]
        rates = rate_bots(names, merge_league(World(tuple(skills), seats=2, deals=8), rng))
        order = np.argsort(-rates.mu, kind="stable")
        best, skills = skills.max(), skills[order]
        covariance = rates.covariance[np.ix_(order, order)]
        said = estimate_chances(
            rates.mu[order].tolist(), covariance, rates.freedom[order], rates.shrinkage[order]
        )
        rights = [1.0 if gap > 0 else 0.0 if gap < 0 else 0.5 for gap in -np.diff(skills)]
        betters = [chance for chance in said.next if chance is not None]
        out["next"] += map(Claim, [league] * bots, betters, rights)
        firsts = ((skills == best) / (skills == best).sum()).tolist()
        out["first"] += map(Claim, [league] * bots, [top[0] for top in said.top if top], firsts)
    return out


def binned(claims: Sequence[Claim], least: float, most: float) -> Bin:
    """The claims that say `least` or more, and less than `most`."""
    own = [claim for claim in claims if least <= claim.said < most]
    if not own:
        return Bin(0.0, 0.0, 0.0, 0)
    league, said, right = (np.array(column) for column in zip(*own, strict=True))
    off = np.bincount(league, right - said - (right - said).mean())
    error = float(np.sqrt((off**2).sum())) / len(own)
    return Bin(float(said.mean()), float(right.mean()), error, len(own))


if __name__ == "__main__":
    main(sys.argv[1:])
