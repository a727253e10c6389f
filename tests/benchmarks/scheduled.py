"""Leagues as a tournament plays them, of bots of known skill: the line-ups that the schedule
draws, in its seatings, up to the looks that are planned.

What is not complete can so be held to account: samples of line-ups, decks that rarely tell. The
truth is what ratings of all line-ups tend to with ever more deals.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.model import Bot, Entry, Goal, Limits, Mirrored, Pool, Wanted
from arena.rating.gaussian import Array, normal_cdf
from arena.rating.outcomes import (
    GameColumns,
    Ints,
    count_differing,
    merge_games,
    number_rows,
    select_counted,
)
from arena.rating.p_values import BAND_MU
from arena.rating.rate import Ratings, rate_bots
from arena.schedule.choices import make_choices
from arena.schedule.line_ups import weigh_line_ups
from arena.schedule.order import Schedule, make_identity
from arena.schedule.seatings import count_decks_of_deal, count_seatings
from arena.sequential.goals import find_unplaced
from arena.sequential.looks import compare_pairs
from arena.sequential.stages import limit_to_look, list_looks, plan_stages
from tests.simulated import LUCK, joined

SPREAD = 4.0  # sd of skills
ALL_GAMES = 100_000  # that the truth is taken from, where it has no formula

Aim = tuple[Goal, int]  # a goal, and within how many places
NEIGHBOURS: Aim = ("all", 0)
BEST: Aim = ("best", 0)


class Kind(NamedTuple):
    """Leagues of a kind: what a config has them play, and by what laws."""

    bots: int = 20
    seats: int = 2
    teams: bool = False  # two of two, in every line-up others
    games: int | None = None  # at most; None: all line-ups are played
    deals: int = 1  # of a line-up, at most
    shared: bool = False  # all seatings of a line-up play each deck
    match: bool = False  # of the first two bots; those beyond are a field, and the two never meet
    aim: Aim | None = None  # none: played straight through

    skills: tuple[float, ...] = ()  # none: drawn anew for each league
    inter: float = 0.0  # sd of what a bot gains or loses beside each other one
    suits: float = 0.0  # sd of what a deck gives a bot
    telling: float | None = None  # share of decks that the first bot wins; the others end level
    ties: float | None = None  # share of games; the first bot wins its others
    wins: float | None = None  # share of decks that both bots of a match win against a field
    errs: float = 0.0  # share of these that the second one loses

    @property
    def pool(self) -> Pool:
        return Pool("sixteen" if self.teams or self.seats == 2 else "no_thanks",
                    self.seats, "{}", "mixed" if self.teams else "")  # fmt: skip


class League(NamedTuple):
    """The bots of a league."""

    names: tuple[str, ...]
    skills: Array
    gains: Array  # (bots, bots): of the row's bot beside the column's


def draw_league(kind: Kind, rng: np.random.Generator) -> League:
    skills = np.array(kind.skills or 25 + SPREAD * rng.standard_normal(kind.bots))
    gains = np.triu(kind.inter * rng.standard_normal((kind.bots, kind.bots)), 1)
    names = tuple(f"bot{number:03}" for number in range(kind.bots))
    return League(names, skills, gains - gains.T)


# What a tournament plays


def ask(kind: Kind) -> Wanted:
    """What a config asks for: `max_games` buys line-ups at one deal until all are drawn."""
    bots = tuple(Bot(name := f"bot{number:03}", name) for number in range(kind.bots))
    entry = Entry(kind.pool, bots, kind.deals, "auto", kind.shared)
    if kind.match:
        two, field = (bots[0].name, bots[1].name), kind.bots > 2
        entry = entry._replace(seatings=2, shared_decks=Mirrored(two, field), fixed_bots=two)
        return Wanted(entry, 2 * (kind.bots - 2) if field else None)
    if kind.games is None:
        return Wanted(entry, None)
    buys = kind.games // count_seatings(kind.pool, "auto")
    line_ups = min(buys, comb(kind.bots, kind.pool.entrants))
    return Wanted(entry._replace(deals=min(kind.deals, buys // line_ups)), line_ups)


@lru_cache(1)
def enter(kind: Kind) -> Entry:
    """The entry that is planned."""
    wanted = ask(kind)
    if kind.aim:
        decks = count_decks_of_deal(wanted.entry, wanted.line_ups)
        entry = plan_stages(wanted.entry, decks, 0.95, wanted.line_ups, *kind.aim)
        wanted = wanted._replace(entry=entry)
    (entry,), _ = make_choices([wanted], {})
    return entry


def play(
    kind: Kind, league: League, entry: Entry, since: int, rng: np.random.Generator
) -> GameColumns:
    """Play an entry's games, but for those `since` which it goes on."""
    schedule = Schedule(entry, make_identity(entry, Limits()))
    fixtures = [schedule[number] for number in range(since, len(schedule))]
    seated = np.array([[league.names.index(name) for name in game.names] for game in fixtures])
    seated = seated.reshape(-1, kind.seats)
    deck = np.arange(len(seated))
    if entry.shared_decks:
        deck //= count_seatings(entry.pool, entry.seatings)
    deals = np.array([game.deal for game in fixtures], dtype=np.int64)
    if kind.wins is not None:  # the two count as one bot
        deck, _ = number_rows(np.hstack([deals[:, None], np.maximum(seated, 1)]))
    return outcomes(kind, league, seated, deck, deals, rng)


def outcomes(
    kind: Kind, league: League, seated: Ints, deck: Ints, deals: Ints, rng: np.random.Generator
) -> GameColumns:
    """Draw how games end, by who sits where (games, seats) and on which deck (games,)."""
    seats, decks, leads = kind.seats, int(deck.max(initial=-1)) + 1, seated == 0
    if kind.telling is not None:
        tells = (rng.random(decks) < kind.telling)[deck]
        performance = rng.random((decks, seats))[deck] + (leads & tells[:, None])
    elif kind.ties is not None:
        tied = rng.random(len(seated)) < kind.ties
        performance = np.where(tied[:, None], 0.0, rng.random(seated.shape) + leads)
    elif kind.wins is not None:
        won, errs = (rng.random((decks, 2)) < (kind.wins, kind.errs)).T[:, deck, None]
        performance = np.where(seated > 1, 0.5, won & ~(errs & (seated == 1)))
    else:
        performance = league.skills[seated] + LUCK * rng.standard_normal(seated.shape)
    if kind.suits:
        suit = kind.suits * rng.standard_normal((decks, len(league.names)))
        performance += suit[deck[:, None], seated]
    if kind.inter:
        for one, other in permutations(range(seats), 2):
            performance[:, one] += league.gains[seated[:, one], seated[:, other]]
    if kind.teams:
        performance = np.tile(performance[:, :2] + performance[:, 2:], 2)
    ranks = 1 + (performance[:, :, None] < performance[:, None, : 2 if kind.teams else seats]).sum(
        axis=2
    )
    return GameColumns(kind.pool, league.names, seated, ranks, ranks, deals, Counter())


def rate(entry: Entry, columns: GameColumns) -> tuple[Ratings, int | None]:
    """Rate an entry's bots; with it, in a match, the decks that differ."""
    counted = select_counted(columns)
    merged = merge_games(columns, counted, entry.shared_decks, weigh_line_ups(entry))
    differing = count_differing(counted, merged, 0, 1) if entry.fixed_bots else None
    return rate_bots(columns.names, merged), differing


# The truth


def find_truth(kind: Kind, league: League, rng: np.random.Generator) -> Array:
    """The mu, by bot, that ratings of all line-ups tend to.

    Two that meet only a field of equals are each as far ahead of it as the model asks for its share
    of wins, for nothing else bears on it: without draws, by sqrt(2) LUCK times the normal quantile.
    """
    if kind.wins is not None:
        shares = (kind.wins, kind.wins * (1 - kind.errs), *(0.5,) * (kind.bots - 2))
        return np.array([NormalDist(25, 2**0.5 * LUCK).inv_cdf(share) for share in shares])
    if kind.teams or kind.ties is not None or kind.seats > 2:
        if not (kind.inter or kind.suits or kind.ties):
            return league.skills  # by the model's own laws
        line_ups = [*combinations(range(len(league.names)), kind.seats)]
        orders = np.array([order for each in line_ups for order in permutations(each)])
        seated = np.tile(orders, (-(-ALL_GAMES // len(orders)), 1))
        numbers = np.arange(len(seated))
        columns = outcomes(kind, league, seated, numbers, numbers, rng)
        counted = select_counted(columns)
        return rate_bots(league.names, merge_games(columns, counted, False)).mu
    first = np.zeros(len(league.names))
    first[0] = 1
    if kind.telling is not None:
        return _limit(0.5 + kind.telling / 2 * (first[:, None] - first))
    gap = (league.skills[:, None] - league.skills + 2 * league.gains) / 2**0.5
    return _limit(normal_cdf(gap / (LUCK**2 + kind.suits**2) ** 0.5))


def _limit(chance: Array) -> Array:
    """The mu at which the likelihood of all pairs has no slope; `chance` is the row's bot's."""
    mu, apart = np.full(len(chance), 25.0), ~np.eye(len(chance), dtype=bool)
    for _ in range(500):
        gap = (mu[:, None] - mu) / (2**0.5 * LUCK)
        likely = np.clip(normal_cdf(gap), 1e-12, 1 - 1e-12)
        density = np.exp(-(gap**2) / 2) / (2 * np.pi) ** 0.5 / (2**0.5 * LUCK)
        weight = apart * density / (likely * (1 - likely))
        slope = (weight * (chance - likely)).sum(axis=1)
        mu += slope / (2 * weight * density).sum(axis=1)
        if abs(slope).max() < 1e-6:
            break
    return mu


class Ended(NamedTuple):
    """How a league ended."""

    games: int
    reached: bool
    false: bool  # whether any look made a false claim
    equal: bool  # whether any look called two bots equal that are more than the band apart
    wrong_best: bool  # by more than the band


def settle(kind: Kind, rng: np.random.Generator) -> Ended:
    """Play a league from look to look, until its aim is reached or all is played."""
    league, entry = draw_league(kind, rng), enter(kind)
    worth = dict(zip(league.names, find_truth(kind, league, rng).tolist(), strict=True))
    parts: list[GameColumns] = []
    false = equal = wrong = reached = False
    for look in range(len(list_looks(entry))):
        at = limit_to_look(entry, look)
        assert at.test
        parts.append(play(kind, league, at, sum(len(part.deals) for part in parts), rng))
        compared = compare_pairs(at, *rate(at, joined(parts)))
        leads = [worth[each.bot] - worth[each.other] for each in compared]
        said = [*zip([each.verdict.answer for each in compared], leads, strict=True)]
        equal |= any(answer == "equal" and abs(lead) > BAND_MU for answer, lead in said)
        false |= equal or any(
            (answer == "better" and lead < 0)
            or (answer == "worse" and lead > 0)
            or (answer == "not worse" and lead < -BAND_MU)
            for answer, lead in said
        )
        if reached := not find_unplaced(at.test, compared):
            wrong = kind.aim == BEST and min(leads) < -BAND_MU
            break
    games = sum(len(part.deals) for part in parts)
    return Ended(games, reached, false or wrong, equal, wrong)
