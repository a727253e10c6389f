"""A league's weeks: the week that a tournament's tables make, what moved between two, and a bot's
way through all. Pure.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from arena import __version__
from arena.model import Bot, Week, WeekRow, WeekTable
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.notes import ordinal
from arena.tables.overview import Part, list_tables
from arena.typed_json import Count, means

SHOWN = 52  # weeks of a bot, at most
SIDE_BY_SIDE = 12  # of a league


Played = tuple[Bot, int, dict[str, int]]
"""A version of a bot, its games, and its faults by kind."""


class Version(Struct, frozen=True, kw_only=True):
    """A content that a bot has had."""

    bot: str
    hash: str
    first_week: Annotated[str | None, means("The first week that it is in; null for none.")]
    last_week: Annotated[str | None, means("The last such week.")]
    games: Annotated[Count, means("All that are stored, those under other limits too.")]
    faults: Annotated[dict[str, int], means("By kind, in these games.")]
    other_names: Annotated[tuple[str, ...], means("Other names that the same files have had.")]


class History(Struct, frozen=True, kw_only=True):
    """The weeks of a league and the versions of its bots; or what both say of one bot."""

    version: Literal[3] = 3
    tournament: str
    weeks: Annotated[tuple[Week, ...], means("In order; each as in history/0001.json.")]
    versions: Annotated[tuple[Version, ...], means("In the order in which they first came.")]


def collect_history(name: str, weeks: Sequence[Week], records: Iterable[Played]) -> History:
    versions = []
    for (bot, hash), games, faults in records:
        having = [week.name for week in weeks if week.bots.get(bot) == hash]
        first, last = (having[0], having[-1]) if having else (None, None)
        names = {name for week in weeks for name, bot_hash in week.bots.items() if bot_hash == hash}
        versions.append(
            Version(
                bot=bot, hash=hash, first_week=first, last_week=last, games=games, faults=faults,
                other_names=tuple(sorted(names - {bot})),
            )
        )  # fmt: skip
    return History(tournament=name, weeks=tuple(weeks), versions=tuple(versions))


def select_bot(history: History, bot: str) -> History:
    """Return the part of a history about one bot."""
    weeks = (
        replace(
            week,
            bots={bot: week.bots[bot]},
            tables=tuple(
                replace(table, rows=tuple(row for row in table.rows if row.bot == bot))
                for table in week.tables
            ),
        )
        for week in history.weeks
        if bot in week.bots
    )
    versions = (version for version in history.versions if version.bot == bot)
    return replace(history, weeks=tuple(weeks), versions=tuple(versions))


def find_places(weeks: Sequence[Week]) -> list[dict[str, int]]:
    """The places by bot, best first, in the last week's first table, week by week."""
    return [{bot: row.place or 0 for bot, row in rows.items()} for rows in _find_ranked(weeks)]


def _find_ranked(weeks: Sequence[Week]) -> list[dict[str, WeekRow]]:
    first = weeks[-1].tables[0].title
    return [
        {row.bot: row for table in week.tables if table.title == first
         for row in table.rows if row.place}
        for week in weeks
    ]  # fmt: skip


def trace_places(weeks: Sequence[Week], bot: str) -> list[tuple[str, int | None]]:
    """A bot's places by week, with the names of these, `SHOWN` at most; None where it has none."""
    placed = zip(weeks, find_places(weeks), strict=True)
    return [(week.name, places.get(bot)) for week, places in placed][-SHOWN:]


def describe_moves(then: Week, now: Week, most: int = 2) -> str:
    """Describe moves between two weeks, at most so many of each kind: `ann up from 12th to
    3rd; no clear move: bea (5th, now 4th); new: kim`. Bots that were removed, came, or are aside in
    one of the weeks move no others.
    """
    old, new = find_places([then, now])
    moves, parts = _count_moves(old, new), list[str]()
    clear = _find_clear_moves(then, now)
    for way in ("up", "down"):
        moved = [bot for bot in new if clear.get(bot) == way]
        moved.sort(key=lambda bot: -abs(old[bot] - new[bot]))
        for bot in moved[:most]:
            parts.append(f"{bot} {way} from {ordinal(old[bot])} to {ordinal(new[bot])}")
        parts += [f"{len(moved) - most:,} more {way}"] if len(moved) > most else []
    unclear = [bot for bot in moves if moves[bot] and old[bot] != new[bot] and bot not in clear]
    unclear.sort(key=lambda bot: -abs(moves[bot]))
    came, gone = sorted(now.bots.keys() - then.bots), sorted(then.bots.keys() - now.bots)
    stayed = sorted(now.bots.keys() & then.bots)
    names = {then.bots[bot]: bot for bot in gone}
    kinds = {
        "no clear move": [
            f"{bot} ({ordinal(old[bot])}, now {ordinal(new[bot])})" for bot in unclear
        ],
        "new": came,
        "gone": gone,
        "ranked again": [bot for bot in new if bot in stayed and old and bot not in old],
        "not ranked now": [bot for bot in old if bot in stayed and new and bot not in new],
        "changed": [bot for bot in stayed if now.bots[bot] != then.bots[bot]],
        "same files": [
            f"{names[hash]} and {bot}" for bot in came if (hash := now.bots[bot]) in names
        ],
    }
    for what, bots in kinds.items():
        named = bots[: most if len(bots) > most + 1 else None]  # no "and 1 more"
        more = f" and {len(bots) - most:,} more" if bots[len(named) :] else ""
        parts += [f"{what}: {', '.join(named)}{more}"] if bots else []
    return "; ".join(parts) or "no place changed"


def _count_moves(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int]:
    """Count the places that bots went up which have one in both, counted among these."""
    both = old.keys() & new.keys()
    before, after = (sorted(places[bot] for bot in both) for places in (old, new))
    return {bot: bisect_left(before, old[bot]) - bisect_left(after, new[bot])
            for bot in new if bot in both}  # fmt: skip


def _find_clear_moves(then: Week, now: Week) -> dict[str, Literal["up", "down"]]:
    """Find the moves of bots that were changed and whose likely places in the two weeks do not
    overlap, wherever the bots stand that are ranked in one of them alone.
    """
    old, new = _find_ranked([then, now])
    gone, came = len(old.keys() - new), len(new.keys() - old)
    clear = dict[str, Literal["up", "down"]]()
    for bot in old.keys() & new.keys():
        before, after = old[bot].place_range, new[bot].place_range
        if then.bots[bot] == now.bots[bot] or not before or not after:
            continue
        if after[1] < before[0] - gone:
            clear[bot] = "up"
        elif before[1] < after[0] - came:
            clear[bot] = "down"
    return clear


def compare_with_week(doc: Standings, weeks: Sequence[Week], ascii: bool = False) -> Part | None:
    """The bots' places in the first table of the last week that had other tables than these; None
    without such a week. An arrow is where a bot clearly moved since.
    """
    now = make_week(doc, "")
    before = [week for week in weeks if (week.bots, week.tables) != (now.bots, now.tables)]
    if not before:
        return None
    then, (placed, _) = before[-1], find_places([before[-1], now])
    up, down = "^v" if ascii else "\N{UPWARDS ARROW}\N{DOWNWARDS ARROW}"
    cells = {bot: str(placed.get(bot, "-")) if bot in then.bots else "new" for bot in now.bots}
    for bot, way in _find_clear_moves(then, now).items():
        cells[bot] = f"{up if way == 'up' else down} {cells[bot]}"
    marks = f"{up} or {down} where a changed bot clearly moved"
    return Part("before", cells, f'place in "{then.name}"; {marks}')


def describe_since(weeks: Sequence[Week]) -> list[str]:
    """Describe moves since the week before the last; nothing where that is the only one."""
    return [
        f'Since "{then.name}": {describe_moves(then, now)}.' for then, now in pairwise(weeks[-2:])
    ]


def find_gone(weeks: Sequence[Week], bots: Iterable[str]) -> dict[str, Week]:
    """The bots of any week that are not among these, and the last week of each; latest first."""
    last = {bot: week for week in weeks for bot in week.bots}
    gone = sorted(last.keys() - {*bots}, key=lambda bot: (-last[bot].number, bot))
    return {bot: last[bot] for bot in gone}


def list_places(weeks: Sequence[Week]) -> tuple[list[str], list[tuple[str, list[int | None]]]]:
    """The names of the last `SIDE_BY_SIDE` weeks, and the places in them of the bots of the last
    one, best first; None where a bot has none.
    """
    by_week = find_places(weeks)[-SIDE_BY_SIDE:]
    rows = [(bot, [placed.get(bot) for placed in by_week]) for bot in by_week[-1]]
    return [week.name for week in weeks[-SIDE_BY_SIDE:]], rows


def make_week(document: Standings, at: str, label: str = "") -> Week:
    """The week of these tables, kept `at` this time; its number is the store's to give
    (`arena.store.history`).
    """
    return Week(
        arena=__version__,
        number=1,
        label=label,
        time=at,
        games=sum(pool.games for pool in document.pools),
        bots={bot.name: bot.hash for bot in document.bots},
        tables=tuple(
            WeekTable(title=listing.title, rows=tuple(map(_row, listing.rows)))
            for listing in list_tables(document)
        ),
    )


def _row(row: Row) -> WeekRow:
    numbers = row.mu, row.interval, row.games, row.faults_total
    return WeekRow(row.bot, row.place, row.place_range, *numbers)
