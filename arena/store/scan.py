"""Stored games as they are in the file, damaged or not, each with whether it is sound.

A damaged page loses its own rows and no others: rows are read one after the other by their numbers,
and those that cannot be read are skipped.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import games
from arena.errors import ArenaError
from arena.faults.kinds import KINDS
from arena.model import Bot, Fixture, Forfeit, LineUp, Pool
from arena.progress import OutOfTime
from arena.records.record import Divergence, judge_record, make_body, make_line
from arena.schedule.order import Schedule
from arena.store import chunk
from arena.store.schema import raise_cell_limit
from arena.store.validation import is_bot, is_pool, numbers, parse_ranks, parse_seating

SMALLEST_ROW = 64  # bytes: how many rows a file can hold at most, where the table does not say

AT_ONCE = 512  # games whose faults and bodies are looked up together
MOST_AT_ONCE = 1 << 14
"""By id. An id is a hash and each session plays in order of them, so that any stretch of ids has
games of a chunk of every session: of long stretches fewer chunks are unpacked, again and again.
Bodies of so many games are some 20 MB."""

LONGEST_ID = 64

TABLES = ("bot", "pool", "line_up", "chunk", "played_on", "game", "fault", "timing")
"""All whose columns have types."""

NO_POOL = Pool("", 0, "{}", "")  # of a game whose line-up cannot be read


class StoredGame(NamedTuple):
    """A stored game as it is in the file: only a sound one has the right types."""

    number: int  # the row's
    pool: Pool
    id: str
    line_up: LineUp
    seating: str  # JSON by seat
    deal: int
    ranks: str  # JSON by seat
    scores: str  # JSON by seat
    body: bytes  # of its record; empty where that is lost
    faults: tuple[Forfeit, ...]  # by seat
    sound: bool  # whether all of this is what was written, and of its form

    @property
    def fixture(self) -> Fixture:
        """A sound game's fixture. Raises ValueError or TypeError where its seating is none."""
        return Fixture(self.id, self.line_up, parse_seating(self.seating), self.deal)

    def find_schedule(self, planned: Mapping[Pool, Schedule]) -> Schedule | None:
        """The schedule that a sound game belongs to; None if no table counts it."""
        schedule = planned.get(self.pool)
        return schedule if schedule is not None and schedule.holds(self.fixture) else None

    @property
    def line(self) -> bytes:
        """The record of a sound game: JSON, without the line's end."""
        return make_line(self.pool, self.fixture, self.faults, self.body)


def scan_games(
    connection: sqlite3.Connection, after: int = -1, room: float = inf
) -> Iterator[StoredGame]:
    """Yield all games, or those after a row, in the order they were stored; of a damaged file, all
    that can be read. Raises OutOfTime once chunks have come to more than `room` bytes.
    """
    rows = scan_table(connection, "game", _COLUMNS, after)
    return _judge(connection, read_line_ups(connection), rows, AT_ONCE, room)


def scan_games_by_id(
    connection: sqlite3.Connection, pool: int | None = None
) -> Iterator[StoredGame]:
    """Yield all games, or those of a pool's row, in order of id. Raises DatabaseError where the
    file is damaged.
    """
    only = "" if pool is None else "WHERE line_up IN (SELECT id FROM line_up WHERE pool = :pool)"
    query = f"SELECT rowid, {_COLUMNS} FROM game {only} ORDER BY id"
    rows = connection.execute(query, {"pool": pool})
    return _judge(connection, read_line_ups(connection, "pool", pool), rows, MOST_AT_ONCE)


def find_games(connection: sqlite3.Connection, prefix: str, most: int) -> Iterator[StoredGame]:
    """Yield the games whose ids begin with some hex digits, `most` at most."""
    query = f"SELECT rowid, {_COLUMNS} FROM game WHERE id >= ? AND id < ? LIMIT ?"
    for row in connection.execute(query, (prefix, prefix + "g", most)).fetchall():
        yield from _judge(connection, read_line_ups(connection, "id", row[2]), iter([row]), 1)


def scan_games_of(connection: sqlite3.Connection, ids: Iterable[str]) -> Iterator[StoredGame]:
    """Yield the games of these ids, in order of id; each chunk is unpacked once or twice."""
    query = f"SELECT rowid, {_COLUMNS} FROM game WHERE id IN (SELECT value FROM json_each(?))"
    with raise_cell_limit(connection):
        rows = connection.execute(f"{query} ORDER BY id", (json.dumps([*ids]),)).fetchall()
    return _judge(connection, read_line_ups(connection), iter(rows), AT_ONCE)


_COLUMNS = "id, line_up, seating, deal, ranks, scores, chunk, index_in_chunk, checksum"


def _judge(
    connection: sqlite3.Connection, known: dict[int, tuple[Pool, LineUp]],
    rows: Iterator[tuple[Any, ...]], most: int, room: float = inf,
) -> Iterator[StoredGame]:  # fmt: skip
    """Yield the games of these rows: few at once first, for callers who want few, then `most`."""

    @lru_cache(1)  # the next games may be of the same chunk
    def unpack(row: object) -> list[bytes]:
        nonlocal room
        if room < 0:
            raise OutOfTime
        try:
            with raise_cell_limit(connection):
                (blob,) = connection.execute("SELECT bodies FROM chunk WHERE id = ?", (row,))
            lines = chunk.unpack_bodies(*blob)
        except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError, OverflowError) as error:
            room -= chunk.UNPACKED if isinstance(error, zlib.error) else 0  # it may be that large
            return []  # none of its games has the checksum that it was stored with
        room -= sum(map(len, lines))
        return lines

    size = AT_ONCE
    while some := list(islice(rows, size)):
        size = min(2 * size, most)
        faults = read_forfeits(connection, (row[1] for row in some))
        for columns, body in _with_bodies(some, unpack):
            number, id, row, seating, deal, ranks, scores, _, _, crc = columns
            pool, line_up = known.get(row, (NO_POOL, ()))
            forfeits = faults.get(id, ())
            whole = body is not None and pool != NO_POOL
            written = (id, seating, deal, ranks, scores)
            sound = whole and is_sound(pool, line_up, written, body or b"", forfeits, crc)
            yield StoredGame(
                number, pool, id, line_up, seating, deal, ranks, scores, body or b"", forfeits,
                sound,
            )  # fmt: skip


def _with_bodies(
    rows: list[tuple[Any, ...]], unpack: Callable[[object], list[bytes]]
) -> Iterator[tuple[tuple[Any, ...], bytes | None]]:
    """Yield the rows with their bodies, as many at once as memory should hold, each chunk unpacked
    once; None where there is none, it is too long, or the chunk is damaged.
    """
    by_chunk: dict[object, list[int]] = {}
    for index, row in enumerate(rows):
        by_chunk.setdefault(row[-3], []).append(index)
    bodies: list[bytes | None] = [None] * len(rows)
    left = chunk.UNPACKED
    for own_chunk, indices in by_chunk.items():
        lines = unpack(own_chunk)
        for index in indices:
            place = rows[index][-2]
            if not isinstance(place, int) or not 0 <= place < len(lines):
                continue
            if len(lines[place]) <= chunk.BODY:
                bodies[index] = lines[place]
                left -= len(lines[place])
        if left < 0:
            del bodies, lines  # or they would be held beside those of the halves
            half = len(rows) // 2
            yield from _with_bodies(rows[:half], unpack)
            yield from _with_bodies(rows[half:], unpack)
            return
    yield from zip(rows, bodies, strict=True)


def is_sound(
    pool: Pool, line_up: LineUp, written: tuple[Any, ...], body: bytes,
    faults: tuple[Forfeit, ...], crc: object,
) -> bool:  # fmt: skip
    """True if a game is what was written, its columns have their types and a value for each seat,
    and its faults are of its seats; `written` is as in `game_checksum`.
    """
    if crc != chunk.game_checksum(pool, line_up, written, body, faults):
        return False
    id, seating, deal, ranks, scores = written
    if type(id) is not str or len(id) > LONGEST_ID or type(deal) is not int:
        return False
    try:
        lists = parse_seating(seating), parse_ranks(ranks), numbers(scores)
    except (ValueError, TypeError):
        return False
    return (
        all(len(one) == pool.players for one in lists)
        and max(lists[0]) < len(line_up)
        and all(0 <= seat < pool.players for seat, _, _ in faults)
    )


def find_illegal(row: StoredGame) -> tuple[str, dict[str, Any]]:
    """Find why a sound game is not one by the rules ("" if it is); returned with its record. What
    is stored has to be all of what the rules write of it, and nothing else: a record from elsewhere
    may end early, say a key twice, or add who else wanted to call.
    """
    try:
        record = json.loads(row.line)
    except (ValueError, RecursionError) as error:
        return f"its record cannot be read ({error})", {}
    try:
        state = judge_record(record)
    except Divergence as error:
        return f"its record breaks the rules: {error}", record
    if state.to_act is not None:
        return "its record ends before the game does", record
    if row.body != make_body(games.load(row.pool.game), state, state.result()):
        return "its record is not the one that the rules make of its setup and actions", record
    return "", record


def read_record(path: Path, row: StoredGame) -> dict[str, Any]:
    """The record of a sound game in the store at `path`. Raises ArenaError where the game is none
    by the rules.
    """
    problem, record = find_illegal(row)
    if problem:
        raise ArenaError(f"{path}: game {row.id}: {problem}; `arena verify` shows details")
    return record


def read_chunk(games: chunk.Chunk, pool: Pool) -> list[StoredGame]:
    """A chunk's games as a store has them. Raises what reading one of those raises."""
    faults = group_by_game([(id, seat, kind, at) for id, seat, _, kind, at, _ in games.faults])
    columns = zip(
        games.ids, games.own_line_ups, games.seatings, games.deals, games.ranks, games.scores,
        chunk.unpack_bodies(games.bodies), games.checksums, strict=True,
    )  # fmt: skip
    rows = []
    for id, number, seating, deal, ranks, scores, body, crc in columns:
        line_up, facts = games.line_ups[number], (seating, deal, ranks, scores)
        forfeits = faults.get(id, ())
        sound = is_sound(pool, line_up, (id, *facts), body, forfeits, crc)
        rows.append(StoredGame(0, pool, id, line_up, *facts, body, forfeits, sound))
    return rows


def read_forfeits(
    connection: sqlite3.Connection, games: Iterable[object]
) -> dict[str, tuple[Forfeit, ...]]:
    """The forfeits in games of these ids, by game, in order of seat; damaged ones are left out."""
    listed = json.dumps([id for id in games if isinstance(id, str)])
    query = (
        "SELECT game_id, seat, kind, action_number FROM fault "
        "WHERE game_id IN (SELECT value FROM json_each(?))"
    )
    with raise_cell_limit(connection):
        return group_by_game(read_rows(connection, query, listed))


def group_by_game(rows: list[tuple[str, int, str, int]]) -> dict[str, tuple[Forfeit, ...]]:
    """Group rows of (id, seat, kind, action) by game, in order of seat, without damaged ones."""
    by_game: dict[str, list[Forfeit]] = {}
    for game, seat, kind, at in rows:
        if type(seat) is int and kind in KINDS and type(at) is int:  # else it is damaged
            by_game.setdefault(game, []).append((seat, kind, at))
    return {game: tuple(sorted(faults)) for game, faults in by_game.items()}


def read_line_ups(
    connection: sqlite3.Connection, column: str = "", value: object = None
) -> dict[int, tuple[Pool, LineUp]]:
    """The pool and bots of every line-up that can be read, by its row; only of those whose `column`
    has a value, if given.
    """
    named = read_rows(connection, "SELECT id, game, players, options, partners FROM pool")
    pools = {row: pool for row, *values in named if is_pool(pool := Pool(*values))}
    named = read_rows(connection, "SELECT id, name, hash FROM bot")
    bots = {row: bot for row, *values in named if is_bot(bot := Bot(*values))}
    line_ups = {}
    where, values = ("", ()) if value is None else (f" WHERE {column} = ?", (value,))
    for row, pool_row, listed in read_rows(
        connection, f"SELECT id, pool, bots FROM line_up{where}", *values
    ):
        with suppress(ValueError, KeyError, TypeError):
            line_up = tuple(bots[bot] for bot in numbers(listed))
            if len(line_up) == pools[pool_row].entrants:
                line_ups[row] = (pools[pool_row], line_up)
    return line_ups


def read_rows(connection: sqlite3.Connection, query: str, *values: object) -> list[tuple[Any, ...]]:
    """A query's rows, as far as they can be read; of a damaged file, not all."""
    rows: list[tuple[Any, ...]] = []
    with suppress(sqlite3.DatabaseError):
        rows.extend(bound_rows(connection, connection.execute(query, values)))
    return rows


def bound_rows(
    connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows. Raises DatabaseError once they come to more bytes than the file has: where
    pages are named again and again, a few of them make rows without end.
    """
    left = _size(connection)
    for row in rows:
        left -= len(row) + sum([len(cell) for cell in row if isinstance(cell, str | bytes)])
        if left < 0:
            raise sqlite3.DatabaseError("rows are larger than the file")
        yield row


def scan_table(
    connection: sqlite3.Connection, table: str, columns: str, last: int = -1
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows after the `last` of a table that has row numbers, each after its number, in
    their order.

    Rows on a damaged page are skipped. Of text that is not UTF-8, what can be read is given.
    """
    end = None
    query = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    raw = ", ".join(f"CAST({column} AS BLOB)" for column in columns.split(", "))
    while end is None or last < end:
        try:
            for row in bound_rows(connection, connection.execute(query, (last,))):
                if row[0] <= last:
                    raise sqlite3.DatabaseError("rows are out of order")
                last = row[0]
                yield row
            return
        except sqlite3.DatabaseError:
            end = end if end is not None else _last_row(connection, table)
        last += 1  # the row after the last one that was read
        try:
            one = f"SELECT rowid, {raw} FROM {table} NOT INDEXED WHERE rowid = ?"
            for number, *cells in connection.execute(one, (last,)):
                yield number, *(c if c is None else c.decode("utf-8", "replace") for c in cells)
        except sqlite3.DatabaseError:
            continue  # its page cannot be read at all


def _last_row(connection: sqlite3.Connection, table: str) -> int:
    try:
        (last,) = connection.execute(f"SELECT max(rowid) FROM {table} NOT INDEXED").fetchone()
        return int(last)
    except (sqlite3.DatabaseError, TypeError):
        return _size(connection) // SMALLEST_ROW


def _size(connection: sqlite3.Connection) -> int:
    """The bytes of all pages."""
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size")
    )
    return int(pages * size)
