"""Sixteen, ruling by ruling (S01 to S23), by hand-made tables."""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from games import IllegalAction
from games import sixteen as game
from tests.games.playing import lines_of_play, new, play, steps, values

AUTO, STRICT, LOOSE = (game.Options(draw_rule=rule) for rule in ("auto", "strict", "loose"))
FLOOR_0 = game.Options(draw_rule="strict", strict_floor=0)
BONUS = game.Options(bonus=True)
TRIPLE = game.Options(bonus=True, bonus_triple=True)
MATCHES = game.Options(bust_vs_match="match")


def table(
    hands: str, pile: str = "", deck: str = "", options: game.Options = AUTO, to_act: int = 0
) -> game.State:
    """Hands by seat, with | between them; seat `to_act` to play, or to draw with a draw rule."""
    seats = hands.count("|") + 1
    state = game.State(options, seats, game.Setup(tuple(game.pack(options)), to_act))
    state.hands = [sorted(hand.split()) for hand in hands.split("|")]
    state.pile = tuple((card, to_act, False) for card in pile.split())
    state.total = sum(int(card[1]) for card in pile.split())
    state.deck = deck.split()[::-1]
    if not state.deck:
        state.phase = "play"
    return state


def after(state: game.State, *decisions: str) -> game.State:
    for decision in decisions:
        state.apply(decision)
    return state


def awarded(state: game.State, *decisions: str) -> tuple[object, ...]:
    """Kind, side and count of the last set."""
    last = after(state, *decisions).rounds[-1]
    return last["kind"], last["side"], last["count"]


def test_s01_two_or_four_play() -> None:
    assert game.seat_counts(AUTO) == (2, 4)
    assert [game.side(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_s02_the_pack_has_54_cards_of_four_colours_one_0_two_of_each_1_to_6_and_two_wilds() -> None:
    cards = game.pack(AUTO)
    assert len(cards) == 54  # the rulebook
    assert [cards.count(card) for card in ("G0", "G1", "R6", "W")] == [1, 2, 2, 2]  # the rulebook
    assert {card[0] for card in cards} == set("GOBRW")


@pytest.mark.parametrize(("wilds", "cards"), [(True, 54), (False, 52)])  # the rulebook; S17
def test_s02_s17_all_cards_of_the_pack_are_in_play(wilds: bool, cards: int) -> None:
    options = game.Options(wilds=wilds)
    state = game.State(options, 4, game.deal(options, 4, Random(1)))
    assert game.count_pieces(state).total() == cards
    assert game.count_pieces(state)["W"] == (2 if wilds else 0)


def test_summary_has_the_pile_with_its_total_the_sets_and_the_hands() -> None:
    state = after(table("B3 W|", pile="G5", deck="R1 R2"), "B3")
    assert game.summarize(state.dump()) == f" 8 {'G5 B3':<24} sets 0:0  hands W | R1"


def test_s03_a_turn_is_to_draw_a_card_and_then_to_play_one() -> None:
    state = new(game, AUTO, 2, Random(1))
    turn = state.to_act
    assert turn is not None
    assert state.view(turn).hands[turn] == 4  # three dealt, one drawn
    assert state.view(turn).deck == 47  # 54 - 2 x 3 - 1
    state.apply(state.legal()[0])
    assert state.view(0).hands[turn] == 3
    assert state.view(0).deck == 46


def test_s03_the_card_drawn_may_be_played() -> None:
    state = after(table("B1|B2", deck="G5 G6"), "B1")
    assert state.legal() == ("B2", "G5")


RULES = """
s04 who gets the set starts, and may play twice running; G6 B1 B2|R3; O5 B5; G6; ; to_act=0
s04 after a bust the opponent starts; G6 B1|R3 R2; O5 B6; G6; ; to_act=1 sets=[0,1]
s04 if the side that starts has no cards the other plays on; G6|R3; O5 B5; G6; ; to_act=1
s05 exactly sixteen goes to who played last; G6 B1|R3; O5 B5; G6; ; won=('sixteen',0,1)
s06 over sixteen goes to who did not; G6 B1|R3; O6 B5; G6; ; won=('bust',1,1)
s06 fifteen is no set; B6 B1|R3; O5 G4; B6; ; total=15 rounds=[] to_act=1
s07 three of one number match; B3 R5|R3; G3 O3; B3; ; won=('match',0,1)
s07 three of one colour match; B2 R5|R3; B1 B4; B2; ; won=('match',0,1)
s07 three 0 match; B0 R5|R3; G0 O0; B0; ; won=('match',0,1)
s07 not with another number between; R3 R5|R3; G3 O3 B1; R3; ; rounds=[]
s07 not with another colour between; B2 R5|R3; B1 G2 B4; B2; ; rounds=[]
s07 two do not match; B2 R5|R3; B1; B2; ; rounds=[]
s07 it does not matter who played the three; B1 B2|B4 R1; ; B1 B4 B2; ; won=('match',0,1)
s08 a match does not reach back into an earlier set; G6 G1 R1|G2 R2; O5 B5; G6 G1 G2; ; \
    sets=[1,0] total=3
s09 a bust that matches is a bust; G6 B1|R3; B2 G5 G4; G6; ; won=('bust',1,1)
s09 or a match; G6 B1|R3; B2 G5 G4; G6; bust_vs_match='match'; won=('match',0,1)
s09 if it matches; G6 B1|R3; B2 O5 G4; G6; bust_vs_match='match'; won=('bust',1,1)
s10 sixteen and match are one set; G6 B1|R3; B1 G5 G4; G6; ; won=('sixteen',0,1)
s10 with the bonus two, by the rulebook; O2 B1|R3; R6 B4 G2 R2; O2; bonus=True; \
    won=('sixteen',0,2) scores=[2,0]
s10 number and colour match count one; W B1|R3; G2 G2; W=G2; ; won=('match',0,1)
s10 with the bonus two; W B1|R3; G2 G2; W=G2; bonus=True; won=('match',0,2)
s10 all three at once count one; W B1|R3; R4 G4 G4; W=G4; ; won=('sixteen',0,1)
s10 with the bonus two of them; W B1|R3; R4 G4 G4; W=G4; bonus=True; won=('sixteen',0,2)
s10 with the triple three; W B1|R3; R4 G4 G4; W=G4; bonus=True bonus_triple=True; \
    won=('sixteen',0,3)
s10 the triple does nothing to two; W B1|R3; G2 G2; W=G2; bonus=True bonus_triple=True; \
    won=('match',0,2)
s10 nor without the bonus; W B1|R3; R4 G4 G4; W=G4; bonus_triple=True; won=('sixteen',0,1)
s10 busts earn no bonus; W B1|R3; R5 G4 G4; W=G4; bonus=True bonus_triple=True; won=('bust',1,1)
s12 with four a bust is the other team's; R1|R2|G6 R3|R4; O6 B5; G6; to_act=2; won=('bust',1,1)
s12 of either team; R1|G6 R2|R3|R4; O6 B5; G6; to_act=1; won=('bust',0,1)
s13 with four the left neighbour starts after a bust; R1|R2|G6 R3|R4; O6 B5; G6; to_act=2; to_act=3
s13 after a sixteen; R1|R2|G6 R3|R4; O5 B5; G6; to_act=2; to_act=3
s13 after a match; R1|R2|G6 R3|R4; G1 G2; G6; to_act=2; to_act=3
s14 without a pile play goes on; B1 O1|G1 R5 G6; ; B1 G1 O1; ; to_act=1 sets=[1,0]
s14 who has cards plays them all; B1 O1|G1 R5 G6; ; B1 G1 O1 G6 R5; ; \
    to_act=None ranks=[1,2] scores=[1,0] reason='complete'
s14 a bust then is the set of who has none; R1|O6 B5 G6; ; O6 R1 B5 G6; to_act=1; \
    sets=[1,0] to_act=None
s15 with four those without cards are skipped; R1 B2|||G2; ; R1; ; to_act=3
s15 and again; R1 B2|||G2; ; R1 G2; ; to_act=0
s16 match false removes matches; B3 R5|R3; G3 O3; B3; match=False bonus=True; rounds=[]
s16 and their bonus; G6 B1|R3; B1 G5 G4; G6; match=False bonus=True; won=('sixteen',0,1)
s21 equal sets are a draw; O1|R3; ; O1 R3; ; ranks=[1,1] scores=[0,0] reason='complete'
s21 more sets win, the pile is ignored; R1|G6|R2|B3; O5 B5; G6 R2 B3 R1; to_act=1; \
    ranks=[3,1,3,1] scores=[0,1,0,1]
"""


def rows() -> Iterator[Any]:
    """A line: its sentence, hands, pile, decisions, what else is given, what comes of it."""
    for line in RULES.strip().splitlines():
        sentence, *cells, given, outcome = (cell.strip() for cell in line.split(";"))
        yield pytest.param(*cells, values(given), values(outcome), id=sentence)


@pytest.mark.parametrize(("hands", "pile", "plays", "given", "outcome"), [*rows()])
def test_rule(
    hands: str, pile: str, plays: str, given: dict[str, Any], outcome: dict[str, Any]
) -> None:
    options = game.Options(**{key: given[key] for key in given if key != "to_act"})
    state = table(hands, pile, options=options, to_act=given.get("to_act", 0))
    after(state, *plays.split())
    shown = {**state.result(), "total": state.total, "rounds": state.rounds, "sets": state.sets}
    won = tuple(state.rounds[-1][key] for key in ("kind", "side", "count")) if state.rounds else ()
    shown |= {"to_act": state.to_act, "won": won}
    assert {name: shown[name] for name in outcome} == outcome


def test_s11_a_wild_is_declared_as_any_number_and_colour_even_one_whose_copies_are_gone() -> None:
    state = table("W|R3", "G0")
    assert len(state.legal()) == 28  # 4 colours x 7 numbers
    assert after(state, "W=G0").view(1).pile == (("G0", 0, False), ("G0", 0, True))


def test_s11_until_the_pile_is_removed_it_is_the_card_declared_and_then_a_wild_again() -> None:
    state = table("W B1|R3 R1", "O5 B5")
    assert awarded(state, "W=G6") == ("sixteen", 0, 1)
    assert state.view(1).gone == ("O5", "B5", "W")
    assert state.actions[0] == (0, "W=G6")


def test_s11_a_wild_is_not_played_without_a_declaration() -> None:
    for action in ("W", "W=", "W=W", "W=G7"):
        with pytest.raises(IllegalAction):
            table("W B1|R3").apply(action)


def test_s17_option_wilds_false_plays_with_52_cards() -> None:
    options = game.Options(wilds=False)
    setup = game.deal(options, 2, Random(1))
    assert len(setup.deck) == 52  # 54 less the two wilds
    assert "W" not in setup.deck


@pytest.mark.parametrize("options", [STRICT, LOOSE])
def test_s18_with_a_draw_rule_each_turn_begins_with_draw_or_skip_then_the_card(
    options: game.Options,
) -> None:
    state = table("B1 B2|R3 R5", deck="G5 G6", options=options)
    assert (state.phase, state.legal()) == ("draw", ("draw", "skip"))
    assert after(state, "skip").legal() == ("B1", "B2")
    assert (after(state, "B1").phase, state.to_act) == ("draw", 1)


def test_s18_strict_a_skipped_draw_is_never_made_up() -> None:
    state = table("B1 B2 O3|R3", deck="G5 G6 O1", options=STRICT)
    after(state, "skip", "B1", "draw", "R3", "draw")
    assert state.view(0).hands[0] == 3  # two left after the skip, and one drawn


def test_s18_strict_one_card_is_always_kept() -> None:
    assert table("B1|R3", deck="G5", options=STRICT).legal() == ("draw",)
    assert table("B1 B2|R3", deck="G5", options=STRICT).legal() == ("draw", "skip")


def test_s18_option_strict_floor_0_allows_the_third_skip() -> None:
    state = table("B1|R3 R4", deck="G5 G6", options=FLOOR_0)
    assert state.legal() == ("draw", "skip")
    after(state, "skip", "B1", "skip", "R3")
    assert state.legal() == ("draw",)  # nothing in hand, so there is something to draw first
    assert after(state, "draw").legal() == ("G5",)


def test_s18_forced_draws_are_recorded_too() -> None:
    state = after(table("B1|R3", deck="G5", options=STRICT), "draw", "B1")
    assert state.actions == [(0, "draw"), (0, "B1")]


def test_s18_without_cards_to_draw_there_is_no_draw_decision() -> None:
    state = after(table("B1 B2|R3", deck="G5", options=STRICT), "draw", "B1")
    assert (state.to_act, state.phase) == (1, "play")


def test_s18_with_the_automatic_draw_it_is_no_action() -> None:
    for action in ("draw", "skip"):
        with pytest.raises(IllegalAction):
            table("B1 B2|R3", deck="G5").apply(action)


def test_s19_loose_a_draw_fills_the_hand_up_to_four() -> None:
    state = after(table("B1|R3", deck="G5 G6 O1 O2", options=LOOSE), "draw")
    assert state.view(0).hand == ("B1", "G5", "G6", "O1")
    assert state.view(0).deck == 1


def test_s19_loose_a_draw_takes_what_there_is() -> None:
    assert after(table("B1|R3", deck="G5", options=LOOSE), "draw").legal() == ("B1", "G5")


def test_s19_loose_skip_is_legal_with_at_least_one_card_in_hand() -> None:
    state = table("B1|R3", deck="G5", options=LOOSE)
    assert state.legal() == ("draw", "skip")
    after(state, "skip", "B1", "skip", "R3")
    assert state.legal() == ("draw",)


@pytest.mark.parametrize("seats", game.seat_counts(AUTO))
def test_s20_cards_are_dealt_one_at_a_time_seat_0_first(seats: int) -> None:
    deck = tuple(game.pack(AUTO))
    state = game.State(STRICT, seats, game.Setup(deck, first=1))
    assert state.view(0).hand == (deck[0], deck[seats], deck[2 * seats])
    assert state.to_act == 1
    assert state.deck[-1] == deck[3 * seats]  # the next card


def test_s20_80_deals_are_80_different_ones() -> None:
    assert len({game.deal(AUTO, 2, Random(seed)) for seed in range(80)}) == 80


def test_s20_any_seat_may_be_first() -> None:
    firsts = {game.deal(AUTO, 4, Random(seed)).first for seed in range(50)}
    assert firsts == {0, 1, 2, 3}


def test_s22_a_forfeit_loses_for_the_side_and_ends_the_game_at_once() -> None:
    state = table("R1 R2|G6|R2|R3")
    state.sets = [3, 0]
    state.forfeit(2)
    assert state.to_act is None
    assert state.result() == {
        "ranks": [3, 1, 3, 1], "scores": [3, 0, 3, 0], "reason": "forfeit", "forfeits": [2],
    }  # fmt: skip
    with pytest.raises(IllegalAction, match="over"):
        state.forfeit(1)


def test_s23_completed_sets_hand_sizes_and_the_size_of_the_pile_are_open() -> None:
    view = after(table("G6 B1|R3 R1", "O5 B5", deck="B2 B3"), "G6").view(1)
    assert view.gone == ("O5", "B5", "G6")
    assert (view.hands, view.deck, view.sets) == ((2, 2), 1, (1, 0))  # seat 0 has drawn B2


def test_legal_has_each_card_once_by_code_point_then_the_wilds_by_colour_and_number() -> None:
    legal = table("W R1 B3 B3|R3").legal()
    assert legal[:4] == ("B3", "R1", "W=B0", "W=B1")
    assert legal[8:10] == ("W=B6", "W=G0")
    assert (legal[-1], len(legal)) == ("W=R6", 30)  # 2 + 28


def test_one_card_or_two_equal_ones_are_no_choice_but_a_wild_is() -> None:
    assert not table("B3 B3|R3").has_choice()
    assert not table("B3|R3").has_choice()
    assert table("W|R3").has_choice()
    assert table("B3 O3|R3").has_choice()


def test_since_holds_what_was_played_and_won_since_the_last_question() -> None:
    state = after(table("G6 B1 B2|R3 R1", "O5 B5"), "G6", "B1", "R3")
    assert state.view(0).since == ((0, "B1"), (1, "R3"))
    assert state.view(1).since == ((1, "R3"),)
    state = after(table("G6 B1 B2|R3 R1", "O5 B5"), "G6", "B1")
    assert state.view(1).since == ((0, "G6"), (0, "sixteen", 0, 1), (0, "B1"))


def test_what_is_forced_is_no_question_and_stands_in_since() -> None:
    state = after(table("B1 B3|R3|O2 O4|G2"), "B1", "R3")
    assert state.view(1).since == ((0, "B1"), (1, "R3"))


def test_draws_and_skips_are_events_with_a_draw_rule_alone() -> None:
    state = after(table("B1 B2|R3 R5", deck="G5 G6", options=STRICT), "skip", "B1", "draw")
    assert state.view(1).since == ((1, "draw"),)
    assert state.view(0).since == ((0, "B1"), (1, "draw"))
    assert after(table("B1 B2|R3 R5", deck="G5"), "B1").view(1).since == ((0, "B1"),)


@pytest.mark.parametrize("options", [AUTO, LOOSE], ids=["auto", "loose"])
@pytest.mark.parametrize("seats", [2, 4])
def test_what_a_seat_sees_does_not_depend_on_what_is_hidden_from_it(
    options: game.Options, seats: int
) -> None:
    rng = Random(seats)  # the seed: the number of seats
    state = new(game, options, seats, rng)
    assert isinstance(state, game.State)
    for _ in steps(state, seats, rng):
        for seat in range(seats):
            other = deepcopy(state)
            hidden = [card for s in range(seats) if s != seat for card in state.hands[s]]
            cards = iter(sorted([*hidden, *state.deck], key=lambda _: rng.random()))
            for s in set(range(seats)) - {seat}:
                other.hands[s] = sorted(next(cards) for _ in state.hands[s])
            other.deck = list(cards)
            assert other.view(seat) == state.view(seat), seats


def test_resample_the_pile_and_other_hands_may_be_anything_and_what_a_seat_has_seen_stays() -> None:
    rng = Random(1)  # the seed
    state = new(game, AUTO, 2, rng)
    assert isinstance(state, game.State)
    decisions = steps(state, 2, rng)
    while len(state.actions) < 6:
        next(decisions)
    others, tops = set(), set()
    for seed in range(400):
        setup, course = game.resample(AUTO, 2, state.start, state.actions, 0, Random(seed))
        assert course == state.actions
        twin = game.State(AUTO, 2, setup)
        for seat, action in course:
            twin.replay(seat, action)
        assert (twin.hands[0], twin.pile, twin.gone) == (state.hands[0], state.pile, state.gone)
        others |= set(twin.hands[1])
        tops.add(twin.deck[-1])
    unseen = {*state.hands[1], *state.deck}
    assert others == tops == unseen


def test_replay_says_whose_turn_it_is_and_what_is_legal() -> None:
    with pytest.raises(IllegalAction, match="turn of seat 0, not 1"):
        table("B1 B2|R3").replay(1, "R3")
    with pytest.raises(IllegalAction, match="'R3'; legal is B1 or B2"):
        table("B1 B2|R3").replay(0, "R3")
    with pytest.raises(IllegalAction, match="17"):
        table("B1 B2|R3").replay(0, "B1", [1])


def test_all_lines_of_play_of_small_ends_counted_by_hand() -> None:
    assert lines_of_play(table("G1 O2|B3 R4")) == 4  # 2 x 2, the rest is forced
    assert lines_of_play(table("W|B3")) == 28
    # Draw, and 2 orders; or skip, and the other draws and has 2 orders, or skips too: 2 + 2 + 1.
    assert lines_of_play(table("G1|B1", deck="O2", options=LOOSE)) == 5
    assert lines_of_play(table("G1|B1", deck="O2", options=FLOOR_0)) == 5
    assert lines_of_play(table("G1|B1", deck="O2", options=STRICT)) == 2  # the draw is forced


def test_every_set_of_a_game_counts_once_and_holds_what_its_kind_says() -> None:
    for seed in range(30):
        state = play(new(game, AUTO, 2, Random(seed)), 2, Random(seed))
        sides = [r["side"] for r in state.rounds]
        assert state.result()["scores"] == [sides.count(0), sides.count(1)], seed
        for r in state.rounds:
            ok = {"sixteen": r["total"] == 16, "bust": r["total"] > 16, "match": r["total"] < 16}
            assert ok[r["kind"]], seed


def test_events_describe_what_is_played_and_drawn() -> None:
    said = [(0, "G5"), (0, "W=R1"), (0, "draw"), (0, "skip")]
    assert [game.describe_event(event) for event in said] == [
        "plays G5", "plays a wild as R1", "draws a card", "draws no card",
    ]  # fmt: skip


def said_of(state: game.State, *decisions: str) -> list[str]:
    """What is said of the set that these decisions complete."""
    names = ["ann", "bob", "cid", "dan"][: len(state.hands)]
    last = after(state, *decisions).view(0).since[-1]
    came = game.describe_round(last, state.rounds, names, state.options)
    assert came is not None
    return [f"{names[seat]} {words}" for seat, words in came]


def test_s05_s06_who_makes_16_is_said_to_win_the_set_and_who_goes_over_it_to_lose_it() -> None:
    assert said_of(table("G5 B1|R1", "G6 B5"), "G5") == ["ann wins the set: the pile makes 16"]
    assert said_of(table("G6 B1|R1", "O6 B5"), "G6") == [
        "ann goes over 16: the pile makes 17",
        "bob wins the set",
    ]


def test_s07_three_alike_are_said_to_win_the_set() -> None:
    assert said_of(table("G5 B1|R1", "G2 G1"), "G5") == ["ann wins the set: three alike in a row"]


def test_s10_two_sets_at_once_are_said_with_both_reasons() -> None:
    assert said_of(table("G5 B1|R1", "B5 R6", options=BONUS), "G5") == [
        "ann wins the set: the pile makes 16"
    ]
    assert said_of(table("G5 B1|R1", "R1 O5 B5", options=BONUS), "G5") == [
        "ann wins 2 sets: the pile makes 16 with three alike in a row"
    ]
    assert said_of(table("W B1|R1", "G2 G2", options=BONUS), "W=G2") == [
        "ann wins 2 sets: three alike in a row, in number and in colour"
    ]


def test_s12_with_four_the_set_goes_to_a_team() -> None:
    assert said_of(table("G5|R1|R2|R3", "G6 B5"), "G5") == [
        "ann wins the set with cid: the pile makes 16"
    ]
    assert said_of(table("G6|R1|R2|R3", "O6 B5"), "G6")[1] == "bob wins the set with dan"


def test_a_wild_looks_like_the_card_it_was_played_as_and_says_that_it_is_wild() -> None:
    card, wild, held = game.symbol("G5"), game.symbol("W=G5"), game.symbol("W")
    assert (card.value, card.colour, card.label) == ("5", "green", "green 5")
    assert (wild.value, wild.colour, wild.label) == ("5", "green", "wild as green 5")
    assert (held.value, held.label) == ("W", "wild")


def test_a_card_is_of_the_kind_that_it_makes_of_the_pile() -> None:
    view = table("B0 G5 O3 R6 W|R1", "O6 B5").view(0)  # 11 so far
    assert game.features(view) == {"room": 5, "lead": 0, "alike": 0}
    assert game.move_classes(view, "G5") == game.move_classes(view, "W=B5") == ("wins",)
    assert game.move_classes(view, "R6") == ("busts",)
    assert game.move_classes(view, "O3") == ("leaves_2",)
    assert game.move_classes(view, "B0") == ("leaves_5", "pairs")  # two blue ones
    assert game.move_classes(table("B0|R1", "G1").view(0), "B0") == ("leaves_7",)  # 15 are


def test_a_third_card_alike_wins_where_matches_count() -> None:
    hands, pile = "G1 B6|R1", "G2 G3"
    view = table(hands, pile).view(0)
    assert game.features(view)["alike"] == 1
    assert game.move_classes(view, "G1") == ("wins",)
    plain = table(hands, pile, options=game.Options(match=False)).view(0)
    assert game.move_classes(plain, "G1") == ("leaves_7",)  # 10 are
    both = table("G6|R1", "G6 G5").view(0)
    assert game.move_classes(both, "G6") == ("busts",)  # S09
    won = table("G6|R1", "G6 G5", options=game.Options(bust_vs_match="match")).view(0)
    assert game.move_classes(won, "G6") == ("wins",)
