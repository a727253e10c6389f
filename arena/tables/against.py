"""What moved from one league to another: a document made from two standings, and its formats.

`arena.rating.anchor` has the arithmetic. Every string is taken for hostile, and goes through
`arena.words`. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from arena.errors import UsageError
from arena.model import LEAST_DECKS
from arena.rating import (
    LeaguePair,
    RatingMove,
    average_leagues,
    choose_reference,
    find_moves,
    measure_leagues,
)
from arena.tables import formats, terminal
from arena.tables.columns import Row
from arena.tables.layout import Table
from arena.tables.standings import League, RatedPool
from arena.tables.values import Interval, csv_number, interval, rounded, two
from arena.words import amount, escape_csv
from arena.words import interval as interval_in_words
from games import title

VERSION: Final = 1

Status = Literal["same", "changed", "new", "gone"]
Kind = Literal["overall", "game", "pool"]
Verdict = Literal["up", "down", "luck"]

REMEDY = "name a league that shares some"
HEAD = ("bot", "then", "now", "change", "±", "verdict")
LEGEND = (
    "then, now: the place in each league; change: how much the rating moved; ±: half the 95 % "
    "interval of the change, for all bots of a table together; up, down: more than luck.",
    "Intervals assume that the two leagues share no deals and no games; where they do, the "
    "intervals are somewhat too wide.",
)
CSV = (
    "tournament", "against", "table", "title", "bot", "status", "place_then", "place_now",
    "difference", "from", "to", "verdict",
)  # fmt: skip


class BotMove(Struct, frozen=True, kw_only=True):
    """What became of a bot in a table."""

    bot: str
    status: Status  # of its content: "same" has the hash it had
    then: int | None  # its places; None where it is not ranked
    now: int | None
    difference: float | None  # of mu; None for a bot that is not in all pools of both
    interval: Interval | None  # 95 %, all bots of the table together; None on too few decks
    verdict: Verdict | None  # "luck": the interval has 0 in it

    @property
    def cells(self) -> tuple[str, ...]:
        """Its cells as people read them, one for each column of `HEAD`."""
        reach = "-" if self.interval is None else two((self.interval[1] - self.interval[0]) / 2)
        words: list[str] = [] if self.status == "same" else [self.status]
        if self.verdict in ("up", "down"):
            words.append(self.verdict)
        places = ("-" if place is None else str(place) for place in (self.then, self.now))
        return (self.bot, *places, self.change, reach, ", ".join(words))

    @property
    def change(self) -> str:
        """The change of its rating, with its sign."""
        change = two(self.difference)
        return f"+{change}" if self.difference and not change.startswith("-") else change

    @property
    def in_words(self) -> str:
        """The change and its interval, as a drawing of them is read out."""
        ends = interval_in_words(*self.interval) if self.interval else None
        return f"{self.change}: {ends}" if ends else f"{self.change}, no interval"


class MoveTable(Struct, frozen=True, kw_only=True):
    """A table of both leagues: overall, of a game, or of a pool."""

    table: Kind
    title: str
    game: str | None  # None overall
    reference: tuple[str, ...]  # the bots that the ratings of both are measured from
    anchored: bool  # whether that is the anchor that both set
    moves: tuple[BotMove, ...]  # by place now, then those that are gone by place then

    @property
    def ends(self) -> list[float | None]:
        """All changes and both ends of their intervals; 0 too."""
        return [0.0, *(end for it in self.moves for end in (it.difference, *(it.interval or ())))]

    @property
    def notes(self) -> tuple[str, ...]:
        """What its ratings are measured from, and why an interval is missing."""
        bots = self.reference
        note = f"Ratings are measured from {', '.join(bots)}."
        if self.table != "pool":
            note = "Each pool's table says what its ratings are measured from."
        elif not bots:
            note = "No bot is in both, so nothing can be compared."
        elif self.anchored:
            note = f"Ratings are measured from {bots[0]}, the anchor of both."
        elif len(bots) > 3:
            note = f"Ratings are measured from the mean of {amount(len(bots), 'bot')} in both."
        if all(it.interval for it in self.moves if it.difference is not None):
            return (note,)
        return note, f"No interval for bots on fewer than {LEAST_DECKS} decks."


class Against(Struct, frozen=True, kw_only=True):
    """What moved since another league."""

    version: int
    name: str
    old: str  # the other's name; of an earlier week of this league, that week's
    new: tuple[str, ...]  # bots
    gone: tuple[str, ...]
    changed: tuple[str, ...]  # of another content under the same name
    new_pools: tuple[str, ...]  # titles
    gone_pools: tuple[str, ...]
    overall: MoveTable | None  # None where only one game is in both
    games: tuple[MoveTable, ...]  # those of several pools
    pools: tuple[MoveTable, ...]

    @property
    def tables(self) -> list[MoveTable]:
        """All tables, from the widest view to the closest."""
        return [*([self.overall] if self.overall else []), *self.games, *self.pools]

    @property
    def facts(self) -> list[str]:
        """Bots and pools that are new, gone or changed: a line for each list that is not empty."""
        lists = {
            "new bots": self.new,
            "bots gone": self.gone,
            "bots changed": self.changed,
            "new pools": self.new_pools,
            "pools gone": self.gone_pools,
        }
        return [f"{what}: {', '.join(names)}" for what, names in lists.items() if names]

    @property
    def legend(self) -> tuple[str, ...]:
        """What the columns of its tables mean."""
        return LEGEND


def compare_leagues(now: League, then: League, place: str) -> Against:
    """Compare two leagues' standings: which bots and pools are new, gone or changed, and how
    ratings moved.

    `place` is where the other league lies; error messages begin with it. Raises UsageError where
    the leagues have no bot or no pool in common.
    """
    new, old = ({bot.name: bot.hash for bot in league.document.bots} for league in (now, then))
    if not new.keys() & old.keys():
        raise UsageError(f"{place}: has no bot in common with {now.document.name}; {REMEDY}")
    common = sorted(now.pools.keys() & then.pools.keys())
    if not common:
        raise UsageError(f"{place}: has no pool in common with {now.document.name}; {REMEDY}")
    status: dict[str, Status] = {
        bot: "new" if bot not in old else "gone" if bot not in new
        else "same" if old[bot] == new[bot] else "changed"
        for bot in {**old, **new}
    }  # fmt: skip
    pools: list[MoveTable] = []
    by_game: dict[str, list[LeaguePair]] = {}
    for pool in common:
        before, after = then.pools[pool], now.pools[pool]
        anchor = _common_anchor(before, after, status)
        leagues = before.rated.ratings, after.rated.ratings
        reference = (anchor,) if anchor else choose_reference(*leagues, _those(status, "same"))
        part = measure_leagues(*leagues, reference)
        by_game.setdefault(pool.game, []).append(part)
        rows = before.part.table, after.part.table
        pools.append(
            _table("pool", pool.title, pool.game, *rows, part, status, anchored=anchor is not None)
        )
    means = {game: average_leagues(parts) for game, parts in by_game.items()}
    tables_then, tables_now = (
        {table.game: table.table for table in league.document.games} for league in (then, now)
    )
    overall = None
    if len(means) > 1:
        mean = average_leagues([*means.values()])
        tops = then.document.overall, now.document.overall
        overall = _table("overall", "Overall", None, *tops, mean, status)
    return Against(
        version=VERSION,
        name=now.document.name,
        old=then.document.name,
        new=_those(status, "new"),
        gone=_those(status, "gone"),
        changed=_those(status, "changed"),
        new_pools=tuple(pool.title for pool in sorted(now.pools.keys() - then.pools.keys())),
        gone_pools=tuple(pool.title for pool in sorted(then.pools.keys() - now.pools.keys())),
        overall=overall,
        games=tuple(
            _table("game", title(game), game, tables_then[game], tables_now[game], mean, status)
            for game, mean in means.items()
            if len(by_game[game]) > 1
        ),
        pools=tuple(pools),
    )


def _common_anchor(then: RatedPool, now: RatedPool, status: Mapping[str, Status]) -> str | None:
    """The bot that anchors a pool in both leagues, the same in content too; None without one."""
    one, other = then.part.anchor, now.part.anchor
    if one is None or other is None or one.refused or other.refused or one.bot != other.bot:
        return None
    return one.bot if status[one.bot] == "same" else None


def _those(status: Mapping[str, Status], what: Status) -> tuple[str, ...]:
    return tuple(sorted(bot for bot, its_status in status.items() if its_status == what))


def _table(
    kind: Kind,
    title: str,
    game: str | None,
    before: Sequence[Row],
    after: Sequence[Row],
    part: LeaguePair,
    status: Mapping[str, Status],
    anchored: bool = False,
) -> MoveTable:
    moved = find_moves(part)
    then, now = (
        {row.bot: row.place if row.ranked else None for row in rows} for rows in (before, after)
    )
    return MoveTable(
        table=kind,
        title=title,
        game=game,
        reference=part.reference,
        anchored=anchored,
        moves=tuple(
            _move(bot, status[bot], then.get(bot), now.get(bot), moved.get(bot))
            for bot in {**now, **then}
        ),
    )


def _move(
    bot: str, status: Status, then: int | None, now: int | None, move: RatingMove | None
) -> BotMove:
    ends = move and move.interval and interval(*move.interval)
    verdict: Verdict | None = None
    if ends:
        verdict = "up" if ends[0] > 0 else "down" if ends[1] < 0 else "luck"
    return BotMove(
        bot=bot,
        status=status,
        then=then,
        now=now,
        difference=rounded(move.difference) if move else None,
        interval=ends,
        verdict=verdict,
    )


def plain(moved: Against, width: int = 80) -> str:
    """The comparison for the terminal, in lines of at most `width` (60 or more) characters."""
    return terminal.sheet(*_sheet(moved), width)


def markdown(moved: Against) -> str:
    return formats.markdown_of(*_sheet(moved))


def _sheet(moved: Against) -> tuple[str, list[str], list[Table], Sequence[str]]:
    tables = [
        Table(table.title, table.notes, HEAD, [move.cells for move in table.moves])
        for table in moved.tables
    ]
    return f"{moved.name} against {moved.old}", moved.facts, tables, LEGEND


def csv(moved: Against) -> str:
    """The comparison as CSV, a line for each bot in each table. Texts that a spreadsheet might run
    as a formula get an apostrophe in front.
    """
    lines: list[Sequence[object]] = [CSV]
    for table in moved.tables:
        for move in table.moves:
            texts = (moved.name, moved.old, table.table, table.title, move.bot)
            numbers = (move.difference, *(move.interval or (None, None)))
            lines.append((*map(escape_csv, texts), move.status, move.then, move.now,
                          *map(csv_number, numbers), move.verdict))  # fmt: skip
    return formats.csv_of(lines)
