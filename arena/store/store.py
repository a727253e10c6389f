"""The store: `results/NAME/arena.sqlite`, the truth about a tournament. One writer at a time.

Finished games come in batches, each batch whole or not at all. Games are never taken out, unless
they are damaged: what counts for the tables is decided by the plan, which is kept here too. The
schema is documented in `results/README.md`.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import ArenaError
from arena.model import Bot, Fixture, LineUp, Outcome, Played, Pool, Tally, Timing
from arena.records.format import unpacked
from arena.store import checksum, opening, schema
from arena.store.row_ids import Keys
from arena.store.scan import StoredGame, games, line_ups, readable

Holds = Callable[[Fixture], bool]
"""Says of a stored game whether it is one of those that are wanted."""


class Store:
    """An open results file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None = None) -> None:
        self.path = path
        self.db = connection  # for this wing: SQL is said nowhere else
        self._lock = lock
        self._keys = Keys(connection)

    @classmethod
    def create_or_open(cls, folder: Path, say: Callable[[str], None] = print) -> "Store":
        """Return the store in a results folder, for writing (`opening.for_writing`)."""
        return cls(*opening.for_writing(folder, say))

    @classmethod
    def open(cls, given: Path) -> "Store":
        """Return the store in a results folder, or this file, for reading."""
        return cls(*opening.for_reading(given))

    @property
    def public(self) -> bool:
        """Whether this is a published copy, without the secret."""
        return bool(self.meta("public"))

    def close(self) -> None:
        """Close the file, and let others write."""
        self.db.close()
        if self._lock is not None:
            os.close(self._lock)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction: all of it or nothing. Raises ArenaError where it cannot be written."""
        try:
            with self.db:
                yield
        except sqlite3.Error as error:
            self._keys.forget()  # rows that were made in it are gone again
            raise ArenaError(
                f"{self.path}: cannot be written ({error}); what was stored before is safe, "
                "the same command goes on from there"
            ) from error

    def meta(self, key: str) -> Any:
        """Return a value kept under `key`; None if there is none."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def set_meta(self, key: str, value: object) -> None:
        """Keep a value under `key`."""
        with self._writing():
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def keep_bot(self, bot: Bot, source: Sequence[tuple[str, bytes]]) -> None:
        """Keep a bot and its files, so that its games can be played again."""
        blob = zlib.compress(msgspec.msgpack.encode(source))
        with self._writing():
            self.db.execute(
                "INSERT INTO bot (name, hash, source) VALUES (?, ?, ?) "
                "ON CONFLICT (name, hash) DO UPDATE SET source = excluded.source",
                (bot.name, bot.hash, blob),
            )

    def keep_unplayed(self, pool: Pool, line_ups: Iterable[LineUp]) -> None:
        """Note line-ups that cannot be played: no side of them loads."""
        with self._writing():
            for line_up in line_ups:
                row = self._keys.made_line_up(pool, line_up)
                self.db.execute("UPDATE line_up SET unplayed = 1 WHERE id = ?", (row,))

    def unplayed(self, pool: Pool) -> set[LineUp]:
        """Return the line-ups noted as not playable."""
        known = line_ups(self.db, self._keys.pool(pool))
        rows = self.db.execute(
            "SELECT id FROM line_up WHERE unplayed AND pool = ?", (self._keys.pool(pool),)
        )
        return {known[row][1] for (row,) in rows if row in known}

    def problems(self) -> list[str]:
        """Return what SQLite finds wrong with the file, ten things at most."""
        try:
            found = [row[0] for row in self.db.execute("PRAGMA integrity_check(10)")]
        except sqlite3.DatabaseError as error:
            return [str(error)]
        return ([] if found == ["ok"] else found) + schema.differences(self.db)

    def source_of(self, bot: Bot) -> tuple[tuple[str, bytes], ...] | None:
        """Return a bot's files, by path; None where they are not kept. Raises ArenaError."""
        row = self.db.execute(
            "SELECT source FROM bot WHERE name = ? AND hash = ?", (bot.name, bot.hash)
        ).fetchone()
        if row is None or not row[0]:
            return None
        try:
            files = zlib.decompress(row[0])
            return msgspec.msgpack.decode(files, type=tuple[tuple[str, bytes], ...])
        except (zlib.error, msgspec.MsgspecError, TypeError) as error:
            what = f"the source of {bot.name} is damaged ({error})"
            raise ArenaError(f"{self.path}: {what}") from None

    def bots(self) -> list[Bot]:
        """Return every version of every bot that is kept, by name."""
        return [
            Bot(*row) for row in readable(self.db, "SELECT name, hash FROM bot ORDER BY name, id")
        ]

    def count(self) -> int:
        """Return how many games are stored."""
        return int(self.db.execute("SELECT count(*) FROM game").fetchone()[0])

    def knows(self, pool: Pool) -> bool:
        """Return whether anything is kept of a pool."""
        return self._keys.pool(pool) >= 0

    def played(self, pool: Pool) -> Iterator[Fixture]:
        """Yield each stored game of a pool, damaged ones left out."""
        known, rows = self._of_pool(pool, "game.id, line_up, seating, deal")
        for id, row, seating, deal in rows:
            try:
                game = Fixture(id, known[row], _read(seating), int(deal))
            except (msgspec.MsgspecError, LookupError, TypeError, ValueError):
                continue
            yield game

    def add(self, pool: Pool, games: Iterable[Played]) -> None:
        """Store finished games: all of them, or none if that fails. Raises ArenaError."""
        with self._writing():
            for played in games:
                self._add(pool, played)

    def _add(self, pool: Pool, played: Played) -> None:
        fixture = played.fixture
        row = self._keys.made_line_up(pool, fixture.line_up)
        seating, ranks, scores = map(_listed, (fixture.seating, played.ranks, played.scores))
        faults = tuple((fault.seat, fault.reason.kind, fault.action) for fault in played.faults)
        written = (fixture.id, seating, fixture.deal, ranks, scores)
        crc = checksum.of_game(pool, fixture.line_up, written, played.record, faults)
        self.db.execute(
            "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (fixture.id, row, seating, fixture.deal, ranks, scores, played.record, crc),
        )
        for fault in played.faults:
            bot = self._keys.bot(fixture.line_up[fixture.seating[fault.seat]])
            self.db.execute(
                "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?)",
                (fixture.id, fault.seat, bot, fault.reason.kind, fault.action, fault.reason.text),
            )

    def add_tally(self, pool: Pool, bot: Bot, versions: str, tally: Tally) -> None:
        """Store what a bot's processes used in a session, and what they printed."""
        notes = json.dumps(tally.notes)
        with self._writing():
            self.db.execute(
                "INSERT INTO timing (pool, bot, decisions, cpu_s, versions, notes, printed, "
                "worst_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (self._keys.made_pool(pool), self._keys.bot(bot), tally.decisions, tally.cpu_s,
                 versions, notes, tally.printed, tally.worst_s),
            )  # fmt: skip

    def timings(self) -> list[Timing]:
        """Return what each bot used in each pool, in order of both."""
        rows = self.db.execute(
            "SELECT game, players, options, partners, name, sum(decisions), sum(cpu_s), "
            "max(worst_s) FROM timing "
            "JOIN pool ON pool.id = timing.pool JOIN bot ON bot.id = timing.bot "
            "GROUP BY pool.id, name ORDER BY game, players, options, partners, name"
        )
        return [Timing(Pool(*row[:4]), *row[4:]) for row in rows]

    def outcomes(self, pool: Pool, holds: Holds) -> Iterator[tuple[Outcome, int]]:
        """Yield (outcome, deal) of those of the pool's games that `holds` takes, in order of id."""
        faults: dict[str, list[tuple[int, str]]] = {}
        for game, seat, kind in self.db.execute(
            "SELECT game, seat, kind FROM fault JOIN game ON game.id = fault.game "
            "JOIN line_up ON line_up.id = game.line_up WHERE pool = ?",
            (self._keys.pool(pool),),
        ):
            faults.setdefault(game, []).append((seat, kind))
        decode = msgspec.json.decode
        columns = "ranks, scores"
        for game, (ranks, scores) in self._games(pool, columns, holds):
            kinds = [""] * len(game.seating)
            try:
                for seat, kind in faults.get(game.id, ()):
                    kinds[seat] = kind
                ended = tuple(decode(ranks)), tuple(decode(scores))
            except (msgspec.MsgspecError, LookupError, TypeError):
                raise self._damaged(game.id) from None
            bots = tuple([game.line_up[index].name for index in game.seating])
            yield Outcome(game.id, bots, *ended, tuple(kinds)), game.deal

    def lines(self, pool: Pool, holds: Holds) -> Iterator[bytes]:
        """Yield the records of those of the pool's games that `holds` takes, in order of id."""
        for game, (record,) in self._games(pool, "record", holds):
            yield self._line(game.id, record)

    def _games(
        self, pool: Pool, columns: str, holds: Holds
    ) -> Iterator[tuple[Fixture, tuple[Any, ...]]]:
        """Yield those of the pool's games that `holds` takes, each with columns of it, in order of
        id.
        """
        named = f"game.id, line_up, seating, deal, {columns}"
        known, rows = self._of_pool(pool, named, " ORDER BY game.id")
        for id, row, seating, deal, *rest in rows:
            try:
                game = Fixture(id, known[row], _read(seating), deal)
                taken = holds(game)
            except (msgspec.MsgspecError, LookupError, TypeError):
                raise self._damaged(id) from None
            if taken:
                yield game, tuple(rest)

    def _of_pool(
        self, pool: Pool, columns: str, order: str = ""
    ) -> tuple[dict[int, LineUp], Iterator[tuple[Any, ...]]]:
        """Return the pool's line-ups by row, and columns of its games."""
        row = self._keys.pool(pool)
        known = {number: bots for number, (_, bots) in line_ups(self.db, row).items()}
        query = "FROM game JOIN line_up ON line_up.id = game.line_up WHERE pool = ?"
        return known, self.db.execute(f"SELECT {columns} {query}{order}", (row,))

    def games(self, in_order_of_id: bool = False) -> Iterator[StoredGame]:
        """Yield all games as they lie there (`arena.store.scan`)."""
        return games(self.db, in_order_of_id)

    def versions(self) -> list[dict[str, str]]:
        """Return the different versions of Python and packages that sessions were played with."""
        rows = self.db.execute("SELECT DISTINCT versions FROM timing ORDER BY versions")
        found = []
        for (told,) in rows:
            with suppress(ValueError, TypeError):  # damaged: it only warns
                found.append(dict(json.loads(told)))
        return found

    def drop(self, damaged: Iterable[StoredGame]) -> None:
        """Take games out that are damaged, so that they can be played again."""
        with self._writing():
            self.db.execute("REINDEX game")  # it may have a damaged id under another name
            for row in damaged:
                self.db.execute("DELETE FROM fault WHERE game = ?", (row.id,))
                self.db.execute("DELETE FROM game WHERE rowid = ?", (row.number,))
            self.db.execute("DELETE FROM fault WHERE game NOT IN (SELECT id FROM game)")
            self.db.execute(
                "DELETE FROM line_up WHERE NOT unplayed AND id NOT IN (SELECT line_up FROM game)"
            )
        self._keys.forget()

    def find(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return (id, record) of the games whose id begins so; three at most."""
        if not prefix or set(prefix) - set("0123456789abcdef"):
            return []
        rows = self.db.execute(
            "SELECT id, record FROM game WHERE id >= ? AND id < ? LIMIT 3", (prefix, prefix + "g")
        )
        return [(id, self._line(id, record)) for id, record in rows]

    def _line(self, id: str, record: bytes) -> bytes:
        try:
            return unpacked(record)
        except (zlib.error, TypeError):
            raise self._damaged(id) from None

    def _damaged(self, id: str) -> ArenaError:
        return ArenaError(
            f"{self.path}: game {id} is damaged; `arena verify` says what else is, `arena "
            "tournament` plays it again"
        )


def _listed(numbers: tuple[int, ...]) -> str:
    """Return the numbers as JSON: what json.dumps says, in a third of its time."""
    return f"[{', '.join(map(str, numbers))}]"


@lru_cache(1 << 13)
def _read(seating: str) -> tuple[int, ...]:
    """Return a seating of JSON. Raises MsgspecError or TypeError where it is none."""
    return msgspec.json.decode(seating, type=tuple[int, ...])
