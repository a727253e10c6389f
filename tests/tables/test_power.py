"""What decks suffice for: against the network of games, and against leagues that are played."""

from itertools import combinations
from math import comb
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from trueskill import BETA

from arena.model import LEVEL, Bot, Entry, Pool, Settle
from arena.rating.comparisons import compare_bots
from arena.rating.rate import Ratings, rate_bots
from arena.schedule import stages
from arena.tables import power
from arena.tables.power import SPREAD_MU, UNEVEN, power_of
from tests import simulated
from tests.simulated import World

TWO = Pool("sixteen", 2, "{}", "")
MIXED = Pool("sixteen", 4, "{}", "mixed")


def pool(seats: int) -> Pool:
    return Pool("no_thanks", seats, "{}", "")


def entry(own: Pool, bots: int, deals: int, shared: bool = False, **more: Any) -> Entry:
    field = tuple(Bot(f"bot{number:02}", "") for number in range(bots))
    return Entry(own, field, deals, "auto", shared, **more)


def all_line_ups(of: Entry) -> int:
    always = len(of.always)
    return comb(len(of.bots) - always, of.pool.entrants - always)


@pytest.mark.parametrize("gauntlet", [False, True], ids=["all", "gauntlet"])
@pytest.mark.parametrize(("seats", "bots"), [(2, 2), (2, 7), (3, 6), (4, 9)])
def test_the_error_of_a_difference_is_that_of_the_whole_network(
    seats: int, bots: int, gauntlet: bool
) -> None:
    """Of the first two bots, by the pseudo-inverse of what all games tell."""
    own = entry(pool(seats), bots, 1, always=("bot00",) if gauntlet else ())
    told = np.zeros((bots, bots))
    for line_up in combinations(range(bots), seats):
        if not gauntlet or 0 in line_up:
            place = np.ix_(line_up, line_up)
            told[place] += power._information(own.pool) / BETA**2 * (np.eye(seats) - 1 / seats)
    covariance = np.linalg.pinv(told)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    games = comb(bots - 2, seats - 2) if gauntlet else comb(bots - 1, seats - 1)
    assert power._variance(own, games) == pytest.approx(UNEVEN * variance)


def test_what_a_finishing_order_tells_is_what_chance_says() -> None:
    """Of two it is 2 / pi by hand; of more, the spread of the expected normal order statistics
    (Harter, Biometrika 48 (1961) 151): .84628; 1.02938, .29701; 1.26721, .64176, .20155.
    """
    assert power._information(TWO) == pytest.approx(2 / np.pi, rel=1e-3)
    assert power._information(pool(3)) == pytest.approx(0.84628**2, rel=1e-3)
    assert power._information(pool(4)) == pytest.approx(2 * (1.02938**2 + 0.29701**2) / 3, rel=1e-3)
    six = 2 * (1.26721**2 + 0.64176**2 + 0.20155**2) / 5
    assert power._information(pool(6)) == pytest.approx(six, rel=1e-3)
    rng = np.random.default_rng(1)
    pulls = rng.permuted(np.tile([1, 1, -1, -1], (20_000, 1)), axis=1)  # of a team: +, + or -, -
    mean = (pulls[:, :, None] * pulls[:, None]).mean(axis=0) / (2 * np.pi)  # (2/pi) / 4 beta^2
    assert mean == pytest.approx(power._information(MIXED) * (np.eye(4) - 1 / 4), abs=0.005)


def test_four_times_the_decks_tell_half_the_difference_apart() -> None:
    few, many = (power_of(entry(TWO, 6, deals), 15) for deals in (50, 200))
    assert (few.decks, many.decks) == (500, 2000)
    assert few.apart_mu
    assert many.apart_mu
    assert few.apart_mu / many.apart_mu == pytest.approx(2, rel=0.01)
    assert few.neighbours_mu == many.neighbours_mu


def test_the_decks_that_are_needed_tell_neighbours_apart_and_one_less_does_not() -> None:
    for settle in (None, Settle(0.95, 400, len(stages.make_stages(2, 400)), 2)):
        found = power_of(entry(TWO, 8, 3, settle=settle), 28)
        deals = found.deals_needed
        if settle:
            settle = settle._replace(deals=deals, looks=len(stages.make_stages(2, deals)))
        enough = power_of(entry(TWO, 8, deals, settle=settle), 28)
        assert enough.apart_mu
        assert enough.apart_mu == pytest.approx(found.neighbours_mu, rel=0.05)
        assert not enough.too_few
        assert found.decks_needed <= enough.decks < found.decks_needed + 14


def test_looking_often_and_settling_tells_apart_no_sooner() -> None:
    number = len(stages.make_stages(10, 200))
    once = power_of(entry(TWO, 2, 200), 1)
    looks = power_of(entry(TWO, 2, 10, settle=Settle(0.95, 200, number, 10)), 1)
    assert looks.decks == once.decks
    assert once.apart_mu
    assert looks.apart_mu
    assert once.apart_mu < looks.apart_mu < 1.5 * once.apart_mu


def test_too_few_decks_tell_nobody_apart() -> None:
    found = power_of(entry(TWO, 2, 1, shared=True), 1)
    assert (found.decks, found.apart_mu, found.too_few) == (1, None, True)


def test_less_than_the_band_is_never_told_apart_nor_needed() -> None:
    found = power_of(entry(TWO, 200, 1000), 19_900)
    assert (found.apart_mu, found.neighbours_mu) == (0.5, 0.5)


WORLDS = {
    "two bots": (2, 2, 40, False),
    "four bots at tables of two": (2, 4, 20, False),
    "eight at tables of two, shared decks": (2, 8, 20, True),
    "six at tables of three": (3, 6, 2, False),
}


@pytest.mark.whole
@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_two_that_differ_by_so_much_are_told_apart_in_about_half_of_leagues(
    world: tuple[int, int, int, bool],
) -> None:
    """In a field of the usual spread, by the comparisons of the table. Of 60 leagues, so that three
    errors are .19.
    """
    seats, bots, deals, shared = world
    own = entry(pool(seats), bots, deals, shared)
    apart = power_of(own, all_line_ups(own)).apart_mu
    assert apart
    middle = [(place + 0.5) / max(bots - 2, 1) for place in range(bots - 2)]
    others = [25 + SPREAD_MU * NormalDist().inv_cdf(each) for each in middle]
    skills = (25 + apart / 2, 25 - apart / 2, *others)
    law, rng = World(skills, seats, deals, shared, step=0.01), np.random.default_rng(29)
    told = 0
    for _ in range(60):
        told += told_apart(
            rate_bots([bot.name for bot in own.bots], simulated.merge_league(law, rng))
        )
    assert 0.3 < told / 60 < 0.7


def told_apart(ratings: Ratings) -> bool:
    """Return whether the first bot is surely ahead of the second, all pairs taken together."""
    order = np.argsort(-ratings.mu, kind="stable")
    said = compare_bots(
        ratings.mu[order].tolist(),
        ratings.covariance[np.ix_(order, order)],
        ratings.errors[np.ix_(order, order)],
        ratings.freedom[order],
    )
    assert said.levels is not None
    better, worse = np.argsort(order)[:2]
    return bool(said.levels[better, worse] >= LEVEL)
