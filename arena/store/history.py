"""The weeks of a league: what its tables said when a run had played all games, and by which plan.

The store never takes a game out, so a week is rated again from its plan alone. A damaged week is
reported and skipped: it stops no command. Also the field, the bots that a run began with.
"""

import json
import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.errors import ArenaError, UsageError
from arena.model import FAULTS, Bot, Field, StoredPlan, Week
from arena.store.chunk import unpack_capped
from arena.store.plans import format_plan, parse_plan
from arena.store.scan import read_line_ups, read_rows
from arena.store.store import Store
from arena.store.validation import is_bot, is_line, is_moment, is_pool
from arena.typed_json import decode
from arena.words import shown, visible

MOST_WEEKS = 1000  # that are read: the last ones
LAST_NUMBER = 9999
UNPACKED = 16 << 20  # bytes of a week; one of forty bots in six pools has 80 kB
LONGEST_LABEL = 40
LONGEST_TITLE = 5000  # of a table: a pool's options are in it
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

When = Literal["ran", "closed"]
"""Of a field, and its key in the store's table `meta`: of the last run that took any bots, and of
the run before `closes`, once that is past."""


SourceOf = Callable[[Bot], tuple[tuple[str, bytes], ...]]


class KeptWeek(NamedTuple):
    """A week, and the plan by which its tables can be made again."""

    week: Week
    plan: StoredPlan


class _WeekJson(Struct):
    """A week as it is stored. Its plan is text of `format_plan`."""

    week: Week
    plan: str


def check_label(label: str, weeks: Iterable[Week] = ()) -> None:
    """Raise UsageError unless a week can have this label beside the others. The last week's own
    label is free: the new week replaces it. "" is no label.
    """
    if not label:
        return
    if not is_line(label, LONGEST_LABEL) or label != label.strip() or "/" in label:
        what = f"expected 1 to {LONGEST_LABEL} printable characters, no '/', no space at the ends"
        raise UsageError(f"--label: found {shown(label)}; {what}")
    if _DAY.match(label):
        raise UsageError(f"--label: {shown(label)} reads like a date, which a week has anyway")
    for week in [*weeks][:-1]:
        if week.label == label:
            raise UsageError(f'--label: "{label}" is a week of {week.day}; choose another')


def keep_week(store: Store, week: Week, plan: StoredPlan) -> Week | None:
    """Keep a week, whose number and name are set here; returns it as kept. It replaces the last one
    if they have the same label, or none and the same day. None: nothing is new since the last one.
    """
    numbers, (kept, _) = _numbers(store), read_weeks(store)
    number = min(numbers[-1] + 1, LAST_NUMBER) if numbers else 1
    if kept and kept[-1].week.number == numbers[-1]:
        last, old = kept[-1]
        same = last.label == week.label and (week.label or last.day == week.day)
        if (same or not week.label) and (last.tables, old) == (week.tables, plan):
            return None
        number = last.number if same else number
    taken = {each.week.name for each in kept if each.week.number != number}
    days = (f"{week.day}-{again}" for again in count(2))
    name = next(each for each in chain([week.label or week.day], days) if each not in taken)
    week = replace(week, number=number, name=name)
    content = msgspec.json.encode(_WeekJson(week, format_plan(plan)))
    store.set_meta(f"history {number:04}", zlib.compress(content, 9))
    return week


def read_weeks(store: Store) -> tuple[list[KeptWeek], list[str]]:
    """Read all weeks that are intact, in the order they were kept; and report the others."""
    weeks, damaged = list[KeptWeek](), list[str]()
    for number in _numbers(store):
        try:
            weeks.append(_parse(number, store.meta(f"history {number:04}")))
        except (ValueError, TypeError, zlib.error, sqlite3.Error) as error:
            why = visible(str(error))[:200] or "not as Arena writes it"
            damaged.append(f"{store.path}: week {number} is damaged ({why}); restore a copy")
    return weeks, damaged


def find_week(store: Store, given: str) -> KeptWeek | None:
    """The week of this name, else the last one of this day."""
    weeks, _ = read_weeks(store)
    named = [each for each in weeks if each.week.name == given]
    return next(reversed(named or [each for each in weeks if each.week.day == given]), None)


def _numbers(store: Store) -> list[int]:
    """The numbers of the weeks that are stored, damaged or not, ascending."""
    query = "SELECT key FROM meta WHERE key GLOB 'history [0-9][0-9][0-9][0-9]' ORDER BY key DESC"
    rows = read_rows(store.db, f"{query} LIMIT {MOST_WEEKS}")
    return [int(key[-4:]) for (key,) in rows if type(key) is str][::-1]


def _parse(number: int, kept: bytes) -> KeptWeek:
    """Parse a stored week. Raises ValueError, TypeError or zlib.error where it is none."""
    stored = decode(unpack_capped(kept, UNPACKED), _WeekJson)
    week, plan = stored.week, parse_plan(stored.plan)
    named = week.label or week.day
    if not (
        week.number == number
        and is_moment(week.at)
        and is_line(named, LONGEST_LABEL)
        and (week.name == named or re.fullmatch(rf"{re.escape(week.day)}-\d{{1,4}}", week.name))
        and week.tables
        and all(is_line(table.title, LONGEST_TITLE) for table in week.tables)
        and dict(week.bots) == dict(plan.bots)
        and {row.bot for table in week.tables for row in table.rows} <= week.bots.keys()
    ):
        raise ValueError
    return KeptWeek(week, plan)


def keep_field(store: Store, when: When, field: Field | None) -> None:
    """Keep a field; None removes the one that is kept."""
    with store.writing():
        if field is None:
            store.db.execute("DELETE FROM meta WHERE key = ?", (when,))
        else:
            store.set_meta(when, json.dumps(msgspec.to_builtins(field)))


def load_field(store: Store, when: When) -> Field | None:
    """Load a field; None where none is kept. Raises ArenaError where it is damaged."""
    kept = store.meta(when)
    if kept is None:
        return None
    with suppress(ValueError):
        field = decode(kept, Field)
        if _is_field(field):
            return field
    raise ArenaError(f"{store.path}: the list of a run's bots is damaged; restore a copy")


def find_closed(results: Path, closes: datetime) -> "tuple[Field, SourceOf] | None":
    """The bots that play once a tournament has closed, and how to get their files: those of the
    last run before that time which is known; else those that it closed with before. None where no
    such run is kept. Raises ArenaError where they are damaged.
    """
    try:
        with closing(Store.open_damaged(results)) as store:  # who plays repairs it
            closed, ran = load_field(store, "closed"), load_field(store, "ran")
            if closed and datetime.fromisoformat(closed.closes) == closes:
                return closed, partial(_source_in, results)
            fields = [ran] if ran else []
            fields += map(_field_of, reversed(read_weeks(store)[0]))
    except UsageError:
        return None  # nothing was played yet, or opening it to play says why not
    before = (each for each in fields if datetime.fromisoformat(each.at) < closes)
    field = next(before, closed)
    return (field, partial(_source_in, results)) if field else None


def _field_of(kept: KeptWeek) -> Field:
    plan = kept.plan
    entrants = ((each.pool, tuple(bot.name for bot in each.bots)) for each in plan.entries)
    return Field(at=kept.week.at, bots=plan.bots, entrants=tuple(entrants), folders=plan.folders)


def _source_in(results: Path, bot: Bot) -> tuple[tuple[str, bytes], ...]:
    with closing(Store.open_damaged(results)) as store:
        source = store.source_of(bot)
    if source is None:
        raise ArenaError(f"{store.path}: the source of {bot.name} is missing; restore a copy")
    return source


def _is_field(field: Field) -> bool:
    bots = dict(field.bots)
    return (
        len(bots) == len(field.bots)
        and all(map(is_bot, field.bots))
        and all(is_pool(pool) and {*names} <= bots.keys() for pool, names in field.entrants)
        and {*field.folders} <= bots.keys()
        and is_moment(field.at)
        and (not field.closes or is_moment(field.closes))
    )


def list_versions(store: Store) -> list[tuple[Bot, int, dict[str, int]]]:
    """The versions of every bot, in the order in which they first came, with the number of their
    stored games, whatever the limits of these, and of faults in them by kind.
    """
    games, faults = Counter[Bot](), dict[Bot, dict[str, int]]()
    line_ups = read_line_ups(store.db)
    for row, times in read_rows(store.db, "SELECT line_up, count(*) FROM game GROUP BY line_up"):
        _, line_up = line_ups.get(row, (None, ()))
        games.update(dict.fromkeys(line_up, times))
    query = (
        "SELECT name, hash, kind, count(*) FROM fault JOIN bot ON bot.id = fault.bot "
        "GROUP BY bot.id, kind ORDER BY kind"
    )
    for name, hash, kind, times in read_rows(store.db, query):
        if kind in FAULTS:
            faults.setdefault(Bot(name, hash), {})[kind] = times
    return [(bot, games[bot], faults.get(bot, {})) for bot in store.bots()]
