"""Results files as older arenas left them, made of new ones, for tests."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

from arena.store import checksum
from arena.store.store import Store


def as_of_schema(file: Path, version: int) -> None:
    """Make a results file what an arena of an older schema would have left, of sound games."""
    if version == 4:
        with closing(sqlite3.connect(file)) as database:
            database.executescript("DROP TABLE played_on; PRAGMA user_version = 4")
        return
    with closing(Store.open(file)) as store:
        rows = []
        keys = dict(store.db.execute("SELECT id, line_up FROM game"))
        for row in store.games():
            assert row.sound, row.id
            record = zlib.compress(row.line)
            written = (row.id, row.seating, row.deal, row.ranks, row.scores)
            crc = checksum.of_game(row.pool, row.line_up, written, record, row.faults)
            rows.append((row.id, keys[row.id], *written[1:], record, crc))
    with closing(sqlite3.connect(file)) as database:
        (view,) = next(database.execute("SELECT sql FROM sqlite_schema WHERE name = 'seat'"))
        database.executescript(
            "DROP VIEW seat; DROP TABLE game; DROP TABLE played_on; DROP TABLE chunk;"
            "CREATE TABLE game ("
            "id TEXT PRIMARY KEY, line_up INTEGER NOT NULL REFERENCES line_up, "
            "seating TEXT NOT NULL, deal INTEGER NOT NULL, ranks TEXT NOT NULL, "
            "scores TEXT NOT NULL, record BLOB NOT NULL, checksum INTEGER NOT NULL DEFAULT 0);"
            "CREATE INDEX game_line_up ON game (line_up);"
        )
        with database:
            database.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        if version < 2:
            database.execute("ALTER TABLE game DROP COLUMN checksum")
        if version < 3:
            database.execute("ALTER TABLE timing DROP COLUMN worst_s")
        else:
            database.execute(view)
        database.execute(f"PRAGMA user_version = {version}")
