"""No Thanks!, ruling by ruling (N01 to N14), by hand-made tables."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import games
from games import OptionsError, parse_options
from games import no_thanks as game
from tests.games.playing import after, lines_of_play, seen, values

PLAIN = game.Options()


def table(
    card: int = 10,
    deck: tuple[int, ...] = (11,),
    chips: tuple[int, ...] = (2, 2, 2),
    taken: tuple[tuple[int, ...], ...] = ((), (), ()),
    to_act: int = 0,
    **options: Any,
) -> game.State:
    """Three seats, two chips each, 10 on offer and 11 to come, seat 0 to decide."""
    state = game.State(game.Options(**options), 3, game.Setup((card, *deck), (), to_act))
    state.chips = list(chips)
    state.taken = list(taken)
    return state


def test_n01_three_to_five_play_and_with_extended_six_and_seven() -> None:
    assert game.seat_counts(PLAIN) == (3, 4, 5)
    assert game.seat_counts(game.Options(extended=True)) == (3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("options", "chips"),  # by the number of players
    [
        ({}, {3: 11, 4: 11, 5: 11}),  # the rulebook
        ({"extended": True}, {5: 11, 6: 9, 7: 7}),  # newer editions
        ({"extended": True, "chips": 3}, {4: 3, 7: 3}),
        ({"chips": 0}, {3: 0}),
    ],
)
def test_n01_n02_each_player_gets_so_many_chips(
    options: dict[str, Any], chips: dict[int, int]
) -> None:
    given = game.Options(**options)
    for seats, each in chips.items():
        state = game.State(given, seats, game.deal(given, seats, Random(1)))
        assert {state.view(seat).chips for seat in range(seats)} == {each}
        assert game.count_pieces(state)["chip"] == seats * each


@pytest.mark.parametrize("chips", [-1, 101])
def test_n02_a_number_of_chips_that_cannot_be_is_an_error(chips: int) -> None:
    with pytest.raises(OptionsError, match="0 to 100"):
        parse_options(game.Options, {"chips": chips})


def test_n03_n11_any_nine_of_the_33_cards_are_removed_and_any_seat_is_first() -> None:
    deals = [game.deal(PLAIN, 5, Random(seed)) for seed in range(60)]
    for deal in deals:
        assert (len(deal.deck), len(deal.removed)) == (24, 9)  # the rulebook
        assert sorted(deal.deck + deal.removed) == list(range(3, 36))
        assert deal.removed == tuple(sorted(deal.removed))
    assert {card for deal in deals for card in deal.removed} == set(range(3, 36))
    assert {deal.first for deal in deals} == {0, 1, 2, 3, 4}


RULES = """
n04 without chips you must take; chips=(0,2,2); ; legal=('take',)
n04 the forced take is an ordinary take; chips=(0,2,2); take; \
    actions=[(0,'take')] taken=[(10,),(),()]
to pass is to pay a chip onto the card, the left neighbour is next; ; pass; \
    chips=[1,2,2] pot=1 to_act=1
after the third pass it is the first; to_act=2; pass; to_act=0
n05 the taker turns up the next card and decides first; deck=(11,12); pass take; \
    to_act=1 card=11 pot=0 chips=[1,3,2]
n05 one player may take several cards running; deck=(11,12); take take take; \
    taken=[(10,11,12),(),()]
n06 the end is not when the last card is turned up; ; take; to_act=0 card=11 deck=[]
n06 but when it is taken; ; take pass take; to_act=None reason='complete'
n07 filling a gap joins two runs, by the rulebook; \
    card=14 taken=((13,15,16),(),()) chips=(0,0,0); take; scores=[13,0,0]
n08 equal lowest scores share the win; card=3 deck=() chips=(0,2,2); take; \
    ranks=[3,1,1] scores=[3,-2,-2] reason='complete'
n09 chips taken with the last card count; deck=(); pass pass take; scores=[-1,-1,6]
n10 chips on the card are open, those in hands hidden; chips=(2,5,7); pass; \
    pot1=1 chips1=5 all_chips1=None
n10 open_chips lists them and changes no play; chips=(2,5,7) open_chips=True; pass; \
    all_chips1=(1,5,7) legal=('pass','take')
n12 a take without chips on the card is legal, for the first too; ; take; taken=[(10,),(),()]
n13 the stand-in passes while it has a chip; chips=(1,0,1) deck=(11,12); forfeit0; \
    to_act=0 legal=('pass','take')
n13 else takes; chips=(1,0,1) deck=(11,12); forfeit0 pass take pass pass; \
    to_act=0 legal=('take',)
n13 a forfeit ends below all others; deck=() taken=((),(3,30),(20,)) chips=(2,0,0); \
    forfeit0 pass take; ranks=[3,2,1] scores=[-1,42,20] reason='complete' forfeits=[0]
n13 two are level, and with one seat left the game ends; chips=(1,2,3); forfeit2 forfeit0; \
    to_act=None ranks=[2,1,2] scores=[-1,-2,-3] reason='forfeit' forfeits=[0,2]
the rulebook's turn: Peter and Sabrina decline the 11, Lisa takes it; \
    card=11 deck=(16,30) chips=(11,11,11); pass pass take; \
    to_act=2 chips2=13 taken2=((),(),(11,)) card2=16 chips0=10 chips1=10
and passes the next, as in the record format's example; \
    card=11 deck=(16,30) chips=(11,11,11); pass pass take pass; chips2=12 pot0=1 to_act=0
a view has all since the seat's last question; ; pass take; \
    since0=((0,'pass'),(1,'take',10,1)) since1=((1,'take',10,1),)
a forced take is no question; chips=(1,0,0) deck=(11,12); pass take; \
    since1=((0,'pass'),(1,'take',10,1))
"""


def rows() -> Iterator[Any]:
    """A line: its sentence, a table, decisions, what comes of it."""
    for line in RULES.strip().splitlines():
        sentence, given, plays, outcome = (cell.strip() for cell in line.split(";"))
        yield pytest.param(values(given), plays, values(outcome), id=sentence)


@pytest.mark.parametrize(("given", "plays", "outcome"), [*rows()])
def test_rule(given: dict[str, Any], plays: str, outcome: dict[str, Any]) -> None:
    state = after(table(**given), *plays.split())
    shown = {name: getattr(state, name) for name in (*state.__slots__, "actions")} | seen(state)
    assert {name: shown[name] for name in outcome} == outcome


@pytest.mark.parametrize(
    ("cards", "chips", "points"),  # all but the last two printed in the rulebook
    [
        ((4, 6, 10, 21), 0, 41),
        ((8, 9), 0, 8),
        ((17, 18, 19, 20), 0, 17),
        ((13, 15, 16), 0, 28),
        ((16, 13, 15, 14), 0, 13),
        ((3, 7, 10, 14, 15, 25, 26), 8, 51),
        ((), 11, -11),
        ((5, 3), 1, 7),
    ],
)
def test_n07_n14_a_run_counts_only_its_lowest_card_and_each_chip_counts_minus_one(
    cards: tuple[int, ...], chips: int, points: int
) -> None:
    assert game.points(cards, chips) == points


def test_resample_whatever_is_not_turned_up_may_be_any_card_left_and_the_rest_stays() -> None:
    setup = game.deal(PLAIN, 3, Random(1))
    actions = [(setup.first, "take"), (setup.first, "pass"), ((setup.first + 1) % 3, "take")]
    twins = [game.resample(PLAIN, 3, setup, actions, 0, Random(seed)) for seed in range(400)]
    left = set(game.CARDS) - set(setup.deck[:3])  # two taken, one on offer
    assert {twin.deck[:3] for twin, _ in twins} == {setup.deck[:3]}
    for place in (3, 23):
        assert {twin.deck[place] for twin, _ in twins} == left
    assert {card for twin, _ in twins for card in twin.removed} == left
    assert all(course == actions for _, course in twins)


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (table(card=3, deck=(4,), chips=(1, 1, 1)), 11),  # 4+3+2+2, by hand
        # Take; pass and take; twice pass and take; three passes, and the first must take.
        (table(deck=(), chips=(1, 1, 1)), 4),
        (table(deck=(11, 12), chips=(0, 0, 0)), 1),
    ],
)
def test_lines_of_play_counted_by_hand(state: game.State, lines: int) -> None:
    assert lines_of_play(state) == lines


def test_a_table_shows_own_chips_and_points_and_hides_the_others() -> None:
    state = table(taken=((5, 6), (20,), ()), chips=(2, 0, 4))  # N07: 5 - 2, 20 - 0, 0 - 4
    for zones, points in (
        (games.zones(games.load("no_thanks"), state.view(0)), ["3", "", ""]),
        (games.open_zones(games.load("no_thanks"), state, 3), ["3", "20", "-4"]),
    ):
        assert [zone.pieces[0].text for zone in zones if zone.name == "points"] == points
        hidden = [zone.pieces[0].is_hidden for zone in zones if zone.name == "chips"]
        assert hidden == [not text for text in points]


@pytest.mark.parametrize(
    ("taken", "card", "pot", "said"),
    [
        ((), 4, 3, "takes the 4 and 3 chips: 1 more point"),
        ((), 4, 4, "takes the 4 and 4 chips: the same points"),
        ((11, 13), 12, 2, "takes the 12 and 2 chips: 15 fewer points, as it joins the 11 and 13"),
    ],  # N07, by hand
)
def test_n07_what_a_card_taken_does_to_the_points_is_described(
    taken: tuple[int, ...], card: int, pot: int, said: str
) -> None:
    rounds = [{"end": 0, "card": own, "seat": 1, "pot": 5} for own in taken]
    rounds.append({"end": 0, "card": card, "seat": 1, "pot": pot})
    assert game.describe_round((1, "take", card, pot), rounds, ["ann", "bob"], PLAIN) == [(1, said)]


def test_a_card_costs_what_it_adds_to_the_runs_and_chips_are_a_share_of_it() -> None:
    taken = ((21, 5), (19, 21), (3,))
    view = table().view(0)._replace(card=20, pot=5, taken=taken)
    assert game.features(view) == {"cost": -1, "cost_others": -21, "pot_share": 999}  # 20 for 21
    view = view._replace(taken=((5,), (19, 25), (3,)))
    assert game.features(view) == {"cost": 20, "cost_others": 0, "pot_share": 25}
