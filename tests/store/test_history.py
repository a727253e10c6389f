"""Weeks that are kept: which replaces which, and what a stranger may have put there instead."""

import json
import zlib
from datetime import datetime
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from arena.errors import ArenaError, UsageError
from arena.model import Anchor, Limits, Mirrored, NotRanked, Week, WeekRow, WeekTable
from arena.store import history
from arena.store.history import check_label, find_closed, keep_week, read_weeks
from arena.store.plans import format_plan, keep_plan, parse_plan
from arena.store.store import Store
from arena.store.validation import are_anchors, find_problem
from tests.store.games import BOTS, PLAN, POOL

(ENTRY,) = PLAN.entries
ROW = WeekRow("a", 1, (1, 2), 25.5, (24.0, None), 12, 0)
OUT = WeekRow("b", None, None, 25.5, None, 12, 3)
MONDAY, TUESDAY = "2026-11-02T09:00:00+01:00", "2026-11-03T09:00:00+01:00"


def week(label: str = "", at: str = MONDAY, tables: str = "a") -> Week:
    table = WeekTable(f"No Thanks! {tables}", (ROW, OUT))
    return Week(
        arena="0.1.0", number=1, label=label, time=at, games=12, bots=dict(BOTS), tables=(table,)
    )


def names(store: Store) -> list[tuple[int, str, str]]:
    weeks, damaged = read_weeks(store)
    assert damaged == []
    return [(each.week.number, each.week.name, each.week.day) for each in weeks]


LATER = datetime.fromisoformat("2026-12-01T18:00:00+01:00")


def test_a_week_comes_back_with_its_plan(store: Store) -> None:
    not_ranked = (NotRanked("b", "unranked", "twice", "2026-12-01"), NotRanked("c", "guest"))
    plan = PLAN._replace(not_ranked=not_ranked, show_authors=("b",), entries_close=LATER)
    kept = keep_week(store, week("week 1"), plan)
    assert kept == week("week 1")
    assert read_weeks(store) == ([(kept, plan)], [])


def test_the_same_label_or_day_replaces_the_last_week_and_others_follow_it(store: Store) -> None:
    assert keep_week(store, week(), PLAN)
    assert keep_week(store, week(tables="b"), PLAN)
    assert names(store) == [(1, "2026-11-02", "2026-11-02")]
    assert keep_week(store, week("week 2", tables="c"), PLAN)
    assert keep_week(store, week("week 2", TUESDAY, "d"), PLAN)
    assert keep_week(store, week("week 3", TUESDAY, "d"), PLAN)  # a new label is a new week
    week_2, week_3 = names(store)[1:]
    assert (week_2, week_3) == ((2, "week 2", "2026-11-03"), (3, "week 3", "2026-11-03"))
    assert read_weeks(store)[0][1].week.tables[0].title == "No Thanks! d"


def test_where_nothing_is_new_no_week_is_kept(store: Store) -> None:
    assert keep_week(store, week("week 1"), PLAN)
    assert keep_week(store, week("week 1", TUESDAY), PLAN) is None
    assert keep_week(store, week(at=TUESDAY), PLAN) is None
    assert names(store) == [(1, "week 1", "2026-11-02")]
    assert keep_week(store, week(at=TUESDAY), PLAN._replace(limits=Limits(cpu_ms=1)))
    assert names(store)[1:] == [(2, "2026-11-03", "2026-11-03")]
    later = PLAN._replace(limits=Limits(cpu_ms=1), run_began=datetime.fromisoformat(TUESDAY))
    assert keep_week(store, week(at=TUESDAY), later) is None


def test_a_label_that_cannot_be_is_refused_and_any_other_is_free() -> None:
    earlier = [week(each) for each in ("", "week 1", "week 2")]
    for label, error in {
        " a": "expected 1 to 40 printable characters, no '/', no space at the ends",
        "a" * 41: "expected 1 to 40 printable characters",
        "a\nb": r"found 'a\\nb'; expected",
        "2026-11-02": "reads like a date",
        "a/b": "expected 1 to 40 printable characters, no '/'",
        "week 1": r'"week 1" is a week of 2026-11-02; choose another',
    }.items():
        with pytest.raises(UsageError, match=f"--label: .*{error}"):
            check_label(label, earlier)
    for label in ("", "week 2", "Woche drei", "a" * 40):
        check_label(label, earlier)


def stored(change: dict[str, Any], plan: str = format_plan(PLAN)) -> bytes:
    whole = to_builtins(week("x")) | change
    text = json.dumps({"week": whole, "plan": plan}).replace("NaN", "1e999")
    return zlib.compress(text.encode())


def row(title: str = "No Thanks! 3p", **change: object) -> dict[str, Any]:
    return {"tables": [{"title": title, "rows": [to_builtins(ROW) | change]}]}


HOSTILE: dict[str, object] = {
    "nothing": b"",
    "no JSON": zlib.compress(b"week"),
    "cut short": stored({})[:-20],
    "nested": zlib.compress(b'{"week":' + b"[" * 100_000),
    "larger than it may be": zlib.compress(b" " * (history.UNPACKED + 1)),
    "no plan": stored({}, "{}"),
    "another number": stored({"number": 2}),
    "another version": stored({"version": 4}),
    "no tables": stored({"tables": []}),
    "another bot": stored({"bots": {"zoe": "0" * 8}}),
    "a line of no bot": stored(row(bot="zoe")),
    "place 0": stored(row(place=0)),
    "place 0 as likely": stored(row(place_range=[0, 2])),
    "no finite rating": stored(row(mu=nan)),
    "faults below 0": stored(row(faults=-1)),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_damaged_week_is_one_line_and_stops_nothing(store: Store, kind: str) -> None:
    store.set_meta("history 0001", stored(row()))
    assert names(store) == [(1, "x", "2026-11-02")]
    store.set_meta("history 0001", HOSTILE[kind])
    kept = keep_week(store, week("next"), PLAN)
    assert kept
    assert kept.number == 2
    weeks, (line,) = read_weeks(store)
    assert [each.week for each in weeks] == [kept]
    assert line.startswith(f"{store.path}: week 1 is damaged")
    assert line.isprintable()
    assert len(line) < 500


def test_keys_of_others_are_no_weeks_and_of_too_many_the_last_are_read(store: Store) -> None:
    for key in ("history", "history 1", "history 00001", "history 000a", b"history 0001"):
        store.set_meta(key, b"x")  # type: ignore[arg-type]
    assert names(store) == []
    store.set_metas({f"history {n:04}": b"x" for n in range(9000, 10_000)})
    store.set_meta("history 0001", b"x")
    assert len(read_weeks(store)[1]) == history.MOST_WEEKS
    assert keep_week(store, week(), PLAN)
    assert [each.week.name for each in read_weeks(store)[0]] == ["2026-11-02"]


OLD, NEW = (
    PLAN._replace(run_began=datetime.fromisoformat(at), folders=folders)
    for at, folders in ((MONDAY, ()), (TUESDAY, ("a",)))
)


def test_the_latest_plan_before_it_closes_is_found_with_its_bots_files(store: Store) -> None:
    keep_week(store, week(), OLD)
    keep_plan(store, NEW)
    for closes, plan in {
        "2026-11-02T09:00:00+01:00": None,  # as a run begins
        "2026-11-02T09:00:01+01:00": OLD,
        "2026-11-03T08:00:00+00:00": OLD,
        "2026-11-03T08:00:01+00:00": NEW,
        "2026-12-01T18:00:00+01:00": NEW,
    }.items():
        found = find_closed(store.path.parent, datetime.fromisoformat(closes))
        assert (found[0] if found else None) == plan, closes
        assert not found or [*found[1]] == [(bot, (("bot.py", b"x"),)) for bot in BOTS]


def test_where_none_was_before_it_the_first_plan_after_it_is_found(store: Store) -> None:
    at = datetime.fromisoformat(MONDAY)
    keep_plan(store, NEW._replace(entries_close=at))
    found = find_closed(store.path.parent, at)
    assert found
    assert found[0] == NEW._replace(entries_close=at)
    with store.writing():
        store.db.execute("UPDATE bot SET source = x''")
    with pytest.raises(ArenaError, match="the source of a is missing; restore a copy"):
        next(iter(found[1]))


def test_without_a_plan_that_can_be_read_the_weeks_have_it(store: Store, tmp_path: Path) -> None:
    for folder in (tmp_path / "nowhere", store.path.parent):
        assert find_closed(folder, LATER) is None
    keep_week(store, week(), OLD)
    store.set_meta("plan", "{}")
    found = find_closed(store.path.parent, LATER)
    assert found
    assert found[0] == OLD


def test_anchors_are_bots_of_their_pools_one_a_pool() -> None:
    sound = Anchor(POOL, "a", 25.0)
    assert are_anchors((), PLAN.entries)
    assert are_anchors((sound,), PLAN.entries)
    assert not are_anchors((sound, Anchor(POOL, "b", 25.0)), PLAN.entries)
    assert not are_anchors((Anchor(POOL, "z", 25.0),), PLAN.entries)
    assert not are_anchors((Anchor(POOL._replace(players=4), "a", 25.0),), PLAN.entries)
    for mu in (10_001.0, nan, -inf):
        assert not are_anchors((Anchor(POOL, "a", mu),), PLAN.entries)


def test_a_plan_that_no_config_can_have_made_is_refused() -> None:
    sound = {"bot": "a", "status": "guest", "reason": "why", "ranked_again": ""}
    changes: list[dict[str, Any]] = [
        {"not_ranked": [sound | {"status": "away"}]}, {"show_authors": True},
        {"not_ranked": [sound | {"reason": "b" * 201}]}, {"run_began": "2026-12-01T18:00:00"},
        {"entries_close": "soon"}, {"entries_close": ["2026-12-01T18:00:00+01:00"]},
    ]  # fmt: skip
    whole = json.loads(format_plan(PLAN))
    assert parse_plan(json.dumps(whole | {"not_ranked": [sound]}))
    for change in changes:
        with pytest.raises(ValueError, match=r"."):
            parse_plan(json.dumps(whole | change))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"pool": POOL._replace(game="chess")}, "the game 'chess' is not here"),
        ({"pool": POOL._replace(players=8)}, "does not take so many players"),
        ({"pool": POOL._replace(partners="same")}, "is not a valid pool"),
        ({"bots": BOTS[::-1]}, "its bots are not in order"),
        ({"fixed_bots": ("z",)}, "a bot of every line-up does not play"),
        ({"fixed_bots": ("a", "b", "c")}, "too many are in every line-up"),
        ({"shared_decks": Mirrored(("a", "b"), never_meet=False)}, "it is no match of"),
        ({"seatings": 0}, "found 0 for seatings"),
        ({"seatings": 7}, "found 7 for seatings"),
        ({"seatings": True}, "found true for seatings"),
        ({"deals": 0}, "found 0 deals"),
        ({"line_ups": ((1, 0, 2),)}, "a line-up is not valid"),
        ({"line_ups": ((0, 1),)}, "a line-up is not valid"),
        ({"line_ups": ((0, 1, 3),)}, "a line-up names an unknown bot"),
        ({"drawn_before": (0,)}, "it has 3 bots, and 1 came"),
        ({"seating_turns": ((0, 99),)}, "a turn of its line-ups is not valid"),
        ({"seating_turns": ((1, 0),)}, "it turns an unknown line-up"),
    ],
)
def test_an_entry_that_no_config_can_have_made_is_refused_with_its_finding(
    change: dict[str, Any], found: str
) -> None:
    assert found in find_problem(ENTRY._replace(**change))


@pytest.mark.parametrize(
    "change", [{}, {"seatings": 1}, {"seatings": 6}, {"seating_turns": ((0, 0),)}]
)
def test_an_entry_at_the_limits_of_a_config_is_sound(change: dict[str, Any]) -> None:
    assert find_problem(ENTRY._replace(**change)) == ""
