"""17 Diciassette, ruling by ruling (D01 to D40), by play from decks made for it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games import IllegalAction, OptionsError, changed_options, parse_options
from games import diciassette as game
from games.diciassette.hidden import TrackedGame
from games.diciassette.play import Play
from games.diciassette.record import replay_in_copy
from tests.games.playing import lines_of_play, new, play, steps, values

N = "N1 N1 N1"  # a hand without a special
TO_17 = "0 N5:u, 1 N5:u, 2 N5:u, 0 N2:u"  # three players; the last is seat 0
TRAP_AND_17 = "0 trap:d, 1 N5:u, 2 N5:u, 0 N5:u, 1 N2:u"  # the last is seat 1


def table(
    play: str = "", players: int = 3, hands: dict[int, str] | None = None,
    tokens: tuple[tuple[int, int], ...] | None = None, **options: Any,
) -> game.State:  # fmt: skip
    """The state after `play`, as in "0 N4:u, 1 17", from a deck that makes it possible.

    `hands` are what seats hold at its end; what is left open is filled with the first cards left.
    """
    chosen = parse_options(game.Options, options)
    entries = [entry.split() for entry in play.split(", ")] if play else []
    plays = [(int(seat), act[:-2]) for seat, act, *_ in entries if ":" in act]
    wanted = [[card for who, card in plays if who == seat] for seat in range(players)]
    for seat, hand in (hands or {}).items():
        wanted[seat] += hand.split()
    left = sorted(game.pack(chosen))
    for cards in wanted:
        for card in cards:
            left.remove(card)
    order = [seat for _ in range(3) for seat in range(players)] + [seat for seat, _ in plays]
    deck = [wanted[seat].pop(0) if wanted[seat] else left.pop(0) for seat in order]
    first = int(entries[0][0]) if entries else 0
    state = game.State(chosen, players, game.Setup((*deck, *left), first))
    if tokens:
        state.tokens = tokens
    for seat_, action, *also in entries:
        state.replay(int(seat_), action, tuple(map(int, also)))
    return state


def row(state: game.State) -> list[str]:
    return [card for card, _, _ in state.row]


def exhausted(**options: Any) -> game.State:
    """Two players have put all 70 cards down and nobody called; both piles are empty."""
    state = table(players=2, **options)
    state.start = state.start._replace(shuffle_seed=1)
    for turn in range(70):
        state.replay(turn % 2, state.hands[turn % 2][0] + ":d")
    return state


RULES = """
d01 17 itself is enough | TO_17, 1 17 | | tokens='0/1 1/0 0/0'
d01 16 is not | 0 N5:u, 1 N5:u, 2 N5:u, 0 N1:u, 1 17 | | tokens='1/0 0/1 0/0'
d09 the window comes after the draw, the next player may call | 0 N5:u | | \
    held=[3,3,3] to_act=1 phase='window' legal=('pass','17')
d10 a row emptied by trash may be called at 0 | 0 N4:u, 1 trash:u, 2 17 | | \
    total=0 tokens='0/0 1/0 0/1'
d10 empty_row_call false asks nobody | 0 N4:u, 1 trash:u | empty_row_call=False | \
    to_act=2 phase='play' callers=[]
d11 the first in turn order after the last player has priority | 0 N4:u, 1 17 2 | | caller=1
d11 by the direction after the last card | 0 rev:u | players=4 | to_act=3 callers=[3,2,1]
d11 so seat 3 has it | 0 rev:u, 3 17 1 2 | players=4 | caller=3
d12 no call between the two cards | 0 x2:u, 1 N4:u | | to_act=1 phase='play' need=1
d12 a call there cuts the turn short | 0 x2:u, 1 N4:u, 0 17 | mid_x2_call=True | \
    tokens='0/1 1/0 0/0' to_act=1 need=1 turns=1 held=[3,3,3]
d13 x2 obliges the next player | 0 x2:u | | due=2 need=0
d13 to play two cards one by one | 0 x2:u, 1 N1:u | | to_act=1 need=1 due=1
d13 and no more | 0 x2:u, 1 N1:u, 1 N1:u | | phase='window' next=2 due=1
d14 draw after both cards | 0 x2:u, 1 N1:u | x2_draw='after' | held=[3,2,3]
d14 two of them | 0 x2:u, 1 N1:u, 1 N1:u | x2_draw='after' | held=[3,3,3]
d14 or after each | 0 x2:u, 1 N1:u | x2_draw='each' | held=[3,3,3]
d14 one of them | 0 x2:u, 1 N1:u, 1 N1:u | x2_draw='each' | held=[3,3,3]
d15 two x2 in a turn mean 2 | 0 x2:u, 1 x2:u, 1 x2:u | | due=2
d15 or stacked 3 | 0 x2:u, 1 x2:u, 1 x2:u | x2_stack=True | due=3
d15 x2 on x2 in turns of their own mean 2 | 0 x2:u, 1 x2:u, 1 N1:u | | due=2
d15 stacked too | 0 x2:u, 1 x2:u, 1 N1:u | x2_stack=True | due=2
d15 a stacked turn has as many cards | 0 x2:u, 1 x2:u, 1 x2:u, 2 N1:u, 2 N1:u | \
    x2_stack=True | to_act=2 need=1 held=[3,3,1]
d15 and draws them | 0 x2:u, 1 x2:u, 1 x2:u, 2 N1:u, 2 N1:u, 2 N1:u | x2_stack=True | \
    phase='window' held=[3,3,3]
d16 the obligation falls on whoever is next | 0 x2:u, 1 x2:u, 1 rev:u | | next=0 due=2
d16 a reverse does not excuse the second | 0 x2:u, 1 rev:u | | to_act=1 need=1 direction=-1
d17 the obligation ends with the round | 0 x2:u, 2 17 | | to_act=0 need=1 due=1
d18 a special face down has no effect | 0 rev:d, 1 x2:d, 2 trash:d | | \
    direction=1 due=1 row=['rev','x2','trash']
d18 and is worth 0 | 0 rev:d, 1 x2:d, 2 trash:d, 0 17 | | total=0
d19 reverse flips the direction at once | 0 N1:u, 1 rev:u | | next=0
d19 twice it is as before | 0 rev:u, 2 rev:u | | next=0
d19 of two players the next is the other one | 0 rev:u | players=2 | next=1 direction=-1
d20 a trashed reverse still counts | 0 N1:u, 1 rev:u, 0 trash:u | trash_cancels_x2=True | \
    direction=-1 next=2 row=['N1']
d20 a trashed x2 obliges its trasher | 0 N1:u, 1 x2:u, 2 trash:u | | phase='play' row=['N1']
d20 unless cancelled | 0 N1:u, 1 x2:u, 2 trash:u | trash_cancels_x2=True | \
    phase='window' row=['N1']
d20 trashed in its own turn it obliges the next | 0 x2:u, 1 x2:u, 1 trash:u | | due=2
d20 then unless cancelled | 0 x2:u, 1 x2:u, 1 trash:u | trash_cancels_x2=True | due=1
d20 of two x2 one is left | 0 x2:u, 1 x2:u, 1 x2:u, 2 trash:u | | need=1
d20 cancelled | 0 x2:u, 1 x2:u, 1 x2:u, 2 trash:u | trash_cancels_x2=True | need=1
d20 stacked | 0 x2:u, 1 x2:u, 1 x2:u, 2 trash:u | x2_stack=True | need=2
d20 stacked and cancelled | 0 x2:u, 1 x2:u, 1 x2:u, 2 trash:u | \
    x2_stack=True trash_cancels_x2=True | need=1
d20 an x2 that was obeyed has nothing to cancel | 0 x2:u, 1 N1:u, 1 trash:u, 2 trash:u | \
    trash_cancels_x2=True | phase='window' due=1 row=[]
d20 nor has one face down | 0 x2:u, 1 x2:u, 1 x2:d, 2 trash:u | trash_cancels_x2=True | \
    to_act=2 phase='play' need=1
d21 trash on an empty row is discarded | 0 trash:u | | row=[] discard=['trash'] last=0
d21 or stays | 0 trash:u | trash_empty='stay' | row=['trash'] discard=[]
d22 trash goes with the rightmost card | 0 N4:u, 1 N5:u, 2 trash:u | | \
    row=['N4'] discard=['N5','trash']
d22 its player is the last player | 0 N4:u, 1 N5:u, 2 trash:u, 0 17 | | tokens='0/1 0/0 1/0'
d22 the card may be one's own | 0 x2:u, 1 N5:u, 1 trash:u | | row=['x2'] discard=['N5','trash']
d24 a trap face up has no effect | 0 trap:u, 1 17 | | traps=[] total=0 tokens='1/0 0/1 0/0'
d25 a trap pays when the call was right | TRAP_AND_17, 2 17 | | tokens='1/0 0/1 1/1'
d25 and when it was wrong: two P and a V go back | 0 trap:d, 1 N1:u, 2 17 | \
    tokens=((0,0),(0,0),(2,0)) | tokens='1/0 1/0 1/0'
d26 one V for trap owner and last player in one | 0 trap:d, 1 17 | | tokens='1/0 0/0 0/0'
d26 a trap owner penalised as last player has both | \
    0 N5:u, 1 N5:u, 2 N5:u, 0 N2:u, 1 trap:d, 2 17 | | tokens='0/0 1/1 1/1'
d26 two traps of one owner are one V | 0 trap:d, 1 N1:u, 2 N1:u, 0 trap:d, 1 N1:u, 2 17 | | \
    traps=[0,0] tokens='1/0 1/0 0/1'
d27 a caller who owns the trap | TRAP_AND_17, 0 17 | | tokens='1/1 0/1 0/0'
d27 without penalty | TRAP_AND_17, 0 17 | own_trap_penalty=False | tokens='1/0 0/1 0/0'
d28 each trap costs a P | 0 trap:d, 1 trap:d, 2 N5:u, 3 N5:u, 0 N5:u, 1 N2:u, 2 17 | \
    players=4 | tokens='1/0 1/1 0/0 0/0'
d28 or all cost one | 0 trap:d, 1 trap:d, 2 N5:u, 3 N5:u, 0 N5:u, 1 N2:u, 2 17 | \
    players=4 trap_penalty='once' | tokens='1/0 1/1 1/1 0/0'
d28 the wrong call costs one besides | 0 trap:d, 1 N1:u, 2 17 | \
    tokens=((0,0),(0,0),(1,0)) | tokens='1/0 1/0 0/0'
d28 once is only of traps | 0 trap:d, 1 N1:u, 2 17 | \
    tokens=((0,0),(0,0),(1,0)) trap_penalty='once' | tokens='1/0 1/0 0/0'
d29 the second P costs both and a V | TO_17, 1 17 | tokens=((2,1),(0,0),(0,0)) | \
    tokens='1/0 1/0 0/0'
d29 if there is one | TO_17, 1 17 | tokens=((0,1),(0,0),(0,0)) | tokens='0/0 1/0 0/0'
d30 penalties come after all tokens | TRAP_AND_17, 2 17 | tokens=((0,0),(0,0),(0,1)) | \
    tokens='1/0 0/1 0/0'
d30 or as received: the V comes later | TRAP_AND_17, 2 17 | \
    tokens=((0,0),(0,0),(0,1)) penalty_timing='sequential' | tokens='1/0 0/1 1/0'
d30 a V of this round can be lost at once | TRAP_AND_17, 2 17 | \
    tokens=((0,0),(0,0),(2,1)) | tokens='1/0 0/1 2/0' over=None
d32 several with 3 V share | 0 trap:d, 1 N1:u, 2 17 | tokens=((2,0),(2,0),(0,0)) | ranks=[1,1,3]
d32 unless P differ | 0 trap:d, 1 N1:u, 2 17 | tokens=((2,1),(2,0),(0,0)) | ranks=[2,1,3]
d33 the winner of the call starts | 0 trap:d, 1 N1:u, 2 17 | | to_act=1 phase='play' last=None
d33 or the trap owner | 0 trap:d, 1 N1:u, 2 17 | next_starter='trap' | to_act=0
d33 of the leftmost | 0 N1:u, 1 trap:d, 2 N1:u, 0 trap:d, 2 17 | next_starter='trap' | to_act=1
d33 after a right call the caller | TO_17, 2 17 | | to_act=2
d33 without a trap too | TO_17, 2 17 | next_starter='trap' | to_act=2
d34 the direction persists into the next round | 0 rev:u, 2 17 | | direction=-1
d34 or is reset | 0 rev:u, 2 17 | direction_reset=True | direction=1
d38 a forfeit in the last window is in the result | 0 N4:u, 2 forfeit | max_turns=1 | \
    over='turn_limit' forfeits=[2]
d40 forfeits end below all others and level | 0 N1:u, 1 forfeit, 2 forfeit, 3 17 | \
    players=4 tokens=((2,0),(2,0),(1,1),(0,1)) | ranks=[1,3,3,2] forfeits=[1,2]
d40 with one seat left the game ends | 0 N1:u, 2 forfeit, 0 forfeit | | \
    to_act=None over='forfeit' ranks=[2,1,2]
"""
REFUSED = """
d02 passing is not possible | 0 pass | | pass
d09 not who just played | 0 N5:u, 0 17 | players=4 | seat 0 cannot call
d10 no call before the first card | 1 17 | | cannot call
d10 nor of the next round | 0 N1:u, 1 17, 1 17 | | cannot call
d10 empty_row_call false | 0 N4:u, 1 trash:u, 2 17 | empty_row_call=False | cannot call
d11 who has priority calls | 0 N4:u, 2 17 1 | | seat 1 has priority
d11 who called too may not have played | 0 N4:u, 1 17 0 | | seat
d11 nor be the caller | 0 N4:u, 1 17 1 | | seat
d11 nor no seat | 0 N4:u, 1 17 3 | | seat
d11 nor below 0 | 0 N4:u, 1 17 -1 | | seat
d11 nor be there twice | 0 N4:u, 1 17 2 2 | | seat
d11 only a call names others | 0 N4:u, 1 N4:u 2 | | only a call
d12 no call between the two cards of an x2 turn | 0 x2:u, 1 N4:u, 2 17 | | cannot call
"""


def rows(table: str) -> Iterator[Any]:
    """A line is a case: its sentence, a play, what else `table` is given, what comes of it."""
    for line in table.strip().splitlines():
        sentence, play, given, outcome = (cell.strip() for cell in line.split("|"))
        play = play.replace("TO_17", TO_17).replace("TRAP_AND_17", TRAP_AND_17)
        yield pytest.param(play, values(given), outcome, id=sentence)


def shown(state: game.State) -> dict[str, Any]:
    """All that a row may name of a state, of its last round and of its result."""
    return {
        **(state.rounds[-1] if state.rounds else {}),
        **state.result(),
        **{name: getattr(state, name) for name in (*Play.__slots__, "to_act", "over")},
        "tokens": " ".join(f"{victories}/{penalties}" for victories, penalties in state.tokens),
        "held": list(map(len, state.hands)),
        "row": row(state),
        "legal": state.legal(),
        "callers": state.dump()["callers"],
    }


@pytest.mark.parametrize(("play", "given", "outcome"), [*rows(RULES)])
def test_rule(play: str, given: dict[str, Any], outcome: str) -> None:
    state, expected = shown(table(play, **given)), values(outcome)
    assert {name: state[name] for name in expected} == expected


@pytest.mark.parametrize(("play", "given", "why"), [*rows(REFUSED)])
def test_refused(play: str, given: dict[str, Any], why: str) -> None:
    before, _, last = play.rpartition(", ")
    state, (seat, action, *also) = table(before, **given), last.split()
    with pytest.raises(IllegalAction, match=why):
        state.replay(int(seat), action, tuple(map(int, also)))


def test_d01_two_to_six_play() -> None:
    assert game.seat_counts(game.Options()) == (2, 3, 4, 5, 6)
    assert [game.side(seat) for seat in range(6)] == [0, 1, 2, 3, 4, 5]


def test_d02_any_card_may_be_played_either_way_up() -> None:
    state = table(hands={0: "x2 N4 n2"})
    assert state.legal() == ("N4:u", "N4:d", "n2:u", "n2:d", "x2:u", "x2:d")


def test_d02_cards_are_in_the_order_of_their_code_points() -> None:
    state = table()
    state.hands[0] = tuple(sorted(game.NUMBER))
    order = " ".join(play[:-2] for play in state.legal()[::2])
    assert order == "N1 N2 N3 N4 N5 n1 n2 n3 n4 n5 rev trap trash x2"


def test_d03_d04_70_cards_5_of_each_special_3_of_each_one_sided_number_7_of_each_other() -> None:
    counts = Counter(game.pack(game.Options()))
    assert sum(counts.values()) == 70  # the rulebook, as all numbers here
    assert {counts[card] for card in ("rev", "x2", "trash", "trap")} == {5}
    assert {counts[f"n{number}"] for number in range(1, 6)} == {3}
    assert {counts[f"N{number}"] for number in range(1, 6)} == {7}


def test_d03_the_specials_may_be_divided_otherwise() -> None:
    specials = {"rev": 20, "x2": 0, "trash": 0, "trap": 0}
    options = parse_options(game.Options, {"specials": specials})
    assert game.pack(options).count("rev") == 20
    assert changed_options(options) == {"specials": specials}


@pytest.mark.parametrize("specials", [{"rev": 4}, {"rev": -1, "x2": 11}, {"rev": 21, "trap": -1}])
def test_d03_the_specials_are_20(specials: dict[str, int]) -> None:
    with pytest.raises(OptionsError, match="specials"):
        parse_options(game.Options, {"specials": specials})


def test_d03_d04_all_70_cards_are_in_play() -> None:
    assert game.count_pieces(table(TO_17 + ", 1 17")).total() == 70


def test_d05_backs_are_public_everywhere() -> None:
    state = table(hands={0: "trap N5 n4", 1: "N2 N1 rev", 2: N})
    assert state.view(2).backs == ((0, 0, 5), (0, 1, 2), (1, 1, 1))
    state.deck = ["trap", "N3"]
    assert state.view(2).top_back == 3
    state.deck = ["N3", "trap"]
    assert state.view(2).top_back == 0
    state.deck = []
    assert (state.view(2).top_back, state.view(2).deck) == (None, 0)


def test_d06_a_two_sided_card_face_down_is_seen_and_counts() -> None:
    state = table("0 N3:d")
    assert state.view(1).row == (("N3", "d", 0),)
    assert state.view(1).since == ((0, "N3:d"),)
    state.replay(1, "17")
    assert state.rounds[0]["total"] == 3


def test_d07_discards_are_public_in_order() -> None:
    state = table("0 n3:d, 1 rev:u, 0 N1:u, 2 17")
    assert [state.view(seat).discard for seat in range(3)] == [("n3", "rev", "N1")] * 3


def test_d08_cards_are_dealt_one_at_a_time_seat_0_first() -> None:
    deck = ("N1", "N2", "N3", "N4", "N5", "n1", "rev")
    assert game.State(game.Options(), 2, game.Setup(deck, 1)).hands == [
        ("N1", "N3", "N5"),
        ("N2", "N4", "n1"),
    ]


def test_d08_80_deals_are_80_different_ones_and_any_seat_may_be_first() -> None:
    deals = {game.deal(game.Options(), 6, Random(seed))[:2] for seed in range(80)}
    assert len(deals) == 80
    assert {first for _, first in deals} == set(range(6))


def test_d36_the_reshuffles_are_no_part_of_the_deal() -> None:
    setup = low_pile(seed=1).setup()
    assert game.initial_setup({**setup, "reshuffles": [["N4", "rev"]]}) == game.initial_setup(setup)
    assert set(game.initial_setup(setup)) == {"deck", "first"}


def test_d11_those_who_may_call_are_asked_in_turn_order_after_the_last_player() -> None:
    assert game.priority(table("0 N5:u").dump()) == [1, 2]
    assert game.priority(table("0 rev:u").dump()) == [2, 1]
    assert game.priority(table().dump()) == []


def test_summary_has_the_row_with_its_total_the_tokens_and_the_hands() -> None:
    state = table("0 trap:d, 1 N5:u", hands={0: N, 1: N, 2: "n1 rev x2"}, tokens=((1, 0),) * 3)
    summary = f" 5 {'trap* N5':<24} tokens 1/0 1/0 1/0  hands N1 N1 N1 | N1 N1 N1 | n1 rev x2"
    assert game.summarize(state.dump()) == summary


def test_d09_everyone_may_call_except_the_one_who_just_played() -> None:
    state = table("0 N5:u", 4)
    assert state.dump()["callers"] == [1, 2, 3]
    with pytest.raises(IllegalAction, match="seat 0 cannot call"):
        state.replay(0, "17")
    asked = []
    while state.phase == "window":
        asked.append(state.to_act)
        state.apply("pass")
    assert (asked, state.to_act) == ([1, 2, 3], 1)


def test_d12_mid_x2_call_opens_a_window_between_them() -> None:
    state = table("0 x2:u, 1 N4:u", mid_x2_call=True)
    dump, view = state.dump(), state.view(2)
    assert (dump["phase"], dump["to_act"], dump["need"]) == ("window", 1, 1)
    assert dump["callers"] == [2, 0]
    assert (view.phase, view.next, view.need, view.last) == ("window", 1, 1, 1)
    state.apply("pass")
    state.apply("pass")
    assert (state.to_act, state.phase, state.need) == (1, "play", 1)
    assert state.dump() == dump


def test_d13_with_fewer_than_two_cards_in_hand_play_what_there_is() -> None:
    state = table("0 x2:u")
    state.hands[1] = ("N1",)
    state.replay(1, "N1:u")
    assert (state.phase, state.next, state.need) == ("window", 2, 0)


def test_d23_a_face_down_card_that_is_trashed_stays_face_down() -> None:
    state = table("0 trap:d, 1 trash:u")
    assert state.dump()["discard_hidden"] == ["trap"]
    assert state.view(0).discard == ("trap", "trash")
    assert state.view(1).discard == state.view(2).discard == ("?", "trash")
    state.replay(2, "17")
    assert (state.rounds[0]["traps"], state.tokens[0]) == ([], (0, 0))
    assert state.view(2).discard == ("?", "trash")


def test_d31_the_game_is_over_with_3_victories_ranked_by_more_v_then_fewer_p() -> None:
    state = table("0 N1:u, 1 17", tokens=((2, 0), (2, 1), (1, 1)))
    assert (state.to_act, state.legal()) == (None, ())
    assert state.result() == {
        "ranks": [1, 2, 3],
        "scores": [3, 1, 1],
        "penalties": [0, 0, 1],
        "reason": "complete",
    }


def test_d35_hands_are_kept_between_rounds() -> None:
    state = table("0 N1:u", hands={0: "x2 trap n1", 1: "n2 n2 n3", 2: "rev N5 N5"})
    before = list(state.hands)
    state.replay(1, "17")
    assert state.hands == before


def low_pile(piles: tuple[tuple[str, ...], ...] = (), seed: int | None = None) -> game.State:
    """The draw pile is empty, rev and N4 are discarded, seat 2 has N1s and is to play."""
    state = table("0 rev:d, 1 N4:u, 2 17, 1 N3:u", hands={2: N})
    state.deck = []
    state.start = state.start._replace(reshuffles=piles, shuffle_seed=seed)
    assert (state.discard, row(state), state.next) == (["rev", "N4"], ["N3"], 2)
    return state


def test_d36_the_discard_pile_is_shuffled_into_a_new_one_without_the_row() -> None:
    state = low_pile(seed=1)
    state.replay(2, "N1:u")
    assert sorted([*state.deck, *state.hands[2]]) == sorted(["rev", "N4", "N1", "N1"])
    assert (state.discard, row(state)) == ([], ["N3", "N1"])
    assert state.view(1).since[-2:] == ((2, "N1:u"), (-1, "reshuffle"))
    assert sorted(state.setup()["reshuffles"][0]) == ["N4", "rev"]


def test_d36_a_given_pile_is_used_from_the_top() -> None:
    state = low_pile((("N4", "rev"),), seed=1)
    state.replay(2, "N1:u")
    assert (state.hands[2], state.deck) == (("N1", "N1", "N4"), ["rev"])
    assert state.setup()["reshuffles"] == [["N4", "rev"]]


@pytest.mark.parametrize(
    ("piles", "why"),
    [((), "missing reshuffle"), ((("N4",),), "reshuffles.0."), ((("N4", "x2"),), "reshuffles.0.")],
)
def test_d36_a_replay_needs_the_new_pile_and_changes_nothing_without(piles: Any, why: str) -> None:
    state = low_pile(piles)
    before = state.dump(), list(state.actions), state.fields(2)
    with pytest.raises(IllegalAction, match=why):
        state.replay(2, "N1:u")
    assert (state.dump(), state.actions, state.fields(2)) == before


def test_d36_a_reshuffle_forgets_what_was_known_of_a_card() -> None:
    state = low_pile(seed=1)
    state.replay(2, "N1:u")
    assert {state.view(seat).discard for seat in range(3)} == {()}


def test_d36_reshuffles_of_one_deal_differ() -> None:
    state = table()
    orders = set()
    for _ in range(3):
        state.start = state.start._replace(shuffle_seed=1)
        state.deck, state.discard = [], list(game.NUMBER)
        state.hands[0] = state._draw((), 1)
        orders.add(state.used[-1])
    assert len(orders) == 3


def test_d37_with_both_piles_empty_the_hand_stays_short() -> None:
    state = table(players=2)
    for turn in range(65):  # 70 cards less six in hand are 64 draws
        state.replay(turn % 2, state.hands[turn % 2][0] + ":d")
    assert (len(state.hands[0]), len(state.hands[1]), len(state.deck)) == (2, 3, 0)


def test_d37_who_must_start_a_turn_with_an_empty_hand_is_deemed_to_call() -> None:
    state = exhausted()
    found = state.rounds[0]
    assert (found["end"], found["caller"], found["last"], found["forced"]) == (69, 0, 1, True)
    assert found["total"] == 150  # 3 x 15 of one-sided and 7 x 15 of two-sided numbers
    assert len(found["traps"]) == 5
    event: Any = state.view(1).since[1]
    assert (event[:3], len(event[3])) == ((0, "exhausted", 150), 70)
    assert state.actions[-1][0] == 1


def test_d37_hands_are_filled_up_at_the_start_of_the_next_round_starter_first() -> None:
    state = exhausted()
    assert (state.to_act, list(map(len, state.hands)), len(state.deck)) == (0, [3, 3], 64)
    pile = state.used[0]
    assert state.hands == [tuple(sorted(pile[:3])), tuple(sorted(pile[3:6]))]


def test_d37_hands_are_filled_up_in_the_current_direction() -> None:
    state = table("0 rev:u")
    state.hands = [("N1",)] * 3
    state.deck = ["N4", "N4", "N3", "N3", "N2", "N2"]  # the top last
    state.replay(1, "17")  # on 0: seat 0 wins and starts, then 2, then 1
    assert state.hands == [("N1", "N2", "N2"), ("N1", "N4", "N4"), ("N1", "N3", "N3")]


def test_d37_somebody_may_call_in_the_window_before() -> None:
    state = exhausted()
    state.replay(0, "17")
    assert [(r["end"], "forced" in r) for r in state.rounds] == [(70, False)]


def test_d37_a_void_round_gives_no_tokens_and_that_player_starts() -> None:
    state = exhausted(exhaust="void")
    assert state.rounds == [{"end": 69, "void": True}]
    assert (state.tokens, state.to_act) == (((0, 0), (0, 0)), 0)
    assert state.view(1).since[1:] == ((-1, "void"), (-1, "reshuffle"))


def test_d37_a_void_round_is_not_revealed() -> None:
    state = table("0 trap:d, 1 N1:u, 2 rev:u", exhaust="void")
    state.hands[1] = ()
    while state.rounds == []:
        state.apply("pass")
    assert state.view(1).discard == ("?", "N1", "rev")
    assert state.view(0).discard == ("trap", "N1", "rev")
    assert state.dump()["discard_hidden"] == ["trap"]


def test_d37_a_prefix_without_the_next_pile_stays_in_its_window() -> None:
    played = exhausted()
    state = game.State(played.options, 2, played.start._replace(shuffle_seed=None))
    for seat, action in played.actions:
        state.replay(seat, action)
    assert (state.dump()["phase"], state.dump()["to_act"], state.rounds) == ("window", 0, [])
    with pytest.raises(IllegalAction, match="missing reshuffle"):
        state.replay(0, "17")


def test_d38_after_max_turns_and_a_window_without_a_call_the_game_ends() -> None:
    state = table("0 N4:u", max_turns=1)
    assert (state.over, row(state)) == ("turn_limit", ["N4"])
    assert state.result() == {
        "ranks": [1, 1, 1],
        "scores": [0, 0, 0],
        "penalties": [0, 0, 0],
        "reason": "turn_limit",
    }
    assert (state.dump()["phase"], state.dump()["to_act"]) == ("over", None)


def test_d38_a_call_in_that_window_is_played_and_the_next_window_is_the_last() -> None:
    state = table("0 N4:u, 2 17", max_turns=1)
    assert (state.to_act, state.phase, len(state.rounds)) == (0, "play", 1)
    state.replay(0, state.legal()[0])
    assert state.over == "turn_limit"


def test_d38_asked_one_by_one_it_ends_after_the_last_pass() -> None:
    state = table(max_turns=1)
    for decision in (state.legal()[0], "pass"):
        state.apply(decision)
    assert (state.to_act, state.dump()["over"]) == (2, "turn_limit")
    state.apply("pass")
    assert (state.to_act, state.over) == (None, "turn_limit")


@pytest.mark.parametrize("turns", [0, -1, 100_001])
def test_d38_max_turns_is_1_to_100000(turns: int) -> None:
    with pytest.raises(OptionsError, match="max_turns"):
        game.Options(max_turns=turns)
    assert game.Options(max_turns=100_000).max_turns == 100_000


def test_d39_tokens_are_never_exhausted() -> None:
    play = "0 trap:d, 1 trap:d, 2 trap:d, 3 trap:d, 4 trap:d, 5 N1:u, 0 17"
    held = table(play, 6, tokens=((2, 0),) * 6).tokens
    assert held == ((0, 0), *[(3, 0)] * 5)  # 15 victories; the box has 14
    # the caller has 3 victories, and six penalties cost three


def test_d40_a_stand_in_plays_the_first_card_by_code_point_face_up() -> None:
    state = table("0 forfeit", hands={0: "x2 n1 N5"})
    assert (state.to_act, state.legal()[0]) == (0, "N5:u")
    for action in ("N5:d", "n1:u"):
        with pytest.raises(IllegalAction, match="stand-in"):
            state.replay(0, action)
    state.replay(0, "N5:u")


def test_d40_a_stand_in_never_calls() -> None:
    state = table("0 N5:u, 1 forfeit")
    assert (state.to_act, state.legal()[0], state.dump()["callers"]) == (1, "pass", [2])
    with pytest.raises(IllegalAction, match="seat 1 cannot call"):
        state.replay(1, "17")
    with pytest.raises(IllegalAction, match="seat 1 cannot call"):
        state.replay(2, "17", (1,))
    state.replay(2, "17")


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_is_none_cannot_forfeit(seat: int) -> None:
    with pytest.raises(IllegalAction, match="no seat"):
        table().forfeit(seat)


def test_the_state_after_a_turn_is_in_its_window_until_the_next_card() -> None:
    state = table("0 x2:u, 1 n2:d, 1 N5:u", hands={0: N, 1: "N2 n1 N1", 2: N})
    expected = {
        "phase": "window", "to_act": 2, "over": None, "need": 1, "dir": 1,
        "row": [["x2", "u", 0], ["n2", "d", 1], ["N5", "u", 1]], "last": 1, "callers": [2, 0],
        "tokens": [[0, 0]] * 3, "hands": [["N1"] * 3, ["N1", "N2", "n1"], ["N1"] * 3],
        "deck": 58, "deck_top_back": 2, "discard": [], "discard_hidden": [], "total": 7,
        "turns": 2,
    }  # fmt: skip
    # 70 less nine dealt and three drawn; all seven N1 are in the hands
    assert state.dump() == expected
    state.apply("pass")
    state.apply("pass")
    assert (state.phase, state.dump()) == ("play", expected)


def test_a_pass_is_a_question_answered_and_no_event() -> None:
    state = table("0 N1:u", hands={1: N, 2: N})
    state.apply("pass")
    assert state.view(1).since == ()
    assert state.view(2).since == ((0, "N1:u"),)
    assert state.actions == [(0, "N1:u")]
    state.apply("pass")
    state.apply("N1:d")
    assert state.view(2).since == state.view(1).since == ((1, "N1:d"),)


def test_a_call_reveals_the_row_to_all() -> None:
    state = table("0 n3:d, 1 N1:u, 2 17")
    revealed = (("n3", "d", 0), ("N1", "u", 1))
    assert state.view(0).since == ((0, "n3:d"), (1, "N1:u"), (2, "17", 4, revealed))
    assert state.view(2).since == ((2, "17", 4, revealed),)
    assert state.view(1).since == ((1, "N1:u"), (2, "17", 4, revealed))


def test_what_is_face_down_and_blank_is_known_to_its_owner_alone() -> None:
    state = table("0 n3:d")
    assert [state.view(s).row[0][0] for s in range(3)] == ["n3", "?", "?"]
    assert [state.view(s).since[0] for s in range(3)] == [(0, "n3:d"), (0, "?:d"), (0, "?:d")]


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("deck", ["N1"] * 70, "63 N1 too many"),  # there are seven
        ("deck", ["N9"] * 70, "N9"),
        ("deck", [], "setup.deck: 7 N1 too few"),
        ("reshuffles", "N1", "setup.reshuffles"),
        ("reshuffles", [["N1"], ["Z"]], r"setup.reshuffles\[1\]: found 'Z'"),
        ("first", 3, "0 to 2"),
    ],
)
def test_a_setup_says_what_is_wrong_with_it(key: str, value: object, why: str) -> None:
    setup = {**table().setup(), key: value}
    with pytest.raises(ValueError, match=why):
        game.parse_setup(game.Options(), 3, setup)


@pytest.mark.parametrize(
    ("hand", "players", "options", "lines"),
    [
        ("N1 N2 N3", 2, {"max_turns": 1}, 12),  # 6 plays, called or not
        ("N1 N1 N2", 2, {"max_turns": 1}, 8),  # equal cards are one decision
        ("N1 N2 N3", 3, {"max_turns": 1}, 18),  # 6 plays, two callers or none
        ("N1 N2 N3", 2, {"max_turns": 2}, 78),  # 6 x (called, or 6 x 2)
        # five plays x 13 as above; after x2:u called, or 6 first cards x 4 second x called or not
        ("N1 N2 x2", 2, {"max_turns": 2}, 5 * 13 + 1 + 6 * 4 * 2),
        # and each of the 6 first cards may be called
        ("N1 N2 x2", 2, {"max_turns": 2, "mid_x2_call": True}, 5 * 13 + 1 + 6 * (1 + 4 * 2)),
    ],
)
def test_lines_of_play_counted_by_hand(
    hand: str, players: int, options: dict[str, Any], lines: int
) -> None:
    """Each call ends the game, and seats but 0 hold N1 N2 N3."""
    hands = dict.fromkeys(range(1, players), "N1 N2 N3") | {0: hand}
    state = table(players=players, hands=hands, tokens=((2, 0),) * players, **options)
    assert lines_of_play(state) == lines


OPTIONS = st.builds(
    game.Options,
    st.lists(st.integers(0, 20), min_size=3, max_size=3).map(
        lambda cuts: game.Specials(*(b - a for a, b in pairwise([0, *sorted(cuts), 20])))
    ),
    max_turns=st.sampled_from((1, 20, 200, 1000)),
    **{each.name: ... for each in fields(game.Options)[1:] if each.name != "max_turns"},
)
drawn = given(options=OPTIONS, players=st.integers(2, 6), seed=st.integers(0, 999))


def careful(state: Play, rng: Random, calls: float) -> str:
    """A decision at random that calls not too often, so that rows grow."""
    assert state.to_act is not None
    if state.to_act in state.forfeited:
        return state.legal()[0]
    if state.phase == "window":
        return "17" if rng.random() < calls else "pass"
    return rng.choice(state.legal())


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("exhaust", ["showdown", "void"])
@pytest.mark.parametrize("passes", [0, 1, 9])
def test_forfeits_in_a_window_that_may_end_with_a_deemed_call_are_all_kept(
    players: int, exhaust: str, passes: int
) -> None:
    """Whoever was out in it was in again when the last of them forfeited: asked, and at its end
    missing in the record. `passes` are made after the first forfeit: 9 lead out of the window.
    """
    options = game.Options(exhaust=exhaust)  # type: ignore[arg-type]
    seen = 0
    for seed in range(60):
        rng = Random(seed)
        state = game.State(options, players, game.deal(options, players, rng))
        while state.to_act is not None and not (state.window and state.phase == "window"):
            state.apply(careful(state, rng, 0.0))
        if state.to_act is None:
            continue
        seen += 1
        gone: list[int] = []
        while state.to_act is not None:
            seat = state.to_act if state.to_act not in gone else next(
                each for each in range(players) if each not in gone
            )  # fmt: skip
            state.forfeit(seat)
            gone.append(seat)
            assert state.forfeited == gone, seed
            for _ in range(passes):
                if state.to_act is not None and state.phase == "window":
                    state.apply("pass")
        assert [seat for seat, action in state.actions if action == "forfeit"] == gone
        again = game.State(options, players, game.parse_setup(options, players, state.setup()))
        for who, action in state.actions:
            again.replay(who, action)
        assert (again.result(), again.rounds) == (state.result(), state.rounds), seed
    assert seen >= 5, seen


@pytest.mark.parametrize("exhaust", ["showdown", "void"])
def test_a_forfeit_that_ends_the_game_after_a_deemed_call_comes_before_it(exhaust: str) -> None:
    """The record has the play, then the forfeit, and cannot tell what was between them."""
    seen = 0
    for seed in range(400):
        rng = Random(seed)
        options = game.Options(exhaust=exhaust)  # type: ignore[arg-type]
        state = game.State(options, 2, game.deal(options, 2, rng))
        while state.to_act is not None:
            before = len(state.rounds)
            state.apply(careful(state, rng, 0.0))
            ended = state.rounds[before:]
            if (
                ended
                and (ended[0].get("forced") or ended[0].get("void"))
                and state.to_act is not None
            ):
                state.forfeit(state.to_act)
                seen += 1
        again = game.State(options, 2, game.parse_setup(options, 2, state.setup()))
        for seat, action in state.actions:
            again.replay(seat, action)
        assert (again.result(), again.rounds) == (state.result(), state.rounds), seed
        if seen == 5:
            return
    raise AssertionError("no deemed call")


@settings(max_examples=20)
@drawn
def test_the_state_that_is_played_is_the_state_that_its_actions_tell(
    options: game.Options, players: int, seed: int
) -> None:
    rng = Random(seed)
    setup = game.deal(options, players, rng)
    state, again = (game.State(options, players, setup) for _ in range(2))
    for _ in range(400):
        if state.to_act is None:
            break
        state.apply(careful(state, rng, 0.1))
        for seat, action in state.actions[len(again.actions) :]:
            again.replay(seat, action)
        assert again.dump() == state.dump(), seed


@pytest.mark.parametrize("seed", range(12))
def test_the_tokens_of_a_round_come_to_what_was_given_and_handed_back(seed: int) -> None:
    rng = Random(seed)
    players = rng.randint(2, 6)
    state = game.State(game.Options(), players, game.deal(game.Options(), players, rng))
    for _ in steps(state, players, rng):
        pass
    held = [[0, 0] for _ in range(players)]
    for found in state.rounds:  # computed a second way, all at once
        right = found["total"] >= 17
        winner, loser = [found["caller"], found["last"]][:: 1 if right else -1]
        for seat in {winner, *found["traps"]}:
            held[seat][0] += 1
        held[found["caller"]][1] += len(found["traps"])
        held[loser][1] += 1
        held = [[max(0, v - p // 2), p % 2] for v, p in held]
        assert found["tokens"] == held, seed


@pytest.mark.whole
def test_a_seat_knows_what_it_has_held_or_seen_and_no_more() -> None:
    found: list[int] = []
    settings(max_examples=90)(drawn(lambda **game: found.append(tell_apart(**game))))()
    assert sum(found) > 100  # else too little was hidden to say so


def tell_apart(options: game.Options, players: int, seed: int) -> int:
    """Check what each seat knows in a game at random; return how many others it was held against.

    Those have other hidden cards, played face down, and the seat's views must be the same.
    """
    rng = Random(seed)
    calls = rng.choice((0.0, 0.02, 0.1))  # without calls both piles run out
    played = TrackedGame(options, players, game.deal(options, players, rng))
    history: list[list[tuple[Any, ...]]] = []
    others = 0
    while played.state.to_act is not None:
        history.append([played.state.fields(seat) for seat in range(players)])
        for seat in range(players):
            view = played.state.view(seat)
            row = zip(played.row, played.state.row, strict=True)
            assert view.row == tuple((played.seen(seat, s), f, o) for s, (_, f, o) in row), seed
            assert view.discard == tuple(played.seen(seat, s) for s in played.discard), seed
            assert view.hand == tuple(sorted(played.cards[s] for s in played.hands[seat])), seed
        if rng.random() < 0.05:
            seat = rng.randrange(players)
            setup, decisions = played.resample(seat, rng)
            others += decisions != [(who, decision) for who, decision, _ in played.done]
            other = game.State(options, players, setup)
            for at, fields in enumerate(history):
                assert other.fields(seat) == fields[seat], (seed, seat, at)
                if at < len(decisions):
                    who, decision = decisions[at]
                    other.forfeit(who) if decision == "forfeit" else other.apply(decision)
        if rng.random() < 0.005:
            played.forfeit(
                rng.choice([s for s in range(players) if s not in played.state.forfeited])
            )
        else:
            played.apply(careful(played.state, rng, calls))
    return others


def redeals(state: game.State, seat: int) -> list[tuple[game.State, list[tuple[int, str]]]]:
    """What else it may be that `seat` sees, with its actions. Seeds 0 to 299."""
    given = state.options, state.seats, state.start, state.actions, seat
    twins = []
    for seed in range(300):
        setup, course = game.resample(*given, Random(seed))
        twin = game.State(state.options, state.seats, setup)
        for who, action in course:
            twin.replay(who, action)
        assert twin.fields(seat) == state.fields(seat), seed
        twins.append((twin, course))
    return twins


def test_resample_a_blank_back_may_be_any_that_the_seat_has_not_seen() -> None:
    state = table("0 trap:d, 1 trash:u, 2 n3:u, 0 rev:d", hands={0: N, 1: "n3 n3 N2"})
    unseen = {card for card, back in game.BACK.items() if not back} - {"n3"}  # there are three
    twins = redeals(state, 1)
    assert {twin.discard[0] for twin, _ in twins} == unseen
    assert {course[3][1] for _, course in twins} == {f"{card}:d" for card in unseen}
    assert {course[2] for _, course in twins} == {(2, "n3:u")}
    assert all(twin.hands[0] == state.hands[0] for twin, _ in twins)  # two-sided


def test_resample_the_pile_may_lie_in_any_order_below_the_back_of_its_top() -> None:
    state = table(hands={0: N, 1: "N1 n1 n1", 2: "N1 n1 n2"})
    state.start = state.start._replace(deck=(*state.start.deck[:9], *sorted(state.deck)))
    twins = redeals(game.State(state.options, 3, state.start), 0)
    assert {game.BACK[twin.deck[-1]] for twin, _ in twins} == {game.BACK[min(state.deck)]}
    assert len({twin.deck[-2] for twin, _ in twins}) == len(set(state.deck) | {"n1"})


def test_resample_a_stand_in_has_no_card_before_the_one_it_played() -> None:
    state = table("0 forfeit, 0 n3:u", hands={0: "rev x2 n4"})  # n4 was drawn after it
    twins = redeals(state, 1)
    assert all({"rev", "x2"} <= set(twin.hands[0]) for twin, _ in twins)
    assert {"n1", "trap"} <= {card for twin, _ in twins for card in twin.hands[0]}


def test_resample_what_a_reshuffle_brought_back_was_where_it_was_and_may_be_elsewhere_now() -> None:
    state = exhausted()
    state.replay(0, state.legal()[0])  # before it the window was passed and all cards were revealed
    state.start = state.start._replace(reshuffles=tuple(state.used))
    twins = redeals(state, 1)
    assert all(twin.start.deck == state.start.deck for twin, _ in twins)
    assert len({twin.hands[0] for twin, _ in twins}) > 20
    assert {len(twin.used) for twin, _ in twins} == {1}


def test_the_setup_of_a_deal_keeps_its_shuffle_seed_out_of_the_record() -> None:
    setup = game.deal(game.Options(), 3, Random(1))
    assert setup.shuffle_seed is not None
    assert set(game.State(game.Options(), 3, setup).setup()) == {"deck", "first", "reshuffles"}


def test_events_describe_a_card_a_call_and_a_new_draw_pile() -> None:
    said = [(0, "n3:u"), (0, "n3:d"), (0, "?:d"), (1, "17"), (-1, "reshuffle")]
    assert [game.describe_event(event) for event in said] == [
        "plays n3", "plays n3 face down", "plays a card face down", "calls 17",
        "the discard pile is shuffled into a new draw pile",
    ]  # fmt: skip


OWN_TRAP = "0 trap:d, 1 N5:u, 2 N1:u, 0 17"


@pytest.mark.parametrize(
    ("play", "options", "said"),
    [
        (f"{TO_17}, 1 17", {},
         "bob calls 17, right: the row is worth 17 (N5 N5 N5 N2); bob wins the round; "
         "ann takes a penalty"),
        ("0 N1:u, 1 17", {},
         "bob calls 17, wrong: the row is worth 1 (N1); ann wins the round; bob takes a penalty"),
        (f"{TRAP_AND_17}, 2 17", {},  # D25, D28
         "cid calls 17, right: the row is worth 17 (trap N5 N5 N5 N2); cid wins the round; "
         "ann gets a victory for a trap; cid takes a penalty; bob takes a penalty"),
        # D26: bob's own trap earns no victory more; D29: cid has no victory to lose
        ("0 N1:u, 1 trap:d, 2 17", {},
         "cid calls 17, wrong: the row is worth 1 (N1 trap); bob wins the round; "
         "cid takes 2 penalties"),
        (OWN_TRAP, {},
         "ann calls 17, wrong: the row is worth 6 (trap N5 N1); cid wins the round; "
         "ann gets a victory for a trap; ann takes 2 penalties, which cost a victory"),
        (OWN_TRAP, {"own_trap_penalty": False},
         "ann calls 17, wrong: the row is worth 6 (trap N5 N1); cid wins the round; "
         "ann gets a victory for a trap; ann takes a penalty"),
    ],
)  # fmt: skip
def test_what_came_of_a_call_is_said(play: str, options: dict[str, Any], said: str) -> None:
    state, names = table(play, **options), ["ann", "bob", "cid"]
    event = next(e for e in reversed(state.view(0).since) if len(e) > 2)
    came = game.describe_round(event, state.rounds, names, state.options)
    assert "; ".join(f"{names[seat]} {words}" for seat, words in came or ()) == said


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([0, 1], [0, 0], "takes a second penalty: both go back"),
        ([1, 1], [0, 0], "takes a second penalty, which costs a victory"),
        ([2, 0], [2, 1], "takes a penalty"),
    ],
)
def test_d29_a_second_penalty_is_said_to_cost_a_victory(
    before: list[int], after: list[int], said: str
) -> None:
    rounds: list[dict[str, Any]] = [
        {"end": 1, "caller": 1, "last": 0, "total": 1, "traps": [], "tokens": [before, [0, 0]]},
        {"end": 2, "void": True},
        {"end": 4, "caller": 0, "last": 1, "total": 1, "traps": [], "tokens": [after, [1, 0]]},
    ]
    event = 0, "17", 1, (("n1", "u", 1),)
    came = game.describe_round(event, rounds, ["ann", "bob"], game.Options())
    assert came is not None
    assert came[-1] == (0, said)


def test_d37_a_player_without_a_card_is_said_to_be_deemed_to_call() -> None:
    rounds = [{"end": 0, "caller": 1, "last": 0, "total": 3, "traps": [], "tokens": [[1, 0]] * 2}]
    event = 1, "exhausted", 3, (("n3", "u", 0),)
    came = game.describe_round(event, rounds, ["ann", "bob"], game.Options())
    words = "has no card left, which counts as a call of 17, wrong: the row is worth 3 (n3)"
    assert came is not None
    assert came[0] == (1, words)
    void = game.describe_round((-1, "void"), rounds, ["ann", "bob"], game.Options())
    assert void == [(-1, "no cards are left to play: the round is void")]


def test_a_row_makes_what_is_seen_of_it_and_with_all_hands_open_all() -> None:
    rules = games.load("diciassette")
    state = table("0 N5:u, 1 n3:d, 2 trap:d")
    seen = [games.zones(rules, state.view(seat))[-1].pieces[0].text for seat in range(3)]
    assert seen == ["5 to 15", "8 to 13", "5 to 10"]  # an unknown card has 5 at most
    assert games.open_zones(rules, state, 3)[-1].pieces[0].text == "8"


def test_a_game_that_is_over_has_neither_a_next_card_nor_a_sum() -> None:
    rules, play = games.load("diciassette"), "0 N5:u, 1 N5:u, 2 N5:u, 0 N4:u"
    names = []
    for state in (
        table(play, tokens=((0, 0), (2, 0), (0, 0))),
        table(f"{play}, 1 17", tokens=((0, 0), (2, 0), (0, 0))),
    ):
        names.append({zone.name for zone in games.open_zones(rules, state, 3)})
    assert names[0] - names[1] == {"now", "turns go", "cards due", "makes"}


def test_cards_face_down_that_are_known_say_so_and_backs_with_numbers_too() -> None:
    down, both, trap = game.symbol("(n3)"), game.symbol("N3"), game.symbol("(trap)")
    assert (down.value, down.is_face_down, down.label) == ("3", True, "3 face down")
    assert (both.value, both.is_face_down, both.label) == ("3", False, "two-sided 3")
    assert (trap.value, trap.label) == ("trap", "trap face down")


def test_what_the_row_may_be_worth_follows_from_the_cards_unseen() -> None:
    row = (("N5", "u", 1), ("?", "d", 1), ("N4", "u", 2), ("?", "d", 2))
    view = table("0 N5:u").view(1)._replace(hand=(), row=row, discard=())
    # of 35 blank backs, 15 have a number, on average 3; 8 is made by 6 of the 5 x 5 pairs
    features = {"row_seen": 9, "row_hidden": 2, "row_mean": 11.6, "calls": 4}  # 6 x (3 / 35)^2
    assert game.features(view) == features
    held = view._replace(hand=("n1", "n1", "n1", "n2", "n2", "n2", "rev"))
    assert game.features(held)["row_mean"] == 11.6  # 28 are left: 36 of numbers; 9 + 2 * 36 / 28
    assert game.features(view._replace(row=row[::2] * 2))["calls"] == 100


def test_cards_are_high_low_or_special_each_with_its_face() -> None:
    view = table("0 N5:u").view(1)
    assert game.move_classes(view, "n4:d") == ("high", "high:d")
    assert game.move_classes(view, "N3:u") == ("low", "low:u")
    assert game.move_classes(view, "trap:d") == ("special", "special:d")
    assert game.move_classes(view, "17") == game.move_classes(view, "pass") == ()


@pytest.mark.parametrize("number", range(60))
def test_an_action_of_a_record_comes_to_the_same_with_and_without_a_copy(
    number: int, seed: int
) -> None:
    rng = Random(seed + number)
    players = rng.choice(game.seat_counts(game.Options()))
    options = game.Options(
        mid_x2_call=rng.random() < 0.5,
        x2_draw=rng.choice(("after", "each")),
        x2_stack=rng.random() < 0.5,
        max_turns=rng.choice((5, 40)),
    )
    played = play(new(game, options, players, rng), players, rng, forfeits=0.01)
    setup = game.parse_setup(options, players, played.setup())
    state = game.State(options, players, setup)
    for entry in played.actions:
        seat, action, also = (*entry, ())[:3]
        before, wanted = state.copy(), replay_in_copy(state, seat, action, also)
        with pytest.raises(IllegalAction):
            state.replay(seat, "none:u", also)
        assert same(state) == same(before)
        state.replay(seat, action, also)
        assert same(state) == same(wanted)
    assert state.result() == played.result()


def same(state: Play) -> list[Any]:
    """Return all that a state is; of the window before it, its actions."""
    window = state.window and len(state.window.actions)
    return [window, *(getattr(state, name) for name in Play.__slots__ if name != "window")]
