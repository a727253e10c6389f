"""The games of a match: which share a deck, and which a session."""

import pickle
from collections import Counter
from random import Random

import pytest

from arena import ids
from arena.model import Bot, Entry, Mirrored, Partners, Wanted
from arena.schedule.choices import make_choices
from arena.schedule.seatings import make_exchanges, make_seatings
from arena.schedule.sessions import Games, cut_sessions
from tests.schedule.test_order import entry, everything, planned, pool


def match(players: int, apart: bool, partners: Partners = "", how: str | int = "auto") -> Entry:
    """A match of b05 and b02 with six other bots, 12 line-ups or all there are."""
    bots = entry(8, 3, 1).bots if players > 2 or apart else (Bot("b02", ""), Bot("b05", ""))
    two = Mirrored(("b02", "b05"), apart)
    wanted = Entry(pool(players, partners), bots, 4, how, two, fixed_bots=("b05", "b02"))
    (planned,), chosen = make_choices([Wanted(wanted, 12)], {})
    assert make_choices([Wanted(wanted, 12)], chosen)[0] == (planned,)
    return planned


MATCHES: list[tuple[int, Partners]] = [(2, ""), (3, ""), (4, "same"), (4, ""), (5, ""), (7, "")]


@pytest.mark.parametrize("how", ["auto", 2])
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(("players", "partners"), MATCHES)
def test_every_deck_of_a_match_has_two_games_and_no_session_both(
    players: int, partners: Partners, apart: bool, how: str | int
) -> None:
    league = match(players, apart, partners, how)
    schedule, sharing = planned(league), league.shared_decks
    assert [schedule.number(game) for game in schedule] == list(range(len(schedule)))
    assert len({game.id for game in schedule}) == len(schedule)
    swap = {"b02": "b05", "b05": "b02"}
    by_deck: dict[object, list[list[str]]] = {}
    for game in schedule:
        names = [game.line_up[place].name for place in game.seating]
        deck = (ids.find_deck(sharing, game.line_up, game.seating), game.deal)
        by_deck.setdefault(deck, []).append(names)
    for one, other in by_deck.values():
        assert other == [swap.get(name, name) for name in one]
        assert len({"b02", "b05"} & {*one}) == (1 if apart else 2)
    left = [each for each in range(len(schedule)) if Random(f"30 {each}").random() < 0.6]
    for missing in (range(len(schedule)), left):
        for most, bots in ((50, 32), (8000, 32), (50, max(3, players))):
            sessions = cut_sessions(schedule, missing, most, bots)
            assert sorted(game.id for each in sessions for game in each) == sorted(
                schedule[number].id for number in missing
            )
            for session in sessions:
                assert len(session) <= most
                decks = [(ids.find_deck(sharing, g.line_up, g.seating), g.deal) for g in session]
                assert len(set(decks)) == len(decks)
    assert len(cut_sessions(schedule, range(len(schedule)))) == 2
    few = Games(schedule, [*range(1, len(schedule), len(schedule) // 5)])
    assert list(pickle.loads(pickle.dumps(few))) == list(few)


@pytest.mark.parametrize("apart", [False, True])
def test_a_deal_of_two_seatings_goes_on_where_the_one_before_ended(apart: bool) -> None:
    for players, pairs in ((4, 12), (5, 12)):
        league = match(players, apart, how=2)
        at_once = planned(league._replace(seatings="auto", deals=1))
        in_turn = planned(league._replace(deals=pairs))
        seated = [
            Counter((game.line_up, game.seating) for game in games) for games in (at_once, in_turn)
        ]
        assert seated[0] == seated[1]
        first = {game.seating for game in planned(league._replace(deals=1))}
        assert len(first) > 4, "line-ups begin in different seatings"
        known = [game for game in at_once if in_turn.holds(game)]
        assert len(known) == 2 * len(in_turn.line_ups)


def test_in_a_session_of_a_match_a_bot_sits_in_all_its_seats() -> None:
    cases: list[tuple[int, str | int]] = [(2, "auto"), (3, "auto"), (4, 2), (5, 2)]
    for players, how in cases:
        league = match(players, False, how=how)
        for session in cut_sessions(planned(league), everything(league)):
            seats = Counter(
                game.seating.index([bot.name for bot in game.line_up].index("b02"))
                for game in session
            )
            assert len(seats) == players


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7])
def test_exchanges_are_as_many_seatings_as_a_tournament_plays_and_level_for_both(k: int) -> None:
    ways = make_exchanges(pool(k))
    assert len(set(ways)) == len(ways) == len(make_seatings(pool(k), "auto"))
    for one, other in zip(ways[::2], ways[1::2], strict=True):
        assert other == tuple({0: 1, 1: 0}.get(bot, bot) for bot in one)
    in_seat = Counter((seat, bot) for way in ways for seat, bot in enumerate(way))
    for seat in range(k):
        assert in_seat[seat, 0] == in_seat[seat, 1]
        assert all(abs(in_seat[seat, bot] - len(ways) / k) <= 2 for bot in range(k))
