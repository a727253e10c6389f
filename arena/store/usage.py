"""What bots' processes used in each session, with the versions and the host that it was played
with.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import msgspec

from arena.model import Bot, Pool, Tally, Timing
from arena.store.plans import Counted
from arena.store.scan import read_hosts, read_rows
from arena.store.size_limits import raise_cell_limit
from arena.store.store import Store
from arena.store.validation import is_bot, is_host, is_pool, is_size
from arena.typed_json import decode

_SESSION = "session"  # a key in `versions`


def played_in(session: str, by: Mapping[str, str]) -> str:
    """The JSON that is kept as `versions`: the versions that a session was played with, and the id
    of its first game, which no two sessions share.
    """
    return json.dumps({**by, _SESSION: session})


class Used(NamedTuple):
    """What a bot's processes used in a session, as it is stored."""

    pool: Pool
    bot: Bot
    decisions: int
    cpu_s: float
    versions: str  # JSON
    ends: str  # JSON
    notes: str  # JSON
    printed: str
    worst_s: float


def make_usage(pool: Pool, bot: Bot, versions: str, tally: Tally) -> Used:
    """The row to store of a tally; `versions` is what `played_in` made."""
    ends, notes = (msgspec.json.encode(each).decode() for each in (tally.ends, tally.notes))
    return Used(
        pool, bot, tally.decisions, tally.cpu_s, versions, ends, notes, tally.printed, tally.worst_s
    )


def read_usage(store: Store) -> Iterator[Used]:
    """Yield the rows in the order they were stored; damaged ones are left out."""
    rows = store.db.execute(
        "SELECT game, players, options, partners, name, hash, decisions, cpu_s, versions, ends, "
        "notes, printed, worst_s FROM timing JOIN pool ON pool.id = timing.pool "
        "JOIN bot ON bot.id = timing.bot ORDER BY timing.id"
    )
    with raise_cell_limit(store.db):
        for row in rows:
            used = Used(Pool(*row[:4]), Bot(*row[4:6]), *row[6:])
            sizes, texts = (used.decisions, used.cpu_s, used.worst_s), used[4:8]
            formed = is_pool(used.pool) and is_bot(used.bot) and all(map(is_size, sizes))
            if formed and all(type(text) is str for text in texts):
                yield used


def played_by(used: Used) -> dict[str, str]:
    """The versions that a session was played with, its name, and the `host` and its `clock` where
    another machine played it; empty where that is damaged.
    """
    with suppress(ValueError):
        return decode(used.versions, dict[str, str])
    return {}


def others_played(store: Store) -> bool:
    """Whether other machines than the organiser's played some of the games."""
    return bool(read_hosts(store.db))


def read_hosts_of(store: Store, pool: Pool) -> Iterator[tuple[str, str]]:
    """(id, host) of each stored game of a pool, in order of id; the host is "" for the organiser's
    machine.
    """
    rows = store.db.execute(
        "SELECT game.id, host FROM game JOIN line_up ON line_up.id = game.line_up "
        "LEFT JOIN played_on ON played_on.chunk = game.chunk WHERE pool = ? ORDER BY game.id",
        (store.keys.pool(pool),),
    )
    return ((id, host if is_host(host) else "") for id, host in rows)


def keep_usage(store: Store, used: Iterable[Used]) -> None:
    """Store what bots used in sessions: all of it, or nothing."""
    with store.writing():
        store.db.executemany(
            "INSERT INTO timing (pool, bot, decisions, cpu_s, versions, ends, notes, printed, "
            "worst_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((store.keys.made_pool(each.pool), store.keys.bot(each.bot), *each[2:])
             for each in used),
        )  # fmt: skip


def forget(store: Store, session: str) -> None:
    """Take out what bots used in a session, named by the id of its first game (`played_in`)."""
    with store.writing():
        store.db.execute(
            "DELETE FROM timing WHERE CASE WHEN json_valid(versions) "
            f"THEN json_extract(versions, '$.{_SESSION}') = ? END",
            (session,),
        )


def read_timings(store: Store) -> list[Timing]:
    """What each bot used in each pool, in the sessions that count, in order of both."""
    timings = dict[tuple[Pool, str], Timing]()
    for used in read_sessions(store):
        before = timings.get((used.pool, used.bot), Timing(used.pool, used.bot, 0, 0.0, 0.0))
        timings[used.pool, used.bot] = before._replace(
            decisions=before.decisions + used.decisions,
            cpu_s=before.cpu_s + used.cpu_s,
            worst_s=max(before.worst_s, used.worst_s),
        )
    return list(timings.values())


def read_sessions(store: Store) -> list[Timing]:
    """What each bot used in each session that counts, in order of pool, bot and storing; damaged
    rows are left out.
    """
    counts = Counted(store).session
    rows = read_rows(
        store.db,
        "SELECT game, players, options, partners, name, hash, decisions, cpu_s, worst_s "
        "FROM timing JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot "
        "ORDER BY game, players, options, partners, name, timing.id",
    )
    sessions = [(Bot(*row[4:6]), Timing(Pool(*row[:4]), row[4], *row[6:])) for row in rows]
    return [
        each
        for bot, each in sessions
        if is_pool(each.pool)
        and is_bot(bot)
        and all(map(is_size, each[2:]))
        and counts(each.pool, bot)
    ]


def read_versions(store: Store) -> list[dict[str, str]]:
    """The different versions of Python and packages that sessions were played with."""
    rows = read_rows(
        store.db,
        "SELECT DISTINCT CASE WHEN typeof(versions) = 'text' AND json_valid(versions) "
        f"THEN json_remove(versions, '$.{_SESSION}') ELSE versions END FROM timing ORDER BY 1",
    )
    different = []
    for (versions,) in rows:
        with suppress(ValueError):  # damaged: it only warns
            different.append(decode(versions, dict[str, str]))
    return different
