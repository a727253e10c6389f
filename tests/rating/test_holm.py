"""Many tests at once: by hand."""

import pytest

from arena.rating.holm import adjusted


def test_the_least_p_counts_for_all_and_none_falls_below_a_lesser_one() -> None:
    # By hand: 4 x .005, 3 x .01, 2 x .03, 1 x .04 raised to .06.
    assert adjusted([0.03, 0.005, 0.04, 0.01]) == pytest.approx([0.06, 0.02, 0.06, 0.03])


def test_it_is_the_correction_of_r() -> None:
    """p.adjust(c(.01, .02, .03, .04, .5), "holm")."""
    given = [0.01, 0.02, 0.03, 0.04, 0.5]
    assert adjusted(given) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.5])


def test_no_p_is_above_one() -> None:
    assert adjusted([0.7, 0.6]) == [1.0, 1.0]
    assert adjusted([0.2]) == [0.2]
    assert adjusted([]) == []
