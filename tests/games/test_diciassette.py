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
from games import IllegalAction, OptionsError, parse_options
from games import diciassette as game
from games.diciassette.hidden import TrackedGame
from games.diciassette.play import Play
from games.diciassette.record import replay_in_copy
from tests.games.playing import lines_of_play, new, play, seen, values

N = "N1 N1 N1"  # a hand without a special
TO_17 = "0 N5:u, 1 N5:u, 2 N5:u, 0 N2:u"  # three players; the last is seat 0
TRAP_AND_17 = "0 trap:d, 1 N5:u, 2 N5:u, 0 N5:u, 1 N2:u"  # the last is seat 1


def table(
    play: str = "", players: int = 3, hands: str = "",
    tokens: tuple[tuple[int, int], ...] | None = None, **options: Any,
) -> game.State:  # fmt: skip
    """The state after `play`, as in "0 N4:u, 1 17", from a deck that makes it possible.

    `hands`, by seat with / between them, are held at its end; the rest are the first cards left.
    """
    chosen = parse_options(game.Options, options)
    entries = [entry.split() for entry in play.split(", ")] if play else []
    plays = [(int(seat), act[:-2]) for seat, act, *_ in entries if ":" in act]
    wanted = [[card for who, card in plays if who == seat] for seat in range(players)]
    for seat, hand in enumerate(hands.split("/")):
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


def exhausted(**options: Any) -> game.State:
    """Two players have put all 70 cards down without a call; both piles are empty."""
    state = table(players=2, **options)
    state.start = state.start._replace(shuffle_seed=1)
    for turn in range(70):
        state.replay(turn % 2, state.hands[turn % 2][0] + ":d")
    return state


RULES = """
d01 17 itself is enough | TO_17, 1 17 | | tokens='0/1 1/0 0/0'
d01 16 is not | 0 N5:u, 1 N5:u, 2 N5:u, 0 N1:u, 1 17 | | tokens='1/0 0/1 0/0'
d02 any card either way up | | hands='x2 N4 n2' | \
    legal=('N4:u','N4:d','n2:u','n2:d','x2:u','x2:d')
d05 backs of hands are public | | hands='trap N5 n4/N2 N1 rev/N1 N1 N1' | \
    backs2=((0,0,5),(0,1,2),(1,1,1))
d05 a blank one on the row is known to its owner alone | 0 n3:d | | \
    row0=(('n3','d',0),) row1=(('?','d',0),) since0=((0,'n3:d'),) since2=((0,'?:d'),)
d06 a two-sided card face down is seen | 0 N3:d | | row1=(('N3','d',0),) since1=((0,'N3:d'),)
d06 and counts | 0 N3:d, 1 17 | | total=3
d07 discards are public in order | 0 n3:d, 1 rev:u, 0 N1:u, 2 17 | | \
    discard0=('n3','rev','N1') discard1=('n3','rev','N1')
a call reveals the row to all | 0 n3:d, 1 N1:u, 2 17 | | \
    since1=((1,'N1:u'),(2,'17',4,(('n3','d',0),('N1','u',1)))) \
    since2=((2,'17',4,(('n3','d',0),('N1','u',1))),)
d09 the window comes after the draw, the next player may call | 0 N5:u | | \
    held=[3,3,3] to_act=1 phase='window' legal=('pass','17')
d10 a row emptied by trash may be called at 0 | 0 N4:u, 1 trash:u, 2 17 | | \
    total=0 tokens='0/0 1/0 0/1'
d10 empty_row_call false asks no player | 0 N4:u, 1 trash:u | empty_row_call=False | \
    to_act=2 phase='play' callers=[]
d11 the first in turn order after the last player has priority | 0 N4:u, 1 17 2 | | caller=1
d11 by the direction after the last card | 0 rev:u | players=4 | to_act=3 callers=[3,2,1]
d11 so seat 3 has it | 0 rev:u, 3 17 1 2 | players=4 | caller=3
d12 no call between the two cards | 0 x2:u, 1 N4:u | | to_act=1 phase='play' need=1
d12 mid_x2_call opens a window between them | 0 x2:u, 1 N4:u | mid_x2_call=True | \
    phase='window' to_act=2 callers=[2,0] next2=1 need2=1 last2=1
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
d23 a face-down card that is trashed stays so | 0 trap:d, 1 trash:u | | \
    discard0=('trap','trash') discard1=('?','trash') discard_hidden=['trap']
d23 and has no effect | 0 trap:d, 1 trash:u, 2 17 | | \
    traps=[] tokens='0/0 1/0 0/1' discard2=('?','trash')
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
d31 over with 3 V, ranks by V, then P | 0 N1:u, 1 17 | tokens=((2,0),(2,1),(1,1)) | \
    to_act=None legal=() ranks=[1,2,3] scores=[3,1,1] penalties=[0,0,1] reason='complete'
d32 several with 3 V share | 0 trap:d, 1 N1:u, 2 17 | tokens=((2,0),(2,0),(0,0)) | ranks=[1,1,3]
d32 unless P differ | 0 trap:d, 1 N1:u, 2 17 | tokens=((2,1),(2,0),(0,0)) | ranks=[2,1,3]
d33 the winner of the call starts | 0 trap:d, 1 N1:u, 2 17 | | to_act=1 phase='play' last=None
d33 or the trap owner | 0 trap:d, 1 N1:u, 2 17 | next_starter='trap' | to_act=0
d33 of the leftmost | 0 N1:u, 1 trap:d, 2 N1:u, 0 trap:d, 2 17 | next_starter='trap' | to_act=1
d33 after a right call the caller | TO_17, 2 17 | | to_act=2
d33 without a trap too | TO_17, 2 17 | next_starter='trap' | to_act=2
d34 the direction persists into the next round | 0 rev:u, 2 17 | | direction=-1
d34 or is reset | 0 rev:u, 2 17 | direction_reset=True | direction=1
d35 hands are kept between rounds | 0 N1:u, 1 17 | hands='x2 trap n1/n2 n2 n3/rev N5 N5' | \
    hands=[('n1','trap','x2'),('n2','n2','n3'),('N5','N5','rev')]
d38 after max_turns and a window without a call the game ends | 0 N4:u | max_turns=1 | \
    over='turn_limit' row=['N4'] ranks=[1,1,1] reason='turn_limit' to_act=None
d38 a call in it is played | 0 N4:u, 2 17 | max_turns=1 | to_act=0 phase='play' over=None
d38 and the next window is the last | 0 N4:u, 2 17, 0 N1:u | max_turns=1 | over='turn_limit'
d38 a forfeit in the last window is in the result | 0 N4:u, 2 forfeit | max_turns=1 | \
    over='turn_limit' forfeits=[2]
d39 tokens are never exhausted: 15 V | \
    0 trap:d, 1 trap:d, 2 trap:d, 3 trap:d, 4 trap:d, 5 N1:u, 0 17 | \
    players=6 tokens=((2,0),(2,0),(2,0),(2,0),(2,0),(2,0)) | tokens='0/0 3/0 3/0 3/0 3/0 3/0'
d40 a stand-in plays the first card by code point face up | 0 forfeit, 0 N5:u | hands='x2 n1' | \
    row=['N5']
d40 and never calls | 0 N5:u, 1 forfeit | | to_act=1 callers=[2]
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
d40 a stand-in plays nothing else | 0 forfeit, 0 N5:d | hands='x2 n1 N5' | stand-in
d40 nor another card | 0 forfeit, 0 n1:u | hands='x2 n1 N5' | stand-in
d40 a stand-in never calls | 0 N5:u, 1 forfeit, 1 17 | | seat 1 cannot call
d40 nor with another | 0 N5:u, 1 forfeit, 2 17 1 | | seat 1 cannot call
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
        **seen(state),
        **state.dump(),
        **(state.rounds[-1] if state.rounds else {}),
        **{name: getattr(state, name) for name in (*Play.__slots__, "to_act", "over")},
        "tokens": " ".join(f"{victories}/{penalties}" for victories, penalties in state.tokens),
        "held": list(map(len, state.hands)),
        "row": [card for card, _, _ in state.row],
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


def test_d01_d03_d04_two_to_six_play_with_the_70_cards_of_the_rulebook() -> None:
    assert game.seat_counts(game.Options()) == (2, 3, 4, 5, 6)
    assert [game.side(seat) for seat in range(6)] == [0, 1, 2, 3, 4, 5]
    cards = dict.fromkeys(("rev", "x2", "trash", "trap"), 5)
    cards |= {f"{kind}{number}": 3 if kind == "n" else 7 for kind in "nN" for number in range(1, 6)}
    assert Counter(game.pack(game.Options())) == cards
    assert game.count_pieces(table(TO_17 + ", 1 17")) == cards


def test_d03_the_specials_may_be_divided_otherwise() -> None:
    specials = {"rev": 20, "x2": 0, "trash": 0, "trap": 0}
    options = parse_options(game.Options, {"specials": specials})
    assert game.pack(options).count("rev") == 20


def test_d05_the_back_of_the_top_card_is_public() -> None:
    state = table()
    for deck, back in ((["trap", "N3"], 3), (["N3", "trap"], 0), ([], None)):
        state.deck = deck
        assert (state.view(2).top_back, state.view(2).deck) == (back, len(deck))


def test_d08_cards_are_dealt_one_at_a_time_seat_0_first() -> None:
    deck = ("N1", "N2", "N3", "N4", "N5", "n1", "rev")
    hands = game.State(game.Options(), 2, game.Setup(deck, 1)).hands
    assert hands == [("N1", "N3", "N5"), ("N2", "N4", "n1")]
    assert {game.deal(game.Options(), 6, Random(seed)).first for seed in range(80)} == {*range(6)}


def test_d09_everyone_may_call_except_the_one_who_just_played() -> None:
    state, asked = table("0 N5:u", 4), []
    while state.phase == "window":
        asked.append(state.to_act)
        state.apply("pass")
    assert (asked, state.to_act) == ([1, 2, 3], 1)


def test_d13_with_fewer_than_two_cards_in_hand_play_what_there_is() -> None:
    state = table("0 x2:u")
    state.hands[1] = ("N1",)
    state.replay(1, "N1:u")
    assert (state.phase, state.next, state.need) == ("window", 2, 0)


def low_pile(piles: tuple[tuple[str, ...], ...] = (), seed: int | None = None) -> game.State:
    """The draw pile is empty, rev and N4 are discarded, seat 2 has N1s and is to play."""
    state = table("0 rev:d, 1 N4:u, 2 17, 1 N3:u", hands=f"//{N}")
    state.deck = []
    state.start = state.start._replace(reshuffles=piles, shuffle_seed=seed)
    return state


def test_d36_the_discard_pile_is_shuffled_into_a_new_one_without_the_row() -> None:
    state = low_pile(seed=1)
    state.hidden = ["rev"]
    state.replay(2, "N1:u")
    assert sorted([*state.deck, *state.hands[2]]) == sorted(["rev", "N4", "N1", "N1"])
    row = [card for card, _, _ in state.row]
    assert (state.discard, state.hidden, row) == ([], [], ["N3", "N1"])
    assert state.view(1).since[-2:] == ((2, "N1:u"), (-1, "reshuffle"))
    assert sorted(state.setup()["reshuffles"][0]) == ["N4", "rev"]
    assert {state.view(seat).discard for seat in range(3)} == {()}, "what was known is forgotten"


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


def test_d36_reshuffles_of_one_deal_differ() -> None:
    state = table()
    for _ in range(3):
        state.start = state.start._replace(shuffle_seed=1)
        state.deck, state.discard = [], list(game.NUMBER)
        state.hands[0] = state._draw((), 1)
    assert len(set(state.used)) == 3


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


def test_d38_asked_one_by_one_it_ends_after_the_last_pass() -> None:
    state = table(max_turns=1)
    for decision in (state.legal()[0], "pass"):
        state.apply(decision)
    assert (state.to_act, state.dump()["over"]) == (2, "turn_limit")
    state.apply("pass")
    assert (state.to_act, state.over) == (None, "turn_limit")


@pytest.mark.parametrize(
    "given",
    [{"specials": {"rev": 4}}, {"specials": {"rev": -1, "x2": 11}},
     {"specials": {"rev": 21, "trap": -1}}, {"max_turns": 0}, {"max_turns": 100_001}],
)  # fmt: skip
def test_d03_d38_the_specials_are_20_and_max_turns_1_to_100000(given: dict[str, Any]) -> None:
    with pytest.raises(OptionsError, match=next(iter(given))):
        parse_options(game.Options, given)
    assert game.Options(max_turns=100_000).max_turns == 100_000

    # the caller has 3 victories, and six penalties cost three


def test_the_state_after_a_turn_is_in_its_window_until_the_next_card() -> None:
    state = table("0 x2:u, 1 n2:d, 1 N5:u", hands=f"{N}/N2 n1 N1/{N}")
    expected = {
        "phase": "window", "to_act": 2, "over": None, "need": 1, "dir": 1,
        "row": [["x2", "u", 0], ["n2", "d", 1], ["N5", "u", 1]], "last": 1, "callers": [2, 0],
        "tokens": [[0, 0]] * 3, "hands": [["N1"] * 3, ["N1", "N2", "n1"], ["N1"] * 3],
        "deck": 58, "deck_top_back": 2, "discard": [], "discard_hidden": [], "total": 7,
        "turns": 2,
    }  # fmt: skip
    assert state.dump() == expected
    state.apply("pass")
    state.apply("pass")
    assert (state.phase, state.dump()) == ("play", expected)


def test_a_pass_is_a_question_answered_and_no_event() -> None:
    state = table("0 N1:u", hands=f"/{N}/{N}")
    state.apply("pass")
    assert (state.view(1).since, state.view(2).since) == ((), ((0, "N1:u"),))
    assert state.actions == [(0, "N1:u")]


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
    hands = "/".join([hand, *["N1 N2 N3"] * (players - 1)])
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


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("exhaust", ["showdown", "void"])
@pytest.mark.parametrize("passes", [0, 1, 9])
def test_forfeits_in_a_window_that_may_end_with_a_deemed_call_are_all_kept(
    players: int, exhaust: str, passes: int
) -> None:
    """Whoever was out in it was in again when the last of them forfeited: asked, and at its end
    missing in the record. `passes` come after a forfeit, of two players before it: 9 lead out of
    the window. The record has the play, then the forfeit: it cannot tell of a deemed call between.
    """
    options, found = parse_options(game.Options, {"exhaust": exhaust}), 0
    for seed in range(60):
        rng = Random(seed)
        state = game.State(options, players, game.deal(options, players, rng))
        while state.to_act is not None and not (state.window and state.phase == "window"):
            state.apply(careful(state, rng, 0.0))
        found += state.to_act is not None
        gone: list[int] = []
        while state.to_act is not None:
            for _ in range(passes if gone or players == 2 else 0):
                if state.to_act is not None and state.phase == "window":
                    state.apply("pass")
            if state.to_act is None:
                break
            still = [state.to_act, *(seat for seat in range(players) if seat not in gone)]
            gone.append(next(seat for seat in still if seat not in gone))
            state.forfeit(gone[-1])
            assert state.forfeited == gone, seed
        assert [seat for seat, action in state.actions if action == "forfeit"] == gone
        again = game.State(options, players, game.parse_setup(options, players, state.setup()))
        for who, action in state.actions:
            again.replay(who, action)
        assert (again.result(), again.rounds) == (state.result(), state.rounds), seed
    assert found >= 5, found


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
    play(state, players, rng)
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
    state = table("0 trap:d, 1 trash:u, 2 n3:u, 0 rev:d", hands=f"{N}/n3 n3 N2")
    unseen = {card for card, back in game.BACK.items() if not back} - {"n3"}  # there are three
    twins = redeals(state, 1)
    assert {twin.discard[0] for twin, _ in twins} == unseen
    assert {course[3][1] for _, course in twins} == {f"{card}:d" for card in unseen}
    assert {course[2] for _, course in twins} == {(2, "n3:u")}
    assert all(twin.hands[0] == state.hands[0] for twin, _ in twins)  # two-sided
    assert len({twin.deck[-2] for twin, _ in twins}) > 9


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


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (f"{TRAP_AND_17}, 2 17",  # D25, D28
         "cid calls 17, right: the row is worth 17 (trap N5 N5 N5 N2); cid wins the round; "
         "ann gets a victory for a trap; cid takes a penalty; bob takes a penalty"),
        # D26: bob's own trap earns no victory more; D29: cid has no victory to lose
        ("0 N1:u, 1 trap:d, 2 17",
         "cid calls 17, wrong: the row is worth 1 (N1 trap); bob wins the round; "
         "cid takes 2 penalties"),
        ("0 trap:d, 1 N5:u, 2 N1:u, 0 17",
         "ann calls 17, wrong: the row is worth 6 (trap N5 N1); cid wins the round; "
         "ann gets a victory for a trap; ann takes 2 penalties, which cost a victory"),
    ],
)  # fmt: skip
def test_what_came_of_a_call_is_said(play: str, said: str) -> None:
    state, names = table(play), ["ann", "bob", "cid"]
    event = next(e for e in reversed(state.view(0).since) if len(e) > 2)
    came = game.describe_round(event, state.rounds, names, state.options)
    assert "; ".join(f"{names[seat]} {words}" for seat, words in came or ()) == said


def test_a_row_makes_what_is_seen_of_it() -> None:
    rules, state = games.load("diciassette"), table("0 N5:u, 1 n3:d, 2 trap:d")
    seen = [games.zones(rules, state.view(seat))[-1].pieces[0].text for seat in range(3)]
    assert seen == ["5 to 15", "8 to 13", "5 to 10"]  # an unknown card has 5 at most


def test_what_the_row_may_be_worth_follows_from_the_cards_unseen() -> None:
    row = (("N5", "u", 1), ("?", "d", 1), ("N4", "u", 2), ("?", "d", 2))
    view = table("0 N5:u").view(1)._replace(hand=(), row=row, discard=())
    # of 35 blank backs, 15 have a number, on average 3; 8 is made by 6 of the 5 x 5 pairs
    features = {"row_seen": 9, "row_hidden": 2, "row_mean": 11.6, "calls": 4}  # 6 x (3 / 35)^2
    assert game.features(view) == features
    assert game.features(view._replace(row=row[::2] * 2))["calls"] == 100


def test_cards_are_high_low_or_special_each_with_its_face() -> None:
    view = table("0 N5:u").view(1)
    found = [game.move_classes(view, play) for play in ("n4:d", "N3:u", "trap:d", "17")]
    assert found == [("high", "high:d"), ("low", "low:u"), ("special", "special:d"), ()]


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
