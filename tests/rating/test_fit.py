"""The fixed point: the same whatever order the games came in, and where others' packages end."""

from math import erfc, isfinite, sqrt
from statistics import NormalDist

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill import BETA, TrueSkill, calc_draw_margin
from trueskillthroughtime import History

from arena.rating import fit, gaussian
from arena.rating.fit import Fit, Normal, fit_sites, new_chain, update_beliefs
from arena.rating.gaussian import Array
from arena.rating.outcomes import GameColumns, Ints, Sites
from tests.simulated import World, league, merge

SWEEPS = 10  # of one update: the package's limit
TINY = 1e-300  # so small a `min_delta` lets the package make all its ten sweeps


def updated(sides: list[list[tuple[float, float]]], ranks: list[int], margin: float) -> Array:
    """Mu and sigma after one game, by side and member, of those before."""
    order = np.argsort(ranks, kind="stable")
    mu, sigma = np.array(sides)[order].transpose(2, 0, 1)[..., None]
    ties = np.diff(np.array(ranks)[order, None], axis=0) == 0
    cavity = Normal(sigma**-2, mu * sigma**-2)
    after = cavity * update_beliefs(cavity, ties, margin, new_chain(len(sides), 1), SWEEPS)
    found: Array = np.stack([after.mu, after.sigma], axis=2)[np.argsort(order), :, :, 0]
    return found


@pytest.mark.parametrize(("sides", "members"), [(2, 1), (3, 1), (5, 1), (2, 2), (3, 2)])
@settings(max_examples=15)
@given(st.data())
def test_the_update_is_that_of_the_package(sides: int, members: int, data: st.DataObject) -> None:
    probability = data.draw(st.sampled_from((0.001, 0.1, 0.5, 0.9)))
    rating = st.tuples(st.floats(0, 50), st.floats(0.3, 8.4))
    side = st.lists(rating, min_size=members, max_size=members)
    before = data.draw(st.lists(side, min_size=sides, max_size=sides))
    ties = st.lists(st.integers(0, sides - 1), min_size=sides, max_size=sides)
    ranks = list(data.draw(st.permutations(range(sides)) | ties))
    exact = NormalDist()  # of full precision: the package's own has 7 digits
    backend = (lambda x: 0.5 * erfc(-x / sqrt(2)), exact.pdf, exact.inv_cdf)
    env = TrueSkill(tau=0, draw_probability=probability, backend=backend)
    margin = calc_draw_margin(probability, 2 * members, env)
    groups = [[env.create_rating(*each) for each in one] for one in before]
    rated = env.rate(groups, ranks=ranks, min_delta=TINY)
    theirs = [[(member.mu, member.sigma) for member in one] for one in rated]
    assert updated(before, ranks, margin) == pytest.approx(np.array(theirs), abs=1e-9)


@pytest.mark.parametrize("ranks", [[1, 2], [2, 1], [1, 1], [1, 2, 3], [3, 1, 2], [1, 1, 1]])
def test_no_difference_is_too_large_to_rate(ranks: list[int]) -> None:
    far = [[(mu, 0.3)] for mu in (600.0, 25.0, -600.0)[: len(ranks)]]
    for mu, sigma in updated(far, ranks, 0.7)[:, 0].tolist():
        assert isfinite(mu)
        assert 0 < sigma <= 0.3 + 1e-9


def test_the_error_function_is_scipy_s() -> None:
    x = np.concatenate([np.linspace(-26, 30, 20_001), [100.0, 1e4, 1e8]])
    assert np.allclose(gaussian.erfcx(x), scipy.special.erfcx(x), rtol=2e-15)
    assert np.allclose(gaussian.normal_cdf(x), scipy.special.ndtr(x), rtol=1e-14)


SKILLS = (31.0, 27.0, 25.0, 24.0, 18.0)


def games(seats: int, deals: int, seed: int) -> GameColumns:
    return league(World(SKILLS, seats, deals, shared=False), np.random.default_rng(seed))


def some(table: GameColumns, which: Ints) -> GameColumns:
    bots, ranks, deals = (part[which] for part in (table.bots, table.ranks, table.deals))
    return table._replace(bots=bots, ranks=ranks, deals=deals)


def fitted(table: GameColumns) -> Fit:
    return fit_sites(merge(table, False).sites, len(table.names))


def duels(*results: tuple[int, int, int]) -> Sites:
    """Games of two: the first finished ahead of the second so often."""
    first, second, often = np.array(results).T
    bots: Ints = np.array([first, second])[:, None]
    return Sites(bots, np.full((1, len(often)), False), often, often)


@pytest.mark.whole
@pytest.mark.parametrize("seats", [2, 3])
def test_it_ends_where_trueskill_through_time_does_if_given_the_best_first(seats: int) -> None:
    seed = seats
    table = games(seats, 4 - seats, seed)
    table = some(table, np.random.default_rng(seed).permutation(len(table.deals))[:60])
    ours = fitted(table)
    # With three teams or more in another order, TTT 1.1.0 gives some of them what the game says of
    # others (`Game.likelihood_teams` sorts back by the wrong permutation): 4.4 mu off here with
    # three, 4.6 with four. The trueskill package agrees with us on them all (audit/test_refit).
    order = np.argsort(table.ranks, axis=1, kind="stable")
    bots = np.take_along_axis(table.bots, order, axis=1)
    results = seats - np.take_along_axis(table.ranks, order, axis=1)
    history = History(
        [[[str(bot)] for bot in game] for game in bots], results.tolist(),
        mu=25.0, sigma=25 / 3, beta=BETA, gamma=0.0, p_draw=ours.draw_probability,
    )  # fmt: skip
    history.convergence(epsilon=1e-3, iterations=30, verbose=False)
    curves = history.learning_curves()
    theirs = [curves[str(bot)][-1][1] for bot in range(len(SKILLS))]
    mu = np.array([rating.mu for rating in theirs])
    assert np.abs(mu - mu.mean() - (ours.mu - 25)).max() < 0.01, f"seed {seed}"
    assert np.abs([r.sigma for r in theirs] - ours.sigma).max() < 0.01, f"seed {seed}"


def test_the_order_of_the_games_changes_no_bit() -> None:
    seed = 6
    rng = np.random.default_rng(seed)
    table = games(4, 2, seed)
    first = fitted(table)
    for _ in range(5):
        order = rng.permutation(len(table.deals))
        again = fitted(some(table, order))
        assert np.array_equal(first.mu, again.mu), f"seed {seed}"
        assert np.array_equal(first.sigma, again.sigma), f"seed {seed}"


@pytest.mark.parametrize("often", [1, 10, 100, 1000, 100_000])
def test_a_pair_that_meets_only_each_other_comes_to_rest(often: int) -> None:
    undefeated = fit_sites(duels((0, 1, often)), 2)
    even = fit_sites(duels((0, 1, often), (1, 0, often)), 2)
    assert undefeated.sweeps < 200 > even.sweeps
    assert undefeated.mu[0] > 29
    assert np.allclose(even.mu, 25)


def test_a_fit_that_is_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sites = duels((0, 1, 40), (1, 0, 10))
    assert fit_sites(sites, 2).converged
    monkeypatch.setattr("arena.rating.fit.MOST", 3)
    assert not fit_sites(sites, 2).converged


def test_who_always_wins_is_far_ahead_and_no_further() -> None:
    always = [(a, b, 1000) for a in range(8) for b in range(a + 1, 8)]
    result = fit_sites(duels(*always), 8)
    assert np.isfinite(result.mu).all()
    assert (np.diff(result.mu) < -10).all()
    assert result.mu[0] - result.mu[-1] > 100


def test_one_tie_in_thousands_of_games_can_be_rated() -> None:
    sites = duels((0, 1, 1000), (1, 0, 1000), (0, 1, 1))
    result = fit_sites(sites._replace(ties=np.array([[False, False, True]])), 2)
    assert np.allclose(result.mu, 25)
    assert result.draw_probability == pytest.approx(1 / 2001, abs=0.001)


@pytest.mark.parametrize(("seats", "margin"), [(3, 0.5), (5, 2.0)])
def test_the_draw_probability_is_the_one_games_were_made_with(seats: int, margin: float) -> None:
    seed = seats
    rng = np.random.default_rng(seed)
    bots = np.array([rng.permutation(8)[:seats] for _ in range(8000)])
    performance = rng.normal(25, 4, 8)[bots] + BETA * rng.standard_normal(bots.shape)
    order = np.argsort(-performance, axis=1)
    ties = -np.diff(np.take_along_axis(performance, order, axis=1), axis=1) < margin
    placed = np.take_along_axis(bots, order, axis=1)
    result = fit_sites(
        Sites(placed.T[:, None], ties.T, np.ones(len(bots), dtype=np.int64), np.ones(len(bots))), 8
    )
    truth = fit.probability_of(margin, 1)
    assert result.draw_probability == pytest.approx(truth, rel=0.06), f"seed {seed}"
