"""The store: `results/NAME/arena.sqlite`, the truth about a tournament. One writer at a time.

Finished games come in batches, each batch whole or not at all. Games are never taken out: what
counts for the tables is decided by the plan, which is kept here too. The schema is documented in
`results/README.md`.
"""

import fcntl
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from arena import records
from arena.errors import ArenaError, UsageError
from arena.model import Bot, Fixture, Outcome, Pool
from arena.session import Played, Tally

FILE = "arena.sqlite"
APPLICATION_ID = 0x4152454E  # "AREN"
SCHEMA_VERSION = 1

_SCHEMA = """
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
CREATE TABLE game (
    id TEXT PRIMARY KEY, line_up INTEGER NOT NULL REFERENCES line_up, seating TEXT NOT NULL,
    deal INTEGER NOT NULL, ranks TEXT NOT NULL, scores TEXT NOT NULL, record BLOB NOT NULL);
CREATE INDEX game_line_up ON game (line_up);
CREATE TABLE fault (
    game TEXT NOT NULL REFERENCES game, seat INTEGER NOT NULL, bot INTEGER NOT NULL REFERENCES bot,
    kind TEXT NOT NULL, at INTEGER NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (game, seat))
    WITHOUT ROWID;
CREATE TABLE timing (
    id INTEGER PRIMARY KEY, pool INTEGER NOT NULL REFERENCES pool,
    bot INTEGER NOT NULL REFERENCES bot, decisions INTEGER NOT NULL, cpu_s REAL NOT NULL,
    versions TEXT NOT NULL, notes TEXT NOT NULL, printed TEXT NOT NULL);
"""


class Store:
    """An open results file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.path = path
        self._db, self._lock = connection, lock
        self._bots: dict[tuple[str, str], int] = {}
        self._pools: dict[Pool, int] = {}
        self._line_ups: dict[tuple[int, tuple[Bot, ...]], int] = {}

    @classmethod
    def create_or_open(cls, folder: Path) -> "Store":
        """Return the store in a results folder, for writing. Raises UsageError if it is not ours.

        Nothing is written where the folder holds something else, or another arena is writing.
        """
        path = folder / FILE
        if folder.exists() and not path.exists() and any(folder.iterdir()):
            raise UsageError(
                f"{folder}: is not a results folder of arena's (no {FILE} in it) and not empty; "
                "choose another with --results, or another name in the config"
            )
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise UsageError(
                f"{folder}: another arena is playing here; wait for it, or choose --results"
            ) from None
        fresh = not path.exists()
        connection = cls._connect(path, "rwc")
        if fresh:
            connection.executescript(
                f"PRAGMA journal_mode = WAL; BEGIN; {_SCHEMA} PRAGMA application_id = "
                f"{APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
        else:
            cls._check(connection, path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return cls(path, connection, lock)

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Return the store in a results folder, for reading. Raises UsageError if there is none."""
        path = folder / FILE
        if not path.is_file():
            raise UsageError(f"{folder}: no {FILE} in it; a results folder is results/NAME")
        # WAL needs its side files even to be read; where they cannot be made, nobody writes
        still = not os.access(folder, os.W_OK) and not path.with_name(f"{FILE}-wal").exists()
        connection = cls._connect(path, "ro&immutable=1" if still else "rw")
        cls._check(connection, path)
        return cls(path, connection, None)

    @staticmethod
    def _connect(path: Path, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=30)

    @staticmethod
    def _check(connection: sqlite3.Connection, path: Path) -> None:
        """Raise UsageError unless the file is ours and of a version that this arena reads."""
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{path}: is not a results file of arena's ({error})") from None
        if application != APPLICATION_ID:
            raise UsageError(f"{path}: is a database of another program's, not arena's")
        if version > SCHEMA_VERSION:
            raise UsageError(
                f"{path}: written by a newer arena (schema {version}; this one reads up to "
                f"{SCHEMA_VERSION}); update arena"
            )

    def close(self) -> None:
        """Close the file, and let others write."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction: all of it or nothing. Raises ArenaError where it cannot be written."""
        try:
            with self._db:
                yield
        except sqlite3.Error as error:
            for known in (self._bots, self._pools, self._line_ups):
                known.clear()  # rows that were made in it are gone again
            raise ArenaError(
                f"{self.path}: cannot be written ({error}); what was stored before is safe, "
                "the same command goes on from there"
            ) from error

    def meta(self, key: str) -> Any:
        """Return a value kept under `key`; None if there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def set_meta(self, key: str, value: object) -> None:
        """Keep a value under `key`."""
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def keep_bot(self, bot: Bot, source: Sequence[tuple[str, bytes]]) -> None:
        """Keep a bot and its files, so that its games can be played again."""
        blob = zlib.compress(msgspec.msgpack.encode(source))
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO bot (name, hash, source) VALUES (?, ?, ?)",
                (bot.name, bot.hash, blob),
            )

    def keep_unplayed(self, pool: Pool, line_ups: Iterable[tuple[Bot, ...]]) -> None:
        """Note line-ups that cannot be played: no side of them loads."""
        with self._writing():
            for line_up in line_ups:
                row = self._line_up(self._pool(pool, make=True), line_up)
                self._db.execute("UPDATE line_up SET unplayed = 1 WHERE id = ?", (row,))

    def unplayed(self, pool: Pool) -> set[tuple[Bot, ...]]:
        """Return the line-ups noted as not playable."""
        found = set()
        for (bots,) in self._db.execute(
            "SELECT bots FROM line_up WHERE unplayed AND pool = ?", (self._pool(pool),)
        ):
            found.add(tuple(self._bot_of(row) for row in json.loads(bots)))
        return found

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield what a query finds: for readers that know the schema."""
        yield from self._db.execute(query, values)

    def count(self) -> int:
        """Return how many games are stored."""
        return int(self._db.execute("SELECT count(*) FROM game").fetchone()[0])

    def played(self, pool: Pool) -> set[str]:
        """Return the ids of all stored games of a pool."""
        rows = self._db.execute(
            "SELECT game.id FROM game JOIN line_up ON line_up.id = game.line_up WHERE pool = ?",
            (self._pool(pool),),
        )
        return {id for (id,) in rows}

    def add(self, pool: Pool, games: Iterable[tuple[Fixture, Played]]) -> None:
        """Store finished games: all of them, or none if that fails. Raises ArenaError."""
        with self._writing():
            for fixture, played in games:
                self._add(pool, fixture, played)

    def _add(self, pool: Pool, fixture: Fixture, played: Played) -> None:
        row = self._line_up(self._pool(pool, make=True), fixture.line_up)
        seating = json.dumps(fixture.seating)
        ranks, scores = json.dumps(played.ranks), json.dumps(played.scores)
        self._db.execute(
            "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)",
            (played.id, row, seating, fixture.deal, ranks, scores, played.record),
        )
        for fault in played.faults:
            bot = self._bot(fixture.line_up[fixture.seating[fault.seat]])
            self._db.execute(
                "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?)",
                (played.id, fault.seat, bot, fault.kind, fault.at, fault.detail),
            )

    def add_tally(self, pool: Pool, bot: Bot, versions: str, tally: Tally) -> None:
        """Store what a bot's processes used in a session, and what they printed."""
        notes = json.dumps(tally.notes)
        with self._writing():
            self._db.execute(
                "INSERT INTO timing (pool, bot, decisions, cpu_s, versions, notes, printed) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self._pool(pool, make=True), self._bot(bot), tally.decisions, tally.cpu_s,
                 versions, notes, tally.printed),
            )  # fmt: skip

    def timings(self) -> list[tuple[Pool, str, int, float]]:
        """Return (pool, bot's name, decisions, CPU in s) a pool and bot, in order of both."""
        rows = self._db.execute(
            "SELECT game, players, options, partners, name, sum(decisions), sum(cpu_s) FROM timing "
            "JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot "
            "GROUP BY pool.id, name ORDER BY game, players, options, partners, name"
        )
        return [(Pool(*row[:4]), *row[4:]) for row in rows]

    def outcomes(self, pool: Pool, ids: set[str]) -> Iterator[Outcome]:
        """Yield how those of the pool's games ended that are in `ids`, in order of id."""
        faults: dict[str, list[tuple[int, str]]] = {}
        for game, seat, kind in self._db.execute(
            "SELECT game, seat, kind FROM fault JOIN game ON game.id = fault.game "
            "JOIN line_up ON line_up.id = game.line_up WHERE pool = ?",
            (self._pool(pool),),
        ):
            faults.setdefault(game, []).append((seat, kind))
        names = {row: self._names(bots) for row, bots in self._db.execute(
            "SELECT id, bots FROM line_up WHERE pool = ?", (self._pool(pool),))}  # fmt: skip
        rows = self._db.execute(
            "SELECT game.id, line_up, seating, ranks, scores FROM game "
            "JOIN line_up ON line_up.id = game.line_up WHERE pool = ? ORDER BY game.id",
            (self._pool(pool),),
        )
        decode = msgspec.json.decode
        for id, line_up, seating, ranks, scores in rows:
            if id not in ids:
                continue
            bots = tuple(names[line_up][index] for index in decode(seating))
            kinds = [""] * len(bots)
            for seat, kind in faults.get(id, ()):
                kinds[seat] = kind
            yield Outcome(id, bots, tuple(decode(ranks)), tuple(decode(scores)), tuple(kinds))

    def lines(self, pool: Pool, ids: set[str]) -> Iterator[bytes]:
        """Yield the records of those of the pool's games that are in `ids`, in order of id."""
        rows = self._db.execute(
            "SELECT game.id, record FROM game JOIN line_up ON line_up.id = game.line_up "
            "WHERE pool = ? ORDER BY game.id",
            (self._pool(pool),),
        )
        for id, record in rows:
            if id in ids:
                yield records.unpacked(record)

    def find(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return (id, record) of the games whose id begins so; three at most."""
        if not prefix or set(prefix) - set("0123456789abcdef"):
            return []
        rows = self._db.execute(
            "SELECT id, record FROM game WHERE id >= ? AND id < ? LIMIT 3", (prefix, prefix + "g")
        )
        return [(id, records.unpacked(record)) for id, record in rows]

    def _pool(self, pool: Pool, make: bool = False) -> int:
        """Return the pool's row; -1 if there is none and none is to be made."""
        if pool not in self._pools:
            where = "game = ? AND players = ? AND options = ? AND partners = ?"
            found = self._db.execute(f"SELECT id FROM pool WHERE {where}", pool).fetchone()
            if found is None and not make:
                return -1
            columns = ("game", "players", "options", "partners")
            self._pools[pool] = found[0] if found else self._row("pool", columns, pool)
        return self._pools[pool]

    def _bot(self, bot: Bot) -> int:
        key = (bot.name, bot.hash)
        if key not in self._bots:
            (self._bots[key],) = self._db.execute(
                "SELECT id FROM bot WHERE name = ? AND hash = ?", key
            ).fetchone()
        return self._bots[key]

    def _bot_of(self, row: int) -> Bot:
        return Bot(*self._db.execute("SELECT name, hash FROM bot WHERE id = ?", (row,)).fetchone())

    def _names(self, bots: str) -> list[str]:
        return [self._bot_of(row).name for row in json.loads(bots)]

    def _line_up(self, pool: int, line_up: tuple[Bot, ...]) -> int:
        key = (pool, line_up)
        if key not in self._line_ups:
            bots = json.dumps([self._bot(bot) for bot in line_up])
            self._line_ups[key] = self._row("line_up", ("pool", "bots"), (pool, bots))
        return self._line_ups[key]

    def _row(self, table: str, columns: tuple[str, ...], values: tuple[object, ...]) -> int:
        """Return the id of the row with these values, made if it is not there."""
        where = " AND ".join(f"{column} = ?" for column in columns)
        select = f"SELECT id FROM {table} WHERE {where}"
        row = self._db.execute(select, values).fetchone()
        if row is None:
            marks = ", ".join("?" * len(columns))
            insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
            row = (self._db.execute(insert, values).lastrowid,)
        return int(row[0])
