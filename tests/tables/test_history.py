"""The week that tables make: places as readers see them."""

import json
from hashlib import sha256

from msgspec.structs import replace

from arena.model import WeekRow
from arena.tables.history import make_week
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
    week = replace(make_week(example(), AT), number=12, name="2026-11-02")
    ((name, text),) = make_history([week]).items()
    assert name == "history/0012.json"
    assert list(json.loads(text)) == list(week.__struct_fields__)
    assert "plan" not in text
