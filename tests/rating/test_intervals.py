"""Intervals: what they promise is kept in leagues of bots whose skill is known."""

from typing import NamedTuple

import numpy as np
import pytest

from arena.rating import p_values
from arena.rating.comparisons import LEVEL
from arena.rating.fit import PRIOR, fit_sites
from arena.rating.intervals import (
    bootstrap_covariance,
    find_shrinkage,
    respond_to_pulls,
    sandwich_covariance,
)
from arena.rating.rate import rate_bots
from arena.rating.strata import divide
from tests.simulated import World, limit, ranges, rated

SIX = (29.0, 27.0, 25.5, 24.5, 23.0, 21.0)
NAMES = tuple(f"bot{number}" for number in range(6))

WORLDS = {
    "luck of the hand, shared decks": World(SIX, hands=4),
    "decks that suit bots, shared": World(SIX, hands=2, suits=4),
    "decks that suit bots, one each": World(SIX, deals=1, shared=False, hands=2, suits=3),
    "2 seats, 10 decks a bot": World(SIX, seats=2, suits=4),
    "4 seats, 24 games a deck": World(SIX, seats=4, suits=4),
    "equal bots": World((25.0,) * 6, suits=4),
    "a bot that learns": World(SIX, learns=6),
}
LEARNS_BY_LUCK = World(SIX, talent=3)


class Coverage(NamedTuple):
    """How often what is said was right."""

    intervals: float  # of single ratings
    first: float  # of that of the first bot
    sigma: float  # of mu within 1.96 sigma of TrueSkill's own
    places: float  # of all bots' places at once; of equal bots: of leagues that tell none apart


def coverage(world: World, leagues: int, seed: int) -> Coverage:
    rng = np.random.default_rng(seed)
    truth = limit(world, rng, 1000)
    equal = len({*world.skills}) == 1
    right, by_sigma, places = [], [], 0
    for _ in range(leagues):
        rates = rate_bots(NAMES, rated(world, rng))
        off = np.abs(rates.mu - truth)
        reach = [p_values.t_two_sided(LEVEL, int(freedom)) for freedom in rates.freedom]
        right.append(off <= reach * np.sqrt(np.diag(rates.spread)))
        by_sigma.append(off <= 1.96 * rates.sigma)
        place = {int(bot): at for at, bot in enumerate(np.argsort(-truth), 1)}
        own = [each or (1, 6) for each in ranges(rates)]
        if equal:
            places += all(each == (1, 6) for each in own)
        else:
            places += all(first <= place[bot] <= last for bot, (first, last) in enumerate(own))
    return Coverage(
        float(np.mean(right)),
        float(np.mean(right, axis=0)[0]),
        float(np.mean(by_sigma)),
        places / leagues,
    )


@pytest.mark.long
@pytest.mark.parametrize("name", WORLDS)
def test_95_of_100_intervals_hold_the_truth(name: str) -> None:
    seed = 1
    covered = coverage(WORLDS[name], 400, seed)
    print(f"{name}: {covered}")
    assert 0.92 < covered.intervals < 0.98, f"seed {seed}: {covered}"
    assert covered.places > 0.92, f"seed {seed}: {covered}"


@pytest.mark.long
def test_a_bot_that_learns_by_luck_has_too_short_an_interval() -> None:
    # How much it learns is drawn once a league: no other deck shows that luck, so nothing can.
    seed = 1
    covered = coverage(LEARNS_BY_LUCK, 400, seed)
    print(f"learns by luck: {covered}")
    assert 0.6 < covered.first < 0.9, f"seed {seed}: {covered}"


@pytest.mark.whole
@pytest.mark.parametrize("name", ["decks that suit bots, shared", "2 seats, 10 decks a bot"])
def test_most_intervals_hold_the_truth(name: str) -> None:
    seed = 2
    covered = coverage(WORLDS[name], 15, seed)
    assert covered.intervals > 0.86, f"seed {seed}: {covered}"  # 90 intervals, four standard errors
    assert covered.places >= 13 / 15, f"seed {seed}: {covered}"


@pytest.mark.whole
def test_equal_bots_are_seldom_told_apart() -> None:
    seed = 3
    covered = coverage(WORLDS["equal bots"], 20, seed)
    assert covered.places >= 15 / 20, f"seed {seed}: {covered}"  # 99.9 % bound of 5 %


@pytest.mark.long
def test_equal_bots_are_told_apart_in_5_of_100_leagues() -> None:
    seed = 4
    covered = coverage(WORLDS["equal bots"], 200, seed)
    assert covered.places >= 1 - 17 / 200, f"seed {seed}: {covered}"  # 99.9 % bound of 5 %


@pytest.mark.whole
@pytest.mark.parametrize("suits", [0.0, 4.0])
def test_the_bootstrap_says_the_same(suits: float) -> None:
    seed = 5
    games = rated(World(SIX, seats=2, deals=6, suits=suits), np.random.default_rng(seed))
    fitted, of = fit_sites(games.sites, 6), divide(games, 6)
    errors, again = (
        np.sqrt(np.diag(covariance))
        for covariance in (
            sandwich_covariance(games, fitted, respond_to_pulls(games.sites, fitted, 6), of),
            bootstrap_covariance(games, fitted, of, 100),
        )
    )
    assert np.allclose(errors, again, rtol=0.3), f"seed {seed}: {errors}, {again}"
    assert errors.mean() == pytest.approx(again.mean(), rel=0.12), f"seed {seed}"


def test_the_bootstrap_draws_the_same_every_time() -> None:
    games = rated(World(SIX, seats=2), np.random.default_rng(6))
    fitted, of = fit_sites(games.sites, 6), divide(games, 6)
    one, other = (bootstrap_covariance(games, fitted, of, 5) for _ in range(2))
    assert np.array_equal(one, other)


def test_decks_that_suit_bots_widen_the_intervals_and_not_sigma() -> None:
    seed = 7
    same, suited = (
        rate_bots(NAMES, rated(World(SIX, suits=suits), np.random.default_rng(seed)))
        for suits in (0.0, 8.0)
    )
    assert np.diag(suited.covariance).mean() > 2 * np.diag(same.covariance).mean()
    assert suited.sigma.mean() < 1.2 * same.sigma.mean()


def test_the_pool_s_mean_does_not_vary() -> None:
    rates = rate_bots(NAMES, rated(World(SIX), np.random.default_rng(8)))
    assert np.allclose(rates.covariance.sum(axis=0), 0, atol=1e-9)
    assert np.linalg.eigvalsh(rates.covariance).min() > -1e-9


def test_the_prior_s_shrinkage_is_what_less_of_it_gives_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seed, less = 10, 0.01
    games = rated(World(SIX, seats=2), np.random.default_rng(seed))
    fitted = fit_sites(games.sites, 6)
    held = find_shrinkage(fitted, respond_to_pulls(games.sites, fitted, 6))
    with monkeypatch.context() as patched:
        patched.setattr("arena.rating.fit.PRIOR", (1 - less) * PRIOR)
        given_back = (fit_sites(games.sites, 6).mu - fitted.mu) / less
    assert np.abs(held).max() > 0.02
    assert np.allclose(held, given_back, rtol=0.05, atol=0.002), f"seed {seed}"
