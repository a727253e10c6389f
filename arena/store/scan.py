"""Stored games as they lie there, whatever has become of them: each with whether it is sound.

A damaged page loses the rows on it and no others: rows are read one after the other by their
numbers, and those that cannot be read are stepped over.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from arena.model import Bot, Fixture, LineUp, Pool
from arena.store import checksum

SMALLEST_ROW = 64  # bytes: how many rows a file can hold at most, where the table does not say
AT_ONCE = 500  # games whose faults are looked up together
NO_POOL = Pool("", 0, "{}", "")  # of a game whose line-up cannot be read


class StoredGame(NamedTuple):
    """A stored game as it lies there: only of a sound one the types are right."""

    number: int  # the row's
    pool: Pool
    id: str
    line_up: LineUp
    seating: str  # JSON by seat
    deal: int
    ranks: str  # JSON by seat
    scores: str  # JSON by seat
    record: bytes  # packed
    faults: checksum.Faults
    sound: bool  # whether all of this is what was written

    @property
    def fixture(self) -> Fixture:
        """What tells the game, of a sound one."""
        return Fixture(self.id, self.line_up, tuple(json.loads(self.seating)), self.deal)


def games(connection: sqlite3.Connection, in_order_of_id: bool = False) -> Iterator[StoredGame]:
    """Yield all games as they lie there: of a damaged file, all that can be read.

    They come in the order they were stored, or of their ids (not of a damaged file).
    """
    known = line_ups(connection)
    columns = "id, line_up, seating, deal, ranks, scores, record, checksum"
    found = (
        connection.execute(f"SELECT rowid, {columns} FROM game ORDER BY id")
        if in_order_of_id
        else each(connection, "game", columns)
    )
    while some := list(islice(found, AT_ONCE)):
        faults = _faults_of(connection, [row[1] for row in some])
        for number, id, row, seating, deal, ranks, scores, record, crc in some:
            pool, line_up = known.get(row, (NO_POOL, ()))
            own = faults.get(id, ())
            whole = isinstance(record, bytes) and pool != NO_POOL
            written = (id, seating, deal, ranks, scores)
            sound = whole and crc == checksum.of_game(pool, line_up, written, record, own)
            yield StoredGame(
                number, pool, id, line_up, seating, deal, ranks, scores, record, own, sound
            )  # fmt: skip


def _faults_of(connection: sqlite3.Connection, ids: list[Any]) -> dict[str, checksum.Faults]:
    marks = ", ".join("?" * len(ids))
    query = f"SELECT game, seat, kind, at FROM fault WHERE game IN ({marks})"
    return checksum.by_game(readable(connection, query, *ids))


def fill_in_checksums(connection: sqlite3.Connection) -> None:
    """Take all games for what was written: older arenas kept no checksums."""
    known = line_ups(connection)
    faults = checksum.by_game(readable(connection, "SELECT game, seat, kind, at FROM fault"))
    columns = "id, line_up, seating, deal, ranks, scores, record"
    for number, id, row, *rest, record in list(each(connection, "game", columns)):
        if row in known:  # else it stays damaged
            crc = checksum.of_game(*known[row], (id, *rest), record, faults.get(id, ()))
            connection.execute("UPDATE game SET checksum = ? WHERE rowid = ?", (crc, number))


def line_ups(
    connection: sqlite3.Connection, pool: int | None = None
) -> dict[int, tuple[Pool, LineUp]]:
    """Return pool and bots by line-up's row, of those that can be read; of one pool, if given."""
    pools = {row: Pool(*pool) for row, *pool in readable(connection, "SELECT * FROM pool")}
    bots = {row: Bot(*bot) for row, *bot in readable(connection, "SELECT id, name, hash FROM bot")}
    found = {}
    of_pool, values = ("", ()) if pool is None else (" WHERE pool = ?", (pool,))
    query = f"SELECT id, pool, bots FROM line_up{of_pool}"
    for row, own, listed in readable(connection, query, *values):
        with suppress(ValueError, KeyError, TypeError):
            found[row] = (pools[own], tuple(bots[bot] for bot in json.loads(listed)))
    return found


def readable(connection: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Return what can be read of a query's rows; of a damaged file, not all."""
    found: list[tuple[Any, ...]] = []
    with suppress(sqlite3.DatabaseError):
        found.extend(connection.execute(query, values))
    return found


def each(connection: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table that has row numbers, each after its number, in their order.

    What lies on a damaged page is stepped over; of text that is none, what can be read is given.
    """
    last, end = -1, None
    query = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    raw = ", ".join(f"CAST({column} AS BLOB)" for column in columns.split(", "))
    while end is None or last < end:
        try:
            for row in connection.execute(query, (last,)):
                last = row[0]
                yield row
            return
        except sqlite3.DatabaseError:
            end = end if end is not None else _last_row(connection, table)
        last += 1  # the row after the last one that was read
        try:
            one = f"SELECT rowid, {raw} FROM {table} NOT INDEXED WHERE rowid = ?"
            for number, *values in connection.execute(one, (last,)):
                yield number, *(_text(value) for value in values)
        except sqlite3.DatabaseError:
            continue  # its page cannot be read at all


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def _last_row(connection: sqlite3.Connection, table: str) -> int:
    try:
        (last,) = connection.execute(f"SELECT max(rowid) FROM {table} NOT INDEXED").fetchone()
        return int(last)
    except (sqlite3.DatabaseError, TypeError):
        (pages,), (size,) = (
            connection.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size")
        )
        return int(pages * size // SMALLEST_ROW)
