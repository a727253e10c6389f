"""Limits on the memory that a results file may take: it may be a hostile stranger's.

Each limit is several times what arena itself writes; more raises what damage raises. Cells of every
connection are limited to `CELL` (`schema.connect`), save within `raise_cell_limit`.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

CELL = 1 << 16
"""Bytes of a cell, where nothing longer is asked for: seatings, names and ids have under a hundred,
line-ups some hundred."""

LONG_CELL = 1 << 27
"""Bytes of a cell that holds what bots are, print or say, or many games: the largest are a bot's
files, 64 MiB with names, and prints, where a config allows as much."""

BODY = 1 << 23
"""Bytes of a game's record, as of a line that `arena judge` reads: those of 17 have up to 22 kB,
and 5 MB with the most turns that its options allow; of the other games 3 kB."""

GAMES, PART = 512, 1 << 24
"""Games of a chunk, and bytes of their records before the last, at most."""

CHUNK = 1 << 26
"""Bytes that a chunk unpacks to: over twice what arena packs."""

PACKED = CHUNK >> 1
"""Bytes of a packed chunk that a host returned: more than `PART` and a `BODY` ever take."""

FILES = 10_000
"""Files of a bot: as many as it may have."""

SOURCE = 112 << 20
"""Bytes that a bot's files unpack to: 64 MiB of content, 10,000 names of 4 KiB, and what tells them
apart."""


def unpack_capped(blob: bytes, most: int) -> bytes:
    """Unpack a zlib stream of at most so many bytes. Raises zlib.error where it is damaged or
    larger: a stream may unpack to a thousand times its size, so it is never unpacked any further.
    """
    stream = zlib.decompressobj()
    content = stream.decompress(blob, most + 1)
    if len(content) > most:
        raise zlib.error(f"it unpacks to more than {most:,} bytes")
    if not stream.eof:
        raise zlib.error("it is cut off")
    return content


@contextmanager
def raise_cell_limit(connection: "sqlite3.Connection", most: int = LONG_CELL) -> Iterator[None]:
    """Let cells have up to so many bytes meanwhile."""
    import sqlite3  # not for workers, which import the limits

    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)
