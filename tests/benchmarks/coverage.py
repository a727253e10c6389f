"""`python -m tests.benchmarks.coverage [--leagues R] [--only WORD ...] [--goals BOTS]`.

Do intervals hold, and how many games do goals take?

Prints how often published 95 % intervals hold the mu that the same ratings tend to with ever more
deals. First two bots with independent games, every result counted out, so that nothing is left to
chance: `holds` should be 94.5 % or more, and is above 97 % where a game more or less is the whole
of the outcome. Then leagues of bots of known skill, R of each kind (200), a minute a kind: `holds`
should be 93 to 97 % within two of its Monte-Carlo errors; two bots on few decks may have more. A
`*` marks a line that misses. At last, what a hopeless bot does to the intervals of equals, and a
specialist to the others' overall ones.

`--goals BOTS` instead plays leagues of so many bots, skills N(25, 4), until each of the goals that
`settle` takes is reached, and prints the games that this took (median and quartiles), and in how
many leagues a claim was false at any look: two bots told apart in the wrong order, two called equal
that are a mu apart, or a best bot named that is more than half a mu behind. That may be 5 in 100.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from tabulate import tabulate

from arena.model import Bot, Entry, Goal, Pool, Settle
from arena.rating.anchor import measure_ratings_from
from arena.rating.gaussian import Array
from arena.rating.outcomes import GameColumns
from arena.rating.rate import combine_ratings, rate_bots
from arena.rating.sequential import BAND_MU
from arena.schedule.stages import FIRST_DECKS_OF_ALL, make_stages
from arena.tables.goals import find_unplaced
from arena.tables.settling import compare_pairs
from tests import exact
from tests.simulated import LUCK, World, held, limit, merge_league, rate

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


class Field(NamedTuple):
    """Leagues of many bots whose skills are drawn anew each time, and how they are played."""

    seats: int = 2
    teams: bool = False  # two of two, in every round others
    copies: int = 1  # games of a line-up that share a deck, each in another seating
    suits: float = 0.0  # sd of what a deck gives a bot
    bonus: float = 0.0  # sd of what a bot gains or loses beside each other one, whoever is better


FIELDS = {
    "2p": Field(), "3p": Field(3), "4p": Field(4), "5p": Field(5), "6p": Field(6),
    "teams": Field(4, teams=True), "shared decks": Field(2, copies=2, suits=4.0),
    "non-transitive": Field(bonus=2.0),
}  # fmt: skip
GOALS: tuple[tuple[Goal, int], ...] = (("best", 0), ("all", 3))  # the latter compares all pairs
SPREAD = 4.0  # sd of skills
ROUNDS = 20_000  # decks a bot, at most


class Ended(NamedTuple):
    """How a league ended for a goal."""

    games: int
    reached: bool
    false: bool  # whether any look put a bot surely ahead of a better one, or named a wrong best


def _goal_lines(name: str, field: Field, bots: int, leagues: int) -> str:
    rng, lines = np.random.default_rng(SEED), []
    goals = [goal for goal in GOALS if bots <= 20 or goal[0] == "best"]
    ended: dict[tuple[Goal, int], list[Ended]] = {goal: [] for goal in goals}
    for _ in range(leagues):
        for goal, end in play_for_goals(field, bots, goals, rng).items():
            ended[goal].append(end)
    for (aim, within), ends in ended.items():
        what = f"within {within}" if within else f"{aim}"
        quarter, half, most = np.quantile([end.games for end in ends], (0.25, 0.5, 0.75))
        lines.append(
            f"{name:<16}{what:<10}{half:>9,.0f} games ({quarter:,.0f} to {most:,.0f}); reached "
            f"{np.mean([end.reached for end in ends]):.0%}; a false claim in "
            f"{sum(end.false for end in ends)} of {len(ends)}"
        )
    return "\n".join(lines)


def play_for_goals(
    field: Field, bots: int, goals: Sequence[tuple[Goal, int]], rng: np.random.Generator
) -> dict[tuple[Goal, int], Ended]:
    """Play a league in rounds of tables drawn at random, and look as `settle` does, until each goal
    is reached or has its most decks.
    """
    names = tuple(f"bot{number:03}" for number in range(bots))
    skills = 25 + SPREAD * rng.standard_normal(bots)
    bonus = np.triu(field.bonus * rng.standard_normal((bots, bots)), 1)
    bonus -= bonus.T
    truth = _limit(skills, bonus) if field.bonus else skills
    worth = dict(zip(names, truth.tolist(), strict=True))
    pool = Pool("no_thanks", field.seats, "{}", "")
    if field.teams:
        pool = Pool("sixteen", field.seats, "{}", "mixed")
    entry = Entry(pool, tuple(Bot(each, each) for each in names), 1, "auto", field.copies > 1)
    stages = make_stages(FIRST_DECKS_OF_ALL, ROUNDS)
    parts: list[GameColumns] = []
    ended: dict[tuple[Goal, int], Ended] = {}
    false, played = dict.fromkeys(goals, False), 0
    for deals in stages:
        parts.append(_rounds(field, pool, names, skills, bonus, range(played, deals), rng))
        played = deals
        parts = [_joined(parts)]
        ratings = rate(parts[0], field.copies > 1)
        games = len(parts[0].deals)
        for goal, within in goals:
            if (goal, within) in ended:
                continue
            settle = Settle(0.95, ROUNDS, len(stages), FIRST_DECKS_OF_ALL, 2, goal, within)
            compared = compare_pairs(entry._replace(deals=deals, settle=settle), ratings)
            true = [worth[each.bot] - worth[each.other] for each in compared]
            false[goal, within] |= any(
                (each.verdict.answer == "better" and lead < 0)
                or (each.verdict.answer == "worse" and lead > 0)
                or (each.verdict.answer in ("equal", "not worse") and lead < -2 * BAND_MU)
                for each, lead in zip(compared, true, strict=True)
            )
            open_bots = find_unplaced(settle, compared)
            if not open_bots or deals == ROUNDS:
                if goal == "best" and not open_bots:
                    false[goal, within] |= bool(min(true) < -BAND_MU)
                ended[goal, within] = Ended(games, not open_bots, false[goal, within])
        if len(ended) == len(goals):
            break
    return ended


def _rounds(
    field: Field, pool: Pool, names: tuple[str, ...], skills: Array, bonus: Array,
    numbers: range, rng: np.random.Generator,
) -> GameColumns:  # fmt: skip
    """Play rounds, in each of which every bot sits at one table, but for those left over."""
    seats, count = field.seats, len(names) // field.seats
    order = rng.permuted(np.tile(np.arange(len(names)), (len(numbers), 1)), axis=1)
    tables = order[:, : count * seats].reshape(-1, seats)
    deck = np.repeat(np.arange(len(tables)), field.copies)
    seated = np.concatenate(
        [np.roll(tables, turn, axis=1)[:, None] for turn in range(field.copies)], axis=1
    ).reshape(-1, seats)
    performance = skills[seated] + LUCK * rng.standard_normal(seated.shape)
    if field.suits:
        suit = field.suits * rng.standard_normal((len(tables), len(names)))
        performance += suit[deck[:, None], seated]
    if field.bonus:
        for one, other in permutations(range(seats), 2):
            performance[:, one] += bonus[seated[:, one], seated[:, other]]
    if field.teams:
        performance = performance[:, :2] + performance[:, 2:]
    ranks = 1 + (performance[:, :, None] < performance[:, None]).sum(axis=2)
    if field.teams:
        ranks = np.hstack([ranks, ranks])
    deals = np.repeat(np.asarray(numbers), count * field.copies)
    return GameColumns(pool, names, seated, ranks, ranks, deals, Counter())


def _limit(skills: Array, bonus: Array) -> Array:
    """The mu that ratings of two at a table tend to, where bots do not differ by skill alone: there
    the likelihood of all pairs has no slope.
    """
    wins = NormalDist(0, sqrt(2) * LUCK)
    apart = ~np.eye(len(skills), dtype=bool)
    chance = np.vectorize(wins.cdf)(skills[:, None] - skills + 2 * bonus)
    mu = skills.copy()
    for _ in range(200):
        gap = mu[:, None] - mu
        likely, density = np.vectorize(wins.cdf)(gap), np.vectorize(wins.pdf)(gap)
        weight = apart * density / (likely * (1 - likely))
        slope = (weight * (chance - likely)).sum(axis=1)
        mu += slope / (2 * weight * density).sum(axis=1)
        if abs(slope).max() < 1e-9:
            break
    return np.asarray(mu)


def _joined(parts: Sequence[GameColumns]) -> GameColumns:
    bots, ranks, scores, deals = (
        np.concatenate([part[at] for part in parts]) for at in range(2, 6)
    )
    return GameColumns(*parts[0][:2], bots, ranks, scores, deals, Counter())


if __name__ == "__main__":
    main(sys.argv[1:])
