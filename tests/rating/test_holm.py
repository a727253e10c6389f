"""Many tests at once: by hand."""

import pytest

from arena.rating.holm import adjusted


def test_the_least_p_counts_for_all_and_none_falls_below_a_lesser_one() -> None:
    # By hand: 4 x .005, 3 x .01, 2 x .03, 1 x .04 raised to .06.
    assert adjusted([0.03, 0.005, 0.04, 0.01]) == pytest.approx([0.06, 0.02, 0.06, 0.03])


def test_no_p_is_above_one() -> None:
    assert adjusted([0.7, 0.6]) == [1.0, 1.0]
    assert adjusted([0.2]) == [0.2]
    assert adjusted([]) == []
