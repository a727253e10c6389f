"""Games of schemas before 4, which kept a whole record in each row, brought into chunks."""

import sqlite3
import zlib
from itertools import islice
from typing import Any

from arena.model import Fixture, Forfeit, LineUp, Pool
from arena.records.format import body_in
from arena.store import caps, checksum, chunk, scan

CHECKSUMS = 2  # the schema that brought them: what is older has none
CHUNKS = 4  # the schema that brought these
SIZE = 512  # games of a chunk
DAMAGED = -1  # no checksum


def bring_over(old: sqlite3.Connection, new: sqlite3.Connection, table: str, version: int) -> None:
    """Write the games of a file of schema `version` into another's tables `chunk` and `table`, in
    the order they were stored. The new file's other tables are filled already.

    Sound games get a checksum of what they are now, damaged ones none. Older arenas kept no
    checksums: their games are taken for what was written.
    """
    known = scan.line_ups(new)
    faults = scan.by_game(scan.readable(old, "SELECT game, seat, kind, at FROM fault"))
    kept = "checksum" if version >= CHECKSUMS else "NULL"
    columns = f"id, line_up, seating, deal, ranks, scores, record, {kept}"
    found = scan.each(old, "game", columns)
    while some := list(islice(found, SIZE)):
        bodies: list[bytes] = []
        rows: list[tuple[Any, ...]] = []
        for _, id, line_up, seating, deal, ranks, scores, record, crc in some:
            body, written = None, (id, seating, deal, ranks, scores)
            own = faults.get(id, ())
            if line_up in known and isinstance(record, bytes):
                if crc is None or crc == checksum.of_game(*known[line_up], written, record, own):
                    body = _body(*known[line_up], written, record, own)
                if body is not None:
                    crc = checksum.of_game(*known[line_up], written, body, own)
            bodies.append(body or b"")
            rows.append((id, line_up, *written[1:], len(rows), DAMAGED if body is None else crc))
        number = new.execute("INSERT INTO chunk (bodies) VALUES (?)", (chunk.packed(bodies),))
        new.executemany(
            f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?, ?, ?, ?, {number.lastrowid}, ?, ?)",
            rows,
        )


def _body(
    pool: Pool, line_up: LineUp, written: tuple[Any, ...], record: bytes, own: tuple[Forfeit, ...]
) -> bytes | None:
    """Return the body of a record; None where it is not what our record of the game would be."""
    id, seating, deal, *_ = written
    try:
        fixture = Fixture(id, line_up, scan.seating_of(seating), deal)
        return body_in(caps.unpacked(record, caps.BODY), pool, fixture, own)
    except (zlib.error, ValueError, LookupError, TypeError):
        return None
