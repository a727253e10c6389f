"""Sixteen, ruling by ruling (S01 to S23), by hand-made tables."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games import IllegalAction
from games import sixteen as game
from tests.games.playing import after, lines_of_play, new, seen, steps, values

AUTO = game.Options()


def table(
    hands: str, pile: str = "", deck: str = "", to_act: int = 0, **options: Any
) -> game.State:
    """Hands by seat, with | between them; seat `to_act` to play, or to draw with a draw rule."""
    rules = game.Options(**options)
    state = game.State(rules, hands.count("|") + 1, game.Setup(tuple(game.pack(rules)), to_act))
    state.hands = [sorted(hand.split()) for hand in hands.split("|")]
    state.pile = tuple((card, to_act, False) for card in pile.split())
    state.total = sum(int(card[1]) for card in pile.split())
    state.deck = deck.split()[::-1]
    if not state.deck:
        state.phase = "play"
    return state


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


def test_s03_a_turn_is_to_draw_a_card_and_then_to_play_one() -> None:
    state = new(game, AUTO, 2, Random(1))
    turn = state.to_act
    assert turn is not None
    assert (state.view(0).hands[turn], state.view(0).deck) == (4, 47)  # 3 + 1, 54 - 2 x 3 - 1
    state.apply(state.legal()[0])
    assert (state.view(0).hands[turn], state.view(0).deck) == (3, 46)


RULES = """
s03 the card drawn may be played; B1|B2; ; B1; deck='G5 G6'; legal=('B2','G5')
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
s11 a wild may copy a card that is gone; W|R3; G0; W=G0; ; pile1=(('G0',0,False),('G0',0,True))
s11 and is one again in its set; W B1|R3 R1; O5 B5; W=G6; ; \
    won=('sixteen',0,1) gone1=('O5','B5','W') actions=[(0,'W=G6')]
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
s18 with a draw rule a turn begins with draw or skip; B1 B2|R3 R5; ; ; \
    deck='G5 G6' draw_rule='strict'; phase='draw' legal=('draw','skip')
s18 loose too; B1 B2|R3 R5; ; ; deck='G5 G6' draw_rule='loose'; phase='draw' legal=('draw','skip')
s18 then the card; B1 B2|R3 R5; ; skip; deck='G5 G6' draw_rule='loose'; legal=('B1','B2')
s18 then the next; B1 B2|R3 R5; ; skip B1; deck='G5 G6' draw_rule='strict'; phase='draw' to_act=1
s18 strict: two left after a skip, and one drawn; B1 B2 O3|R3; ; skip B1 draw R3 draw; \
    deck='G5 G6 O1' draw_rule='strict'; hands0=(3,1)
s18 strict: one card is always kept; B1|R3; ; ; deck='G5' draw_rule='strict'; legal=('draw',)
s18 strict_floor 0 allows the third skip; B1|R3 R4; ; ; \
    deck='G5 G6' draw_rule='strict' strict_floor=0; legal=('draw','skip')
s18 with nothing in hand, there is something to draw first; B1|R3 R4; ; skip B1 skip R3; \
    deck='G5 G6' draw_rule='strict' strict_floor=0; legal=('draw',)
s18 and then to play; B1|R3 R4; ; skip B1 skip R3 draw; \
    deck='G5 G6' draw_rule='strict' strict_floor=0; legal=('G5',)
s18 forced draws are recorded too; B1|R3; ; draw B1; deck='G5' draw_rule='strict'; \
    actions=[(0,'draw'),(0,'B1')]
s18 without cards to draw there is no draw; B1 B2|R3; ; draw B1; deck='G5' draw_rule='strict'; \
    to_act=1 phase='play'
s18 the automatic draw is no action; B1 B2|R3; ; ; deck='G5'; legal=('B1','B2')
s19 loose: a draw fills the hand up to four; B1|R3; ; draw; deck='G5 G6 O1 O2' draw_rule='loose'; \
    hand0=('B1','G5','G6','O1') deck0=1
s19 or takes what there is; B1|R3; ; draw; deck='G5' draw_rule='loose'; legal=('B1','G5')
s19 skip is legal with one card; B1|R3; ; ; deck='G5' draw_rule='loose'; legal=('draw','skip')
s19 not with none; B1|R3; ; skip B1 skip R3; deck='G5' draw_rule='loose'; legal=('draw',)
s21 equal sets are a draw; O1|R3; ; O1 R3; ; ranks=[1,1] scores=[0,0] reason='complete'
s21 more sets win, the pile is ignored; R1|G6|R2|B3; O5 B5; G6 R2 B3 R1; to_act=1; \
    ranks=[3,1,3,1] scores=[0,1,0,1]
s22 a forfeit loses for the side at once, whatever its sets; G6|G6 B1|R2|R3; O5 B5; G6 forfeit2; ; \
    to_act=None ranks=[3,1,3,1] scores=[1,0,1,0] reason='forfeit' forfeits=[2]
s23 completed sets and the sizes of hands and pile are open; G6 B1|R3 R1; O5 B5; G6; \
    deck='B2 B3'; gone1=('O5','B5','G6') hands1=(2,2) deck1=1 sets1=(1,0)
a view has all since the seat's last question; G6 B1 B2|R3 R1; O5 B5; G6 B1 R3; ; \
    since0=((0,'B1'),(1,'R3')) since1=((1,'R3'),)
sets too; G6 B1 B2|R3 R1; O5 B5; G6 B1; ; since1=((0,'G6'),(0,'sixteen',0,1),(0,'B1'))
what is forced is no question; B1 B3|R3|O2 O4|G2; ; B1 R3; ; since1=((0,'B1'),(1,'R3'))
draws are events with a draw rule alone; B1 B2|R3 R5; ; skip B1 draw; \
    deck='G5 G6' draw_rule='strict'; since1=((1,'draw'),) since0=((0,'B1'),(1,'draw'))
not with the automatic draw; B1 B2|R3 R5; ; B1; deck='G5'; since1=((0,'B1'),)
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
    state = after(table(hands, pile, **given), *plays.split())
    won = tuple(state.rounds[-1][key] for key in ("kind", "side", "count")) if state.rounds else ()
    names = "total", "rounds", "sets", "phase", "actions"
    shown = seen(state) | {"won": won} | {name: getattr(state, name) for name in names}
    assert {name: shown[name] for name in outcome} == outcome


def test_s11_a_wild_is_not_played_without_a_declaration() -> None:
    for action in ("W", "W=", "W=W", "W=G7"):
        with pytest.raises(IllegalAction):
            table("W B1|R3").apply(action)


@pytest.mark.parametrize("seats", game.seat_counts(AUTO))
def test_s20_cards_are_dealt_one_at_a_time_seat_0_first(seats: int) -> None:
    deck = tuple(game.pack(AUTO))
    state = game.State(game.Options(draw_rule="strict"), seats, game.Setup(deck, first=1))
    assert state.view(0).hand == (deck[0], deck[seats], deck[2 * seats])
    assert state.to_act == 1
    assert state.deck[-1] == deck[3 * seats]  # the next card
    assert {game.deal(AUTO, seats, Random(seed)).first for seed in range(50)} == {*range(seats)}


def test_legal_has_each_card_once_by_code_point_then_the_wilds_by_colour_and_number() -> None:
    wilds = [f"W={colour}{number}" for colour in "BGOR" for number in range(7)]
    assert table("W R1 B3 B3|R3").legal() == ("B3", "R1", *wilds)


def test_resample_the_pile_and_other_hands_may_be_anything_and_what_a_seat_has_seen_stays() -> None:
    rng = Random(1)  # the seed
    state: Any = new(game, AUTO, 2, rng)
    decisions = steps(state, 2, rng)
    while len(state.actions) < 6:
        next(decisions)
    others, tops = set(), set()
    for seed in range(400):
        setup, course = game.resample(AUTO, 2, state.start, state.actions, 0, Random(seed))
        twin = after(game.State(AUTO, 2, setup), *(action for _, action in course))
        assert (twin.hands[0], twin.pile, twin.gone) == (state.hands[0], state.pile, state.gone)
        others |= set(twin.hands[1])
        tops.add(twin.deck[-1])
    assert others == tops == {*state.hands[1], *state.deck}


def test_all_lines_of_play_of_small_ends_counted_by_hand() -> None:
    assert lines_of_play(table("G1 O2|B3 R4")) == 4  # 2 x 2, the rest is forced
    assert lines_of_play(table("W|B3")) == 28
    # Draw, and 2 orders; or skip, and the other draws and has 2 orders, or skips too: 2 + 2 + 1.
    assert lines_of_play(table("G1|B1", deck="O2", draw_rule="loose")) == 5
    assert lines_of_play(table("G1|B1", deck="O2", draw_rule="strict", strict_floor=0)) == 5
    assert lines_of_play(table("G1|B1", deck="O2", draw_rule="strict")) == 2  # the draw is forced


@pytest.mark.parametrize(
    ("hands", "pile", "play", "said"),
    [
        ("G6 B1|R1", "O6 B5", "G6", "ann goes over 16: the pile makes 17; bob wins the set"),
        ("G5 B1|R1", "R1 O5 B5", "G5",
         "ann wins 2 sets: the pile makes 16 with three alike in a row"),
        ("W B1|R1", "G2 G2", "W=G2",
         "ann wins 2 sets: three alike in a row, in number and in colour"),
        ("G5|R1|R2|R3", "G6 B5", "G5", "ann wins the set with cid: the pile makes 16"),
    ],
)  # fmt: skip
def test_what_wins_a_set_is_said(hands: str, pile: str, play: str, said: str) -> None:
    state, names = table(hands, pile, bonus=True), ["ann", "bob", "cid", "dan"]
    event = after(state, play).view(0).since[-1]
    came = game.describe_round(event, state.rounds, names[: state.seats], state.options)
    assert "; ".join(f"{names[seat]} {words}" for seat, words in came or ()) == said


def test_a_card_is_of_the_kind_that_it_makes_of_the_pile() -> None:
    view = table("B0 G5 O3 R6 W|R1", "O6 B5").view(0)  # 11 so far
    assert game.features(view) == {"room": 5, "lead": 0, "alike": 0}
    assert game.move_classes(view, "G5") == game.move_classes(view, "W=B5") == ("wins",)
    assert game.move_classes(view, "R6") == ("busts",)
    assert game.move_classes(view, "O3") == ("leaves_2",)
    assert game.move_classes(view, "B0") == ("leaves_5", "pairs")  # two blue ones
    assert game.move_classes(table("B0|R1", "G1").view(0), "B0") == ("leaves_7",)  # 15 are


def test_a_third_card_alike_wins_where_matches_count() -> None:
    view = table("G1 B6|R1", "G2 G3").view(0)
    assert (game.features(view)["alike"], game.move_classes(view, "G1")) == (1, ("wins",))
    plain = table("G1 B6|R1", "G2 G3", match=False).view(0)
    assert game.move_classes(plain, "G1") == ("leaves_7",)  # 10 are
    assert game.move_classes(table("G6|R1", "G6 G5").view(0), "G6") == ("busts",)  # S09
