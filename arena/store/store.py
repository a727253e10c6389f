"""The store: `results/NAME/arena.sqlite`, the truth about a tournament. One writer at a time.

Finished games come in chunks, each chunk whole or not at all. Games are never taken out, unless
they are damaged, or forfeited by a bot that did not load and now does: what counts for the tables
is decided by the plan, which is kept here too. `README.md` documents the schema.
"""

import os
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from hashlib import sha256
from itertools import count, repeat
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

import msgspec

from arena.errors import ArenaError
from arena.faults.kinds import KINDS
from arena.model import Bot, Fixture, LineUp, Outcome, Pool
from arena.progress import SILENT, OutOfTime, Progress
from arena.store import opening, scan, schema
from arena.store.chunk import Chunk, unpack_capped
from arena.store.scan import NO_POOL, StoredGame, read_line_ups, read_rows
from arena.store.schema import RowIds, raise_cell_limit
from arena.store.validation import is_bot, is_pool, misfits, numbers, parse_ranks, parse_seating
from arena.system.parallel import map_here, map_in_processes
from arena.typed_json import decode, encode
from arena.words import spell

Piece = TypeVar("Piece")
Result = TypeVar("Result")

FILES = 10_000
"""Files of a bot: as many as it may have."""

SOURCE = 112 << 20
"""Bytes that a bot's files unpack to: 64 MiB of content, 10,000 names of 4 KiB, and what tells them
apart."""

Files = Annotated[tuple[tuple[str, bytes], ...], msgspec.Meta(max_length=FILES)]

CONTENT = (
    ("bot", "id, name, hash FROM bot WHERE rowid"),
    ("pool", "* FROM pool WHERE rowid"),
    ("line_up", "* FROM line_up WHERE rowid"),
    ("chunk", "id, CAST(bodies AS BLOB) FROM chunk WHERE rowid"),
    ("game", "rowid, * FROM game WHERE rowid"),
    ("game", "game_id, seat, bot, kind, action_number FROM fault "
             "WHERE (SELECT rowid FROM game WHERE id = fault.game_id)"),
)  # fmt: skip
"""Facts about which games there are and how they went: a table, and the columns of its rows up to a
number."""

ALL = 1 << 62  # rows of a table
AT_ONCE = 64  # rows of it in memory, without bodies

SOUND = "sound"  # a key in `meta`: a digest of games that were looked through, and the last rows

ROOM = 1 << 31  # bytes of records that are unpacked to find damage: of over a million games

Holds = Callable[[Fixture], bool]
"""Says of a stored game whether it is one of those that are wanted."""


class Store:
    """An open results file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None = None) -> None:
        self.path, self._lock = path, lock
        self.db, self.row_ids = connection, RowIds(connection)  # for this wing: others say no SQL
        self.damaged: Collection[object] = ()  # ids of games that count nowhere
        self._problems: list[str] | None = None  # not looked for yet
        self._is_writing = False

    @classmethod
    def create_or_open(cls, folder: Path, say: Callable[[str], None] = print) -> "Store":
        """Open the store in a results folder for writing (`opening.open_for_writing`)."""
        return cls(*opening.open_for_writing(folder, say))

    @classmethod
    def open(cls, given: Path, checked: bool = False) -> "Store":
        """Open the store in a results folder, or this file, for reading; `checked` if it was opened
        before. Raises ArenaError where the file is damaged, or not as arena makes it.
        """
        path, connection = opening.open_for_reading(given)
        if not checked and (problems := opening.find_problems(connection)):
            connection.close()
            raise ArenaError(
                f"{path}: is damaged ({problems[0]}); `arena verify` lists the intact games, "
                "`arena tournament` replays the others"
            )
        return cls(path, connection)

    @classmethod
    def open_damaged(cls, given: Path) -> "Store":
        """Open the store for reading, whatever is wrong with it: look at its `problems` first."""
        return cls(*opening.open_for_reading(given))

    def problems(self) -> list[str]:
        """Find what is wrong with the file itself: everything that is not as arena makes it, or at
        most ten flaws in its structure. The file is searched once.
        """
        if self._problems is None:
            self._problems = opening.find_problems(self.db, 10) or misfits(self.db, scan.TABLES)
        return self._problems

    @property
    def ours(self) -> bool:
        """True if it has the tables that arena makes; nothing is to be read from others."""
        return not schema.find_differences(self.db)

    @property
    def public(self) -> bool:
        """True if this is a published copy, without the secret."""
        return bool(self.meta("public"))

    def hold(self) -> None:
        """Read one state from here on, whatever others write: in this process alone."""
        self.db.execute("BEGIN")

    def close(self) -> None:
        """Close the file, and let others write."""
        if self._lock is not None:
            # What a reader who is still there would leave in the log; where it is safe, if it must
            with suppress(sqlite3.Error):
                self.db.execute("PRAGMA wal_checkpoint")
        self.db.close()
        if self._lock is not None:
            os.close(self._lock)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction, or part of the one that is open: all of it or nothing. Raises ArenaError
        where the file cannot be written.
        """
        if self._is_writing:
            yield
            return
        self._is_writing = True
        try:
            with raise_cell_limit(self.db), self.db:
                yield
        except sqlite3.Error as error:
            self.row_ids.forget()  # rows that were made in it are gone again
            what = f"{self.path}: cannot be written ({schema.in_words(error)})"
            raise ArenaError(
                f"{what}; stored games are safe: resume with the same command"
            ) from error
        finally:
            self._is_writing = False

    def meta(self, key: str) -> Any:
        """The value kept under `key`; None if there is none."""
        with raise_cell_limit(self.db):
            row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def set_meta(self, key: str, value: object) -> None:
        self.set_metas({key: value})

    def set_metas(self, values: Mapping[str, object]) -> None:
        """Keep values under their keys: all of them, or none."""
        with self.writing():
            self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def keep_bot(self, bot: Bot, source: Sequence[tuple[str, bytes]]) -> None:
        """Keep a bot and its files, so that its games can be played again."""
        blob = zlib.compress(msgspec.msgpack.encode(source))
        with self.writing():
            self.db.execute(
                "INSERT INTO bot (name, hash, source) VALUES (?, ?, ?) "
                "ON CONFLICT (name, hash) DO UPDATE SET source = excluded.source",
                (bot.name, bot.hash, blob),
            )

    def keep_unplayed(self, pool: Pool, line_ups: Iterable[LineUp]) -> None:
        """Note line-ups that cannot be played: no side of them loads."""
        with self.writing():
            for line_up in line_ups:
                row = self.row_ids.make_line_up(self.row_ids.make_pool(pool), line_up)
                self.db.execute("UPDATE line_up SET unplayed = 1 WHERE id = ?", (row,))

    def unplayed_line_ups(self, pool: Pool) -> set[LineUp]:
        """The line-ups noted as not playable."""
        known = read_line_ups(self.db, "pool", self.row_ids.pool(pool))
        rows = self.db.execute(
            "SELECT id FROM line_up WHERE unplayed AND pool = ?", (self.row_ids.pool(pool),)
        )
        return {known[row][1] for (row,) in rows if row in known}

    def source_of(self, bot: Bot) -> tuple[tuple[str, bytes], ...] | None:
        """A bot's files, by path; None where none are kept. Raises ArenaError for damaged ones."""
        with raise_cell_limit(self.db):
            row = self.db.execute(
                "SELECT source FROM bot WHERE name = ? AND hash = ?", (bot.name, bot.hash)
            ).fetchone()
        if row is None or not row[0]:
            return None
        try:
            return msgspec.msgpack.decode(unpack_capped(row[0], SOURCE), type=Files)
        except (zlib.error, msgspec.MsgspecError, TypeError) as error:
            what = f"the source of {bot.name} is damaged ({error})"
            raise ArenaError(f"{self.path}: {what}") from None

    def bots(self) -> list[Bot]:
        """Every version of every bot that is kept, by name."""
        rows = read_rows(self.db, "SELECT name, hash FROM bot ORDER BY name, id")
        return [bot for row in rows if is_bot(bot := Bot(*row))]

    def pools(self) -> list[Pool]:
        """The pools that anything is kept of, in the order they came."""
        rows = read_rows(self.db, "SELECT game, players, options, partners FROM pool ORDER BY id")
        return [pool for row in rows if is_pool(pool := Pool(*row))]

    def count(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM game").fetchone()[0])

    def knows(self, pool: Pool) -> bool:
        """True if anything is kept of a pool."""
        return self.row_ids.pool(pool) >= 0

    def fixtures(self, pool: Pool) -> Iterator[Fixture]:
        """Yield each stored game of a pool; damaged ones are left out."""
        known, rows = self._of_pool(pool, "game.id, line_up, seating, deal")
        for id, row, seating, deal in rows:
            try:
                game = _fixture(id, known[row], seating, deal)
            except (LookupError, TypeError, ValueError):
                continue
            yield game

    def add(self, pool: Pool, games: Chunk, host: str = "") -> None:
        """Store finished games, which another machine may have played: all of them, or none. Raises
        ArenaError where that fails.
        """
        with self.writing():
            pool_row = self.row_ids.make_pool(pool)
            rows = [self.row_ids.make_line_up(pool_row, line_up) for line_up in games.line_ups]
            chunk = self.db.execute("INSERT INTO chunk (bodies) VALUES (?)", (games.bodies,))
            if host:
                self.db.execute("INSERT INTO played_on VALUES (?, ?)", (chunk.lastrowid, host))
            columns = zip(
                games.ids, map(rows.__getitem__, games.own_line_ups), games.seatings, games.deals,
                games.ranks, games.scores, repeat(chunk.lastrowid), count(), games.checksums,
            )  # fmt: skip
            self.db.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", columns)
            self.db.executemany(
                "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (game, seat, self.row_ids.bot(bot), *rest)
                    for game, seat, bot, *rest in games.faults
                ],
            )

    def content(self, until: Mapping[str, int] = MappingProxyType({})) -> Iterator[bytes]:
        """Yield what is kept of games, the plan and sources of bots apart; of each table the rows
        up to a number, if one is given.
        """
        with raise_cell_limit(self.db), closing(self.db.cursor()) as cursor:
            for table, columns in CONTENT:
                rows = cursor.execute(f"SELECT {columns} <= ?", (until.get(table, ALL),))
                while some := self._fetch_raw(rows, 1 if table == "chunk" else AT_ONCE):
                    yield msgspec.msgpack.encode(some)

    def _fetch_raw(self, rows: sqlite3.Cursor, count: int) -> list[tuple[Any, ...]]:
        """Fetch rows with texts as a tuple of their bytes: damaged ones are no UTF-8."""
        self.db.text_factory, before = lambda text: (text,), self.db.text_factory
        try:
            return rows.fetchmany(count)
        finally:
            self.db.text_factory = before

    def new_games(self, room: float = inf) -> Iterator[StoredGame]:
        """Yield the games, damaged or not, that came after the last `note_sound`; all of them if
        anything from before has changed since. `room` is that of `scan.scan_games`.
        """
        note = self.meta(SOUND)
        with suppress(ValueError, sqlite3.DatabaseError):  # no note of ours, or rows are damaged
            digest, rows = decode(note or "", tuple[str, dict[str, int]])
            if digest == self._digest(rows):
                return scan.scan_games(self.db, rows.get("game", -1), room)
        return scan.scan_games(self.db, room=room)

    def note_sound(self) -> None:
        """Note that all games are sound, as they are now."""
        rows = {
            table: int(self.db.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0)
            for table, _ in CONTENT
        }
        self.set_meta(SOUND, encode((self._digest(rows), rows)))

    def leave_out_damaged(self) -> tuple[str, ...]:
        """Find the games that are not what was written, but for those noted as sound: from here on
        they count nowhere. Returns what to say if some were not looked at, as others took all room.
        """
        self.damaged = damaged = set[object]()
        self.hold()  # of games that come meanwhile, no line-up would be known
        try:
            damaged.update(row.id for row in self.new_games(ROOM) if not row.sound)
        except OutOfTime:
            return (
                f"{self.path}: its records are too large to look for all damage; `arena verify` "
                "does, and once `arena tournament` has run, only newer games are looked at",
            )
        finally:
            self.db.rollback()
        return ()

    def _digest(self, until: Mapping[str, int]) -> str:
        digest = sha256()
        for part in self.content(until):
            digest.update(part)
        return digest.hexdigest()

    def outcomes(self, pool: Pool, holds: Holds) -> Iterator[tuple[Outcome, int]]:
        """Yield (outcome, deal) of the pool's games that `holds` accepts, in order of id."""
        faults: dict[str, list[tuple[int, str]]] = {}
        for game, seat, kind in self.db.execute(
            "SELECT game_id, seat, kind FROM fault JOIN game ON game.id = fault.game_id "
            "JOIN line_up ON line_up.id = game.line_up WHERE pool = ?",
            (self.row_ids.pool(pool),),
        ):
            faults.setdefault(game, []).append((seat, kind))
        columns = "game.id, line_up, seating, deal, ranks, scores"
        known, rows = self._of_pool(pool, columns, " ORDER BY game.id")
        for id, row, seating, deal, ranks, scores in rows:
            try:
                game = _fixture(id, known[row], seating, deal)
                if not holds(game):
                    continue
                kinds = [""] * pool.players
                for seat, kind in faults.get(id, ()):
                    kinds[seat] = KINDS[kind].name
                ended = parse_ranks(ranks), numbers(scores)
                if not len(game.seating) == len(ended[0]) == len(ended[1]) == pool.players:
                    raise self._damaged(id)
            except (LookupError, TypeError, ValueError):
                raise self._damaged(id) from None
            bots = tuple([game.line_up[index].name for index in game.seating])
            yield Outcome(id, bots, *ended, tuple(kinds)), deal

    def lines(self, pool: Pool, holds: Holds) -> Iterator[bytes]:
        """Yield the records of the pool's games that `holds` accepts, in order of id. Raises
        ArenaError where one is damaged.
        """
        for row in scan.scan_games_by_id(self.db, self.row_ids.pool(pool)):
            if row.id in self.damaged:
                continue
            try:
                wanted = row.pool == NO_POOL or holds(row.fixture)
            except (ValueError, LookupError, TypeError):
                raise self._damaged(row.id) from None
            if wanted:
                yield self._sound(row).line

    def _of_pool(
        self, pool: Pool, columns: str, order: str = ""
    ) -> tuple[dict[int, LineUp], Iterator[tuple[Any, ...]]]:
        """The pool's line-ups by row, and columns of its games, the id first."""
        row = self.row_ids.pool(pool)
        known = {number: bots for number, (_, bots) in read_line_ups(self.db, "pool", row).items()}
        query = "FROM game JOIN line_up ON line_up.id = game.line_up WHERE pool = ?"
        rows = self.db.execute(f"SELECT {columns} {query}{order}", (row,))
        return known, (cells for cells in rows if cells[0] not in self.damaged)

    def games(self, in_order_of_id: bool = False) -> Iterator[StoredGame]:
        """Yield all games, damaged or not (`arena.store.scan`)."""
        return scan.scan_games_by_id(self.db) if in_order_of_id else scan.scan_games(self.db)

    def drop(self, damaged: Iterable[StoredGame]) -> None:
        """Take damaged games out, so that they can be played again."""
        self.db.execute("PRAGMA foreign_keys = OFF")  # what refers to what may be damaged as well
        with self.writing():
            for table in scan.TABLES:  # an index may have what is damaged under its name of before
                if table != "fault":  # which may have a game's seat twice then
                    self.db.execute(f"REINDEX {table}")
            gone = set()
            for row in damaged:
                gone.add(row.id)
                self.db.execute("DELETE FROM game WHERE rowid = ?", (row.number,))
            # All again: in a table that is out of order no row can be had by its key
            faults = self.db.execute("SELECT * FROM fault")
            stay = [row for row in faults if row[0] not in gone]
            self.db.execute("DELETE FROM fault")
            self.db.executemany("INSERT OR IGNORE INTO fault VALUES (?, ?, ?, ?, ?, ?)", stay)
            for table, key in (("fault WHERE game_id", "id"), ("chunk WHERE id", "chunk"),
                               ("played_on WHERE chunk", "chunk"),
                               ("line_up WHERE NOT unplayed AND id", "line_up")):  # fmt: skip
                self.db.execute(f"DELETE FROM {table} NOT IN (SELECT {key} FROM game)")
        self.db.execute("PRAGMA foreign_keys = ON")
        self.row_ids.forget()

    def find(self, prefix: str) -> list[StoredGame]:
        """The games whose id begins so; three at most. Raises ArenaError where one is damaged."""
        rows = scan.find_games(self.db, prefix, 3) if prefix else ()
        return [self._sound(row) for row in rows]

    def find_all(self, ids: Iterable[str]) -> Iterator[StoredGame]:
        """Yield the games of these ids, in order of id. Raises ArenaError where one is damaged."""
        return map(self._sound, scan.scan_games_of(self.db, ids))

    def _sound(self, row: StoredGame) -> StoredGame:
        if not row.sound:
            raise self._damaged(row.id)
        return row

    def _damaged(self, id: str) -> ArenaError:
        return ArenaError(
            f"{self.path}: game {spell(id)[1:-1]} is damaged; `arena verify` lists all damage, "
            "`arena tournament` plays the game again"
        )


def _fixture(id: str, line_up: LineUp, seating: str, deal: int) -> Fixture:
    """A game's fixture from its columns. Raises ValueError or TypeError where they do not have
    their types.
    """
    if type(deal) is not int:
        raise TypeError(f"{spell(deal)} is no deal")
    return Fixture(id, line_up, parse_seating(seating), deal)


def map_over_store(
    store: Store,
    work: Callable[[Store, Piece], Result],
    pieces: Iterable[Piece],
    steps: Progress = SILENT,
    apart: bool = True,
) -> Iterator[Result]:
    """Yield work(store, piece) of each piece, in their order; each `tick` of the work is a step.

    `apart`: in processes that open the store themselves, unless one state is read; work, pieces and
    results must then be picklable. Else here, which is sooner where the work takes less time than
    processes take to start. Raises ArenaError if a process is lost.
    """
    if apart and not store.db.in_transaction:
        return map_in_processes(
            partial(_work_apart, store.path, store.damaged, work), pieces, steps
        )
    return map_here(partial(work, store), pieces, steps)


def _work_apart(
    path: Path, damaged: Collection[object], work: Callable[[Store, Piece], Result], piece: Piece
) -> Result:
    with closing(Store.open(path, checked=True)) as store:
        store.damaged = damaged
        return work(store, piece)
