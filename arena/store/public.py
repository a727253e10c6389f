"""A public copy of a store: all games, without logs, and without sources unless asked for.

It has the commitment to the secret, and the secret itself only where that was revealed.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.errors import ArenaError
from arena.store import schema
from arena.store.plans import load_plan
from arena.store.secret import COMMITMENT, REVEALED, load_commitment, load_secret
from arena.store.size_limits import raise_cell_limit
from arena.store.store import Store
from arena.system import replace_file

UNLOADABLE = "unloadable "  # before a bot's hash, in keys of `meta` that stay with the organiser


TABLES = (  # name, columns, order
    ("bot", "id, name, hash, source", "id"),
    ("pool", "id, game, players, options, partners", "id"),
    ("line_up", "id, pool, bots, unplayed", "id"),
    ("chunk", "id, bodies", "id"),
    ("played_on", "chunk, host", "chunk"),
    # as stored: verifying reads them so, and wants the games of a chunk together
    ("game", "id, line_up, seating, deal, ranks, scores, chunk, place, checksum", "rowid"),
    ("fault", "game, seat, bot, kind, at, ''", "game, seat"),
    ("timing", "id, pool, bot, decisions, cpu_s, versions, '[]', '[]', '', worst_s", "id"),
)
KEPT = (
    "SELECT key, value FROM meta WHERE key NOT IN (?, ?, 'secret', 'public') "
    "AND substr(key, 1, ?) != ?"
)


def write_public(store: Store, path: Path, with_sources: bool) -> Path:
    """Write the public store; return its path. Raises ArenaError where the plan is damaged, or the
    disk full.
    """
    values: dict[str, object] = {"public": 1, COMMITMENT: load_commitment(store, load_plan(store))}
    if store.meta(REVEALED):
        values |= {REVEALED: 1, "secret": load_secret(store)}
    try:
        with replace_file(path) as draft:
            for old in schema.find_side_files(draft):
                old.unlink(missing_ok=True)
            with closing(schema.connect(draft, "rwc")) as connection:
                schema.create(connection, "OFF")  # one file, also to be read from a disc
                with connection, raise_cell_limit(connection), raise_cell_limit(store.db):
                    _copy_tables(store.db, connection, with_sources)
                    shown = [(key, value) for key, value in values.items() if value is not None]
                    connection.executemany("INSERT INTO meta VALUES (?, ?)", shown)
    except sqlite3.OperationalError as error:
        if schema.is_disk_full(error):
            raise ArenaError(f"{path}: cannot be written ({error}); make room there") from None
        raise
    return path


def _copy_tables(db: sqlite3.Connection, public: sqlite3.Connection, with_sources: bool) -> None:
    for table, columns, order in TABLES:
        marks = ", ".join("?" * len(columns.split(", ")))
        if not with_sources:
            columns = columns.replace("source", "x''")
        rows = db.execute(f"SELECT {columns} FROM {table} ORDER BY {order}")
        public.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    rows = db.execute(KEPT, (COMMITMENT, REVEALED, len(UNLOADABLE), UNLOADABLE))
    public.executemany("INSERT INTO meta VALUES (?, ?)", rows)
