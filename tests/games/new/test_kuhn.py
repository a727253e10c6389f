"""Kuhn poker, ruling by ruling (K01 to K08), by hand-made tables."""

from random import Random

import pytest

from games import IllegalAction
from games import kuhn as game
from tests.games.playing import after, lines_of_play


def table(cards: str = "KQJ", first: int = 0) -> game.State:
    """King against queen, seat 0 to decide."""
    return game.State(game.Options(), 2, game.Setup(tuple(cards), first))


def test_k01_k02_there_are_three_cards_and_two_chips_each() -> None:
    assert game.seat_counts(game.Options()) == (2,)
    assert game.count_pieces(table()) == {"J": 1, "Q": 1, "K": 1, "chip": 4}
    assert (table().chips, table().pot) == ([1, 1], 2)


def test_k03_there_are_twelve_deals_and_either_seat_begins() -> None:  # 3! orders, two seats
    deals = {game.deal(game.Options(), 2, Random(seed)) for seed in range(200)}
    assert len(deals) == 12
    assert {deal.first for deal in deals} == {0, 1}


def test_k04_a_bet_is_answered_by_fold_or_call() -> None:
    assert table().legal() == after(table(), "check").legal() == ("check", "bet")
    assert after(table(), "bet").legal() == after(table(), "check", "bet").legal()
    with pytest.raises(IllegalAction, match="legal is fold or call"):
        after(table(), "bet", "bet")


@pytest.mark.parametrize(
    ("decisions", "scores"),
    [
        ("check check", [1, -1]), ("check bet fold", [-1, 1]), ("check bet call", [2, -2]),
        ("bet fold", [1, -1]), ("bet call", [2, -2]),
    ],
)  # fmt: skip
def test_k05_k06_the_higher_card_wins_one_chip_or_two(decisions: str, scores: list[int]) -> None:
    result = after(table(), *decisions.split()).result()  # the five courses of Kuhn's paper
    assert result["scores"] == scores
    assert result["ranks"] == [1 if score > 0 else 2 for score in scores]


def test_there_are_five_lines_of_play() -> None:  # as listed above
    assert lines_of_play(table()) == lines_of_play(table(first=1)) == 5


def test_k07_what_a_seat_sees_does_not_depend_on_the_other_s_card() -> None:
    assert table("KQJ").view(0) == table("KJQ").view(0)
    assert after(table("QKJ"), "bet").view(1) == after(table("JKQ"), "bet").view(1)


def test_k07_resample_the_other_card_may_be_either_until_cards_are_shown() -> None:
    def twins(*decisions: str) -> set[str]:
        actions = after(table(), *decisions).actions
        given = game.Options(), 2, table().start, actions, 1
        return {"".join(game.resample(*given, Random(seed))[0].deck) for seed in range(20)}

    assert twins() == twins("bet") == twins("bet", "fold") == {"KQJ", "JQK"}
    assert twins("bet", "call") == twins("check", "check") == {"KQJ"}


def test_k08_a_forfeit_is_a_fold() -> None:
    state = after(table(), "bet")
    state.forfeit(0)
    result = {"ranks": [2, 1], "scores": [-2, 2], "reason": "forfeit", "forfeits": [0]}
    assert state.result() == result
