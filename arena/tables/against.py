"""What moved from one league to another: as a document, made from two standings. Pure.

`arena.rating.anchor` has the arithmetic, `arena.tables.against_formats` shows it.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from arena.errors import UsageError
from arena.model import Pool
from arena.rating.anchor import (
    Both,
    Move,
    choose_reference,
    find_moves,
    join_parts,
    measure_both,
)
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.pool_table import RatedPool
from arena.tables.values import Interval, interval, rounded

VERSION: Final = 1

Status = Literal["same", "changed", "new", "gone"]
Kind = Literal["overall", "game", "pool"]
Verdict = Literal["up", "down", "luck"]


_REMEDY = "name the results of a league that shares some"


class League(NamedTuple):
    """A tournament's standings, and the ratings that they show."""

    document: Standings
    pools: Mapping[Pool, RatedPool]


class BotMove(Struct, frozen=True, kw_only=True):
    """What became of a bot in a table."""

    bot: str
    status: Status  # of its content: "same" has the hash it had
    then: int | None  # its places
    now: int | None
    difference: float | None  # of mu; None for a bot that is not in all pools of both
    interval: Interval | None  # 95 %, all bots of the table together; None on too few decks
    verdict: Verdict | None  # "luck": the interval has 0 in it


class MoveTable(Struct, frozen=True, kw_only=True):
    """A table of both leagues: overall, of a game, or of a pool."""

    table: Kind
    title: str
    game: str | None  # None overall
    reference: tuple[str, ...]  # the bots that the ratings of both are measured from
    anchored: bool  # whether that is the anchor that both set
    moves: tuple[BotMove, ...]  # by place now, then those that are gone by place then


class Against(Struct, frozen=True, kw_only=True):
    """What moved since another league."""

    version: int
    name: str
    old: str  # the other's name
    new: tuple[str, ...]  # bots
    gone: tuple[str, ...]
    changed: tuple[str, ...]  # of another content under the same name
    new_pools: tuple[str, ...]  # titles
    gone_pools: tuple[str, ...]
    overall: MoveTable | None  # None where only one game is in both
    games: tuple[MoveTable, ...]  # those of several pools
    pools: tuple[MoveTable, ...]


def compare_leagues(now: League, then: League, place: str) -> Against:
    """Compare two leagues' standings: which bots and pools are new, gone or changed, and how
    ratings moved.

    `place` is where the other league lies; error messages begin with it. Raises UsageError where
    the leagues have no bot or no pool in common.
    """
    new, old = ({bot.name: bot.hash for bot in league.document.bots} for league in (now, then))
    if not new.keys() & old.keys():
        raise UsageError(f"{place}: no bot of {now.document.name} is in it; {_REMEDY}")
    common = sorted(now.pools.keys() & then.pools.keys())
    if not common:
        raise UsageError(f"{place}: no pool of {now.document.name} is in it; {_REMEDY}")
    status: dict[str, Status] = {
        bot: "new" if bot not in old else "gone" if bot not in new
        else "same" if old[bot] == new[bot] else "changed"
        for bot in {**old, **new}
    }  # fmt: skip
    parts = {pool: _measured(then.pools[pool], now.pools[pool], status) for pool in common}
    by_game: dict[str, list[Both]] = {}
    for pool, part in parts.items():
        by_game.setdefault(pool.game, []).append(part)
    means = {game: join_parts(parts_of_game) for game, parts_of_game in by_game.items()}
    before, after = (
        {table.game: table.table for table in league.document.games} for league in (then, now)
    )
    overall = None
    if len(means) > 1:
        rows = then.document.overall, now.document.overall
        overall = _table("overall", "Overall", None, *rows, join_parts([*means.values()]), status)
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
            _table("game", game, game, before[game], after[game], mean, status)
            for game, mean in means.items()
            if len(by_game[game]) > 1
        ),
        pools=tuple(
            _table(
                "pool",
                pool.title,
                pool.game,
                then.pools[pool].part.table,
                now.pools[pool].part.table,
                part,
                status,
                anchored=_anchor(then.pools[pool], now.pools[pool], status) is not None,
            )
            for pool, part in parts.items()
        ),
    )


def _measured(then: RatedPool, now: RatedPool, status: Mapping[str, Status]) -> Both:
    """Measure a pool's ratings in both leagues from the same bots: the anchor if both set it, else
    bots that are in both.
    """
    anchor = _anchor(then, now, status)
    if anchor:
        return measure_both(then.ratings, now.ratings, (anchor,))
    leagues = then.ratings, now.ratings
    one_sided = [bots for ratings in leagues for bots in (ratings.won_all, ratings.lost_all)]
    unknown = frozenset().union(*one_sided)  # how far off these are is unknown
    steady = [bot for bot in _those(status, "same") if bot not in unknown]
    bots = choose_reference(then.ratings, now.ratings, steady)
    return measure_both(then.ratings, now.ratings, bots)


def _anchor(then: RatedPool, now: RatedPool, status: Mapping[str, Status]) -> str | None:
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
    part: Both,
    status: Mapping[str, Status],
    anchored: bool = False,
) -> MoveTable:
    moved = find_moves(part)
    then, now = ({row.bot: row.place for row in rows} for rows in (before, after))
    return MoveTable(
        table=kind,
        title=title,
        game=game,
        reference=part.reference,
        anchored=anchored,
        moves=tuple(
            _move(bot, status[bot], then.get(bot), now.get(bot), moved.get(bot))
            for bot in (*now, *(bot for bot in then if bot not in now))
        ),
    )


def _move(
    bot: str, status: Status, then: int | None, now: int | None, move: Move | None
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
