"""Connections to a file that may be a stranger's: nothing in it runs, and its cells are capped."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from arena.store import caps


def guarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection, the file's schema not trusted, and its cells capped."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, caps.CELL)
    return connection


def disk_failed(error: sqlite3.Error) -> bool:
    """Return whether nothing is wrong with a file but that its disk takes no more."""
    return getattr(error, "sqlite_errorcode", 0) in (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    )


@contextmanager
def raised(connection: sqlite3.Connection, most: int = caps.LONG_CELL) -> Iterator[None]:
    """Let cells have up to so many bytes meanwhile."""
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, most)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)
