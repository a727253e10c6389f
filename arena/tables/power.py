"""What a plan's decks suffice for: how far apart bots must be for tables to tell them apart.

Known before the first game. In TrueSkill's model a game among equals tells a fixed amount about the
difference of two of its bots (Fisher's information of the order of normal performances: Thurstone,
Psychological Review 34 (1927) 273), and over all games of a pool these amounts add up as the
conductances of a network do. What no plan knows is taken as usual: `SPREAD_MU`, `UNEVEN`, and that
decks suit no bot. In six kinds of simulated leagues, 200 of each, bots that differ by what is said
here were told apart in 46 to 59 of 100; with 24 decks a bot, where the prior weighs, in 31
(tests/tables/test_power.py holds four kinds). Pure.
"""

from bisect import bisect_left
from functools import lru_cache
from math import comb, expm1, inf, isfinite, log1p, pi, sqrt
from statistics import NormalDist
from typing import Annotated

from msgspec import Struct

from arena.model import LEAST_DECKS, LEVEL, Entry, Pool
from arena.rating import BAND_MU, BETA, Evidence, judge_pair, t_critical
from arena.schedule import count_decks_of_deal, count_seatings, take_all_deals
from arena.tables.goals import count_pairs
from arena.tables.settling import find_design
from arena.typed_json import means

SPREAD_MU = 4.0
"""The standard deviation of a field's skills; of the house bots 3.4 in 17, 6.0 in No Thanks!, 7.7
in Sixteen (results/sample)."""

UNEVEN = 1.1
"""Variance of a difference, as a multiple of that among equals: uneven games tell less. Simulated
fields of such a spread have 1.18 at tables of two, 1.10 of three, 1.04 of four (eight, six and five
bots); of the house bots 17 has 0.9, No Thanks! 1.4, Sixteen 1.7."""

MOST_DECKS = 10**9  # that are ever said to be needed


class Power(Struct, frozen=True):
    """Which bots the tables of a pool will tell apart."""

    decks: Annotated[int, means("Decks that each bot plays; in a gauntlet, each but its own.")]
    apart_mu: Annotated[
        float | None,
        means(
            "Two bots that differ by so much are told apart in half of such leagues; null: too few "
            "decks for any two."
        ),
    ]
    neighbours_mu: Annotated[
        float, means("The usual difference of neighbours in a field of this size.")
    ]
    decks_needed: Annotated[
        int, means("Decks needed to tell such neighbours apart in half of such leagues.")
    ]
    deals_needed: Annotated[int, means("The `deals` that come to so many decks.")]

    @property
    def too_few(self) -> bool:
        """Whether the plan is too short to tell neighbours apart."""
        return self.decks < self.decks_needed


def power_of(entry: Entry, line_ups: int) -> Power:
    """Estimate how far apart an entry with so many line-ups can tell bots once all its deals are
    played.
    """
    entry, bots = take_all_deals(entry), len(entry.bots)
    a_deal = count_decks_of_deal(entry, line_ups)
    decks = entry.deals * a_deal
    ways = count_seatings(entry.pool, entry.seatings) if entry.duplicate else 1
    of_deck = _variance(entry, ways)

    def told_apart(decks: int) -> float:
        return max(_reach(entry, decks, sqrt(of_deck / decks)), BAND_MU)

    usual = max(2 * _mean(bots - 1, bots) * SPREAD_MU / (bots - 1), BAND_MU)
    needed = LEAST_DECKS + bisect_left(
        range(LEAST_DECKS, MOST_DECKS), -usual, key=lambda decks: -told_apart(decks)
    )
    apart = told_apart(decks)
    return Power(decks, apart if isfinite(apart) else None, usual, needed, -(-needed // a_deal))


def _reach(entry: Entry, decks: int, se: float) -> float:
    """The difference of mu that is told apart if the estimate comes to it, with a standard error of
    `se` from so many decks; infinite on too few.
    """
    if decks < LEAST_DECKS:
        return inf
    if entry.settle:
        design = find_design(entry)
        return judge_pair(
            design, len(design.stages) - 1, Evidence(0.0, se, decks, decks - 1), count_pairs(entry)
        ).high
    error = -expm1(log1p(LEVEL - 1) / comb(len(entry.bots), 2))  # Sidak's
    return t_critical(error, decks - 1) * se


def _variance(entry: Entry, games: int) -> float:
    """The variance of the difference of two bots' mu (in a gauntlet, of its bot and another) where
    each plays so many games with opponents as level as the schedule has them.
    """
    entrants, others = entry.pool.entrants, len(entry.bots) - 1
    if entry.always:
        met = float(games)  # of one bot, with the gauntlet's; and with each of the others
        between = games * (entrants - 2) / max(others - 1, 1)
    else:
        met = between = games * (entrants - 1) / others
    network = 1 / (others * met) + (1 - 1 / others) / (met + others * between)
    return UNEVEN * network * float(BETA) ** 2 * entrants / _information(entry.pool)


def _information(pool: Pool) -> float:
    """How much of all there is to know of performances a finishing order of equals tells: a share
    below 1.
    """
    k = pool.entrants
    if pool.partners == "mixed":
        return 2 / (3 * pi)  # two teams of two, in all ways to pair them
    return sum(_mean(place, k) ** 2 for place in range(k)) / (k - 1)


@lru_cache
def _mean(place: int, of: int) -> float:
    """The mean of a place, 0 the lowest, in the order of so many standard normal numbers."""
    normal, steps = NormalDist(), 4000
    return of * comb(of - 1, place) / steps * sum(
        normal.inv_cdf(u) * u**place * (1 - u) ** (of - 1 - place)
        for u in ((step + 0.5) / steps for step in range(steps))
    )  # fmt: skip
