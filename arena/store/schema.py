"""The results file as SQLite sees it: whose it is, its tables, and how older ones are brought up.

`results/README.md` documents the tables for whoever reads them with other tools.
"""

import sqlite3
from pathlib import Path

from arena.errors import ArenaError, UsageError
from arena.store import older

FILE = "arena.sqlite"
PUBLIC_FILE = "arena-public.sqlite"
APPLICATION_ID = 0x4152454E  # "AREN"
VERSION = 4

_CHUNK = "CREATE TABLE chunk (id INTEGER PRIMARY KEY, bodies BLOB NOT NULL);"

_GAME = """
CREATE TABLE {} (
    id TEXT PRIMARY KEY, line_up INTEGER NOT NULL REFERENCES line_up, seating TEXT NOT NULL,
    deal INTEGER NOT NULL, ranks TEXT NOT NULL, scores TEXT NOT NULL,
    chunk INTEGER NOT NULL REFERENCES chunk, place INTEGER NOT NULL, checksum INTEGER NOT NULL);
"""

_INDEX = "CREATE INDEX game_line_up ON game (line_up);"

_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE bot (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, source BLOB NOT NULL,
    UNIQUE (name, hash));
CREATE TABLE pool (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
    partners TEXT NOT NULL, UNIQUE (game, players, options, partners));
CREATE TABLE line_up (
    id INTEGER PRIMARY KEY, pool INTEGER NOT NULL REFERENCES pool, bots TEXT NOT NULL,
    unplayed INTEGER NOT NULL DEFAULT 0, UNIQUE (pool, bots));
{_CHUNK}
{_GAME.format("game")}
{_INDEX}
CREATE TABLE fault (
    game TEXT NOT NULL REFERENCES game, seat INTEGER NOT NULL, bot INTEGER NOT NULL REFERENCES bot,
    kind TEXT NOT NULL, at INTEGER NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (game, seat))
    WITHOUT ROWID;
CREATE TABLE timing (
    id INTEGER PRIMARY KEY, pool INTEGER NOT NULL REFERENCES pool,
    bot INTEGER NOT NULL REFERENCES bot, decisions INTEGER NOT NULL, cpu_s REAL NOT NULL,
    versions TEXT NOT NULL, notes TEXT NOT NULL, printed TEXT NOT NULL,
    worst_s REAL NOT NULL DEFAULT 0);
"""

_SEATS = """
CREATE VIEW seat AS SELECT
    game.id AS game, pool.game AS rules, pool.players AS players, pool.options AS options,
    by_seat.key AS seat, bot.name AS bot, bot.hash AS hash, game.deal AS deal,
    json_extract(game.ranks, '$[' || by_seat.key || ']') AS rank,
    json_extract(game.scores, '$[' || by_seat.key || ']') AS score,
    coalesce(fault.kind, '') AS fault
    FROM game JOIN line_up ON line_up.id = game.line_up JOIN pool ON pool.id = line_up.pool
    JOIN json_each(game.seating) AS by_seat
    JOIN bot ON bot.id = json_extract(line_up.bots, '$[' || by_seat.value || ']')
    LEFT JOIN fault ON fault.game = game.id AND fault.seat = by_seat.key;
"""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection in one of SQLite's URI modes: `rwc`, `rw`, `ro`."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=30)


def create(connection: sqlite3.Connection) -> None:
    """Make a new file ours, whole or not at all."""
    connection.executescript(
        f"PRAGMA journal_mode = WAL; BEGIN; {_TABLES} {_SEATS} PRAGMA application_id = "
        f"{APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def is_blank(connection: sqlite3.Connection) -> bool:
    """Return whether nothing at all has been written to the file."""
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError:
        return False
    return not tables and not application


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema's version. Raises UsageError unless it is ours and one that we read."""
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        version = _version(connection)
    except sqlite3.OperationalError as error:
        raise ArenaError(f"{path}: cannot be read or written ({error})") from None
    except sqlite3.DatabaseError as error:
        raise UsageError(
            f"{path}: is not a results file of arena's, or its beginning is damaged ({error}); "
            "put a copy in its place, or rename the folder and play anew"
        ) from None
    if application != APPLICATION_ID:
        raise UsageError(f"{path}: is a database of another program's, not arena's")
    if version < 1:
        raise UsageError(f"{path}: says it is of schema {version}, which there never was")
    if version > VERSION:
        raise UsageError(
            f"{path}: written by a newer arena (schema {version}; this one reads up to "
            f"{VERSION}); update arena"
        )
    return version


def differences(connection: sqlite3.Connection) -> list[str]:
    """Return what the file has otherwise than we made it: tables, columns, views, triggers."""
    ours = sqlite3.connect(":memory:")
    create(ours)
    try:
        wanted, found = _shape(ours), _shape(connection)
    except sqlite3.DatabaseError as error:
        return [f"its schema cannot be read ({error})"]
    finally:
        ours.close()
    return [
        f"{name}: {'is missing' if name not in found else 'is not ours'}"
        for name in sorted(wanted.keys() | found.keys())
        if wanted.get(name) != found.get(name)
    ]


def _shape(connection: sqlite3.Connection) -> dict[str, object]:
    """Return what makes each thing in the file what it is, by `kind name`."""
    found: dict[str, object] = {}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        if name.startswith("sqlite_"):  # SQLite's own
            continue
        columns = list(connection.execute(f'PRAGMA table_info("{name}")'))
        found[f"{kind} {name}"] = columns if kind == "table" else " ".join(str(sql).split())
    return found


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an older schema up to this one, in one transaction."""
    before = _version(connection)
    if before >= VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        _add(connection, "timing", "worst_s REAL NOT NULL DEFAULT 0")
        connection.execute("DROP VIEW IF EXISTS seat")
        connection.execute(_CHUNK)
        connection.execute(_GAME.format("new_game"))
        older.bring_over(connection, connection, "new_game", before)
        connection.execute("DROP TABLE game")
        connection.execute("ALTER TABLE new_game RENAME TO game")
        connection.execute(_INDEX)
        connection.execute(_SEATS)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _add(connection: sqlite3.Connection, table: str, column: str) -> None:
    """Add a column, unless somebody has."""
    there = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if column.split()[0] not in there:
        connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
