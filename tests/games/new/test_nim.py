"""Nim, ruling by ruling (M01 to M06), by hand-made tables."""

from random import Random

import pytest

from games import IllegalAction, OptionsError
from games import nim as game
from tests.games.playing import after, lines_of_play


def table(*heaps: int, seats: int = 2, misere: bool = False) -> game.State:
    """These heaps, seat 0 to decide."""
    state = game.State(game.Options(misere=misere), seats, game.Setup())
    state.heaps = list(heaps)
    return state


def test_m01_heaps_have_three_tokens_and_one_more_each() -> None:
    assert game.seat_counts(game.Options()) == (2, 3, 4, 5)
    assert game.State(game.Options(heaps=4), 2, game.Setup()).heaps == [3, 4, 5, 6]
    with pytest.raises(OptionsError, match="heaps: found 7; expected 1 to 6"):
        game.Options(heaps=7)


def test_m02_a_turn_takes_one_token_or_more_of_one_heap() -> None:
    assert table(2, 0, 1).legal() == ("A1", "A2", "C1")
    for wrong in ("A0", "A3", "B1", "A1 C1", "take"):
        with pytest.raises(IllegalAction, match="the heaps are 2, 0, 1"):
            table(2, 0, 1).apply(wrong)


def test_m03_seat_0_begins_and_there_is_one_deal() -> None:
    assert {game.deal(game.Options(), 2, Random(seed)) for seed in range(9)} == {game.Setup()}
    assert table(1, 1, seats=3).to_act == 0
    assert after(table(1, 1, 1, seats=3), "A1", "B1").to_act == 2


@pytest.mark.parametrize(
    ("misere", "ranks", "scores"), [(False, [2, 1, 2], [0, 1, 0]), (True, [1, 3, 1], [1, 0, 1])]
)
def test_m04_m05_who_takes_the_last_token_is_first_or_last(
    misere: bool, ranks: list[int], scores: list[int]
) -> None:
    result = after(table(2, seats=3, misere=misere), "A1", "A1").result()
    assert result == {"ranks": ranks, "scores": scores, "reason": "complete"}


def test_m06_a_stand_in_takes_one_of_the_first_heap_and_wins_nothing() -> None:
    state = table(0, 2, 1, seats=3)
    state.forfeit(0)
    with pytest.raises(IllegalAction, match="plays 'B1' here"):
        state.replay(0, "B2")
    assert after(state, "B1", "C1").to_act == 2
    state = table(1, seats=3)
    state.forfeit(0)
    assert after(state, "A1").result()["ranks"] == [3, 1, 1]


def test_heaps_of_one_and_two_make_five_lines_of_play() -> None:
    # By hand: A1 leaves one heap of 2, two lines; B1 leaves 1 and 1, two; B2 leaves 1, one.
    assert lines_of_play(table(1, 2)) == 5
