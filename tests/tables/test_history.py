"""The week that tables make, what moved between weeks, and bots' ways through them."""

from msgspec.structs import replace

from arena.model import Bot, Week, WeekRow, WeekTable
from arena.tables.history import (
    collect_history,
    compare_with_week,
    describe_moves,
    describe_since,
    find_gone,
    find_places,
    list_places,
    make_week,
    select_bot,
    trace_places,
)
from arena.tables.overview import list_tables
from arena.tables.terminal import first_screen
from tests.documents import example

AT = "2026-11-02T09:00:00+01:00"


def test_a_week_has_the_lines_of_every_table_as_readers_see_them() -> None:
    document = example()
    week = make_week(document, AT, "week 1")
    assert (week.label, week.day) == ("week 1", "2026-11-02")
    assert week.games == sum(pool.games for pool in document.pools)
    assert week.bots == {bot.name: bot.hash for bot in document.bots}
    for table, listing in zip(week.tables, list_tables(document), strict=True):
        assert table.title == listing.title
        assert table.rows == tuple(
            WeekRow(row.bot, row.place if row.ranked else None, row.place_range, row.mu,
                    row.interval, row.games, row.faults_total)
            for row in listing.rows
        )  # fmt: skip


def week(number: int, places: dict[str, int | None], **changed: str) -> Week:
    """A week of one table. A bot's hash is its name, if it is not `changed`."""
    rows = [
        WeekRow(bot, at, (at, at) if at else None, 25.5, None, 12, 0) for bot, at in places.items()
    ]
    rows.sort(key=lambda row: row.place or 99)
    bots = {bot: changed.get(bot, bot) for bot in places}
    return Week(
        arena="0.1.0", number=number, label=f"week {number}", time=f"2026-11-0{number}T09",
        games=48, bots=bots, tables=(WeekTable("Sixteen 2p", tuple(rows)),),
    )  # fmt: skip


ONE = week(1, {"ann": 1, "bob": 2, "cid": 3, "dee": 4})
TWO = week(2, {"ann": 4, "bob": 1, "cid": None, "eve": 2, "zoe": 3}, eve="dee", bob="new")
THREE = week(3, {"ann": 4, "bob": 1, "eve": 2, "zoe": 3}, eve="dee", bob="new")


def test_what_became_of_four_bots_in_three_weeks() -> None:
    said = (
        "no clear move: bob (2nd, now 1st), ann (1st, now 4th); new: eve, zoe; gone: dee; "
        "not ranked now: cid"
    )
    assert describe_moves(ONE, TWO) == f"{said}; changed: bob; same files: dee and eve"
    assert describe_moves(TWO, THREE) == "gone: cid"
    assert describe_since([ONE, TWO, THREE]) == ['Since "week 2": gone: cid.']
    assert describe_since([ONE]) == describe_since([]) == []


def test_moves_are_told_farthest_first_and_two_of_a_kind() -> None:
    then = week(1, dict(zip("abcdef", range(1, 7), strict=True)))
    changed = dict.fromkeys("abcdef", "new")
    now = week(2, dict(zip("fabced", range(1, 7), strict=True)), **changed)
    said = "f up from 6th to 1st; d down from 4th to 6th; a down from 1st to 2nd; 2 more down"
    assert describe_moves(then, now) == f"{said}; changed: a, b and 4 more"
    assert describe_moves(then, then) == "no place changed"
    assert describe_moves(week(1, {}), then) == "new: a, b and 4 more"
    three = week(2, dict(zip("abc", range(1, 4), strict=True)))
    assert describe_moves(week(1, {}), three) == "new: a, b, c"


def test_bots_that_are_aside_or_broken_in_one_of_the_weeks_move_no_other() -> None:
    ranked = week(1, {"gus": 1, "ann": 2, "bob": 3, "cid": 4})
    aside = week(2, {"gus": None, "ann": 1, "bob": 2, "cid": 3})
    assert describe_moves(ranked, aside) == "not ranked now: gus"
    assert describe_moves(aside, ranked) == "ranked again: gus"
    moved = week(3, {"gus": None, "cid": 1, "ann": 2, "bob": 3}, cid="new")
    said = "cid up from 4th to 1st; not ranked now: gus; changed: cid"
    assert describe_moves(ranked, moved) == said


def test_only_a_changed_bot_whose_likely_places_do_not_overlap_has_moved() -> None:
    def with_places(of: Week, *places: tuple[int, int]) -> Week:
        rows = zip(of.tables[0].rows, places, strict=True)
        table = replace(of.tables[0], rows=tuple(replace(row, place_range=at) for row, at in rows))
        return replace(of, tables=(table,))

    then = with_places(week(1, {"ann": 1, "bob": 2, "cid": 3}), (1, 2), (1, 2), (3, 3))
    better = week(2, {"cid": 1, "ann": 2, "bob": 3})
    sure, luck = ((1, 1), (2, 3), (2, 3)), ((1, 3), (1, 3), (1, 3))
    changed = replace(better, bots={**better.bots, "cid": "new"})
    cases = [(changed, sure, True), (changed, luck, False), (better, sure, False)]
    for bots, at, up in cases:
        now = with_places(bots, *at)
        assert ("cid up from 3rd to 1st" in describe_moves(then, now)) == up
        assert ("cid (3rd, now 1st)" in describe_moves(then, now)) == (not up)
    two_came = week(2, {"kim": 1, "lee": 2, "ann": 3, "bob": 4, "cid": 5}, ann="new")
    assert " down " not in describe_moves(then, two_came)  # they may stand above it


def test_the_places_of_the_week_before_are_those_of_other_tables_than_these() -> None:
    doc = example()
    now = make_week(doc, AT)
    first = now.tables[0]
    row = next(row for row in first.rows if row.place == 1)
    last, (name, *_) = first.rows[-1].bot, [row.bot for row in first.rows if row.place == 2]
    worse = replace(row, place=4, place_range=(4, 4))
    older = [worse if each == row else each for each in first.rows if each.bot != last]
    bots = {bot: "old" if bot == row.bot else hash for bot, hash in now.bots.items() if bot != last}
    tables = (replace(first, rows=tuple(older)), *now.tables[1:])
    then = replace(now, label="week 1", bots=bots, tables=tables)
    for weeks in ([then], [then, now], [now, then, now]):
        before = compare_with_week(doc, weeks, ascii=True)
        assert before
        assert (before.places[row.bot], before.places[name]) == ("^ 4", "2")
        assert before.places[last] == "new"
    assert compare_with_week(doc, [now]) is compare_with_week(doc, []) is None
    assert " ^ 4 " in first_screen(doc, 80, False, before)


def test_weeks_stand_side_by_side_and_removed_bots_have_their_last_one() -> None:
    weeks = [ONE, TWO, THREE]
    names, rows = list_places(weeks)
    assert names == ["week 1", "week 2", "week 3"]
    assert rows == [("bob", [2, 1, 1]), ("eve", [None, 2, 2]), ("zoe", [None, 3, 3]),
                    ("ann", [1, 4, 4])]  # fmt: skip
    gone = find_gone(weeks, ["ann", "bob", "eve"])
    assert [*gone.items()] == [("zoe", THREE), ("cid", TWO), ("dee", ONE)]


def test_places_are_those_of_the_last_week_s_first_table() -> None:
    other = replace(ONE, tables=(replace(ONE.tables[0], title="No Thanks! 3p"),))
    assert find_places([other, TWO])[0] == {}
    assert " up " not in describe_moves(other, TWO)
    assert trace_places([ONE, TWO], "cid") == [("week 1", 3), ("week 2", None)]


def test_a_bot_has_its_versions_with_their_weeks_and_other_names() -> None:
    records: list[tuple[Bot, int, dict[str, int]]] = [
        (Bot("bob", "bob"), 12, {}), (Bot("bob", "new"), 9, {"time": 3}),
        (Bot("bob", "open"), 1, {}), (Bot("eve", "dee"), 9, {}),
    ]  # fmt: skip
    history = collect_history("cup", [ONE, TWO, THREE], records)
    assert history.weeks == (ONE, TWO, THREE)
    found = [(each.bot, each.first_week, each.last_week, each.games) for each in history.versions]
    assert found == [
        ("bob", "week 1", "week 1", 12), ("bob", "week 2", "week 3", 9), ("bob", None, None, 1),
        ("eve", "week 2", "week 3", 9),
    ]  # fmt: skip
    assert (history.versions[1].faults, history.versions[3].other_names) == ({"time": 3}, ("dee",))
    of_eve = select_bot(history, "eve")
    assert of_eve.versions == history.versions[3:]
    assert [(each.name, each.bots) for each in of_eve.weeks] == [
        ("week 2", {"eve": "dee"}), ("week 3", {"eve": "dee"}),
    ]  # fmt: skip
    assert {row.bot for each in of_eve.weeks for row in each.tables[0].rows} == {"eve"}
