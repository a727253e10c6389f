"""`python -m tests.benchmarks.coverage [--leagues R] [--only WORD ...] [--goals BOTS]`.

Are intervals, places and chances right, and how many games do goals take?

Prints how often published 95 % intervals hold the mu that the same ratings tend to with ever more
deals. First two bots with independent games, every result counted out, so that nothing is left to
chance: `holds` should be 94.5 % or more, and is above 97 % where a game more or less is the whole
of the outcome. Then leagues of bots of known skill, R of each kind (200), a minute a kind: `holds`
should be 93 to 97 % within two of its Monte-Carlo errors; two bots on few decks may have more. A
`*` marks a line that misses. Then what a hopeless bot does to the intervals of equals, and a
specialist to the others' overall ones.

`places` lines are leagues whose ranges of places exclude a place that its bot holds, at most 5 %,
and those that tell apart two bots of equal skill. `chances` lines say how often a bot was said to
be better than the next in the table (`next`) or the best of all (`first`), and how often it was, in
percent, over all and in bins, with two standard errors and the number of claims. They are of fields
of 7 and 12 bots on 8 decks a pair, so that errors of a difference are about 1 mu. Leagues are
independent, the bots of one are not; of two bots of equal skill either is better in half.

`--goals BOTS` instead plays leagues of so many bots, skills N(25, 4), as a tournament does, until
each of the goals that pools stop at is reached, and prints the games that this took (median and
quartiles), and in how many leagues a claim was false at any look: two bots told apart in the wrong
order, two called equal that are more than the band apart, or a best bot named that is that far
behind. That may be 5 in 100.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from arena.rating.anchor import measure_ratings_from
from arena.rating.posterior import estimate_chances
from arena.rating.rate import combine_ratings, rate_bots
from tests import exact
from tests.benchmarks.scheduled import BEST, Aim, Kind, settle
from tests.simulated import World, held, limit, merge_league, ranges

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

EQUALS = (25.0,) * 10
PLACES = {
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
CHANCES = {
    f"{bots} bots, spread {spread}": (bots, spread)
    for bots in (7, 12)
    for spread in (0.0, 0.3, 1.0, 3.0, 9.0)
}
"""Bots, and the spread of their skills in mu."""
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1)


GOALS: tuple[Aim, ...] = (BEST, ("all", 3))  # the latter compares all pairs
DECKS = 20_000  # a bot, at most
FIELDS = {
    "2p": Kind(), "3p": Kind(seats=3), "4p": Kind(seats=4), "5p": Kind(seats=5),
    "6p": Kind(seats=6), "teams": Kind(seats=4, teams=True),
    "shared decks": Kind(shared=True, suits=4.0), "non-transitive": Kind(inter=2.0),
}  # fmt: skip


HOPELESS = World((25.0,) * 4 + (-0.1,), 2, 20, shared=False)
"""400 games, with a bot that loses to each of four equals with a chance of .99999."""


SPECIALIST = {
    "25 ahead in three pools": (25.0,) * 3,
    "30 ahead in two of three, behind in one": (30.0, 30.0, -30.0),
}
"""How far one of six bots is from the mean of the others, by pool."""


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="coverage", description="Do 95 of 100 intervals hold?")
    parser.add_argument("--leagues", type=int, default=200, metavar="R", help="of each kind (200)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="only such kinds")
    parser.add_argument("--goals", type=int, metavar="BOTS", help="games that goals take instead")
    given = parser.parse_args(words)
    leagues = given.leagues

    def of(kinds: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for name, kind in kinds.items():
            if any(word in prefix + name for word in given.only):
                yield prefix + name, kind

    print(f"seed {SEED}; limit of 1,000 leagues, {leagues} leagues a line", flush=True)
    if given.goals:
        for name, field in of(FIELDS):
            print(_goal_lines(name, field, given.goals, leagues), flush=True)
        return
    for name, games in of(EXACT, "exact, "):
        for chance in games:
            holds = exact.coverage(int(name.split()[1]), chance)
            print(f"{name}, P(win) {chance:.3f}: {holds:.2%}{'' if holds >= 0.945 else ' *'}")
    for name, world in of(WORLDS):
        print(_line(name, world, leagues), flush=True)
    for _ in of({"hopeless": None}):
        mean, from_anchor = hopeless(leagues)
        print(f"four equals and a hopeless bot: the equals' hold in {mean:.1%}; measured from one")
        print(f"of them as an anchor, the other three's in {from_anchor:.1%}")
    for name, leads in of(SPECIALIST, "specialist "):
        pools, overall, error = specialist(leads, leagues)
        print(f"{name}: the others' intervals hold in {pools:.1%}, overall in")
        print(f"{overall:.1%} ±{error:.1%}")
    for name, world in of(PLACES, "places, "):
        wrong, twins = places(world, leagues)
        missed = wrong > 0.05 + 2 * (0.05 * 0.95 / leagues) ** 0.5
        print(f"{name}: wrong {wrong:.1%}, twins {twins:.1%}{'  *' if missed else ''}", flush=True)
    for name, (bots, spread) in of(CHANCES, "chances, "):
        for method, made in claims(bots, spread, leagues, np.random.default_rng(SEED)).items():
            shown = [binned(made, *ends) for ends in ((0.0, 1.1), *pairwise(BINS))]
            cells = (
                f"{100 * found.said:.0f}: {100 * found.right:.0f} ±{200 * found.error:.0f} "
                f"({found.claims})" for found in shown if found.claims
            )  # fmt: skip
            print(f"{name}, {method}:", *cells, sep="  ", flush=True)


def hopeless(leagues: int) -> tuple[float, float]:
    """How often the equals' intervals hold beside a bot that loses all, with the pool's mean
    at 25, and with the first of them as the anchor.
    """
    rng = np.random.default_rng(SEED)
    truth = limit(HOPELESS, rng, 2 * DEALS)
    names = tuple(f"bot{number}" for number in range(len(truth)))
    right: list[list[bool]] = []
    from_anchor: list[list[bool]] = []
    for _ in range(leagues):
        ratings = rate_bots(names, merge_league(HOPELESS, rng))
        right.append(held(ratings, truth)[:-1])
        from_anchor.append(
            held(measure_ratings_from(ratings, "bot0", 25.0), truth - truth[0] + 25)[1:-1]
        )
    return float(np.mean(right)), float(np.mean(from_anchor))


def specialist(leads: Sequence[float], leagues: int) -> tuple[float, float, float]:
    """How often intervals of the bots beside a specialist hold their skills, in pools and overall,
    and the error of the latter. The luck is the model's, so that ratings tend to skills.
    """
    rng = np.random.default_rng(SEED)
    worlds = [World((25 + lead, 29, 27, 25, 23, 21), 2, 20, shared=False) for lead in leads]
    names = tuple(f"bot{number}" for number in range(6))
    truths = [np.array(world.skills) - np.mean(world.skills) + 25 for world in worlds]
    of_pools, overall = list[float](), list[float]()
    for _ in range(leagues):
        parts = [rate_bots(names, merge_league(world, rng)) for world in worlds]
        of_pools += (float(np.mean(held(*each)[1:])) for each in zip(parts, truths, strict=True))
        ratings = combine_ratings(parts)
        overall.append(float(np.mean(held(ratings, np.mean(truths, axis=0))[1:])))
    error = float(np.std(overall, ddof=1) / leagues**0.5)
    return float(np.mean(of_pools)), float(np.mean(overall)), error


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


def places(world: World, leagues: int) -> tuple[float, float]:
    """The shares of leagues with a wrong range of places, and of those that tell equals apart."""
    rng, skills = np.random.default_rng(SEED), np.array(world.skills)
    best = (skills[:, None] < skills).sum(axis=1) + 1
    worst = len(skills) - (skills[:, None] > skills).sum(axis=1)
    equal = np.triu(skills[:, None] == skills, 1)
    wrong = twins = 0
    for _ in range(leagues):
        said = ranges(
            rate_bots([f"bot{at}" for at in range(len(skills))], merge_league(world, rng))
        )
        low, high = np.array([each or (1, len(skills)) for each in said]).T
        apart = high[:, None] < low
        wrong += bool(((low > best) | (high < worst)).any())
        twins += bool((equal & (apart | apart.T)).any())
    return wrong / leagues, twins / leagues


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


def _goal_lines(name: str, kind: Kind, bots: int, leagues: int) -> str:
    rng, lines = np.random.default_rng(SEED), []
    aims = GOALS if bots <= 20 else GOALS[:1]
    kind = kind._replace(bots=bots, games=DECKS * bots // kind.seats, deals=DECKS, aims=aims)
    found = [settle(kind, rng) for _ in range(leagues)]
    for aim in aims:
        ends = [ended[aim] for ended in found]
        what = f"within {aim[1]}" if aim[1] else aim[0]
        quarter, half, most = np.quantile([end.games for end in ends], (0.25, 0.5, 0.75))
        lines.append(
            f"{name:<16}{what:<10}{half:>9,.0f} games ({quarter:,.0f} to {most:,.0f}); reached "
            f"{np.mean([end.reached for end in ends]):.0%}; a false claim in "
            f"{sum(end.false for end in ends)} of {len(ends)}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
