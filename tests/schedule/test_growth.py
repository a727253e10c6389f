"""Fields that nobody has: what is counted of them is what the schedule then makes."""

import tracemalloc
from collections.abc import Iterator
from itertools import islice
from time import process_time
from typing import Any

import pytest

from arena.model import Bot, Entry, Limits, Pool, Settle, Wanted
from arena.schedule import choices, stages
from arena.schedule.growth import Field, as_now, grown, line_ups_of
from arena.schedule.order import Schedule, identity_of
from arena.schedule.sessions import sessions_of

pytestmark = pytest.mark.whole

THREE = Pool("no_thanks", 3, "{}", "")
FOUR = Pool("diciassette", 4, "{}", "")
FIVE = Pool("no_thanks", 5, "{}", "")
TWO = Pool("sixteen", 2, "{}", "")
TEAMS = Pool("sixteen", 4, "{}", "same")
MIXED = Pool("sixteen", 4, "{}", "mixed")


def entry(pool: Pool, bots: int, deals: int = 2, how: str | int = "auto", **more: Any) -> Entry:
    field = tuple(Bot(f"b{number:04}", f"{number:x}") for number in range(bots))
    duplicate = more.pop("duplicate", False)
    return Entry(pool, field, deals, how, duplicate, **more)


def made(own: Entry, count: int | None, before: Any = None) -> tuple[Entry, Any]:
    """Return the entry with its line-ups drawn, as `arena tournament` draws them, and what it
    keeps.
    """
    (found,), kept = choices.made([Wanted(own, count, False)], before or {})
    return found, kept


def schedule(own: Entry) -> Schedule:
    return Schedule(own, identity_of(own, Limits(), "none"))


def counted(own: Entry, count: int | None, bots: int, most: int = 8000) -> Field:
    return grown(own, bots, line_ups_of(own, count, bots), most)


SETTLED = {"settle": Settle(0.95, 40, len(stages.geometrically(5, 40)), 5)}
GAUNTLET = {"always": ("b0001",)}

POOLS = [
    (TWO, None, {"duplicate": True}),
    (THREE, None, {}),
    (FOUR, None, {"how": 12}),
    (FIVE, None, {"how": "rotations"}),
    (TEAMS, None, {"duplicate": True}),
    (MIXED, None, {"how": 6}),
    (THREE, None, GAUNTLET),
    (TWO, None, GAUNTLET),
    (THREE, None, {"deals": 5, **SETTLED}),
    (THREE, 9, {}),
    (FOUR, 8, {"how": 7}),
    (TWO, 10, {"duplicate": True}),
    (MIXED, 11, {}),
    (THREE, 12, GAUNTLET),
    (FIVE, 60, {"how": 20}),
]


@pytest.mark.parametrize("then", [8, 20, 28, 40])
@pytest.mark.parametrize(("pool", "count", "how"), POOLS, ids=range(len(POOLS)))
def test_the_games_of_a_grown_field_are_those_that_its_schedule_has(
    pool: Pool, count: int | None, how: dict[str, Any], then: int
) -> None:
    now, kept = made(entry(pool, 8, **how), count)
    later, _ = made(entry(pool, then, **how), count, kept)
    whole = schedule(stages.at_most(later))
    field = counted(now, count, then)
    assert (field.line_ups, field.games) == (len(whole.line_ups), len(whole))
    assert len({game.id for game in islice(whole, 2000)}) == min(len(whole), 2000)


@pytest.mark.parametrize("then", [9, 10, 11, 12, 13])
@pytest.mark.parametrize(("pool", "count"), [(THREE, 9), (FOUR, 8), (TWO, 10), (FIVE, 30)])
def test_where_few_are_new_it_lacks_what_keeps_them_from_the_same_line_up_again(
    pool: Pool, count: int, then: int
) -> None:
    now, kept = made(entry(pool, 8), count)
    later, _ = made(entry(pool, then), count, kept)
    drawn = len(schedule(later).line_ups)
    assert 0.8 * drawn <= counted(now, count, then).line_ups <= drawn


def met(whole: Schedule) -> Iterator[tuple[Bot, Bot]]:
    for line_up in whole.line_ups:
        yield from ((a, b) for a in line_up for b in line_up if a < b)


@pytest.mark.parametrize(
    ("pool", "bots", "count", "how"),
    [(THREE, 30, None, {}), (THREE, 60, 150, {}), (TWO, 50, None, GAUNTLET), (FOUR, 16, 200, {})],
)
def test_pairs_are_those_that_meet_or_a_few_more(
    pool: Pool, bots: int, count: int | None, how: dict[str, Any]
) -> None:
    own, _ = made(entry(pool, bots, **how), count)
    pairs = len(set(met(schedule(own))))
    assert pairs <= counted(own, count, bots).pairs <= 1.05 * pairs


@pytest.mark.parametrize(
    ("pool", "bots", "count", "how"),
    [
        (THREE, 20, None, {}),
        (THREE, 60, None, {}),
        (THREE, 60, None, {"duplicate": True}),
        (TWO, 200, None, {"duplicate": True, "deals": 30}),
        (THREE, 80, None, GAUNTLET),
        (THREE, 150, 500, {}),
        (FOUR, 100, 2000, {}),
        (TEAMS, 64, 400, {"duplicate": True}),
    ],
)
def test_sessions_are_as_many_as_it_is_cut_into_to_an_eighth(
    pool: Pool, bots: int, count: int | None, how: dict[str, Any]
) -> None:
    own, _ = made(entry(pool, bots, **how), count)
    whole = schedule(own)
    cut = len(sessions_of(whole, range(len(whole)), 800))
    assert counted(own, count, bots, 800).sessions == pytest.approx(cut, rel=0.125, abs=1)


@pytest.mark.parametrize(
    ("pool", "bots", "how"), [(THREE, 8, {}), (FIVE, 10, {}), (FOUR, 9, GAUNTLET)]
)
def test_as_many_as_now_are_as_many_for_each_bot(
    pool: Pool, bots: int, how: dict[str, Any]
) -> None:
    def each(own: Entry) -> int:
        return sum(own.bots[-1] in line_up for line_up in schedule(own).line_ups)

    now = entry(pool, bots, **how)
    count = as_now(now, len(schedule(now).line_ups), 2 * bots)
    later, _ = made(entry(pool, 2 * bots, **how), count)
    assert each(now) <= each(later) <= each(now) + 1


def test_a_thousand_bots_are_counted_and_not_made() -> None:
    wide = Pool("no_thanks", 7, '{"extended":true}', "")
    entries = [
        entry(pool, 10, how=how) for pool, how in ((THREE, "all"), (wide, "all"), (FIVE, 24))
    ]
    drawn, _ = made(entry(FOUR, 10), 50)
    began_s = process_time()
    tracemalloc.start()
    fields = [counted(each, None, 1000) for each in entries]
    fields.append(counted(drawn, 50, 1000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert process_time() - began_s < 0.2
    assert peak < 1 << 20
    assert fields[0].line_ups == 166_167_000  # 1000 x 999 x 998 / 6
    assert fields[0].games == 166_167_000 * 6 * 2
    assert fields[1].games == 194_280_608_456_793_000 * 5040 * 2  # C(1000, 7)
    assert fields[3].line_ups == 50 + 990 * 19 // 4 + 1  # 20 each, new ones 19: 4,702.5 more
