"""The update in arrays: TrueSkill's own numbers, for every shape of a game."""

from math import erfc, isfinite, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill import BETA, TrueSkill, calc_draw_margin

from arena.rating import gaussian
from arena.rating.update import Normal, new_chain, update_beliefs

TINY = 1e-300  # so small a `min_delta` lets the package make all its ten sweeps


def environment(draw_probability: float) -> Any:
    """The package, tau 0, with a normal distribution of full precision: its own has 7 digits."""
    exact = NormalDist()
    backend = (lambda x: 0.5 * erfc(-x / sqrt(2)), exact.pdf, exact.inv_cdf)
    return TrueSkill(tau=0, draw_probability=draw_probability, backend=backend)


def updated(
    sides: list[list[tuple[float, float]]], ranks: list[int], margin: float
) -> list[list[tuple[float, float]]]:
    """Mu and sigma after one game, by side and member, of those before."""
    order = sorted(range(len(sides)), key=ranks.__getitem__)
    mu, sigma = np.array([sides[side] for side in order]).transpose(2, 0, 1)[..., None]
    ties = np.diff([[ranks[side]] for side in order], axis=0) == 0
    cavity = Normal(sigma**-2, mu * sigma**-2)
    after = cavity * update_beliefs(cavity, ties, margin, BETA, new_chain(len(sides), 1))
    mu, sigma = after.mu, after.sigma
    out = list(sides)
    for place, side in enumerate(order):
        out[side] = list(zip(mu[place, :, 0].tolist(), sigma[place, :, 0].tolist(), strict=True))
    return out


@pytest.mark.parametrize(
    ("sides", "members"), [*((sides, 1) for sides in range(2, 8)), (2, 2), (3, 2)]
)
@settings(max_examples=50)
@given(st.data())
def test_the_update_is_that_of_the_package(sides: int, members: int, data: st.DataObject) -> None:
    probability = data.draw(st.sampled_from((0.001, 0.1, 0.5, 0.9)))
    rating = st.tuples(st.floats(0, 50), st.floats(0.3, 8.4))
    side = st.lists(rating, min_size=members, max_size=members)
    before = data.draw(st.lists(side, min_size=sides, max_size=sides))
    ties = st.lists(st.integers(0, sides - 1), min_size=sides, max_size=sides)
    ranks = list(data.draw(st.permutations(range(sides)) | ties))
    env = environment(probability)
    margin = calc_draw_margin(probability, 2 * members, env)
    groups = [[env.create_rating(*each) for each in one] for one in before]
    theirs = env.rate(groups, ranks=ranks, min_delta=TINY)
    for own, ours in zip(theirs, updated(before, ranks, margin), strict=True):
        for wanted, (mu, sigma) in zip(own, ours, strict=True):
            assert abs(wanted.mu - mu) < 1e-9
            assert abs(wanted.sigma - sigma) < 1e-9


def test_a_first_duel_goes_as_trueskill_says() -> None:
    margin = calc_draw_margin(0.10, 2, environment(0.10))
    [[won], [lost]] = updated([[(25, 25 / 3)], [(25, 25 / 3)]], [1, 2], margin)
    # The package's documentation: 29.396 and 20.604, sigma 7.171; it adds a tau of 0.083.
    assert won == pytest.approx((29.396, 7.171), abs=0.002)
    assert lost == pytest.approx((20.604, 7.171), abs=0.002)


@pytest.mark.parametrize("ranks", [[1, 2], [2, 1], [1, 1], [1, 2, 3], [3, 1, 2], [1, 1, 1]])
def test_no_difference_is_too_large_to_rate(ranks: list[int]) -> None:
    far = [[(mu, 0.3)] for mu in (600.0, 25.0, -600.0)[: len(ranks)]]
    for [(mu, sigma)] in updated(far, ranks, 0.7):
        assert isfinite(mu)
        assert 0 < sigma <= 0.3 + 1e-9


def test_many_games_at_once_are_the_same_games() -> None:
    seed = 8
    rng = np.random.default_rng(seed)
    mu, sigma = rng.uniform(0, 50, (4, 1, 30)), rng.uniform(0.3, 8.4, (4, 1, 30))
    ties = rng.random((3, 30)) < 0.3
    cavity = Normal(sigma**-2, mu * sigma**-2)
    together = update_beliefs(cavity, ties, 0.7, BETA, new_chain(4, 30))
    for game in range(30):
        own = slice(game, game + 1)
        alone = update_beliefs(cavity[:, :, own], ties[:, own], 0.7, BETA, new_chain(4, 1))
        for part in ("precision", "shift"):
            one, other = getattr(together[:, :, own], part), getattr(alone, part)
            assert np.allclose(one, other, rtol=1e-12), f"seed {seed}, game {game}"


def test_a_chain_goes_on_where_it_stopped() -> None:
    mu = np.array([30.0, 20.0, 25.0, 28.0]).reshape(4, 1, 1)
    cavity = Normal(np.full_like(mu, 0.5), 0.5 * mu)
    ties = np.array([[False], [True], [False]])
    chain = new_chain(4, 1)
    for _ in range(10):
        told = update_beliefs(cavity, ties, 0.7, BETA, chain, sweeps=1)
    again = update_beliefs(cavity, ties, 0.7, BETA, new_chain(4, 1), sweeps=10)
    assert np.array_equal(told.shift, again.shift)


def test_the_error_function_is_scipy_s() -> None:
    x = np.concatenate([np.linspace(-26, 30, 20_001), [100.0, 1e4, 1e8]])
    assert np.allclose(gaussian.erfcx(x), scipy.special.erfcx(x), rtol=2e-15)
    assert np.allclose(gaussian.normal_cdf(x), scipy.special.ndtr(x), rtol=1e-14)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 0.5, 3.0, 30.0, 300.0, 3000.0])
@pytest.mark.parametrize("margin", [1e-3, 0.1, 2.5])
def test_what_is_left_of_the_variance_is_between_none_and_all(gap: float, margin: float) -> None:
    gaps, margins = np.array([gap, -gap]), np.full(2, margin)
    for v, w in (gaussian.correct_for_win(gaps, margins), gaussian.correct_for_tie(gaps, margins)):
        assert np.isfinite(v).all()
        assert ((w >= 0) & (w < 1)).all()
    assert np.allclose(
        gaussian.correct_for_tie(gaps, margins)[0], -gaussian.correct_for_tie(-gaps, margins)[0]
    )
