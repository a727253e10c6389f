"""Use of bots' processes in each session, with the versions that it was played with."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from arena.model import Bot, Pool, Tally, Timing
from arena.store.plans import Counted
from arena.store.scan import read_rows
from arena.store.store import Store
from arena.store.validation import is_bot, is_pool, is_size
from arena.typed_json import decode


def keep_usage(
    store: Store, pool: Pool, bots: Mapping[str, Bot], tallies: Sequence[Tally],
    versions: Mapping[str, str],
) -> None:  # fmt: skip
    """Store what bots used in a session, and the versions that played it: all of it, or nothing."""
    written = json.dumps(versions)
    with store.writing():
        store.db.executemany(
            "INSERT INTO timing (pool, bot, decisions, cpu_s, versions, ends, notes, printed, "
            "worst_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (store.row_ids.make_pool(pool), store.row_ids.bot(bots[tally.bot]),
                 tally.decisions, tally.cpu_s, written, _format(tally.ends), _format(tally.notes),
                 tally.printed, tally.worst_s)
                for tally in tallies
            ],
        )  # fmt: skip


def _format(texts: Sequence[object]) -> str:
    return msgspec.json.encode(texts).decode()


def read_sessions(store: Store) -> list[Timing]:
    """List what bots used in sessions that count, in order of pool, bot and storing; damaged
    rows are left out.
    """
    counts = Counted(store).session
    rows = read_rows(
        store.db,
        "SELECT game, players, options, partners, name, hash, decisions, cpu_s, worst_s "
        "FROM timing JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot "
        "ORDER BY game, players, options, partners, name, timing.id",
    )
    sessions = ((Pool(*row[:4]), Bot(*row[4:6]), row[6:]) for row in rows)
    return [
        Timing(pool, bot.name, *used)
        for pool, bot, used in sessions
        if is_pool(pool) and is_bot(bot) and all(map(is_size, used)) and counts(pool, bot)
    ]


def read_timings(store: Store) -> list[Timing]:
    """List what bots used in pools, in the sessions that count, in order of both."""
    timings = dict[tuple[Pool, str], Timing]()
    for used in read_sessions(store):
        before = timings.get((used.pool, used.bot), Timing(used.pool, used.bot, 0, 0.0, 0.0))
        timings[used.pool, used.bot] = before._replace(
            decisions=before.decisions + used.decisions,
            cpu_s=before.cpu_s + used.cpu_s,
            worst_s=max(before.worst_s, used.worst_s),
        )
    return list(timings.values())


def read_versions(store: Store) -> list[dict[str, str]]:
    """The different versions of Python and packages that sessions were played with."""
    rows = read_rows(store.db, "SELECT DISTINCT versions FROM timing ORDER BY 1")
    different = []
    for (versions,) in rows:
        with suppress(ValueError):  # damaged: it only warns
            different.append(decode(versions, dict[str, str]))
    return different
