"""The weeks of a league: what its tables said when a run had played all games, and by which plan;
and the archives of its seasons.

The store takes no game out that a week counted, so a week is rated again from its plan alone. A
damaged week is reported and skipped: it stops no command, which ends with exit code 1.
"""

import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.errors import ArenaError, UsageError
from arena.faults.kinds import KINDS
from arena.model import LONGEST_LABEL, Bot, BotFiles, StoredPlan, Week
from arena.store.chunk import unpack_capped
from arena.store.plans import format_plan, load_plan, parse_plan
from arena.store.scan import read_line_ups, read_rows
from arena.store.store import Store
from arena.system.folders import read_inside
from arena.typed_json import decode
from arena.words import size, spell, visible

MOST_WEEKS, LAST_NUMBER = 1000, 9999  # that are read, the last ones; that there can be
UNPACKED = 16 << 20  # bytes of a week; one of forty bots in six pools has 80 kB
TOGETHER = 24 << 20  # of all weeks; more only where the file itself has as much
SEASONS = "seasons"  # the folder of archives, next to results/
ARCHIVED = "archived"
"""A key of `meta`: a season's archive, and the SHA-256 of its sums; in the next store without."""
PAGE, MOST_PAGE = "standings.html", 1 << 26  # bytes
LAST_PAGE = "last page"
"""A key of `meta`: the SHA-256 of the page of tables in the archive of the season before."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class KeptWeek(NamedTuple):
    """A week, and the plan by which its tables can be made again."""

    week: Week
    plan: StoredPlan


class _WeekJson(Struct):
    """A week as it is stored. Its plan is text of `format_plan`."""

    week: Week
    plan: str


def check_label(label: str, weeks: Sequence[Week] = ()) -> None:
    """Raise UsageError unless a week can have this label beside the others. The last week's own
    label is free: the new week replaces it. "" is no label.
    """
    if not label.isprintable() or label != label.strip().replace("/", "")[:LONGEST_LABEL]:
        what = f"expected 1 to {LONGEST_LABEL} printable characters, no '/', no space at the ends"
        raise UsageError(f"--label: found {spell(label)}; {what}")
    if _DAY.match(label):
        raise UsageError(f"--label: {spell(label)} reads like a date, which a week has anyway")
    for week in weeks[:-1]:
        if label and week.label == label:
            raise UsageError(f'--label: "{label}" is a week of {week.day}; choose another')


def keep_week(store: Store, week: Week, plan: StoredPlan) -> Week | None:
    """Keep a week, whose number is set here; returns it as kept. It replaces the last one if they
    have the same name. None: nothing is new since the last one.
    """
    numbers = _numbers(store)[-1:]
    number = min(numbers[-1] + 1, LAST_NUMBER) if numbers else 1
    for last, old in _read(store, numbers)[0]:
        is_new = (last.tables, old._replace(run_began=plan.run_began)) != (week.tables, plan)
        if not is_new and week.name in (last.name, week.day):
            return None
        if week.name == last.name:
            number = last.number
    week = replace(week, number=number)
    content = msgspec.json.encode(_WeekJson(week, format_plan(plan)))
    store.set_meta(f"history {number:04}", zlib.compress(content, 9))
    return week


def drop_weeks(store: Store, numbers: Iterable[int]) -> None:
    with store.writing():
        keys = [(f"history {number:04}",) for number in numbers]
        store.db.executemany("DELETE FROM meta WHERE key = ?", keys)


def read_weeks(store: Store) -> tuple[list[KeptWeek], list[str]]:
    """Read all weeks that are intact, in the order they were kept; and report the others. The last
    ones come first where together they would take too much memory.
    """
    return _read(store, _numbers(store))


def _read(store: Store, numbers: Sequence[int]) -> tuple[list[KeptWeek], list[str]]:
    weeks, damaged = list[KeptWeek](), list[str]()
    left = most = max(TOGETHER, store.path.stat().st_size)
    for number in reversed(numbers):
        if left <= 0:
            what = f"week {number} and all before it were not read: later ones unpack to more than"
            damaged.append(f"{store.path}: {what} {size(most)}; restore a copy")
            break
        try:
            packed = store.meta(f"history {number:04}")
            content = unpack_capped(packed, UNPACKED)
            left -= len(content)
            weeks.append(_parse(number, content))
        except (ValueError, TypeError, zlib.error, sqlite3.Error) as error:
            if isinstance(error, zlib.error):  # it was unpacked in part; deflate's most is 1032:1
                left -= min(UNPACKED, 1032 * len(packed))
            why = visible(str(error))[:200] or "not as Arena writes it"
            damaged.append(f"{store.path}: week {number} is damaged ({why}); restore a copy")
    return weeks[::-1], damaged[::-1]


def _numbers(store: Store) -> list[int]:
    """The numbers of the weeks that are stored, damaged or not, ascending."""
    query = "SELECT key FROM meta WHERE key GLOB 'history [0-9][0-9][0-9][0-9]' ORDER BY key DESC"
    rows = read_rows(store.db, f"{query} LIMIT {MOST_WEEKS}")
    return [int(key[-4:]) for (key,) in rows if type(key) is str][::-1]


def _parse(number: int, content: bytes) -> KeptWeek:
    stored = decode(content, _WeekJson)
    week, plan = stored.week, parse_plan(stored.plan)
    if not (
        week.number == number
        and dict(week.bots) == dict(plan.bots)
        and {row.bot for table in week.tables for row in table.rows} <= week.bots.keys()
    ):
        raise ValueError
    return KeptWeek(week, plan)


def find_ratings(results: Path) -> dict[str, float]:
    """The bots' ratings in the first table of a results folder's last week; none before one."""
    with suppress(ArenaError), closing(Store.open_damaged(results)) as store:
        for last in read_weeks(store)[0][-1:]:
            return {row.bot: row.mu for row in last.week.tables[0].rows}
    return {}


def find_closed(results: Path, closes: datetime) -> tuple[StoredPlan, Iterable[BotFiles]] | None:
    """The plan whose bots play once a tournament has closed, with their files: the latest one from
    before that time, of the last run or of a week; else the first one from after it. None where
    none is kept.
    """
    plans = list[StoredPlan]()
    with suppress(UsageError), closing(Store.open_damaged(results)) as store:
        with suppress(ArenaError, sqlite3.Error):  # who plays repairs it; weeks have plans too
            plans.append(load_plan(store))
        plans += [week.plan for week in reversed(read_weeks(store)[0])]
    fitting = (
        plan
        for plan in plans
        if plan.run_began and (plan.run_began < closes or plan.entries_close == closes)
    )
    plan = max(fitting, key=lambda plan: plan.run_began or closes, default=None)
    return (plan, _read_files(results, plan)) if plan else None


def _read_files(results: Path, plan: StoredPlan) -> Iterator[BotFiles]:
    with closing(Store.open_damaged(results)) as store:
        for bot in plan.bots:
            files = store.source_of(bot)
            if files is None:
                what = f"the source of {bot.name} is missing; restore a copy"
                raise ArenaError(f"{store.path}: {what}")
            yield bot, files


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
        if kind in KINDS:
            faults.setdefault(Bot(name, hash), {})[kind] = times
    return [(bot, games[bot], faults.get(bot, {})) for bot in store.bots()]


def read_last_page(store: Store) -> list[tuple[str, bytes]]:
    """The name of the last season's archive, and its page of tables. None before one was closed, or
    where that page is not there as it was.
    """
    archive, _ = find_archive(store)
    with suppress(OSError):
        page = read_inside(archive, PAGE, MOST_PAGE) if archive else b""
        if archive and sha256(page).hexdigest() == store.meta(LAST_PAGE):
            return [(archive.name, page)]
    return []


def find_shelf(folder: Path) -> Path:
    """The folder of archives of a results folder."""
    within = folder.parent.name == "results"
    return folder.parent.with_name(SEASONS) if within else folder.parent / SEASONS


def find_archive(store: Store) -> tuple[Path | None, str]:
    """The archive that the store names, be it there or not, and the SHA-256 of its sums."""
    folder = store.path.parent.resolve()
    name, _, digest = str(store.meta(ARCHIVED)).partition(" ")
    ours = re.fullmatch(rf"{re.escape(folder.name)}-[\d-]+", name)  # it may be a stranger's store
    return find_shelf(folder) / name if ours else None, digest
