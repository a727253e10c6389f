"""Stored games as they lie there, whatever has become of them: each with whether it is sound."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from arena import checksum, salvage
from arena.model import Bot, Pool

NO_POOL = Pool("", 0, "{}", "")  # of a game whose line-up cannot be read


class Row(NamedTuple):
    """A stored game as it lies there: only of a sound one the types are right."""

    number: int  # the row's
    pool: Pool
    id: str
    line_up: tuple[Bot, ...]
    seating: str  # JSON by seat
    deal: int
    ranks: str  # JSON by seat
    scores: str  # JSON by seat
    record: bytes  # packed
    faults: checksum.Faults
    sound: bool  # whether all of this is what was written


def games(connection: sqlite3.Connection, in_order_of_id: bool = False) -> Iterator[Row]:
    """Yield all games as they lie there: of a damaged file, all that can be read.

    They come in the order they were stored, or of their ids (not of a damaged file).
    """
    known = line_ups(connection)
    faults = checksum.by_game(readable(connection, "SELECT game, seat, kind, at FROM fault"))
    columns = "id, line_up, seating, deal, ranks, scores, record, checksum"
    found = (
        connection.execute(f"SELECT rowid, {columns} FROM game ORDER BY id")
        if in_order_of_id
        else salvage.rows(connection, "game", columns)
    )
    for number, id, row, seating, deal, ranks, scores, record, crc in found:
        pool, line_up = known.get(row, (NO_POOL, ()))
        own = faults.get(id, ())
        whole = isinstance(record, bytes) and pool != NO_POOL
        written = (id, seating, deal, ranks, scores)
        sound = whole and crc == checksum.of_game(pool, line_up, written, record, own)
        yield Row(
            number, pool, id, line_up, seating, deal, ranks, scores, record, own, sound
        )  # fmt: skip


def line_ups(connection: sqlite3.Connection) -> dict[int, tuple[Pool, tuple[Bot, ...]]]:
    """Return pool and bots by line-up's row, of those that can be read."""
    pools = {row: Pool(*pool) for row, *pool in readable(connection, "SELECT * FROM pool")}
    bots = {row: Bot(*bot) for row, *bot in readable(connection, "SELECT id, name, hash FROM bot")}
    found = {}
    for row, pool, listed in readable(connection, "SELECT id, pool, bots FROM line_up"):
        with suppress(ValueError, KeyError, TypeError):
            found[row] = (pools[pool], tuple(bots[bot] for bot in json.loads(listed)))
    return found


def readable(connection: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Return what can be read of a query's rows; of a damaged file, not all."""
    found: list[tuple[Any, ...]] = []
    with suppress(sqlite3.DatabaseError):
        found.extend(connection.execute(query, values))
    return found
