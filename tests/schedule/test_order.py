"""Who plays whom, where, in what order, and in which session."""

import pickle
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice, permutations
from math import comb, factorial, perm
from random import Random

import pytest

from arena import ids
from arena.model import Bot, Entry, Fixture, Limits, Mirrored, Partners, Pool, Seating, Wanted
from arena.schedule import seatings
from arena.schedule.choices import make_choices
from arena.schedule.line_ups import LineUps
from arena.schedule.order import Schedule
from arena.schedule.seatings import MIXED, make_seatings, sample_orders
from arena.schedule.sessions import Games, choose_session_size, cut_sessions

UNEVEN = {
    (3, 2), (3, 3), (3, 4), (4, 3), (4, 9), (4, 15), (4, 21), (5, 4), (5, 5), (6, 4), (6, 5),
    (7, 5), (7, 6), (7, 7),
}  # fmt: skip
"""(bots, seatings) that cannot be level."""
LARGE = {5: (44, 119), 6: (35, 185), 7: (48, 91)}


def pool(players: int, partners: Partners = "") -> Pool:
    return Pool("no_thanks", players, "{}", partners)


def entry(
    bots: int, players: int, deals: int, how: str | int = "all", shared_decks: bool = False
) -> Entry:
    return Entry(
        pool(players), tuple(Bot(f"b{n:02}", "") for n in range(bots)), deals, how, shared_decks
    )


def identity(of: Entry) -> ids.Identity:
    return ids.Identity(of.pool, 1, Limits(), "full", of.shared_decks)


def planned(of: Entry) -> Schedule:
    return Schedule(of, identity(of))


def games(of: Entry) -> list[Fixture]:
    return list(planned(of))


def spreads(k: int, orders: tuple[Seating, ...]) -> tuple[int, int]:
    """Return most less least of (seat, bot), and of (bot, next bot)."""
    in_seat = Counter((seat, order[seat]) for order in orders for seat in range(k))
    after = Counter((order[seat - 1], order[seat]) for order in orders for seat in range(k))
    seats = [in_seat[seat, bot] for seat in range(k) for bot in range(k)]
    pairs = [after[a, b] for a, b in permutations(range(k), 2)]
    return max(seats) - min(seats), max(pairs) - min(pairs)


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
def test_in_a_sample_all_seats_and_neighbours_are_level_to_within_one(k: int) -> None:
    for count in (*range(1, min(31, factorial(k))), *LARGE.get(k, ())):
        orders = sample_orders(k, count)
        assert len(set(orders)) == count
        assert max(spreads(k, orders)) <= (2 if (k, count) in UNEVEN else 1), (k, count)


@pytest.mark.parametrize(
    ("how", "counts"), [("all", [2, 6, 24, 120]), ("auto", [2, 6, 24, 24, 24, 24]), (2, [2] * 6)]
)
def test_seatings_are_all_or_a_sample_of_24_above_four_or_as_many_as_asked(
    how: str | int, counts: list[int]
) -> None:
    pools = [pool(2 + more) for more in range(len(counts))]
    assert [len(make_seatings(pool, how)) for pool in pools] == counts
    assert [seatings.count_seatings(pool, how) for pool in pools] == counts
    assert how != "all" or [seatings.count_possible(pool) for pool in pools] == counts


def test_a_team_is_one_bot_twice_on_opposite_seats() -> None:
    assert set(make_seatings(pool(4, "same"), "auto")) == {(0, 1, 0, 1), (1, 0, 1, 0)}
    assert set(make_seatings(pool(3), 6)) == set(permutations(range(3)))


@pytest.mark.parametrize("how", ["auto", "all", *MIXED])
def test_with_mixed_partners_all_partner_and_follow_each_other_equally_often(
    how: str | int,
) -> None:
    ways = make_seatings(Pool("sixteen", 4, "{}", "mixed"), how)
    assert len(ways) == (24 if isinstance(how, str) else how)
    seats, neighbours = spreads(4, ways)
    assert seats == len(ways) // 6 % 2  # 4 does not divide 6 and 18
    assert neighbours == 0
    partners = Counter(frozenset(way[seat::2]) for way in ways for seat in (0, 1))
    assert set(partners.values()) == {len(ways) // 3}  # 2 teams a seating, 6 pairs


def numbers(line_ups: LineUps) -> list[str]:
    return [" ".join(bot.name.removeprefix("b0") for bot in line_up) for line_up in line_ups]


def test_games_are_line_ups_times_seatings_times_deals() -> None:
    assert numbers(planned(entry(4, 3, 1)).line_ups) == ["0 1 2", "0 1 3", "0 2 3", "1 2 3"]
    league = planned(entry(9, 4, 5))
    assert (len(league.line_ups), len(league.ways), len(league)) == (126, 24, 15120)  # C(9, 4), 4!
    teams = planned(Entry(pool(4, "same"), entry(9, 2, 1).bots, 40, "auto", True))
    assert (len(teams.line_ups), len(teams.ways), len(teams)) == (perm(9, 2) // 2, 2, 2880)


def test_line_ups_of_a_thousand_bots_are_in_the_order_of_combinations() -> None:
    large = planned(entry(1000, 3, 1)).line_ups
    for number, first in enumerate(islice(combinations(range(1000), 3), 2000)):
        assert [int(bot.name[1:]) for bot in large[number]] == list(first)
    assert [bot.name for bot in large[comb(1000, 3) - 1]] == ["b997", "b998", "b999"]
    for number in range(0, comb(1000, 3), 99_991):
        assert large.number(tuple(large[number])) == number


def test_line_ups_that_were_drawn_are_those_and_no_others() -> None:
    drawn = ((0, 2, 4), (1, 2, 3))
    league = planned(entry(5, 3, 2)._replace(line_ups=drawn))
    assert numbers(league.line_ups) == ["0 2 4", "1 2 3"]
    assert len(league) == 2 * 6 * 2
    assert [league.number(game) for game in league] == list(range(24))
    others = [game for game in games(entry(5, 3, 2)) if not league.holds(game)]
    assert len(others) == (10 - 2) * 6 * 2
    assert pickle.loads(pickle.dumps(league))[23] == league[23]


def test_what_is_no_line_up_of_the_entry_has_no_number() -> None:
    line_ups = planned(entry(5, 3, 1)).line_ups
    a, b, c = line_ups[0]
    for other in [(a, b), (a, b, b), (b, a, c), (a, b, Bot("zed", "")), (a, b, Bot(c.name, "new"))]:
        assert line_ups.number(other) is None
    for number in (-1, 10):
        with pytest.raises(IndexError):
            line_ups[number]


def test_the_order_is_deal_by_deal_through_all_line_ups() -> None:
    played = games(entry(5, 3, 4))
    assert [game.deal for game in played] == sorted(game.deal for game in played)
    assert len({game.line_up for game in played[:60]}) == 10  # of the first deal: all line-ups


@pytest.mark.parametrize("shared_decks", [False, True])
def test_a_game_is_found_by_its_number_and_a_number_by_its_game(shared_decks: bool) -> None:
    league = planned(entry(5, 3, 4, "all", shared_decks))
    assert len(league) == 240  # 10 x 6 x 4
    for number, game in enumerate(league):
        assert league.number(game) == number
        assert league.line_ups.number(game.line_up) == league.line_up_of(number)
        assert game.id == ids.game_id(league.identity, game.line_up, game.seating, game.deal)
    of_third = [number for numbers in league.of_line_up(3) for number in numbers]
    assert {league[number].line_up for number in of_third} == {league.line_ups[3]}
    assert len(of_third) == 24  # 6 x 4


def test_a_game_of_another_plan_has_no_number() -> None:
    league = entry(5, 3, 4, 2)
    ours = planned(league)
    game = ours[0]
    longer = Limits(cpu_ms=Limits().cpu_ms + 1)
    others = [
        Schedule(league, identity(league)._replace(limits=longer))[0],
        Schedule(league, identity(league)._replace(version=2))[0],
        planned(league._replace(shared_decks=True))[0],
        planned(league._replace(deals=5))[10 * 2 * 4],  # its fifth deal
        *[game for game in games(league._replace(seatings="all")) if game.seating not in ours.ways],
        game._replace(id="0" * 20),
        game._replace(deal=-1),
    ]
    assert ours.holds(game)
    assert [ours.number(other) for other in others] == [None] * len(others)


def test_where_decks_are_shared_round_r_plays_deal_d_in_seating_d_plus_r() -> None:
    league = entry(4, 3, 50, "all", shared_decks=True)
    ways = make_seatings(league.pool, "all")
    for index, game in enumerate(games(league)):
        assert game.deal == index // (4 * 6)  # line-ups x seatings to a deal
        assert game.seating == ways[(game.deal + index % 6) % 6]
    for session in cut_sessions(planned(league), range(50 * 4 * 6), games_per_session=60):
        assert len({(ways.index(game.seating) - game.deal) % 6 for game in session}) == 1


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("shared_decks", [False, True])
def test_what_a_worker_gets_of_a_session_of_many_bots_knows_of_no_others(
    drawn: bool, shared_decks: bool
) -> None:
    bots = entry(200, 3, 4, 3, shared_decks)
    if drawn:
        line_ups = tuple((first, first + 1, first + 60) for first in range(0, 140))
        bots = bots._replace(line_ups=line_ups, seating_turns=((3, 1), (70, 2), (139, 4)))
    else:
        bots = bots._replace(deals=1)
    league = planned(bots)
    numbers = range(0, len(league), len(league) // 500)
    for session in cut_sessions(league, numbers):
        sent = pickle.dumps(session)
        got = pickle.loads(sent)
        assert list(got) == list(session)
        names = {bot.name for game in session for bot in game.line_up}
        assert len(names) <= 32
        assert set(re.findall(rb"b[0-9]{2,3}", sent)) == {name.encode() for name in names}
        assert pickle.dumps(got) == sent


def check(league: Entry, missing: Sequence[int], most: int, bots: int) -> list[int]:
    cut = cut_sessions(planned(league), missing, most, bots)
    all_games = planned(league)
    expected = sorted(all_games[number].id for number in missing)
    assert sorted(game.id for session in cut for game in session) == expected
    for session in cut:
        assert 1 <= len(session) <= most
        assert len({bot for game in session for bot in game.line_up}) <= bots
        if league.shared_decks:
            assert len({(game.line_up, game.deal) for game in session}) == len(session)
    return [len(session) for session in cut]


def everything(league: Entry) -> range:
    return range(len(planned(league)))


@pytest.mark.parametrize(
    ("league", "most", "bots", "sizes"),
    [
        (entry(20, 4, 1, 2), 4000, 32, [3230] * 3),  # C(20, 4) = 4845, x 2 = 9690 games
        (entry(2, 2, 5000), 4000, 32, [3334, 3333, 3333]),  # one line-up: 10000 in three
        (entry(2, 2, 5000, "all", True), 4000, 32, [2500] * 4),  # two rounds, two sessions each
        (entry(3, 3, 2, "all", True), 4000, 32, [2] * 6),  # few deals: a session of each round
        (entry(5, 3, 1), 100, 3, [6] * 10),  # more bots than fit: one line-up each
    ],
)
def test_games_are_cut_into_sessions_as_full_as_can_be(
    league: Entry, most: int, bots: int, sizes: list[int]
) -> None:
    assert check(league, everything(league), most, bots) == sizes


def test_workers_play_equally_many_sessions_of_at_most_a_thousand_games_a_bot() -> None:
    sizes = [choose_session_size(58140, workers, bots=20) for workers in (1, 2, 16)]
    assert sizes == [19380, 14535, 3634]


def test_bots_that_are_always_there_are_in_every_line_up() -> None:
    everybody = LineUps(entry(6, 3, 1))
    for always in ("b00", "b03", "b05", "b01 b04", "b04 b00"):
        names = tuple(always.split())
        line_ups = LineUps(entry(6, 3, 1)._replace(fixed_bots=names))
        expected = [each for each in everybody if {*names} <= {bot.name for bot in each}]
        assert list(line_ups) == expected
        assert len(expected) == comb(6 - len(names), 3 - len(names))
        assert [line_ups.number(each) for each in line_ups] == list(range(len(expected)))
        assert all(line_ups.number(each) is None for each in everybody if each not in expected)


def match(players: int, apart: bool, partners: Partners = "", how: str | int = "auto") -> Entry:
    bots = entry(8, 3, 1).bots if players > 2 or apart else (Bot("b02", ""), Bot("b05", ""))
    two = Mirrored(("b02", "b05"), apart)
    wanted = Entry(pool(players, partners), bots, 4, how, two, fixed_bots=("b05", "b02"))
    (planned,), chosen = make_choices([Wanted(wanted, 12)], {})
    assert make_choices([Wanted(wanted, 12)], chosen)[0] == (planned,)
    return planned


@pytest.mark.parametrize("how", ["auto", 2])
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(("players", "partners"), [(2, ""), (3, ""), (4, "same"), (5, "")])
def test_every_deck_of_a_match_has_two_games_and_no_session_both(
    players: int, partners: Partners, apart: bool, how: str | int
) -> None:
    league = match(players, apart, partners, how)
    schedule, sharing = planned(league), league.shared_decks
    assert [schedule.number(game) for game in schedule] == list(range(len(schedule)))
    assert len({game.id for game in schedule}) == len(schedule)
    swap = {"b02": "b05", "b05": "b02"}
    by_deck: dict[object, list[list[str]]] = {}
    deck_of: dict[str, object] = {}
    for game in schedule:
        names = [game.line_up[place].name for place in game.seating]
        deck = deck_of[game.id] = (ids.find_deck(sharing, game.line_up, game.seating), game.deal)
        by_deck.setdefault(deck, []).append(names)
    for one, other in by_deck.values():
        assert other == [swap.get(name, name) for name in one]
        assert len({"b02", "b05"} & {*one}) == (1 if apart else 2)
    left = [each for each in range(len(schedule)) if Random(f"30 {each}").random() < 0.6]
    for missing, most, bots in ((range(len(schedule)), 8000, 32), (left, 50, max(3, players))):
        sessions = cut_sessions(schedule, missing, most, bots)
        cut = sorted(game.id for session in sessions for game in session)
        assert cut == sorted(schedule[number].id for number in missing)
        for session in sessions:
            assert len({deck_of[game.id] for game in session}) == len(session) <= most
    assert len(cut_sessions(schedule, range(len(schedule)))) == 2
    few = Games(schedule, [*range(1, len(schedule), len(schedule) // 5)])
    assert list(pickle.loads(pickle.dumps(few))) == list(few)


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("apart", [False, True])
def test_a_deal_of_two_seatings_goes_on_where_the_one_before_ended(
    apart: bool, players: int
) -> None:
    league = match(players, apart, how=2)
    at_once = planned(league._replace(seatings="auto", deals=1))
    in_turn = planned(league._replace(deals=12))
    one, other = (Counter((g.line_up, g.seating) for g in games) for games in (at_once, in_turn))
    assert one == other
    known = [game for game in at_once if in_turn.holds(game)]
    assert len(known) == 2 * len(in_turn.line_ups)


def test_exchanges_are_as_many_seatings_as_a_tournament_plays_and_level_for_both() -> None:
    for k in range(2, 8):
        ways = seatings.make_exchanges(pool(k))
        assert len(set(ways)) == len(ways) == len(make_seatings(pool(k), "auto"))
        for one, other in zip(ways[::2], ways[1::2], strict=True):
            assert other == tuple({0: 1, 1: 0}.get(bot, bot) for bot in one)
        in_seat = Counter((seat, bot) for way in ways for seat, bot in enumerate(way))
        for seat in range(k):
            assert in_seat[seat, 0] == in_seat[seat, 1]
            assert all(abs(in_seat[seat, bot] - len(ways) / k) <= 2 for bot in range(k))
