"""Turns of seatings: level, the same on every machine, and no stored game is ever lost."""

import hashlib
from collections import Counter
from itertools import permutations, product
from math import gcd

import pytest

from arena.model import Bot, Pool
from arena.schedule import choices, seat_rotation
from arena.schedule.order import Schedule
from arena.schedule.seatings import make_seatings, sample_orders
from tests.benchmarks.seat_counts import Asked, asked, planned, spread


@pytest.mark.parametrize(("k", "most"), [(5, 1), (6, 1), (7, 2)])
def test_the_usual_sample_is_nearly_level_at_every_deal(k: int, most: int) -> None:
    turns = seat_rotation.find_deal_turns(sample_orders(k, 24), k)
    seats, after = Counter(product(range(k), repeat=2)), Counter(permutations(range(k), 2))
    level = k * (k - 1) // gcd(24, k * (k - 1))  # deals: 24 x 5 is a multiple of 30, 24 x 7 of 42
    for deal in range(2 * level):
        for way in sample_orders(k, 24):
            held = [turns[deal][place] for place in way]
            seats.update((place, seat) for seat, place in enumerate(held))
            after.update((held[seat - 1], place) for seat, place in enumerate(held))
        for counts in (seats.values(), after.values()):
            assert max(counts) - min(counts) <= (most if (deal + 1) % level else 0)


def test_what_is_level_by_itself_is_never_turned() -> None:
    for k, count in ((3, 6), (4, 12), (5, 20), (6, 30)):
        ways = make_seatings(Pool("diciassette", k, "{}", ""), count)
        turns = seat_rotation.find_deal_turns(ways, k)
        assert (turns.period, turns[0]) == (1, tuple(range(k)))


def test_turns_are_the_same_for_ever() -> None:
    """Stored games have been seated by them: whatever changes this digest loses games."""
    turns = [
        [seat_rotation.find_deal_turns(ways, k)[deal] for deal in range(200)]
        for k, most in ((2, 1), (3, 5), (4, 23), (5, 24), (6, 24), (7, 24))
        for count in (1, 3, 5, 7, 24)
        if count <= most
        for ways in [sample_orders(k, count)]
    ]
    turns.append([turn for k in range(2, 8) for turn in seat_rotation.find_line_up_turns(k)])
    digest = hashlib.sha256(repr(turns).encode()).hexdigest()
    assert digest[:16] == "0001af0047fd8cc4"


def test_chance_takes_all_turns_about_equally_often_and_goes_by_names() -> None:
    names = ((Bot(f"b{n}", ""), Bot(f"c{n}", "")) for n in range(4000))
    turns = Counter(seat_rotation.turn_by_chance(line_up, 4) for line_up in names)
    assert all(900 < times < 1100 for times in turns.values())  # 1000 +- 3.6 deviations
    old, new = ((Bot("ann", each), Bot("bob", "")) for each in ("old", "new"))
    assert seat_rotation.turn_by_chance(old, 1 << 30) == seat_rotation.turn_by_chance(new, 1 << 30)


SCHEDULES = [
    asked(5, 7, 24, 3), asked(5, 7, 24, 3, shared=True), asked(4, 6, 7, 13, shared=True),
    asked(2, 4, 1, 5), asked(6, 8, 24, 2, line_ups=12), asked(3, 7, 2, 4, gauntlet=True),
    asked(4, 5, 6, 5, partners="mixed"),
]  # fmt: skip


@pytest.mark.parametrize("ask", SCHEDULES, ids=lambda ask: ask.title)
def test_every_game_stands_in_the_schedule_once_and_is_the_same_where_none_is_turned(
    ask: Asked,
) -> None:
    before, after = (planned(ask, turned) for turned in (False, True))
    assert before.entry.seating_turns is None
    assert after.entry.seating_turns is not None
    assert [after.number(game) for game in after] == list(range(len(after)))
    ids, turned = (
        {(game.line_up, game.seating, game.deal): game.id for game in games}
        for games in (before, after)
    )
    assert len(turned) == len({*turned.values()}) == len(after)
    both = ids.keys() & turned.keys()
    assert all(ids[game] == turned[game] for game in both)
    assert sum(map(before.holds, after)) == len(both) > 0


def test_where_decks_are_shared_every_round_is_another_seating_of_the_deal() -> None:
    rounds: dict[object, set[tuple[int, ...]]] = {}
    for game in planned(asked(5, 6, 7, 9, shared=True)):
        rounds.setdefault((game.line_up, game.deal), set()).add(game.seating)
    assert {len(seatings) for seatings in rounds.values()} == {7}
    assert len({frozenset(seatings) for seatings in rounds.values()}) > 6  # deals differ


LEVEL = [  # a schedule, and the most that seats and neighbours may differ
    (asked(5, 10, deals=5), (0, 0)),
    (asked(6, 10), (0, 2)),
    (asked(7, 9), (3, 0)),
    (asked(3, 10, 3, 2), (0, 0)),
    (asked(4, 10, 7), (1, 3)),
    (asked(4, 8, 6, line_ups=40, partners="mixed"), (1, 0)),
    (asked(5, 10, gauntlet=True), (1, 0)),
    (asked(5, 8, 7, 3, shared=True), (2, 5)),
    (asked(5, 8, 13, 3), (4, 6)),
    (asked(2, 5, 1, 3), (2, 0)),
]


@pytest.mark.parametrize(("ask", "most"), LEVEL, ids=lambda each: str(each)[:60])
def test_seats_and_neighbours_are_level(ask: Asked, most: tuple[int, int]) -> None:
    found = spread(planned(ask), ask.wanted.entry.pool.entrants)
    assert found.seats <= most[0]
    assert found.neighbours <= most[1]


Choices = dict[Pool, choices.Choice]


def made(ask: Asked, before: Choices, **most: int) -> tuple[Schedule, Choices]:
    (entry,), chosen = choices.make_choices([ask.wanted], before, **most)
    games = planned(ask, turned=False)
    return Schedule(entry, games.identity), chosen


def with_bots(ask: Asked, *names: str) -> Asked:
    bots = tuple(Bot(name, "") for name in sorted(names))
    entry = ask.wanted.entry._replace(bots=bots)
    return Asked(ask.title, ask.wanted._replace(entry=entry))


def ids(games: Schedule, without: str = "") -> set[str]:
    return {game.id for game in games if without not in {bot.name for bot in game.line_up}}


SIX = ("bea", "cid", "dee", "eve", "flo", "gil")
SEVEN = ("ann", *SIX)  # who comes first by name, so that every line-up's number is another
FIVES = asked(5, 6, 24, 2)


def test_games_stay_when_a_bot_comes_goes_and_comes_back() -> None:
    small, chosen = made(with_bots(FIVES, *SIX), {})
    assert made(with_bots(FIVES, *SIX), chosen)[1] == chosen
    large, chosen = made(with_bots(FIVES, *SEVEN), chosen)
    assert len(large) == 21 * 24 * 2  # 7 choose 5
    assert spread(large, 5).seats <= 2
    assert ids(small) == ids(large, "ann")
    without, chosen = made(with_bots(FIVES, *SIX), chosen)
    assert ids(without) == ids(small)
    again, _ = made(with_bots(FIVES, *SEVEN), chosen)
    assert ids(again) == ids(large)


def test_more_deals_and_a_changed_config_lose_no_game() -> None:
    few = asked(5, 9, 24, 2, line_ups=12)
    first, chosen = made(few, {})
    for how, deals, line_ups in ((24, 4, 12), (24, 2, 20), ("all", 2, None)):
        more = asked(5, 9, how, deals, line_ups=line_ups)
        assert ids(first) < ids(made(more, chosen)[0]), more.title
    _, between = made(asked(5, 9, 7), chosen)
    assert ids(made(few, between)[0]) == ids(first)


def test_so_many_line_ups_that_chance_levels_them_stay_by_chance() -> None:
    few, chosen = made(with_bots(FIVES, *SIX), {})
    many, later = made(with_bots(FIVES, *SEVEN), chosen, most_levelled=20)
    assert ids(few) == ids(many, "ann")
    assert len(many.entry.seating_turns or ()) == 6
    assert [many.number(game) for game in many] == list(range(len(many)))
    assert ids(made(with_bots(FIVES, *SEVEN), later)[0]) == ids(many)
