"""Reading the bodies of stored games: a chunk is unpacked for many of its games at once."""

import sqlite3
import zlib
from collections.abc import Sequence

from arena.store import caps, chunk, guard


class Bodies:
    """The bodies in one file.

    The chunk that was unpacked last is kept: the next games may be of it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._last: object = None
        self._lines: list[bytes] = []

    def at(self, places: Sequence[tuple[object, object]]) -> list[bytes | None] | None:
        """Return the bodies at (chunk's row, place in it), each chunk unpacked once; None where
        there is none, it is too long, or the chunk is damaged. None for all if together they are
        longer than a chunk may be, and more than one is asked for.
        """
        left = caps.CHUNK if len(places) > 1 else caps.BODY
        found: list[bytes | None] = []
        by_chunk: dict[object, list[tuple[int, object]]] = {}
        for index, (row, place) in enumerate(places):
            found.append(None)
            by_chunk.setdefault(row, []).append((index, place))
        for row, asked in by_chunk.items():
            lines = self._unpacked(row)
            for index, place in asked:
                if not isinstance(place, int) or not 0 <= place < len(lines):
                    continue
                if len(lines[place]) <= caps.BODY:
                    found[index] = lines[place]
                    left -= len(lines[place])
                    if left < 0:
                        return None
        return found

    def _unpacked(self, row: object) -> list[bytes]:
        if row != self._last:
            self._last, self._lines = row, []
            try:
                with guard.raised(self._db):
                    (blob,) = self._db.execute("SELECT bodies FROM chunk WHERE id = ?", (row,))
                self._lines = chunk.unpacked(*blob)
            except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError, OverflowError):
                pass  # none of its games has the checksum that it was stored with
        return self._lines
