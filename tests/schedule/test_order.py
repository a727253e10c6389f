"""Who plays whom, where, in what order, and in which session."""

import pickle
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, islice, permutations
from math import comb, factorial, perm
from time import process_time

import pytest

from arena import ids
from arena.model import Bot, Entry, Fixture, Limits, Partners, Pool
from arena.schedule.line_ups import LineUps
from arena.schedule.order import Schedule
from arena.schedule.seatings import MIXED, count_possible, make_seatings, sample_orders
from arena.schedule.seatings import count_seatings as seatings_count
from arena.schedule.sessions import choose_session_size, cut_sessions

UNEVEN = {
    (3, 2), (3, 3), (3, 4), (4, 3), (4, 9), (4, 15), (4, 21), (5, 4), (5, 5), (6, 4), (6, 5),
    (7, 5), (7, 6), (7, 7),
}  # fmt: skip
"""(bots, seatings) that cannot be level; that they cannot is shown below."""

Order = tuple[int, ...]


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


def spreads(k: int, orders: tuple[Order, ...]) -> tuple[int, int]:
    """Return most less least: of (seat, bot), and of (bot, next bot)."""
    in_seat = Counter((seat, order[seat]) for order in orders for seat in range(k))
    after = Counter((order[seat - 1], order[seat]) for order in orders for seat in range(k))
    seats = [in_seat[seat, bot] for seat in range(k) for bot in range(k)]
    pairs = [after[a, b] for a, b in permutations(range(k), 2)]
    return max(seats) - min(seats), max(pairs) - min(pairs)


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
def test_in_a_sample_all_seats_and_neighbours_are_level_to_within_one(k: int) -> None:
    for count in range(1, min(31, factorial(k))):
        orders = sample_orders(k, count)
        assert len(set(orders)) == count
        assert max(spreads(k, orders)) <= (2 if (k, count) in UNEVEN else 1), (k, count)


@pytest.mark.parametrize(
    ("k", "count"),
    [(5, 44), (5, 75), (5, 119), (6, 35), (6, 185), (6, 400), (7, 48), (7, 91), (7, 1000)],
)
def test_large_samples_are_as_level(k: int, count: int) -> None:
    orders = sample_orders(k, count)
    assert len(set(orders)) == count
    assert max(spreads(k, orders)) <= 1


def level_sets(k: int, count: int) -> int:
    """Return how many level sets of `count` <= k orders hold the first order, by exhaustion.

    Of so few orders, none has a bot in a seat twice; of fewer than k no two share a neighbour,
    and of k, every bot has one neighbour twice on each side, and every other once.
    """
    rows = [
        (
            order,
            sum(1 << (seat * k + bot) for seat, bot in enumerate(order)),
            sum(1 << (order[seat - 1] * k + order[seat]) for seat in range(k)),
        )
        for order in permutations(range(k))
    ]
    lines = [sum(1 << (a * k + b) for b in range(k)) for a in range(k)]
    lines += [sum(1 << (a * k + b) for a in range(k)) for b in range(k)]

    def go(left: list[tuple[Order, int, int]], size: int, pairs: int, twice: int) -> int:
        if size == count:
            return 1
        solutions = 0
        for place, (order, seats, new) in enumerate(left):
            again = new & pairs
            if count == k and order[0] != size:
                continue  # one order for each bot in the first seat: take them by bot
            if again & twice or (again and count < k):
                continue
            both = twice | again
            if any((both & line).bit_count() > 1 for line in lines):
                continue
            rest = left if count == k else left[place + 1 :]
            rest = [row for row in rest if not row[1] & seats and not row[2] & both]
            if count < k:
                rest = [row for row in rest if not row[2] & new]
            solutions += go(rest, size + 1, pairs | new, both)
        return solutions

    _, seats, pairs = rows[0]
    others = [r for r in rows if not r[1] & seats and (count == k or not r[2] & pairs)]
    return go(others, 1, pairs, 0)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("k", "count"),
    [
        *((3, 2), (3, 3), (4, 3), (5, 4), (5, 5), (6, 4), (6, 5), (7, 5)),
        *(pytest.param(7, count, marks=pytest.mark.long) for count in (6, 7)),
    ],
)
def test_few_seatings_that_are_not_level_cannot_be(k: int, count: int) -> None:
    assert level_sets(k, count) == 0


def test_the_exhaustion_finds_level_sets_where_there_are() -> None:
    assert level_sets(4, 2) == 2  # by hand: of the 9 derangements of 0123, 1032 and 3210
    assert level_sets(5, 3) > 0
    assert level_sets(6, 6) > 0  # Williams' square of order 6


def test_an_odd_multiple_of_three_of_four_bots_has_no_level_neighbours() -> None:
    circles = [(0, *rest) for rest in permutations((1, 2, 3))]  # the 6 circular orders
    for count in (3, 9):  # 15 and 21 are what samples of 9 and 3 leave of the 24
        exact = count // 3  # 4 x count neighbours for 12 pairs
        for chosen in combinations_with_replacement(circles, count):
            met = Counter((c[s - 1], c[s]) for c in chosen for s in range(4))
            assert {met[pair] for pair in permutations(range(4), 2)} != {exact}, chosen


def test_what_a_sample_leaves_over_is_as_level_as_the_sample() -> None:
    assert not set(sample_orders(4, 5)) & set(sample_orders(4, 19))
    assert (3, 4) in UNEVEN  # 6 - 2
    assert {(4, 15), (4, 21)} <= UNEVEN  # 24 - 9, 24 - 3


def test_the_default_sample_of_six_takes_less_than_a_third_of_a_second() -> None:
    began = process_time()
    assert len(sample_orders(6, 24)) == 24
    assert process_time() - began < 0.3


def test_all_seatings_of_a_line_up() -> None:  # 2!, 3!, 4!, 5!
    assert [len(make_seatings(pool(k), "all")) for k in (2, 3, 4, 5)] == [2, 6, 24, 120]
    assert [count_possible(pool(k)) for k in (2, 3, 4, 5)] == [2, 6, 24, 120]


def test_auto_is_all_up_to_four_and_a_sample_of_24_above() -> None:
    assert [len(make_seatings(pool(k), "auto")) for k in range(2, 8)] == [2, 6, 24, 24, 24, 24]


def test_a_team_is_one_bot_twice_on_opposite_seats() -> None:
    assert set(make_seatings(pool(4, "same"), "auto")) == {(0, 1, 0, 1), (1, 0, 1, 0)}


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


def test_as_many_seatings_are_counted_as_are_made() -> None:
    for k in (2, 3, 4, 5):
        for how in ("auto", "all", 2):
            assert seatings_count(pool(k), how) == len(make_seatings(pool(k), how))


def test_a_number_of_seatings_may_be_all_of_them() -> None:
    assert set(make_seatings(pool(3), 6)) == set(permutations(range(3)))


def numbers(line_ups: LineUps) -> list[str]:
    """Return the bots of each, as `0 1 2`."""
    return [" ".join(bot.name.removeprefix("b0") for bot in line_up) for line_up in line_ups]


def test_line_ups_are_all_sets_of_bots_by_name() -> None:
    assert numbers(planned(entry(4, 3, 1)).line_ups) == ["0 1 2", "0 1 3", "0 2 3", "1 2 3"]


def test_games_are_line_ups_times_seatings_times_deals() -> None:
    league = planned(entry(9, 4, 5))
    assert (len(league.line_ups), len(league.ways), len(league)) == (126, 24, 15120)  # C(9, 4), 4!
    assert len(games(entry(5, 3, 4))) == 240  # 10 x 6 x 4


@pytest.mark.parametrize(("bots", "players"), [(3, 3), (7, 2), (8, 5), (9, 4)])
def test_a_line_up_is_found_by_its_number_and_a_number_by_its_line_up(
    bots: int, players: int
) -> None:
    line_ups = planned(entry(bots, players, 1)).line_ups
    listed = list(line_ups)
    assert len(listed) == len(line_ups) == comb(bots, players)
    assert [line_ups[number] for number in range(len(line_ups))] == listed
    assert [line_ups.number(each) for each in listed] == list(range(len(line_ups)))


def test_a_line_up_of_a_thousand_bots_is_found_without_counting_through_them() -> None:
    """In an order that is combinations' own, and by some twenty looks a bot, not 333."""
    large = planned(entry(1000, 3, 1)).line_ups
    for number, first in enumerate(islice(combinations(range(1000), 3), 2000)):
        assert [int(bot.name[1:]) for bot in large[number]] == list(first)
    last = [f"b{place}" for place in (997, 998, 999)]
    assert [bot.name for bot in large[comb(1000, 3) - 1]] == last
    looks, began = 0, large.number(tuple(large[comb(1000, 3) // 2]))
    assert began == comb(1000, 3) // 2

    def counted(*words: int) -> int:
        nonlocal looks
        looks += 1
        return comb(*words)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("arena.schedule.line_ups.comb", counted)
        large[began]
    assert looks < 3 * 20


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


def test_a_fixture_carries_its_own_id() -> None:
    league = entry(4, 3, 2)
    for game in games(league):
        named = ids.game_id(identity(league), game.line_up, game.seating, game.deal)
        assert named == game.id


def test_the_order_is_deal_by_deal_through_all_line_ups() -> None:
    played = games(entry(5, 3, 4))
    assert [game.deal for game in played] == sorted(game.deal for game in played)
    assert len({game.line_up for game in played[:60]}) == 10  # of the first deal: all line-ups


@pytest.mark.parametrize("shared_decks", [False, True])
def test_a_game_is_found_by_its_number_and_a_number_by_its_game(shared_decks: bool) -> None:
    league = planned(entry(5, 3, 4, "all", shared_decks))
    assert [league.number(game) for game in league] == list(range(240))
    assert [league.line_ups.number(game.line_up) for game in league] == [
        league.line_up_of(number) for number in range(240)
    ]
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
    league = entry(4, 3, 7, "all", shared_decks=True)
    ways = make_seatings(league.pool, "all")
    for index, game in enumerate(games(league)):
        assert game.deal == index // (4 * 6)  # line-ups x seatings to a deal
        assert game.seating == ways[(game.deal + index % 6) % 6]


def test_a_fresh_session_of_shared_decks_is_of_one_round() -> None:
    league = entry(4, 3, 50, "all", shared_decks=True)
    ways = make_seatings(league.pool, "all")
    for session in cut_sessions(planned(league), range(50 * 4 * 6), games_per_session=60):
        assert len({(ways.index(game.seating) - game.deal) % 6 for game in session}) == 1


def test_what_a_worker_gets_of_a_session_is_small_and_the_same_games() -> None:
    league = planned(entry(12, 3, 1000))
    session = cut_sessions(league, range(len(league)))[5]
    assert len(session) > 1000
    sent = pickle.dumps(session)
    assert len(sent) < 10 * len(session)
    assert list(pickle.loads(sent)) == list(session)
    assert list(session[10:20]) == list(session)[10:20]


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("shared_decks", [False, True])
def test_what_a_worker_gets_of_a_session_of_many_bots_knows_of_no_others(
    drawn: bool, shared_decks: bool
) -> None:
    """Turned seatings are those of the line-up, by its number or by chance, wherever it is told."""
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
    """Return the sessions' sizes, having held them to their contract."""
    cut = cut_sessions(planned(league), missing, most, bots)
    all_games = planned(league)
    assert sorted(g.id for session in cut for g in session) == sorted(
        all_games[number].id for number in missing
    )
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


@pytest.mark.whole
@pytest.mark.parametrize("shared_decks", [False, True])
def test_forty_bots_are_cut_into_sessions_of_at_most_thirty_two(shared_decks: bool) -> None:
    league = entry(40, 3, 1, 2, shared_decks)  # C(40, 3) = 9880, x 2 = 19760 games
    sizes = check(league, everything(league), 4000, 32)
    assert sum(sizes) == 19760
    assert max(sizes) < 3 * min(sizes)


def test_what_a_killed_run_left_is_cut_as_evenly() -> None:
    league = entry(6, 3, 30, "all", shared_decks=True)
    left = [number for number in everything(league) if number % 7 and number % 3]
    sizes = check(league, left, 200, 32)
    assert max(sizes) - min(sizes) <= 1


def test_a_session_is_spread_over_all_bots() -> None:
    league = entry(9, 3, 36)  # 84 x 6 x 36 = 18144 games: five sessions
    for session in cut_sessions(planned(league), everything(league)):
        met = Counter(bot.name for game in session for bot in game.line_up)
        assert max(met.values()) < 1.1 * min(met.values())


@pytest.mark.parametrize(
    ("games", "workers", "bots", "size"),
    [
        (58140, 1, 4, 7268),  # eight rounds, of at most 8,000 games
        (58140, 2, 20, 14535),  # two, of at most 1,000 for each bot
        (58140, 1, 90, 29070),  # but a session has 32 bots at most
        (58140, 16, 20, 3634),  # one round
        (300, 16, 20, 100),  # too few to share among all
        (0, 2, 20, 100),
    ],
)
def test_workers_play_equally_many_sessions(games: int, workers: int, bots: int, size: int) -> None:
    assert choose_session_size(games, workers, bots) == size


def test_nothing_missing_is_no_session() -> None:
    assert cut_sessions(planned(entry(4, 3, 1)), []) == []


@pytest.mark.whole
def test_a_hundred_thousand_games_take_two_seconds_at_most() -> None:
    league = entry(20, 4, 1, 21)  # 4845 x 21 = 101745
    began = process_time()
    for shared_decks in (False, True):
        shared = planned(league._replace(shared_decks=shared_decks))
        cut = cut_sessions(shared, range(len(shared)))
        assert sum(len(list(session)) for session in cut) == 4845 * 21
    assert process_time() - began < 4


def test_seats_in_teams_count_bots_and_not_players() -> None:
    league = Entry(pool(4, "same"), entry(9, 2, 1).bots, 40, "auto", True)
    counted = planned(league)
    assert (len(counted.line_ups), len(counted.ways), len(counted)) == (perm(9, 2) // 2, 2, 2880)


@pytest.mark.parametrize("always", ["b00", "b03", "b05", "b01 b04", "b04 b00"])
def test_bots_that_are_always_there_are_in_every_line_up(always: str) -> None:
    names = tuple(always.split())
    everybody = LineUps(entry(6, 3, 1))
    line_ups = LineUps(entry(6, 3, 1)._replace(fixed_bots=names))
    expected = [each for each in everybody if {*names} <= {bot.name for bot in each}]
    assert list(line_ups) == expected
    assert [line_ups.number(each) for each in line_ups] == list(
        range(comb(6 - len(names), 3 - len(names)))
    )
    assert all(line_ups.number(each) is None for each in everybody if each not in expected)
