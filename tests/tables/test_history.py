"""The week that tables make: places as readers see them."""

import json
from hashlib import sha256

from msgspec.structs import replace

from arena.model import Bot, BotRecord, Week, WeekRow
from arena.tables.history import (
    Move,
    Moves,
    compare_weeks,
    describe_moves,
    describe_weeks,
    draw_places,
    find_gone,
    make_bot_history,
    make_week,
)
from arena.tables.overview import list_tables
from arena.tables.results import make_files, make_history
from tests.tables.test_formats import example

AT = "2026-11-02T09:00:00+01:00"


def test_a_week_has_the_lines_of_every_table_in_their_order() -> None:
    document = example()
    week = make_week(document, AT, "week 1")
    assert (week.label, week.day) == ("week 1", "2026-11-02")
    assert week.tables == sha256(make_files(document)["standings.json"].encode()).hexdigest()
    assert week.bots == {bot.name: bot.hash for bot in document.bots}
    listings = list_tables(document)
    assert list(week.titles) == [listing.title for listing in listings]
    assert len(week.titles) > 1
    for at, listing in enumerate(listings):
        shown = {row.bot: (row.place, row.places, row.mu, row.interval, row.games, row.faults_total)
                 for row in listing.ranked}  # fmt: skip
        found = {bot: rows[at] for bot, rows in week.rows.items() if rows[at]}
        assert found.keys() == {row.bot for row in [*listing.ranked, *listing.broken]}
        assert shown == {bot: tuple(getattr(row, key) for key in WeekRow.__struct_fields__)
                         for bot, row in found.items() if row and row.place}  # fmt: skip


def test_a_broken_bot_has_no_place() -> None:
    document = example()
    pool = document.pools[0]
    rows = (
        replace(pool.table[0], broken=True, faults={"time": 7}, faults_total=7),
        *pool.table[1:],
    )
    document = replace(document, pools=(replace(pool, table=rows),), games=(), overall=())
    row = make_week(document, AT).rows[rows[0].bot][0]
    assert row
    assert (row.place, row.places, row.mu, row.faults) == (None, None, rows[0].mu, 7)


def test_a_published_week_is_one_object_named_by_its_number() -> None:
    week = replace(make_week(example(), AT), number=12)
    ((name, text),) = make_history([week]).items()
    assert name == "history/0012.json"
    assert list(json.loads(text)) == list(week.__struct_fields__)
    assert "plan" not in text


def week(number: int, places: dict[str, int | None], **changed: str) -> Week:
    """A week of one table. A bot's hash is its name, if it is not `changed`."""
    rows = {bot: (WeekRow(at, (1, 4), 25.5, None, 12, 0),) for bot, at in places.items()}
    bots = {bot: changed.get(bot, bot) for bot in places}
    return Week(
        number=number, label=f"week {number}", at=f"2026-11-0{number}T09",
        games=48, tables="a" * 64, titles=("Sixteen 2p",), bots=bots, rows=rows,
    )  # fmt: skip


ONE = week(1, {"ann": 1, "bob": 2, "cid": 3, "dee": 4})
TWO = week(2, {"ann": 4, "bob": 1, "cid": None, "eve": 2, "zoe": 3}, eve="dee", bob="new")
THREE = week(3, {"ann": 4, "bob": 1, "eve": 2, "zoe": 3}, eve="dee", bob="new")


def test_what_became_of_four_bots_in_three_weeks() -> None:
    assert compare_weeks(ONE, TWO) == Moves(
        up=[Move("bob", 2, 1)], down=[Move("ann", 1, 4)], new=["eve", "zoe"], gone=["dee"],
        changed=["bob"], renamed=[("dee", "eve")],
    )  # fmt: skip
    assert compare_weeks(TWO, THREE) == Moves([], [], [], ["cid"], [], [])
    assert compare_weeks(THREE, THREE) == Moves([], [], [], [], [], [])


def test_moves_are_told_farthest_first_and_two_of_a_kind() -> None:
    then = week(1, dict(zip("abcdef", range(1, 7), strict=True)))
    now = week(2, dict(zip("fabced", range(1, 7), strict=True)))
    said = "f up 5 places to 1st; d down 2 to 6th; a down 1 to 2nd; 2 more down"
    assert describe_moves(compare_weeks(then, now)) == said
    assert describe_moves(compare_weeks(then, then)) == "no place changed"
    assert describe_moves(compare_weeks(week(1, {}), then)) == "new: a, b and 4 more"


def test_places_are_those_of_the_later_week_s_first_table() -> None:
    other = replace(ONE, titles=("No Thanks! 3p",))
    assert compare_weeks(other, TWO)[:2] == ([], [])


def test_a_table_has_a_line_for_each_week() -> None:
    head, *lines = describe_weeks([ONE, TWO, THREE])
    assert head[0] == "week"
    assert lines == [
        ("week 1", ONE.day, "4", "48", "ann, bob, cid", ""),
        ("week 2", TWO.day, "5", "48", "bob, eve, zoe",
         "bob up 1 place to 1st; ann down 3 to 4th; new: eve, zoe; gone: dee; changed: bob"),
        ("week 3", THREE.day, "4", "48", "bob, eve, zoe", "gone: cid"),
    ]  # fmt: skip


def test_removed_bots_have_their_last_week() -> None:
    weeks = [ONE, TWO, THREE]
    assert find_gone(weeks, ["ann", "bob", "eve"]) == {"zoe": THREE, "cid": TWO, "dee": ONE}
    assert list(find_gone(weeks, ["ann", "bob", "eve"])) == ["zoe", "cid", "dee"]


def test_a_bot_has_its_versions_with_their_weeks_and_other_names() -> None:
    weeks = [ONE, TWO, THREE]
    versions = [BotRecord(Bot("bob", "bob"), 12, {}), BotRecord(Bot("bob", "new"), 9, {"time": 3}),
                BotRecord(Bot("bob", "open"), 1, {})]  # fmt: skip
    found = make_bot_history("bob", weeks, versions)
    assert [(each.hash, each.first, each.last, each.games) for each in found.versions] == [
        ("bob", "week 1", "week 1", 12), ("new", "week 2", "week 3", 9), ("open", None, None, 1),
    ]  # fmt: skip
    assert found.versions[1].faults == {"time": 3}
    assert [each.place for each in found.weeks] == [2, 1, 1]
    (eve,) = make_bot_history("eve", weeks, [BotRecord(Bot("eve", "dee"), 9, {})]).versions
    assert (eve.also, eve.first) == (("dee",), "week 2")


def test_places_are_drawn_the_first_highest() -> None:
    weeks = [ONE, TWO, THREE]
    assert draw_places(weeks, "ann") == "█▁▁"
    assert draw_places(weeks, "bob") == "▆██"
    assert draw_places(weeks, "cid") == "▃··"
    assert draw_places([week(1, {"ann": 1})], "ann") == "█"
