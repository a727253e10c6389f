"""The results file as SQLite sees it: its application, its version, its tables, and the row ids by
which they refer to each other.

`README.md` documents the tables for other tools.
"""

import os
import sqlite3
import stat
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from arena.errors import ArenaError, UsageError
from arena.model import Bot, LineUp, Pool

FILE = "arena.sqlite"
PUBLIC_FILE = "arena-public.sqlite"
APPLICATION_ID = 0x4152454E  # "AREN"
VERSION = 11

_TABLES = """
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
CREATE TABLE chunk (id INTEGER PRIMARY KEY, bodies BLOB NOT NULL);
CREATE TABLE played_on (chunk INTEGER PRIMARY KEY REFERENCES chunk, host TEXT NOT NULL);
CREATE TABLE game (
    id TEXT PRIMARY KEY, line_up INTEGER NOT NULL REFERENCES line_up, seating TEXT NOT NULL,
    deal INTEGER NOT NULL, ranks TEXT NOT NULL, scores TEXT NOT NULL,
    chunk INTEGER NOT NULL REFERENCES chunk, index_in_chunk INTEGER NOT NULL,
    checksum INTEGER NOT NULL);
CREATE INDEX game_line_up ON game (line_up);
CREATE TABLE fault (
    game_id TEXT NOT NULL REFERENCES game, seat INTEGER NOT NULL,
    bot INTEGER NOT NULL REFERENCES bot, kind TEXT NOT NULL, action_number INTEGER NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (game_id, seat)) WITHOUT ROWID;
CREATE TABLE timing (
    id INTEGER PRIMARY KEY, pool INTEGER NOT NULL REFERENCES pool,
    bot INTEGER NOT NULL REFERENCES bot, decisions INTEGER NOT NULL, cpu_s REAL NOT NULL,
    versions TEXT NOT NULL, ends TEXT NOT NULL, notes TEXT NOT NULL, printed TEXT NOT NULL,
    worst_s REAL NOT NULL DEFAULT 0);
"""
"""The machine of a chunk stands beside it, not in it: to read a column after a blob, SQLite
goes through all the blob."""

_SEATS = """
CREATE VIEW seat AS SELECT
    game.id AS game_id, pool.game AS game, pool.players AS players, pool.options AS options,
    by_seat.key AS seat, bot.name AS bot, bot.hash AS hash, game.deal AS deal,
    json_extract(game.ranks, '$[' || by_seat.key || ']') AS rank,
    json_extract(game.scores, '$[' || by_seat.key || ']') AS score,
    coalesce(fault.kind, '') AS fault
    FROM game JOIN line_up ON line_up.id = game.line_up JOIN pool ON pool.id = line_up.pool
    JOIN json_each(game.seating) AS by_seat
    JOIN bot ON bot.id = json_extract(line_up.bots, '$[' || by_seat.value || ']')
    LEFT JOIN fault ON fault.game_id = game.id AND fault.seat = by_seat.key;
"""

CELL = 1 << 16
"""Bytes of a cell, where nothing longer is asked for: seatings, names and ids have under a hundred,
line-ups some hundred. A file may be a hostile stranger's."""

LONG_CELL = 1 << 27
"""Bytes of a cell that holds what bots are, print or say, or many games: the largest are a bot's
files, 64 MiB with names, and prints, where a config allows as much."""

KNOWN = 1 << 14  # row ids remembered: a large league has more line-ups than memory should hold


def find_files(path: Path) -> list[Path]:
    """The paths of a database and of SQLite's files beside it, whether they exist or not."""
    sides = ("wal", "shm", "journal")
    return [path, *(path.with_name(f"{path.name}-{side}") for side in sides)]


def remove_files(path: Path) -> None:
    """Remove a database that is no longer needed, with SQLite's files beside it."""
    for file in find_files(path):
        file.unlink(missing_ok=True)


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, unless one is there. SQLite gives its side
    files the same mode.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect in one of SQLite's URI modes: `rwc`, `rw`, `ro`; to a new file with `&nolock=1`, as
    some disks lack locks. Nothing in the file runs, and its cells are limited. Raises UsageError
    where SQLite would write through a link, or undo changes by a journal that is not ours.
    """
    _check_files(path)
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=30)
    connection.execute("PRAGMA trusted_schema = OFF")  # the file may be a stranger's
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, CELL)
    return connection


@contextmanager
def raise_cell_limit(connection: sqlite3.Connection) -> Iterator[None]:
    """Let cells have up to `LONG_CELL` bytes meanwhile; longer ones raise what damage raises."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONG_CELL)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


def _check_files(path: Path) -> None:
    sizes = {}
    for file in find_files(path):
        try:
            status = file.lstat()
        except FileNotFoundError:
            continue
        sizes[file.name] = status.st_size
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{file}: not a regular file, and SQLite would write to it; remove it")
    journal = path.with_name(f"{path.name}-journal")
    if sizes.get(path.name) and sizes.get(journal.name) and not _of_making(sizes, path, journal):
        raise UsageError(
            f"{journal}: not left by an arena, and SQLite would change files according to it; "
            "remove it"
        )


PAGE = 4096  # bytes, of SQLite's as it makes them unasked
JOURNAL_HEADER = 512


def _of_making(sizes: dict[str, int], path: Path, journal: Path) -> bool:
    """True if a journal is what remains where the making of a new file is cut off: a header that
    says the file was empty. By it SQLite empties the file, which has nothing but its first page.
    With nothing after the header, it names no other file.
    """
    if sizes[path.name] > PAGE or sizes[journal.name] > JOURNAL_HEADER:
        return False
    with journal.open("rb") as stream:
        return not any(stream.read(JOURNAL_HEADER)[16:20])  # pages, of the file format's 3


def create(connection: sqlite3.Connection, journal: str = "WAL") -> None:
    """Make the tables of a new file, all or none."""
    connection.executescript(
        f"PRAGMA journal_mode = {journal}; BEGIN; {_TABLES} {_SEATS} PRAGMA application_id = "
        f"{APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def is_disk_full(error: sqlite3.Error) -> bool:
    """True if the disk takes no more, and nothing is wrong with the file itself."""
    return getattr(error, "sqlite_errorcode", 0) in (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    )


def is_blank(connection: sqlite3.Connection) -> bool:
    """True if nothing at all has been written to the file."""
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError:
        return False
    return not tables and not application


def in_words(error: sqlite3.Error) -> str:
    """SQLite's words, and what they may mean: EDQUOT has none of its own."""
    return f"{error}: is a quota used up?" if "disk I/O" in str(error) else str(error)


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise UsageError unless the file is ours, of this schema; ArenaError if it is unreadable. The
    connection is closed then, so that SQLite leaves nothing beside the file.
    """
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        raise ArenaError(f"{path}: cannot be read or written ({in_words(error)})") from None
    except sqlite3.DatabaseError as error:
        connection.close()
        raise UsageError(
            f"{path}: is not a results file, or its beginning is damaged ({error}); "
            f"restore a copy, or rename the folder and start over"
        ) from None
    if application == APPLICATION_ID and version == VERSION:
        return
    connection.close()
    if application != APPLICATION_ID:
        raise UsageError(
            f"{path}: a database of another program; name a results folder, such as results/NAME"
        )
    raise UsageError(
        f"{path}: has schema {version}, and this arena reads only {VERSION}; use the "
        f"arena that wrote it, or start over in another folder"
    )


_STATISTICS = (
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)
"""SQLite's own, where somebody asked it to ANALYZE."""

MOST = 1000  # things in a file that are looked at; ours has a dozen


def find_differences(connection: sqlite3.Connection) -> list[str]:
    """Find how a file's schema differs from ours: tables, indices, views, triggers. To be called
    before anything else is read: a view may have no end.
    """
    try:
        with closing(sqlite3.connect(":memory:")) as ours:
            create(ours)
            wanted, things = _things(ours), _things(connection)
    except sqlite3.DatabaseError as error:
        return [f"its schema cannot be read ({error})"]
    return [
        f"{name}: {'is missing' if name not in things else 'is not ours'}"
        for name in sorted(wanted.keys() | things.keys())
        if things.get(name) != wanted.get(name)
    ]


def is_plain(connection: sqlite3.Connection, table: str) -> bool:
    """True if a table holds what is read of it: no view, virtual table or generated column."""
    statements = _things(connection).get(f"table {table}", set())
    columns = connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
    return (
        len(statements) == 1
        and min(statements).startswith("CREATE TABLE ")
        and bool(columns)
        and not any(column[-1] for column in columns)
    )


def _things(connection: sqlite3.Connection) -> dict[str, set[str]]:
    things: dict[str, set[str]] = {}
    rows = connection.execute(f"SELECT type, name, sql FROM sqlite_schema LIMIT {MOST}")
    for kind, name, sql in rows:
        if (sql is None and kind == "index") or sql in _STATISTICS:
            continue
        things.setdefault(f"{kind} {name}", set()).add(" ".join(str(sql).split()))
    return things


class RowIds:
    """Row ids of pools, bots and line-ups, to which other tables refer; each is looked up once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._known = defaultdict[str, dict[tuple[object, ...], int]](dict)  # by table

    def forget(self) -> None:
        """Look everything up again from here on: rows that were made may be gone."""
        self._known.clear()

    def pool(self, pool: Pool) -> int:
        """The pool's row; -1 if there is none."""
        return self._find("pool", pool)

    def make_pool(self, pool: Pool) -> int:
        """The pool's row, which is made if it is missing."""
        return self._find("pool", pool, make=True)

    def bot(self, bot: Bot) -> int:
        row = self._find("bot", bot)
        assert row >= 0, "bots are kept before their games"
        return row

    def make_line_up(self, pool: int, line_up: LineUp) -> int:
        """The row of a line-up in a pool's row, which is made if it is missing."""
        known = self._known["bot"]  # asked first, as there may be many line-ups
        bots = str([known.get(bot) or self.bot(bot) for bot in line_up])  # as json.dumps has it
        return self._find("line_up", (pool, bots), make=True)

    def _find(self, table: str, values: tuple[object, ...], make: bool = False) -> int:
        known = self._known[table]
        row = known.get(values)
        if row is None:
            insert, select = _lookup(table)
            if make and (insertion := self._db.execute(insert, values)).rowcount:
                row = insertion.lastrowid
            else:
                (row,) = self._db.execute(select, values).fetchone() or (None,)
            if row is None:
                return -1
            if len(known) >= KNOWN:
                known.clear()
            known[values] = row
        return row


@cache
def _lookup(table: str) -> tuple[str, str]:
    """SQL that makes a row unless it is there, and that finds it, by what no two rows share."""
    columns = {"pool": Pool._fields, "bot": Bot._fields, "line_up": ("pool", "bots")}[table]
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
    return insert, f"SELECT id FROM {table} WHERE ({names}) = ({marks})"
