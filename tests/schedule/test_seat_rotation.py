"""Turns of seatings: by deal level as soon as can be, by line-up level over all of them; the same
on every machine, none in vain, and no stored game ever lost.
"""

import hashlib
from collections import Counter
from itertools import permutations
from math import gcd
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.model import Bot, Fixture, Limits, Pool, StoredPlan, Wanted
from arena.schedule import choices, seat_rotation
from arena.schedule.order import Schedule
from arena.schedule.seatings import make_seatings, sample_orders
from arena.store.plans import keep_choices, keep_plan, load_choices, load_plan
from arena.store.store import Store
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
    assert games.entry.seating_turns is not None
    every = list(games)
    assert [games.number(game) for game in every] == list(range(len(games)))
    assert len({(game.line_up, game.seating, game.deal) for game in every}) == len(games)
    assert len({game.id for game in every}) == len(games)


@pytest.mark.parametrize("ask", SCHEDULES, ids=lambda ask: ask.title)
def test_a_game_is_the_same_game_where_seatings_are_not_turned(ask: Asked) -> None:
    before, after = (planned(ask, turned) for turned in (False, True))
    assert before.entry.seating_turns is None
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


def test_all_seatings_are_never_turned() -> None:
    before, after = (planned(asked(3, 5, "all", 2), turned) for turned in (False, True))
    assert after.entry == before.entry
    assert list(after) == list(before)


Choices = dict[Pool, choices.Choice]

OF_THE_CHECK = [  # schedule, seats and neighbours before, and at most now
    (asked(5, 10), (126, 0), (1, 0)),
    (asked(5, 10, deals=5), (630, 0), (0, 0)),
    (asked(5, 12, line_ups=200), (84, 0), (1, 0)),
    (asked(6, 10), (0, 36), (0, 2)),
    (asked(6, 10, deals=2), (0, 72), (0, 2)),
    (asked(7, 9), (28, 0), (3, 0)),
    (asked(3, 10, 3, 2), (144, 16), (0, 0)),
    (asked(3, 10, 3), (72, 8), (0, 2)),
    (asked(4, 10, 7), (84, 28), (1, 3)),
    (asked(4, 8, 6), (35, 0), (1, 0)),
    (asked(4, 8, 6, line_ups=40, partners="mixed"), (20, 0), (1, 0)),
    pytest.param(asked(4, 20, 7, line_ups=200), (40, 7), (2, 3), marks=pytest.mark.whole),
    (asked(5, 10, gauntlet=True), (126, 0), (1, 0)),
    (asked(5, 8, 7, 3, shared=True), (105, 60), (2, 5)),
    (asked(4, 8), (0, 0), (0, 0)),
]


@pytest.mark.parametrize(("ask", "was", "most"), OF_THE_CHECK, ids=lambda each: str(each)[:60])
def test_seats_and_neighbours_are_level(
    ask: Asked, was: tuple[int, int], most: tuple[int, int]
) -> None:
    k = ask.wanted.entry.pool.entrants
    before, after = (spread(planned(ask, turned), k) for turned in (False, True))
    assert (before.seats, before.neighbours) == was
    assert after.seats <= most[0]
    assert after.neighbours <= most[1]


@pytest.mark.parametrize(
    "k", [2, 3, 4, *(pytest.param(k, marks=pytest.mark.whole) for k in (5, 6))]
)
def test_every_sample_of_any_bots_is_level_to_within_a_few(k: int) -> None:
    """Most less least: 1 would be level; few or odd seatings of five and more stay above it."""
    for bots in (k, k + 1, k + 3):
        for count in (1, 2, 3, 4, 5, 7, 13, 23):
            if count < {2: 2, 3: 6, 4: 24}.get(k, 25):
                for deals in (1, 3):
                    found = spread(planned(asked(k, bots, count, deals)), k)
                    assert found.seats <= 4, (bots, count, deals)
                    assert found.neighbours <= 6, (bots, count, deals)


def made(ask: Asked, before: Choices) -> tuple[Schedule, Choices]:
    (entry,), chosen = choices.make_choices([ask.wanted], before)
    games = planned(ask, turned=False)
    return Schedule(entry, games.identity), chosen


def with_bots(ask: Asked, *names: str) -> Asked:
    bots = tuple(Bot(name, "") for name in sorted(names))
    entry = ask.wanted.entry._replace(bots=bots)
    return Asked(ask.title, ask.wanted._replace(entry=entry))


def ids(games: Schedule) -> set[str]:
    return {game.id for game in games}


def with_all(games: Schedule, names: set[str]) -> set[str]:
    return {game.id for game in games if names >= {bot.name for bot in game.line_up}}


SIX = ("bea", "cid", "dee", "eve", "flo", "gil")
SEVEN = ("ann", *SIX)  # who comes first by name, so that every line-up's number is another
FIVES = asked(5, 6, 24, 2)


def test_a_new_bot_adds_games_and_takes_none_away() -> None:
    small, chosen = made(with_bots(FIVES, *SIX), {})
    large, _ = made(with_bots(FIVES, *SEVEN), chosen)
    assert ids(small) == with_all(large, set(SIX))
    assert len(large) == 21 * 24 * 2  # 7 choose 5
    assert spread(large, 5).seats <= 2


def test_a_bot_that_is_gone_takes_its_own_games_and_comes_back_to_them() -> None:
    whole, chosen = made(with_bots(FIVES, *SEVEN), {})
    without, later = made(with_bots(FIVES, *SIX), chosen)
    assert ids(without) == with_all(whole, set(SIX))
    again, _ = made(with_bots(FIVES, *SEVEN), later)
    assert ids(again) == ids(whole)


def test_more_deals_and_a_changed_config_lose_no_game() -> None:
    first, chosen = made(asked(5, 9, 24, 2, line_ups=12), {})
    for ask in (
        asked(5, 9, 24, 4, line_ups=12),
        asked(5, 9, 24, 2, line_ups=20),
        asked(5, 9, 24, 2),
        asked(5, 9, "all", 2),
    ):
        later, _ = made(ask, chosen)
        assert ids(first) < ids(later), ask.title
    _, between = made(asked(5, 9, 7), chosen)
    assert ids(made(asked(5, 9, 24, 2, line_ups=12), between)[0]) == ids(first)


def test_asked_again_nothing_is_chosen_anew() -> None:
    games, chosen = made(FIVES, {})
    assert made(FIVES, chosen)[1] == chosen
    assert choices.make_choices([FIVES.wanted], chosen)[0] == (games.entry,)


def test_so_many_line_ups_that_chance_levels_them_stay_by_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, chosen = made(with_bots(FIVES, *SIX), {})
    monkeypatch.setattr(seat_rotation, "MOST", 20)
    many, later = made(with_bots(FIVES, *SEVEN), chosen)
    assert ids(few) == with_all(many, set(SIX))
    assert len(many.entry.seating_turns or ()) == 6
    assert [many.number(game) for game in many] == list(range(len(many)))
    monkeypatch.setattr(seat_rotation, "MOST", 1000)
    assert ids(made(with_bots(FIVES, *SEVEN), later)[0]) == ids(many)


# Kept in a store


def stored(wanted: Wanted) -> tuple[StoredPlan, Choices]:
    entries, chosen = choices.make_choices([wanted], {})
    return StoredPlan("cup", True, "walls", Limits(), entries), chosen


def test_a_store_keeps_its_turns(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "new")
    plan, chosen = stored(FIVES.wanted)
    keep_choices(store, chosen)
    keep_plan(store, plan)
    assert load_plan(store) == plan
    assert plan.entries[0].seating_turns is not None
    assert load_choices(store) == chosen
    store.close()


def test_damaged_turns_are_said(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "cup")
    plan, chosen = stored(FIVES.wanted)
    keep_plan(store, plan)
    for turns in (((0, 40),), ((6, 0),), ((-1, 0),), ((1, 0), (0, 0))):
        damaged = plan._replace(entries=(plan.entries[0]._replace(seating_turns=turns),))
        keep_plan(store, damaged)
        with pytest.raises(ArenaError, match=r"its plan is damaged .*turn"):
            load_plan(store)
    (choice,) = chosen.values()
    (own,) = choice.turned
    for wrong in (own._replace(turns=own.turns[1:]), own._replace(turns=(40, *own.turns[1:]))):
        keep_choices(store, {choice.pool: choice._replace(turned=(wrong,))})
        with pytest.raises(ArenaError, match="are damaged"):
            load_choices(store)
    store.close()


def seating_of(game: Fixture) -> tuple[str, ...]:
    return tuple(game.line_up[place].name for place in game.seating)


def test_line_ups_are_turned_differently_and_deals_too() -> None:
    games = list(planned(FIVES))
    assert len({game.seating for game in games[::24]}) > 3  # first seatings of 6 line-ups, 2 deals
    assert seating_of(games[0]) != seating_of(games[6 * 24])
