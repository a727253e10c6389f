"""Making a whole results file of what can be read of a damaged one."""

import contextlib
import sqlite3
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
            for table in NEEDED:
                _copy_all(damaged, whole, table, path)
            for table in ("chunk", "played_on", "game", "timing"):
                _copy_rows(damaged, whole, table)
            _copy_faults(damaged, whole)
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


def _columns(damaged: Any, whole: Any, table: str) -> str:
    """The columns that both have, with commas; "" if the table is gone, or is no plain one."""
    if not schema.is_plain(damaged, table):
        return ""
    there, wanted = (
        [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for connection in (damaged, whole)
    )
    return ", ".join(column for column in wanted if column in there)


def _copy_all(damaged: Any, whole: Any, table: str, path: Path) -> None:
    columns = _columns(damaged, whole, table)
    try:
        rows = damaged.execute(f"SELECT {columns} FROM {table} NOT INDEXED")
        readable = list(scan.bound_rows(damaged, rows))
    except sqlite3.DatabaseError as error:
        raise ArenaError(
            f"{path}: is damaged where its table `{table}` is ({str(error)[:60]}), without which "
            "the games mean nothing; put a copy in its place, or play anew with --fresh"
        ) from None
    _insert(whole, table, columns, readable)


def _copy_rows(damaged: Any, whole: Any, table: str) -> None:
    if columns := _columns(damaged, whole, table):
        rows = (row[1:] for row in scan.scan_table(damaged, table, columns))
        _insert(whole, table, columns, rows)


def _copy_faults(damaged: Any, whole: Any) -> None:
    """Copy the faults that can be read; a game that misses one shows it by its checksum."""
    columns = _columns(damaged, whole, "fault")
    readable: list[Any] = []
    with contextlib.suppress(sqlite3.DatabaseError):  # it has no row numbers to step over by
        if columns:
            rows = damaged.execute(f"SELECT {columns} FROM fault")
            readable.extend(scan.bound_rows(damaged, rows))
    there = {id for (id,) in whole.execute("SELECT id FROM game")}
    _insert(whole, "fault", columns, [row for row in readable if row[0] in there])


def _insert(whole: Any, table: str, columns: str, rows: Any) -> None:
    if not columns:
        return
    marks = ", ".join("?" * len(columns.split(", ")))
    whole.executemany(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", rows)
