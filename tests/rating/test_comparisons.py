"""Places: what a difference is worth, all comparisons taken together."""

import numpy as np
import pytest

from arena.rating.comparisons import (
    CLOSE,
    compare_bots,
    difference_errors,
    tie_neighbours,
)
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints

Places = list[tuple[int, int] | None]


def known(
    mu: list[float], covariance: Array, freedom: Ints, shrinkage: Array | float = 0.0
) -> tuple[Places, Array]:
    """The places and levels of bots whose ratings vary so."""
    errors = difference_errors(covariance, shrinkage + np.zeros(len(mu)))
    places, levels = compare_bots(mu, covariance, errors, freedom)
    assert levels is not None
    return places, levels


def apart(mu: list[float], errors: Array, freedom: int = 100) -> tuple[Places, Array]:
    """Of bots whose ratings vary apart from each other, with these standard errors."""
    return known(mu, np.eye(len(mu)) * errors**2, np.full(len(mu), freedom))


def test_only_those_surely_ahead_or_behind_narrow_a_range() -> None:
    for mu, error, places in (
        ([30.0, 25, 20], 0.5, [(1, 1), (2, 2), (3, 3)]),
        ([25.2, 25, 24.8], 0.5, [(1, 3)] * 3),
        ([27.0, 26, 25, 24, 15], 0.35, [(1, 2), (1, 3), (2, 4), (3, 4), (5, 5)]),
        ([25.0], 2.0, [(1, 1)]),
        ([], 1.0, []),
    ):
        assert apart(mu, np.full(len(mu), error))[0] == places


def test_who_is_hardly_known_may_have_any_place_and_hides_no_other_difference() -> None:
    placed = apart([27.0, 26, 25, 24.9], np.array([0.3, 3, 0.3, 0.3]))[0]
    assert placed == [(1, 2), (1, 4), (2, 4), (2, 4)]


def test_too_little_evidence_says_nothing_and_lets_nobody_be_ahead() -> None:
    placed, levels = known([30.0, 25, 20], np.eye(3) * 0.01, np.array([100, 0, 100]))
    assert placed == [(1, 2), None, (2, 3)]  # the third is below the first
    assert np.isnan(levels).tolist() == [[True, True, False], [True] * 3, [False, True, True]]


def test_what_never_varies_is_told_apart_if_it_differs_by_more_than_the_band() -> None:
    nothing = np.zeros((4, 4))
    placed, levels = known([26.0, 25, 25, 24.5], nothing, np.full(4, 9))
    assert placed == [(1, 1), (2, 4), (2, 4), (2, 4)]
    assert np.nan_to_num(levels).tolist() == [[0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0] * 4]


def test_a_sure_difference_within_the_band_puts_nobody_ahead() -> None:
    for gap, first in ((0.49, (1, 2)), (0.51, (1, 1))):
        placed, levels = apart([25 + gap, 25.0], np.full(2, 0.01))
        assert placed[0] == first
        assert levels[0, 1] > 0.99


def test_what_the_prior_has_put_between_bots_is_no_difference() -> None:
    # Sixteen, gauntlet of 60 decks: all between `thrifty` and its like is the prior's shrinkage.
    mu = [22.498, 22.486]
    covariance = np.array([[0.0868, 0.0873], [0.0873, 0.0877]])
    freedom, shrinkage = np.array([59, 119]), np.array([-0.02406, -0.01109])
    assert difference_errors(covariance, np.zeros(2))[0, 1] < 0.01
    assert difference_errors(covariance, shrinkage)[0, 1] == pytest.approx(0.01297)
    placed, levels = known(mu, covariance, freedom, shrinkage)
    assert placed == [(1, 2), (1, 2)]
    assert levels[0, 1] < 0.7


def test_levels_are_those_of_the_studentised_range_and_places_part_there() -> None:
    # Tukey's range of equal errors, 95 %, infinite degrees of freedom, over the root of two.
    for bots, printed in ((2, 1.960), (3, 2.344), (6, 2.850), (10, 3.164)):
        for errors, sure in ((printed - 0.035, False), (printed + 0.035, True)):
            mu = [25 + errors, *[25.0] * (bots - 1)]
            placed, levels = apart(mu, np.full(bots, 0.5**0.5), 10**6)
            assert (levels[0, 1] > 0.95) == sure == (placed[0] == (1, 1))
            assert (levels[0, 1], levels[1, 0]) == (pytest.approx(0.95, abs=0.008), 0)


def test_rounding_moves_no_level_of_bots_whose_results_do_not_vary(seed: int) -> None:
    rng, move = np.random.default_rng(seed), np.array([2.0, -1, -1, 0])
    covariance, freedom = move[:, None] * move, np.full(4, 50)
    kept = known([27.0, 24, 24, 23], covariance, freedom)
    for _ in range(5):
        noise = 1e-13 * rng.uniform(-1, 1, (4, 4))
        placed, levels = known([27.0, 24, 24, 23], covariance + noise + noise.T, freedom)
        assert placed == kept[0]
        assert np.allclose(levels, kept[1], rtol=0, atol=1e-9, equal_nan=True)


def test_what_rounding_put_apart_is_tied_and_nothing_else() -> None:
    values = np.array([3.0, 1.0 + 1e-12, 2.0, 1.0, 1.0 - 1e-12, 2.0 + 2 * CLOSE])
    lowest = 1.0 - 1e-12
    assert tie_neighbours(values).tolist() == [3.0, lowest, 2.0, lowest, lowest, 2.0 + 2 * CLOSE]
    assert tie_neighbours(np.zeros(0)).tolist() == []
