"""A league's weeks: the week that a tournament's tables make, what moved between two, and a bot's
way through all. Pure.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct

from arena.model import BotRecord, Week, WeekRow
from arena.tables import formats
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.notes import ordinal
from arena.tables.overview import Listing, list_tables
from arena.typed_json import Count, means
from arena.words import amount

BARS = "▁▂▃▄▅▆▇█"


class History(Struct, frozen=True, kw_only=True):
    """The weeks of a league."""

    version: Literal[1] = 1
    name: str
    weeks: Annotated[tuple[Week, ...], means("In order; each as in history/0001.json.")]


class BotWeek(Struct, frozen=True, kw_only=True):
    """A bot in the first table of a week; null where it has no place or is not in that table."""

    week: str
    day: str
    hash: str
    place: int | None
    places: tuple[int, int] | None
    mu: float | None
    interval: tuple[float | None, float | None] | None


class PlayedVersion(Struct, frozen=True, kw_only=True):
    """A content that a bot has had."""

    hash: str
    first: Annotated[str | None, means("The first week that it is in; null for none.")]
    last: str | None
    games: Annotated[Count, means("All that are stored, those under other limits too.")]
    faults: Annotated[dict[str, int], means("By kind, in these games.")]
    also: Annotated[tuple[str, ...], means("Other names that the same files have had.")]


class BotHistory(Struct, frozen=True, kw_only=True):
    """A bot's way through the weeks of a league."""

    version: Literal[1] = 1
    bot: str
    weeks: tuple[BotWeek, ...]
    versions: tuple[PlayedVersion, ...]


class Move(NamedTuple):
    """A bot whose place has changed."""

    bot: str
    then: int
    now: int


class Moves(NamedTuple):
    """What became of the bots from one week to a later one, by that one's first table."""

    up: list[Move]  # farthest first
    down: list[Move]
    new: list[str]
    gone: list[str]
    changed: list[str]  # of other files under the same name
    renamed: list[tuple[str, str]]  # gone, and new with the same files


def compare_weeks(then: Week, now: Week) -> Moves:
    """Compare two weeks of a league."""
    old, new = (places_in(week, now.titles[0]) for week in (then, now))
    moves = [
        Move(bot, was, place) for bot, place in new.items() if (was := old.get(bot, place)) != place
    ]
    moves.sort(key=lambda move: (-abs(move.now - move.then), move.now, move.bot))
    came, gone = sorted(now.bots.keys() - then.bots), sorted(then.bots.keys() - now.bots)
    by_hash = {then.bots[bot]: bot for bot in gone}
    return Moves(
        [move for move in moves if move.now < move.then],
        [move for move in moves if move.now > move.then],
        came,
        gone,
        sorted(bot for bot in now.bots if then.bots.get(bot, now.bots[bot]) != now.bots[bot]),
        [(by_hash[now.bots[bot]], bot) for bot in came if now.bots[bot] in by_hash],
    )


def places_in(week: Week, title: str) -> dict[str, int]:
    """The places of a table by bot, best first; none of those that it has no place for."""
    at = week.titles.index(title) if title in week.titles else None
    rows = {} if at is None else {bot: rows[at] for bot, rows in week.rows.items()}
    placed = {bot: row.place for bot, row in rows.items() if row and row.place}
    return dict(sorted(placed.items(), key=lambda each: (each[1], each[0])))


def describe_moves(moves: Moves, most: int = 2) -> str:
    """What moved, at most so many bots of each kind: `ann up 9 places to 3rd; new: kim`."""
    parts: list[str] = []
    for way, moved in (("up", moves.up), ("down", moves.down)):
        for at, (bot, then, now) in enumerate(moved[:most]):
            far = amount(abs(now - then), "place") if not (parts or at) else f"{abs(now - then):,}"
            parts.append(f"{bot} {way} {far} to {ordinal(now)}")
        parts += [f"{len(moved) - most:,} more {way}"] if len(moved) > most else []
    for what, bots in (("new", moves.new), ("gone", moves.gone), ("changed", moves.changed)):
        more = f" and {len(bots) - most:,} more" if len(bots) > most else ""
        parts += [f"{what}: {', '.join(bots[:most])}{more}"] if bots else []
    return "; ".join(parts) or "no place changed"


def describe_since(weeks: Sequence[Week]) -> list[str]:
    """What has moved since the week before the last; nothing where that is the only one."""
    if len(weeks) < 2:
        return []
    moves = compare_weeks(*weeks[-2:])
    now = [f"{old} is now {bot} (same files), and plays as a new bot" for old, bot in moves.renamed]
    return [*now[:2], f'Since "{weeks[-2].name}": {describe_moves(moves)}.']


def describe_weeks(weeks: Sequence[Week]) -> list[tuple[str, ...]]:
    """A table's head, then its line for each week."""
    lines: list[tuple[str, ...]] = [
        ("week", "day", "bots", "games", "first three", "since the week before")
    ]
    for at, week in enumerate(weeks):
        first = ", ".join([*places_in(week, week.titles[0])][:3])
        since = describe_moves(compare_weeks(weeks[at - 1], week)) if at else ""
        numbers = f"{len(week.bots):,}", f"{week.games:,}"
        lines.append((week.name, week.day, *numbers, first, since))
    return lines


def find_gone(weeks: Sequence[Week], bots: Iterable[str]) -> dict[str, Week]:
    """The bots of any week that are not among these, and the last week of each; latest first."""
    last = {bot: week for week in weeks for bot in week.bots}
    gone = sorted(last.keys() - {*bots}, key=lambda bot: (-last[bot].number, bot))
    return {bot: last[bot] for bot in gone}


def make_bot_history(bot: str, weeks: Sequence[Week], versions: Sequence[BotRecord]) -> BotHistory:
    """A bot's way through the weeks, and its versions; `versions` are of any bots, oldest first."""
    own, played = [week for week in weeks if bot in week.bots], []
    for (name, hash), games, faults in versions:
        if name != bot:
            continue
        having = [week.name for week in own if week.bots[bot] == hash]
        first, last = (having[0], having[-1]) if having else (None, None)
        names = {name for week in weeks for name, each in week.bots.items() if each == hash}
        played.append(
            PlayedVersion(
                hash=hash, first=first, last=last, games=games, faults=faults,
                also=tuple(sorted(names - {bot})),
            )
        )  # fmt: skip
    return BotHistory(
        bot=bot, weeks=tuple(_bot_week(bot, week) for week in own), versions=tuple(played)
    )


def _bot_week(bot: str, week: Week) -> BotWeek:
    row = next(iter(week.rows.get(bot, ())), None) or WeekRow(None, None, 0.0, None, 0, 0)
    return BotWeek(
        week=week.name, day=week.day, hash=week.bots[bot], place=row.place, places=row.places,
        mu=row.mu if row.games else None, interval=row.interval,
    )  # fmt: skip


class Line(NamedTuple):
    """A bot's places by week, to be drawn: the first place is at the top."""

    bot: str
    words: str  # `12, 12, 3`
    points: tuple[str, ...]  # of each run of weeks with a place: `0,40 10,0`
    now: int
    change: int  # places up since the week before


def draw_lines(weeks: Sequence[Week]) -> list[Line]:
    """The places of the bots of the last week, best first, in a field of 100 by 20."""
    title = weeks[-1].titles[0]
    by_week = [places_in(week, title) for week in weeks]
    lowest = max(max(placed.values(), default=1) for placed in by_week)
    lines = []
    for bot, now in by_week[-1].items():
        runs, drawn = [""], [placed.get(bot) for placed in by_week]
        for at, place in enumerate(drawn):
            x, y = (
                96 * at / max(len(weeks) - 1, 1) + 2,
                16 * ((place or 1) - 1) / max(lowest - 1, 1),
            )
            runs[-1] += f" {x:.1f},{y + 2:.1f}" if place else ""
            runs += [] if place else [""]
        words = ", ".join(str(place or "none") for place in drawn)
        was = by_week[-2].get(bot, now) if len(weeks) > 1 else now
        points = tuple(run.strip() for run in runs if run)
        lines.append(Line(bot, words, points, now, was - now))
    return lines


def draw_places(weeks: Sequence[Week], bot: str) -> str:
    """A bot's places as bars, a week each, the first place the highest; `·` where it has none."""
    bars = ""
    for week in weeks:
        placed = places_in(week, week.titles[0])
        share = (placed[bot] - 1) / max(len(placed) - 1, 1) if bot in placed else None
        bars += "·" if share is None else BARS[round((1 - min(share, 1)) * (len(BARS) - 1))]
    return bars


def make_week(document: Standings, at: str, label: str = "") -> Week:
    """The week of these tables, kept `at` this time; its number is the store's to give
    (`arena.store.history`).
    """
    listings = list_tables(document)
    by_table = [_rows(listing) for listing in listings]
    return Week(
        number=1,
        label=label,
        at=at,
        games=sum(pool.games for pool in document.pools),
        tables=sha256(formats.json(document).encode()).hexdigest(),
        titles=tuple(listing.title for listing in listings),
        bots={bot.name: bot.hash for bot in document.bots},
        rows={bot.name: tuple(rows.get(bot.name) for rows in by_table) for bot in document.bots},
    )


def _rows(listing: Listing) -> dict[str, WeekRow]:
    """The lines of a table by bot, with places as readers see them."""
    ranked = {row.bot: _row(row, row.place) for row in listing.ranked}
    return ranked | {row.bot: _row(row, None) for row in (*listing.broken, *listing.aside)}


def _row(row: Row, place: int | None) -> WeekRow:
    places = None if place is None else row.places
    return WeekRow(place, places, row.mu, row.interval, row.games, row.faults_total)
