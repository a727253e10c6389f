"""Chances: of being better than the next, first, and among the first few."""

from math import erf, nan

import numpy as np
import pytest

from arena.rating.gaussian import Array
from arena.rating.posterior import SPREAD, Chances, estimate_chances


def apart(mu: list[float], error: float, freedom: int = 10**6) -> Chances:
    """Of bots whose ratings vary apart from each other, but for their mean, which does not."""
    bots = len(mu)
    covariance = error**2 * (np.eye(bots) - 1 / max(bots, 1))
    return estimate_chances(mu, covariance, np.full(bots, freedom), np.zeros(bots))


def next_of(chances: Chances, bot: int = 0) -> float:
    return chances.next[bot] or nan


def by_hand(mu: list[float], error: float) -> Array:
    """The chance of the row's bot to be better, by summing over spreads: with errors of one size
    every estimate is drawn in alike.
    """
    off = np.array(mu) - np.mean(mu)
    quantiles = (np.arange(2000) + 0.5) / 2000
    total = error**2 * (1 + (SPREAD * np.tan(np.pi / 2 * quantiles)) ** 2)
    logs = -(len(mu) - 1) / 2 * np.log(total) - (off**2).sum() / 2 / total
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    factors = np.sqrt(1 - error**2 / total) / (2 * error)  # of a gap, over the root of two

    def better(gap: float) -> float:
        chances = [(1 + erf(gap * factor)) / 2 for factor in factors.tolist()]
        return float((weights * chances).sum())

    return np.array([[better(a - b) for b in off] for a in off])


@pytest.mark.parametrize("error", [0.2, 1.0, 3.0])
def test_better_is_the_mean_over_all_spreads_the_field_may_have(error: float) -> None:
    mu = [27.0, 25.5, 25.0, 24.5, 23.0]
    found = apart(mu, error)
    assert found.better is not None
    off = np.abs(np.nan_to_num(found.better, nan=0.5) - by_hand(mu, error)).max()
    assert off < 0.001  # both sum over a grid
    assert found.next[:4] == [found.better[bot, bot + 1] for bot in range(4)]
    assert found.next[4] is None


def test_fewer_degrees_of_freedom_make_less_sure() -> None:
    many, few = (next_of(apart([28.0, 25, 22], 1.0, freedom)) for freedom in (10**6, 7))
    assert few < many - 0.003


def test_what_the_prior_has_put_between_bots_makes_none_likelier_to_be_better() -> None:
    # As in test_comparisons: alike in all but the prior's shrinkage.
    two = np.array([[0.0868, 0.0873], [0.0873, 0.0877]])
    move = np.array([[-1.0, -1], [1, 0], [0, 1]])
    mu, shrinkage = [30.01604, 22.49844, 22.48552], np.array([0.03515, -0.02406, -0.01109])
    held, given = (
        next_of(estimate_chances(mu, move @ two @ move.T, np.array([59, 59, 119]), by), 1)
        for by in (np.zeros(3), shrinkage)
    )
    assert held > 0.9
    assert given == pytest.approx(0.5, abs=0.05)


def test_places_add_up() -> None:
    mu = [27.0, 25.5, 25.0, 24.5, 23.0]
    found = apart(mu, 1.0)
    top = np.array([each for each in found.top if each])
    assert top.shape == (5, 5)
    assert top.sum(axis=0) == pytest.approx([1, 2, 3, 4, 5])  # so many are among the first k
    assert (np.diff(top, axis=1) >= 0).all()
    assert (np.diff(top[:, 0]) < 0).all()  # the best are the likeliest to be first


def test_who_played_too_little_has_no_chances_and_the_others_have_theirs() -> None:
    freedom = np.array([100, 0, 100, 100])
    found = estimate_chances([28.0, 25, 24, 23], np.eye(4), freedom, np.zeros(4))
    assert found.next[:2] == [None, None]
    assert found.next[2] is not None
    assert [None if each is None else len(each) for each in found.top] == [3, None, 3, 3]
    assert found.better is not None
    assert np.isnan(found.better[1]).all()
    assert np.isnan(np.diag(found.better)).all()
    assert found.better[0, 3] + found.better[3, 0] == 1


def test_alone_one_is_first() -> None:
    for bots in (0, 1):
        found = apart([25.0] * bots, 0.0)
        assert (found.next, found.top) == ([None] * bots, [(1.0,)] * bots)


def test_without_error_who_is_ahead_is_better_and_equals_share() -> None:
    found = apart([26.0, 25, 25], 0.0)
    assert (found.next, found.top) == ([1, 0.5, None], [(1, 1, 1), (0, 0.5, 1), (0, 0.5, 1)])


def test_of_many_bots_ten_places_are_counted_and_of_very_many_there_is_no_matrix() -> None:
    found = apart([25 + bot / 100 for bot in range(101, 0, -1)], 1.0)
    assert found.better is None
    assert {len(each or ()) for each in found.top} == {10}
    assert None not in found.next[:-1]


@pytest.mark.parametrize("errors", [[0.7] * 6, [0.7, 0.7, 0.7, 0.2, 0.2, 0.2], [0.0] * 6])
def test_rounding_in_the_covariance_moves_no_chance(errors: list[float], seed: int) -> None:
    """Equal errors have no axes of their own, and rounding turns those that are found."""
    rng, mu, freedom = np.random.default_rng(seed), [27.0, 26, 26, 25, 24, 22], np.full(6, 40)
    covariance = np.diag(np.array(errors) ** 2)
    kept = estimate_chances(mu, covariance, freedom, np.zeros(6))
    assert kept.better is not None
    for _ in range(5):
        noise = 1e-13 * rng.uniform(-1, 1, (6, 6))
        found = estimate_chances(mu, covariance + noise + noise.T, freedom, np.zeros(6))
        assert found.better is not None
        assert found.top == kept.top
        assert np.nanmax(np.abs(found.better - kept.better)) < 1e-7


@pytest.mark.parametrize("copies", [2, 3, 8])
def test_copies_share_their_places_to_the_last_digit(copies: int) -> None:
    """Eighths and fortieths lie half way between two published numbers."""
    move = np.array([1.0] + [-1 / copies] * copies)
    mu, freedom = [30.0] + [24.0 + at * 1e-14 for at in range(copies)], np.full(copies + 1, 100)
    found = estimate_chances(mu, move[:, None] * move, freedom, np.zeros(copies + 1))
    tops = [np.array(top) for top in found.top if top]
    rest = (np.arange(1, copies + 2) - tops[0]) / copies
    for top in tops[1:]:
        assert (top == tops[1]).all()
        assert top == pytest.approx(rest, abs=1e-15)


def test_bots_that_win_or_lose_nearly_all_are_at_the_ends_of_the_field() -> None:
    """Of 40 games each in a league of 17 for two, as rated: whom the prior holds most has the least
    error by its results, and was said to be first in 33 of 100.
    """
    mu = [43.5, 33.6, 33.2, 29.4, 26.6, 26.5, 26.0, 23.7, 16.4, 11.5, 4.7]
    errors = np.array([0.5, 1.4, 1.8, 1.1, 1.5, 1.5, 1.4, 1.6, 0.35, 0.36, 0.3])
    held = np.array([4.4, 1.6, 1.4, 1.0, 0.8, 0.8, 0.7, 0.4, -1.5, -3.3, -6.2])
    found = estimate_chances(mu, np.diag(errors**2), np.full(11, 20), held)
    firsts = [top[0] for top in found.top if top]
    assert firsts[0] > 0.95
    assert max(firsts[5:]) < 0.001
    assert all(each is not None and each > 0.9 for each in found.next[-4:-1])
