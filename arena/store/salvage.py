"""Making a whole results file of what can be read of a damaged one."""

import contextlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.store import scan, schema
from arena.store.schema import raise_cell_limit
from arena.system import find_free_path

NEEDED = ("meta", "bot", "pool", "line_up")
"""Tables without which the games mean nothing."""


def find_damage(connection: sqlite3.Connection, most: int = 1) -> list[str]:
    """Find what is wrong with the file's structure: up to `most` things. For more than one SQLite
    takes a closer look, at indices too.
    """
    check = "quick_check" if most == 1 else "integrity_check"
    try:
        flaws = [str(row[0]) for row in connection.execute(f"PRAGMA {check}({most})")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if flaws == ["ok"] else [line for each in flaws for line in each.splitlines()[-1:]]


def rebuild(path: Path) -> Path:
    """Put a whole file, with everything that can be read, in the place of a damaged one; return
    where the damaged one is kept. Raises ArenaError where too little can be read to go on.
    """
    draft = path.with_name(f".{path.name}.salvaged")
    schema.remove_files(draft)
    damaged = schema.connect(path, "ro")
    schema.make_private(draft)
    whole = schema.connect(draft, "rw")
    try:
        schema.create(whole)
        with whole, raise_cell_limit(damaged), raise_cell_limit(whole):
            for table in (*NEEDED, "chunk", "played_on", "game", "timing", "fault"):
                _copy_table(damaged, whole, table, path)
        whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except BaseException as error:
        whole.close()
        schema.remove_files(draft)
        if not isinstance(error, sqlite3.DatabaseError):
            raise
        if schema.is_disk_full(error):
            raise ArenaError(
                f"{path}: is damaged, and what can be read of it does not fit beside it ({error}); "
                "make room there"
            ) from None
        raise ArenaError(
            f"{path}: is damaged beyond reading ({str(error)[:60]}); put a copy in its place, or "
            "play anew with --fresh"
        ) from None
    finally:
        whole.close()
        damaged.close()
    for each in schema.find_files(path):
        with contextlib.suppress(FileNotFoundError, PermissionError):  # or another user's
            each.chmod(0o600)
    aside = find_free_path(path.with_name(f"{path.name}.damaged"))
    for old, new in zip(schema.find_files(path)[1:], schema.find_files(aside)[1:], strict=True):
        if old.exists():  # first, or SQLite would apply it to the new file
            old.rename(new)
    aside.hardlink_to(path)
    draft.replace(path)  # at no moment is there no file
    return aside


def _copy_table(
    damaged: sqlite3.Connection, whole: sqlite3.Connection, table: str, path: Path
) -> None:
    """Copy what can be read of a table. Raises ArenaError where it is one of `NEEDED`, and cannot
    be read as a whole.
    """
    columns = _columns(damaged, whole, table)
    query = f"SELECT {columns} FROM {table} NOT INDEXED"
    rows: Iterable[tuple[Any, ...]]
    if table in NEEDED:
        try:
            rows = list(scan.bound_rows(damaged, damaged.execute(query)))
        except sqlite3.DatabaseError as error:
            raise ArenaError(
                f"{path}: is damaged where its table `{table}` is ({str(error)[:60]}), without "
                "which the games mean nothing; put a copy in its place, or play anew with --fresh"
            ) from None
    elif not columns:
        return
    elif table == "fault":  # no row numbers to step over by; a game that misses one shows it
        there = {id for (id,) in whole.execute("SELECT id FROM game")}
        rows = [row for row in scan.read_rows(damaged, query) if row[0] in there]
    else:
        rows = (row[1:] for row in scan.scan_table(damaged, table, columns))
    marks = ", ".join("?" * len(columns.split(", ")))
    whole.executemany(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", rows)


def _columns(damaged: sqlite3.Connection, whole: sqlite3.Connection, table: str) -> str:
    """The columns that both have, with commas; "" if the table is gone, or is no plain one."""
    if not schema.is_plain(damaged, table):
        return ""
    there, wanted = (
        [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for connection in (damaged, whole)
    )
    return ", ".join(column for column in wanted if column in there)
