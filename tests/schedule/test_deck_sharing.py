"""What shared decks are worth, where that can be worked out by hand, and where it is known."""

from random import Random

import pytest

from arena.schedule.deck_sharing import Spread, beaten, spread, total

SEED = 7


def test_luck_that_a_seating_turns_round_cancels_on_a_shared_deck() -> None:
    assert spread([[1.0, -1.0], [-3.0, 3.0]]) == Spread(0.0, (8 + 8) / 4)  # by hand
    assert spread([[1.0, -1.0], [-3.0, 3.0]]).ratio == 0.0


def test_what_is_between_bot_and_deck_does_not() -> None:
    assert spread([[1.0, 1.0], [3.0, 3.0]]) == Spread(2.0, (2 + 2) / 4)
    assert spread([[1.0, 1.0], [3.0, 3.0]]).ratio == 2.0


def test_what_never_varies_is_neither_better_nor_worse_shared() -> None:
    assert spread([[1.0, 1.0], [1.0, 1.0]]).ratio == total([]).ratio == 1.0


def test_of_independent_games_neither_is_better() -> None:
    draw = Random(SEED).gauss
    ratio = spread([[draw(0, 1) for _ in range(6)] for _ in range(4000)]).ratio
    assert ratio == pytest.approx(1, abs=0.1), f"seed {SEED}"  # its standard error is 0.02


def test_variances_add_up() -> None:
    assert total([Spread(1.0, 2.0), Spread(2.0, 4.0)]) == Spread(3.0, 6.0)


def test_the_share_left_behind_counts_ties_half() -> None:
    assert beaten([1, 2]) == [1.0, 0.0]
    assert beaten([1, 1]) == [0.5, 0.5]
    assert beaten([2, 1, 2, 4]) == [0.5, 1.0, 0.5, 0.0]
