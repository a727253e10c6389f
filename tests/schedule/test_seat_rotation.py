"""Turns of seatings by deal: level as soon as can be, the same on every machine, none in vain."""

import hashlib
from collections import Counter
from itertools import permutations
from math import gcd

import pytest

from arena.model import Bot, Fixture, Pool
from arena.schedule import seat_rotation
from arena.schedule.order import Schedule
from arena.schedule.seatings import make_seatings, sample_orders
from tests.benchmarks.seat_counts import Asked, asked, planned, spread


def worst(k: int, count: int, deals: int) -> list[tuple[int, int]]:
    """Return after each deal most less least, of (place, seat) and (place, next place)."""
    ways = sample_orders(k, count)
    turns = seat_rotation.find_deal_turns(ways, k)
    seats: Counter[tuple[int, int]] = Counter()
    after: Counter[tuple[int, int]] = Counter()
    found = []
    for deal in range(deals):
        for way in ways:
            held = [turns[deal][place] for place in way]
            seats.update((place, seat) for seat, place in enumerate(held))
            after.update((held[seat - 1], held[seat]) for seat in range(k))
        of_seats = [seats[place, seat] for place in range(k) for seat in range(k)]
        of_pairs = [after[pair] for pair in permutations(range(k), 2)]
        found.append((max(of_seats) - min(of_seats), max(of_pairs) - min(of_pairs)))
    return found


@pytest.mark.parametrize(("k", "deals"), [(5, 5), (6, 5), (7, 7)])
def test_the_usual_sample_is_nearly_level_at_every_deal(k: int, deals: int) -> None:
    after = worst(k, 24, 2 * deals)
    assert max(max(each) for each in after) <= (1 if k < 7 else 2)
    assert after[deals - 1] == after[-1] == (0, 0)  # 24 x 5 is a multiple of 30, 24 x 7 of 42


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_within_a_round_of_deals_a_line_up_is_level_to_within_three(k: int) -> None:
    for count in (1, 2, 3, 4, 7, 11):
        if count <= {2: 1, 3: 5}.get(k, 23):
            round_ = k * (k - 1) // gcd(count, k * (k - 1))
            assert max(map(max, worst(k, count, round_))) <= 3, (k, count)


def test_whole_periods_are_level_where_rounds_are_not() -> None:
    for k, count in ((4, 9), (5, 4), (5, 5)):
        period = seat_rotation.find_deal_turns(sample_orders(k, count), k).period
        after = worst(k, count, period)
        assert period > k * (k - 1) // gcd(count, k * (k - 1))
        assert after[-1] == (0, 0)
        assert max(map(max, after)) <= 4


def test_what_is_level_by_itself_is_never_turned() -> None:
    for k, count in ((3, 6), (4, 12), (5, 20), (6, 30)):
        ways = make_seatings(Pool("diciassette", k, "{}", ""), count)
        turns = seat_rotation.find_deal_turns(ways, k)
        assert (turns.period, turns[0]) == (1, tuple(range(k)))


@pytest.mark.parametrize(("k", "of"), [(3, 6), (5, 20), (6, 120), (7, 42), (8, 336)])
def test_a_group_takes_any_two_places_to_any_two_equally_often(k: int, of: int) -> None:
    group = seat_rotation._group(k)
    assert len(set(group)) == len(group) == of  # k(k-1), or (p+1)p(p-1)
    for a, b in permutations(range(k), 2):
        images = Counter((turn[a], turn[b]) for turn in group)
        assert set(images.values()) == {of // (k * (k - 1))}
        assert len(images) == k * (k - 1)


def test_turns_are_the_same_for_ever() -> None:
    """Stored games have been seated by them: whatever changes this digest loses games."""
    told = [
        [seat_rotation.find_deal_turns(ways, k)[deal] for deal in range(200)]
        for k in (2, 3, 4, 5, 6, 7)
        for count in (1, 3, 5, 7, 24)
        if (k, count) < (4, 0) or k > 3
        if count <= {2: 1, 3: 5, 4: 23}.get(k, 24)
        for ways in [sample_orders(k, count)]
    ]
    told.append([turn for k in (2, 3, 4, 5, 6, 7) for turn in seat_rotation.find_line_up_turns(k)])
    digest = hashlib.sha256(repr(told).encode()).hexdigest()
    assert digest[:16] == "0001af0047fd8cc4"


def chance(count: int) -> Counter[int]:
    names = ((Bot(f"b{n}", ""), Bot(f"c{n}", "")) for n in range(count))
    return Counter(seat_rotation.turn_by_chance(line_up, 4) for line_up in names)


def test_chance_takes_all_turns_about_equally_often_and_goes_by_names() -> None:
    assert all(900 < times < 1100 for times in chance(4000).values())  # 1000 +- 3.6 deviations
    old, new = ((Bot("ann", each), Bot("bob", "")) for each in ("old", "new"))
    assert seat_rotation.turn_by_chance(old, 1 << 30) == seat_rotation.turn_by_chance(new, 1 << 30)


SCHEDULES = [
    asked(5, 7, 24, 3), asked(5, 7, 24, 3, shared=True), asked(4, 6, 7, 13, shared=True),
    asked(2, 4, 1, 5), asked(6, 8, 24, 2, line_ups=12), asked(3, 7, 2, 4, gauntlet=True),
    asked(4, 5, 6, 5, partners="mixed"),
]  # fmt: skip


@pytest.mark.parametrize("ask", SCHEDULES, ids=lambda ask: ask.title)
def test_every_game_has_a_number_and_stands_in_the_schedule_once(ask: Asked) -> None:
    games = planned(ask)
    assert games.entry.turns is not None
    every = list(games)
    assert [games.number(game) for game in every] == list(range(len(games)))
    assert len({(game.line_up, game.seating, game.deal) for game in every}) == len(games)
    assert len({game.id for game in every}) == len(games)


@pytest.mark.parametrize("ask", SCHEDULES, ids=lambda ask: ask.title)
def test_a_game_is_the_same_game_where_seatings_are_not_turned(ask: Asked) -> None:
    before, after = (planned(ask, turned) for turned in (False, True))
    assert before.entry.turns is None
    ids = {(game.line_up, game.seating, game.deal): game.id for game in before}
    both = [game for game in after if (game.line_up, game.seating, game.deal) in ids]
    assert both
    assert all(ids[game.line_up, game.seating, game.deal] == game.id for game in both)
    assert sum(map(before.holds, after)) == len(both)


def rounds(games: Schedule) -> dict[tuple[object, int], list[Fixture]]:
    found: dict[tuple[object, int], list[Fixture]] = {}
    for game in games:
        found.setdefault((game.line_up, game.deal), []).append(game)
    return found


def test_where_decks_are_shared_every_round_is_another_seating_of_the_deal() -> None:
    games = planned(asked(5, 6, 7, 9, shared=True))
    for own in rounds(games).values():
        assert len({game.seating for game in own}) == 7
    one = [own for (line_up, _), own in rounds(games).items() if line_up == games.line_ups[3]]
    assert len({frozenset(game.seating for game in own) for own in one}) > 1  # deals differ


def test_a_schedule_without_turns_seats_as_it_always_did() -> None:
    entry = planned(asked(5, 6, 24, 2), turned=False).entry
    games = planned(asked(5, 6, 24, 2), turned=False)
    ways = make_seatings(entry.pool, 24)
    assert [game.seating for game in games] == [*ways] * (len(games) // 24)


@pytest.mark.parametrize("how", ["all", "rotations"])
def test_all_seatings_and_rotations_are_never_turned(how: str) -> None:
    before, after = (planned(asked(3, 5, how, 2), turned) for turned in (False, True))
    assert after.entry == before.entry
    assert list(after) == list(before)


def test_rotations_leave_neighbours_as_documented() -> None:
    found = spread(planned(asked(4, 6, "rotations")), 4)
    assert found.seats == 0
    assert found.neighbours > 0
