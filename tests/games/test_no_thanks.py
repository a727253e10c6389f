"""No Thanks!, ruling by ruling (N01 to N14), by hand-made tables."""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

import games
from games import IllegalAction, OptionsError, parse_options
from games import no_thanks as game
from tests.games.playing import lines_of_play, new, play, steps, values

PLAIN = game.Options()
rules = games.load("no_thanks")
PETER, SABRINA, LISA = 0, 1, 2  # the rulebook's players


def table(
    card: int = 10,
    deck: tuple[int, ...] = (11,),
    chips: tuple[int, ...] = (2, 2, 2),
    taken: tuple[tuple[int, ...], ...] = ((), (), ()),
    to_act: int = 0,
    options: game.Options = PLAIN,
) -> game.State:
    """Three seats, two chips each, 10 on offer and 11 to come, seat 0 to decide."""
    state = game.State(options, len(chips), game.Setup((card, *deck), (), to_act))
    state.chips = list(chips)
    state.taken = list(taken)
    return state


def after(state: game.State, *decisions: str) -> game.State:
    for decision in decisions:
        state.apply(decision)
    return state


def test_n01_three_to_five_play_and_with_extended_six_and_seven() -> None:
    assert game.seat_counts(PLAIN) == (3, 4, 5)
    assert game.seat_counts(game.Options(extended=True)) == (3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("options", "chips"),  # by the number of players
    [
        ({}, {3: 11, 4: 11, 5: 11}),  # the rulebook
        ({"extended": True}, {5: 11, 6: 9, 7: 7}),  # newer editions
        ({"chips": 3}, {4: 3}),
        ({"extended": True, "chips": 3}, {7: 3}),
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


@pytest.mark.parametrize("chips", [-1, 101])
def test_n02_a_number_of_chips_that_cannot_be_is_an_error(chips: int) -> None:
    with pytest.raises(OptionsError, match="0 to 100"):
        parse_options(game.Options, {"chips": chips})


def test_n03_24_of_the_33_cards_are_played_and_nine_are_removed() -> None:
    setup = game.deal(PLAIN, 3, Random(1))
    assert (len(setup.deck), len(setup.removed)) == (24, 9)  # the rulebook
    assert sorted(setup.deck + setup.removed) == list(range(3, 36))
    assert setup.removed == tuple(sorted(setup.removed))


def test_n03_any_card_may_be_removed() -> None:
    removed = {card for seed in range(60) for card in game.deal(PLAIN, 3, Random(seed)).removed}
    assert removed == set(range(3, 36))


def test_n02_n03_24_cards_and_eleven_chips_each_are_in_play() -> None:  # the rulebook
    pieces = game.count_pieces(game.State(PLAIN, 3, game.deal(PLAIN, 3, Random(1))))
    assert (pieces.pop("chip"), set(pieces.values()), pieces.total()) == (33, {1}, 24)


def test_summary_has_the_offer_the_chips_and_the_cards_of_each_seat() -> None:
    state = after(table(card=10, deck=(11, 30)), "take", "pass")
    assert game.summarize(state.dump()) == "11 with 1  chips 1 2 2  cards 10 | - | -"


def test_n04_without_chips_you_must_take() -> None:
    state = table(chips=(0, 2, 2))
    assert state.view(0).legal == state.legal() == ("take",)
    assert not state.has_choice()
    with pytest.raises(IllegalAction, match="seat 0 has no chip left"):
        state.apply("pass")


RULES = """
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
"""


def rows() -> Iterator[Any]:
    """A line: its sentence, a table, decisions, what comes of it."""
    for line in RULES.strip().splitlines():
        sentence, given, plays, outcome = (cell.strip() for cell in line.split(";"))
        yield pytest.param(values(given), plays, values(outcome), id=sentence)


@pytest.mark.parametrize(("given", "plays", "outcome"), [*rows()])
def test_rule(given: dict[str, Any], plays: str, outcome: dict[str, Any]) -> None:
    state = after(table(**given), *plays.split())
    shown = state.result() | {
        name: getattr(state, name) for name in outcome if name not in state.result()
    }
    assert {name: shown[name] for name in outcome} == outcome


@pytest.mark.parametrize(
    ("cards", "chips", "points"),  # all but the last three printed in the rulebook
    [
        ((4, 6, 10, 21), 0, 41),
        ((8, 9), 0, 8),
        ((17, 18, 19, 20), 0, 17),
        ((13, 15, 16), 0, 28),
        ((16, 13, 15, 14), 0, 13),
        ((3, 7, 10, 14, 15, 25, 26), 8, 51),
        ((), 11, -11),
        ((35,), 0, 35),
        ((5, 3), 1, 7),
    ],
)
def test_n07_n14_a_run_counts_only_its_lowest_card_and_each_chip_counts_minus_one(
    cards: tuple[int, ...], chips: int, points: int
) -> None:
    assert game.points(cards, chips) == points


def test_n10_chips_on_the_card_are_open_and_those_in_the_others_hands_hidden() -> None:
    view = after(table(chips=(2, 5, 7)), "pass").view(1)
    assert (view.pot, view.chips, view.all_chips) == (1, 5, None)


def test_n10_option_open_chips_lists_every_players_chips_and_changes_no_play() -> None:
    state = after(table(chips=(2, 5, 7), options=game.Options(open_chips=True)), "pass")
    assert state.view(1).all_chips == (1, 5, 7)
    assert state.legal() == ("pass", "take")


def test_n11_any_seat_may_be_first() -> None:
    assert {game.deal(PLAIN, 5, Random(seed)).first for seed in range(60)} == {0, 1, 2, 3, 4}


def test_n12_a_take_without_chips_on_the_card_is_legal_also_for_the_first() -> None:
    state = new(game, PLAIN, 3, Random(1))
    assert "take" in state.legal()
    assert len(after(table(), "take").rounds) == 1


def test_n13_after_a_forfeit_the_stand_in_passes_while_it_has_a_chip_else_takes() -> None:
    state = table(chips=(1, 0, 1), deck=(11, 12))
    state.forfeit(0)
    assert (state.to_act, state.legal()[0]) == (0, "pass")
    with pytest.raises(IllegalAction, match="stand-in of seat 0 plays 'pass'"):
        state.replay(0, "take")
    state.replay(0, "pass")
    after(state, "take", "pass", "pass")
    assert state.legal()[0] == "take"


def test_n13_a_forfeit_ends_below_all_others() -> None:
    state = table(deck=(), taken=((), (3, 30), (20,)), chips=(2, 0, 0))
    state.forfeit(0)
    after(state, "pass", "take")
    # Seat 0 has -1 and would win; 3 + 30 + 10 less the chip are 42.
    expected = {"ranks": [3, 2, 1], "scores": [-1, 42, 20], "reason": "complete", "forfeits": [0]}
    assert state.result() == expected


def test_n13_two_that_forfeit_are_level_and_with_one_seat_left_the_game_ends_at_once() -> None:
    state = table(chips=(1, 2, 3))
    state.forfeit(2)
    assert state.to_act == 0
    state.forfeit(0)
    assert state.to_act is None
    assert state.result() == {
        "ranks": [2, 1, 2], "scores": [-1, -2, -3], "reason": "forfeit", "forfeits": [0, 2],
    }  # fmt: skip


def test_n13_a_seat_forfeits_once_and_not_after_the_end() -> None:
    state = table()
    state.forfeit(1)
    with pytest.raises(IllegalAction, match="out already"):
        state.forfeit(1)
    state.forfeit(0)
    with pytest.raises(IllegalAction, match="over"):
        state.forfeit(2)


def test_the_rulebooks_turn_peter_and_sabrina_decline_the_11_and_lisa_takes_it() -> None:
    state = after(table(card=11, deck=(16, 30), chips=(11, 11, 11)), "pass", "pass", "take")
    assert state.to_act == LISA
    view = state.view(LISA)
    assert (view.chips, view.taken[LISA], view.card) == (13, (11,), 16)
    assert state.view(PETER).chips == state.view(SABRINA).chips == 10
    after(state, "pass")  # the record format's example: 12 chips, one on the 16, seat 0 to act
    assert (state.chips[LISA], state.view(PETER).pot, state.to_act) == (12, 1, PETER)


def test_since_holds_all_passes_and_takes_since_the_last_question() -> None:
    state = after(table(), "pass", "take")
    assert state.view(0).since == ((0, "pass"), (1, "take", 10, 1))
    assert state.view(1).since == ((1, "take", 10, 1),)
    assert state.view(2).since == ((0, "pass"), (1, "take", 10, 1))


def test_a_forced_take_is_no_question_and_stands_in_since() -> None:
    state = after(table(chips=(1, 0, 0), deck=(11, 12)), "pass", "take")
    assert state.view(1).since == ((0, "pass"), (1, "take", 10, 1))
    after(state, "pass", "take")  # seat 2 has no chip either
    assert state.view(1).since == ((1, "pass"), (2, "take", 11, 1))


@pytest.mark.parametrize("seats", [3, 5])
def test_what_a_seat_sees_does_not_depend_on_what_is_hidden_from_it(seats: int) -> None:
    rng = Random(seats)  # the seed: the number of seats
    state = new(game, PLAIN, seats, rng)
    assert isinstance(state, game.State)
    for _ in steps(state, seats, rng):
        for seat in range(seats):
            other = deepcopy(state)
            unseen = [*state.deck, *state.start.removed]
            cards = sorted(unseen, key=lambda _: rng.random())
            left = len(state.deck)
            other.deck = cards[:left]
            other.start = game.Setup(state.start.deck, tuple(sorted(cards[left:])), seat)
            other.chips = [c if s == seat else c + 1 for s, c in enumerate(state.chips)]
            assert other.view(seat) == state.view(seat), seats


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


def test_every_card_played_is_taken_once_and_is_one_checkpoint() -> None:
    for seed in range(20):
        state = play(new(game, PLAIN, 4, Random(seed)), 4, Random(seed))
        cards = [r["card"] for r in state.rounds]
        assert cards == state.setup()["deck"], seed
        assert [state.actions[r["end"]] for r in state.rounds] == [
            (r["seat"], "take") for r in state.rounds
        ], seed


def test_replay_says_whose_turn_it_is_and_what_is_legal() -> None:
    with pytest.raises(IllegalAction, match="turn of seat 0, not 1"):
        table().replay(1, "take")
    with pytest.raises(IllegalAction, match="'draw'; legal is pass or take"):
        table().replay(0, "draw")
    with pytest.raises(IllegalAction, match="17"):
        table().replay(0, "take", [1])


def test_a_table_shows_own_chips_and_hides_the_others() -> None:
    shown = {(zone.name, zone.seat): zone for zone in game.zones(table().view(0))}
    assert [piece.text for piece in shown["on offer", None].pieces] == ["10"]
    hidden = [shown["chips", seat].pieces[0].is_hidden for seat in range(3)]
    assert hidden == [False, True, True]


def test_points_are_shown_of_those_whose_chips_are_seen() -> None:
    state = table(taken=((5, 6), (20,), ()), chips=(2, 0, 4))  # N07: 5 - 2, 20 - 0, 0 - 4
    seen = [zone for zone in games.zones(rules, state.view(0)) if zone.name == "points"]
    assert [zone.pieces[0].text for zone in seen] == ["3", "", ""]
    opened = [zone for zone in games.open_zones(rules, state, 3) if zone.name == "points"]
    assert [zone.pieces[0].text for zone in opened] == ["3", "20", "-4"]


def test_the_dearer_a_card_the_redder_it_is() -> None:
    assert [game.symbol(str(n)).colour for n in (3, 20, 35)] == ["green", "orange", "red"]


def test_events_describe_who_passes_and_what_is_taken() -> None:
    assert game.describe_event((1, "pass")) == "passes"
    assert game.describe_event((1, "take")) == "takes the card"


@pytest.mark.parametrize(
    ("taken", "card", "pot", "said"),
    [
        ((), 12, 3, "takes the 12 and 3 chips: 9 more points"),
        ((), 12, 0, "takes the 12: 12 more points"),
        ((), 4, 3, "takes the 4 and 3 chips: 1 more point"),
        ((), 4, 4, "takes the 4 and 4 chips: the same points"),
        ((11,), 12, 1, "takes the 12 and 1 chip: 1 fewer point, as it joins the 11"),
        ((13,), 12, 0, "takes the 12: 1 fewer point, as it joins the 13"),
        ((11, 13), 12, 2, "takes the 12 and 2 chips: 15 fewer points, as it joins the 11 and 13"),
    ],  # N07, by hand
)
def test_n07_what_a_card_taken_does_to_the_points_is_described(
    taken: tuple[int, ...], card: int, pot: int, said: str
) -> None:
    rounds = [{"end": 0, "card": own, "seat": 1, "pot": 5} for own in taken]
    rounds.append({"end": 0, "card": card, "seat": 1, "pot": pot})
    event = 1, "take", card, pot
    assert game.describe_round(event, rounds, ["ann", "bob", "cid"], PLAIN) == [(1, said)]
    assert game.describe_round((1, "pass"), rounds, ["ann", "bob", "cid"], PLAIN) is None


def test_a_card_costs_what_it_adds_to_the_runs_and_chips_are_a_share_of_it() -> None:
    taken = ((21, 5), (19, 21), (3,))
    view = table().view(0)._replace(card=20, pot=5, taken=taken)
    assert game.features(view) == {"cost": -1, "cost_others": -21, "pot_share": 999}  # 20 for 21
    view = view._replace(taken=((5,), (19, 25), (3,)))
    assert game.features(view) == {"cost": 20, "cost_others": 0, "pot_share": 25}
