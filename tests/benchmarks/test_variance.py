"""What the benchmark of shared decks makes of results."""

import pytest

from tests.benchmarks.variance import Spread, beaten, spread, total


@pytest.mark.parametrize(
    ("results", "found", "ratio"),
    [
        ([[1.0, -1.0], [-3.0, 3.0]], Spread(0.0, (8 + 8) / 4), 0.0),  # luck that seatings turn
        ([[1.0, 1.0], [3.0, 3.0]], Spread(2.0, (2 + 2) / 4), 2.0),  # between bot and deck
        ([[1.0, 1.0], [1.0, 1.0]], Spread(0.0, 0.0), 1.0),  # what never varies is neither
    ],
)
def test_a_shared_deck_cancels_luck_that_seatings_turn_round_and_no_other(
    results: list[list[float]], found: Spread, ratio: float
) -> None:
    assert spread(results) == found  # by hand
    assert found.ratio == ratio


def test_variances_add_up() -> None:
    assert total([Spread(1.0, 2.0), Spread(2.0, 4.0)]) == Spread(3.0, 6.0)
    assert total([]).ratio == 1.0


def test_the_share_left_behind_counts_ties_half() -> None:
    assert beaten([1, 2]) == [1.0, 0.0]
    assert beaten([1, 1]) == [0.5, 0.5]
    assert beaten([2, 1, 2, 4]) == [0.5, 1.0, 0.5, 0.0]
