"""`python -m tests.benchmarks.coverage [--leagues R] [--only WORD ...] [--goals BOTS]`.

Do intervals hold, and how many games do goals take?

Prints how often published 95 % intervals hold the mu that the same ratings tend to with ever more
deals. First two bots with independent games, every result counted out, so that nothing is left to
chance: `holds` should be 94.5 % or more, and is above 97 % where a game more or less is the whole
of the outcome. Then leagues of bots of known skill, R of each kind (200), a minute a kind: `holds`
should be 93 to 97 % within two of its Monte-Carlo errors; two bots on few decks may have more. A
`*` marks a line that misses. At last, what a hopeless bot does to the intervals of equals, and a
specialist to the others' overall ones.

`--goals BOTS` instead plays leagues of so many bots, skills N(25, 4), as a tournament does, until
each of the goals that pools stop at is reached, and prints the games that this took (median and
quartiles), and in how many leagues a claim was false at any look: two bots told apart in the wrong
order, two called equal that are more than the band apart, or a best bot named that is that far
behind. That may be 5 in 100.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from tabulate import tabulate

from arena.rating.anchor import measure_ratings_from
from arena.rating.rate import combine_ratings, rate_bots
from tests import exact
from tests.benchmarks.scheduled import BEST, Aim, Kind, settle
from tests.simulated import World, held, limit, merge_league

EXACT = {
    10: (0.8, 0.9, 0.95, 0.98),
    20: (0.8, 0.9, 0.95, 0.98, 0.99),
    50: (0.9, 0.95, 0.98, 0.99, 0.999),
    200: (0.95, 0.98, 0.99, 0.995, 0.999),
    1000: (0.99, 0.995, 0.999),
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
    "2 bots, 8 decks shared": World(SIX[1:3], 2, 8),
    "2 bots, 12 games": World(SIX[1:3], 2, 6, shared=False),
    "2 bots, 40 games": World(SIX[1:3], 2, 20, shared=False),
    "dominant +8, 2p, 200 games a bot": World(ahead(8), 2, 20, shared=False),
    "dominant +12": World(ahead(12), 2, 20, shared=False),
    "dominant +15": World(ahead(15), 2, 20, shared=False),
    "dominant +18": World(ahead(18), 2, 20, shared=False),
    "dominant +15, 3p shared, 40 decks": World(ahead(15), 3, 4),
    "three +18 ahead of three": World((43.0,) * 3 + (25.0,) * 3, 2, 20, shared=False),
    "four steps of 15": World((55.0, 40.0, 40.0, 25.0, 25.0, 10.0), 2, 10, shared=False),
    "equal bots, shared, 20 decks": World((25.0,) * 6, suits=4),
}


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
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only such kinds")
    parser.add_argument("--goals", type=int, metavar="BOTS", help="games that goals take instead")
    given = parser.parse_args(words)
    if given.leagues < 2:
        parser.error(f"--leagues: found {given.leagues}; expected 2 or more")
    if given.goals:
        print(f"seed {SEED}; {given.leagues} leagues of {given.goals} bots a line", flush=True)
        for name, field in FIELDS.items():
            if not given.only or any(word in name for word in given.only):
                print(_goal_lines(name, field, given.goals, given.leagues), flush=True)
        return
    print(f"seed {SEED}; limit of 1,000 leagues, {given.leagues} leagues a line", flush=True)
    if not given.only or "exact" in given.only:
        heads = ("games", "P(win)", "holds", "")
        print(tabulate(_counted_out(), heads, disable_numparse=True), "", sep="\n", flush=True)
    for kind, world in WORLDS.items():
        if not given.only or any(word in kind for word in given.only):
            print(_line(kind, world, given.leagues), flush=True)
    if not given.only or any(word in "hopeless" for word in given.only):
        mean, from_anchor = hopeless(given.leagues)
        print(f"four equals and a hopeless bot: the equals' hold in {mean:.1%}; measured from one")
        print(f"of them as an anchor, the other three's in {from_anchor:.1%}")
    for kind, leads in SPECIALIST.items():
        if not given.only or any(word in f"specialist {kind}" for word in given.only):
            pools, overall, error = specialist(leads, given.leagues)
            print(f"specialist {kind}: the others' intervals hold in {pools:.1%}, overall in")
            print(f"{overall:.1%} ±{error:.1%}")


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


def _counted_out() -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for games, chances in EXACT.items():
        for chance in chances:
            holds = exact.coverage(games, chance)
            missed = "" if holds >= 0.945 else "*"
            rows.append((f"{games}", f"{chance:.3f}", f"{holds:.2%}", missed))
    return rows


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
