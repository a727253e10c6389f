"""Places: what a difference is worth, all comparisons taken together."""

import numpy as np
import pytest

from arena.rating.comparisons import Placing, _level, placings


def said(mu: list[float], error: float, freedom: int = 100) -> list[Placing]:
    """Of bots whose ratings vary apart from each other, each with this standard error."""
    return placings(mu, np.eye(len(mu)) * error**2, np.full(len(mu), freedom))


def test_far_apart_every_bot_has_one_place_and_a_group_of_its_own() -> None:
    placed = said([30, 25, 20], 0.5)
    assert [placing.places for placing in placed] == [(1, 1), (2, 2), (3, 3)]
    assert [placing.group for placing in placed] == [1, 2, 3]


def test_close_together_all_may_have_any_place_and_share_a_group() -> None:
    placed = said([25.2, 25, 24.8], 0.5)
    assert [placing.places for placing in placed] == [(1, 3)] * 3
    assert [placing.group for placing in placed] == [1, 1, 1]


def test_neighbours_share_a_group_and_the_ends_of_it_may_be_told_apart() -> None:
    placed = said([27.0, 26, 25, 15], 0.35)
    assert [placing.places for placing in placed] == [(1, 2), (1, 3), (2, 3), (4, 4)]
    assert [placing.group for placing in placed] == [1, 1, 1, 2]


def test_a_bot_alone_has_the_first_place_and_no_next() -> None:
    assert said([25.0], 2.0, freedom=10) == [Placing((1, 1), None, 1)]


def test_better_than_the_next_is_student_s() -> None:
    placed = said([26.0, 25.0], 0.5**0.5, freedom=10)
    # By hand: 1 in standard errors of 1; the tables have 0.8296 for t = 1 with 10.
    assert placed[0].next == pytest.approx(0.8296, abs=0.0001)


def test_too_little_evidence_says_nothing_and_lets_nobody_be_ahead() -> None:
    placed = placings([30.0, 25, 20], np.eye(3) * 0.01, np.array([100, 0, 100]))
    assert placed[1] == Placing(None, None, 1)
    assert [placing.places for placing in placed] == [(1, 2), None, (2, 3)]
    assert placed[0].next is None
    assert [placing.group for placing in placed] == [1, 1, 1]


def test_what_never_varies_is_told_apart_if_it_differs_in_print() -> None:
    placed = placings([26.0, 25, 25], np.zeros((3, 3)), np.full(3, 9))
    assert [placing.places for placing in placed] == [(1, 1), (2, 3), (2, 3)]
    assert [placing.next for placing in placed] == [1.0, 0.5, None]


def test_nobody_has_nothing_to_say() -> None:
    assert placings([], np.zeros((0, 0)), np.zeros(0, dtype=np.int64)) == []


@pytest.mark.parametrize(("bots", "printed"), [(2, 1.960), (3, 2.344), (6, 2.850), (10, 3.164)])
def test_the_level_is_that_of_the_studentised_range(bots: int, printed: float) -> None:
    # Tukey's range of equal errors, 95 %, infinite degrees of freedom, over the root of two, as
    # tables print it: 2.772, 3.314, 4.030, 4.474.
    from statistics import NormalDist

    covariance = np.eye(bots)
    level = _level(covariance, np.full((bots, bots), 2**0.5))
    assert NormalDist().inv_cdf((1 + level) / 2) == pytest.approx(printed, abs=0.03)
