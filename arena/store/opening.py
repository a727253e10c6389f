"""Opening a results file: by one writer at a time, and only if it is whole, ours and of this
version. Of a damaged one, a whole one is made of what can be read.
"""

import os
import shlex
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, UsageError
from arena.store import scan, schema
from arena.store.schema import FILE, PUBLIC_FILE, raise_cell_limit
from arena.system.abilities import WINDOWS
from arena.system.folders import find_free_path
from arena.system.locks import find_holder, find_lack, lock_folder

LOG_PAGES = 4_000  # of SQLite's log, 4 KiB each, before they go into the file

NEEDED = ("meta", "bot", "pool", "line_up")  # tables without which the games mean nothing

_ELSEWHERE = "choose another folder with --results"

_NO_SECRET = "SELECT 1 FROM meta WHERE key IN ('revealed', 'seed_given') AND value"


def open_for_writing(
    folder: Path, say: Callable[[str], None]
) -> tuple[Path, sqlite3.Connection, int]:
    """Open the file of a results folder for writing, and make what is missing: its path, a
    connection and the lock.

    A damaged file is replaced by what can be read of it. `say` gets a line about that, and one
    where other users may read a secret in the file. Raises UsageError where the folder holds
    something else or another arena writes to it; nothing is written then.
    """
    check_place(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror}); {_ELSEWHERE}") from None
    path, lock = folder / FILE, _lock(folder)
    try:
        warning = _open_to_others(path)
        connection = _writable(path, say)
        if warning and not scan.read_rows(connection, _NO_SECRET):
            say(warning)
        return path, connection, lock
    except BaseException:
        os.close(lock)
        raise


def check_place(folder: Path) -> None:
    """Raise UsageError if results cannot go to the folder: the folder, or the one that it would be
    made in, is a file, cannot be written to or cannot be locked, or it holds something else.
    """
    path = folder / FILE
    try:
        there = next(place for place in (path, folder, *folder.parents) if place.exists())
    except PermissionError:
        raise UsageError(f"{folder}: no access; {_ELSEWHERE}") from None
    if there != path and not there.is_dir():
        raise UsageError(f"{there}: is a file, not a folder; {_ELSEWHERE}")
    if not os.access(there, os.W_OK if there == path else os.R_OK | os.W_OK | os.X_OK):
        raise UsageError(f"{there}: not writable; change its permissions, or {_ELSEWHERE}")
    if there == folder and any(folder.iterdir()):
        raise UsageError(
            f"{folder}: not empty, and not a results folder (no {FILE} in it); {_ELSEWHERE}"
        )
    _check_disk(folder, there if there.is_dir() else folder)


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep other arenas out of a results folder, damaged or not. Raises UsageError if its file is
    not ours, or another arena is playing there.
    """
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder}: no {FILE} in it; a results folder is results/NAME")
    _check_disk(folder, folder)
    lock = _lock(folder)
    try:
        with closing(connect_reader(path)) as connection:
            if not schema.is_blank(connection):  # else its making was cut off
                schema.check_version(connection, path)
        yield
    finally:
        os.close(lock)


def open_for_reading(given: Path) -> tuple[Path, sqlite3.Connection]:
    """Open a results file, damaged or not, for reading: its path, and a connection. `given` is the
    file, or a folder with one in it.

    Nothing is written to the file. Raises UsageError if there is none, ArenaError if it cannot be
    read.
    """
    places = (given, given / FILE, given / PUBLIC_FILE)
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise UsageError(f"{given}: no {FILE} in it; a results folder is results/NAME")
    connection = connect_reader(path)
    if schema.is_blank(connection):
        raise UsageError(f"{path}: no games here yet; play some with `arena tournament`")
    schema.check_version(connection, path)
    connection.execute("PRAGMA query_only = ON")
    return path, connection


def find_problems(connection: sqlite3.Connection, most: int = 1) -> list[str]:
    """Find the problems of a file itself: tables that are not ours, or up to `most` flaws in its
    structure. For more than one SQLite takes a closer look, at indices too. Only a sound file has
    every row once, so that reading it comes to an end.
    """
    if wrong := schema.find_differences(connection):
        return wrong
    check = "quick_check" if most == 1 else "integrity_check"
    try:
        flaws = [str(row[0]) for row in connection.execute(f"PRAGMA {check}({most})")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if flaws == ["ok"] else [line for flaw in flaws for line in flaw.splitlines()[-1:]]


def connect_reader(path: Path) -> sqlite3.Connection:
    """Connect to a file without writing to it. Raises UsageError where only its owner may read it,
    as arena makes it.
    """
    if not os.access(path, os.R_OK):
        raise UsageError(
            f"{path}: you have no permission to read it, because it holds the secret of the deals; "
            "ask its owner for an export (`arena export`)"
        )
    logged = 0
    with suppress(FileNotFoundError):
        logged = path.with_name(f"{path.name}-wal").stat().st_size
    if logged:
        _check_disk(path.parent, path.parent)
        mode = "ro"  # with "rw" SQLite would move the log into the file at the end
    elif os.access(path.parent, os.W_OK) and not find_lack(path.parent):
        mode = "rw"  # WAL needs its side files even to be read; "ro" would leave them behind
    else:
        mode = "ro&immutable=1"  # they cannot be made or used, so no process writes
    return schema.connect(path, mode)


def explain_no_room(error: sqlite3.Error) -> str:
    """Say where SQLite's own files found no room, and what to do; "" for any other error."""
    if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_FULL:
        return ""
    given = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"))
    places = (*filter(None, given), "/var/tmp", "/usr/tmp", "/tmp")  # in SQLite's order
    place = next((place for place in places if os.access(place, os.W_OK | os.X_OK)), ".")
    return f"{place}: no space there to sort a results file; set TMPDIR to a folder with free space"


def _check_disk(folder: Path, place: Path) -> None:
    """Raise UsageError if a results folder, or where it would be made, lacks what results need."""
    if lack := find_lack(place):
        copy = f"copy it to a local disk (cp -a {shlex.quote(str(folder))} DIR) and use that"
        what = copy if (folder / FILE).exists() else "choose a folder on a local disk"
        raise UsageError(f"{place}: {lack}, which results need; {what}: --results DIR")


def _lock(folder: Path) -> int:
    """A descriptor that keeps other arenas from writing. Raises UsageError if another has it."""
    try:
        return lock_folder(folder)
    except BlockingIOError:
        holder = find_holder(folder)
    if holder is None:
        why = "locked by another process, perhaps Arena, which is playing here; wait for it"
    elif holder.uid == os.getuid():
        why = f"another Arena process is playing here (process {holder.pid}); wait for it"
    else:
        why = (
            f"locked by process {holder.pid} of another user, {holder.user}; if that is not Arena, "
            f"ask {holder.user} to end it, and restrict access (chmod go-rwx)"
        )
    raise UsageError(f"{folder}: {why}, or {_ELSEWHERE}")


def _open_to_others(path: Path) -> str:
    """A warning where other users may read a file, or one of SQLite's beside it; else ""."""
    for file in () if WINDOWS else schema.find_files(path):  # where modes tell nothing
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & 0o077:
                return (
                    f"warning: {file}: other users can read it (mode {mode:04o}), including the "
                    f"secret of the deals; keep them out: chmod go-rwx {shlex.quote(str(path))}*"
                )
    return ""


def _writable(path: Path, say: Callable[[str], None]) -> sqlite3.Connection:
    schema.make_private(path)
    connection = schema.connect(path, "rw")
    if schema.is_blank(connection):  # new, or its making was cut off
        path.chmod(0o600)
        try:
            schema.create(connection)
        except sqlite3.OperationalError as error:
            raise ArenaError(f"{path}: cannot be made ({error})") from None
    else:
        schema.check_version(connection, path)
        _refuse_published(connection, path)
        if damage := find_problems(connection):
            connection.close()
            aside = rebuild(path)
            say(
                f"{path} is damaged ({', '.join(damage)}): readable games are kept, "
                f"lost games are played again. The damaged file is saved as {aside}"
            )
            connection = schema.connect(path, "rw")
            _refuse_published(connection, path)  # if that could not be read before
    connection.execute("PRAGMA synchronous = FULL")
    # Ids are hashes: each session touches pages all over their index, copied once a checkpoint
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _refuse_published(connection: sqlite3.Connection, path: Path) -> None:
    """Raise UsageError if the file says, as far as it can be read, that it is a published copy."""
    if scan.read_rows(connection, "SELECT 1 FROM meta WHERE key = 'public' AND value"):
        connection.close()
        raise UsageError(
            f"{path}: is a published copy without the secret of the deals, so play cannot "
            "continue; choose another folder with --results"
        )


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
                f"{path}: is damaged, and there is no space next to it for its readable games "
                f"({error}); free some space"
            ) from None
        raise ArenaError(
            f"{path}: is damaged and unreadable ({str(error)[:60]}); restore a copy, or "
            f"start over with --fresh"
        ) from None
    finally:
        whole.close()
        damaged.close()
    for file in schema.find_files(path):
        with suppress(FileNotFoundError, PermissionError):  # or another user's
            file.chmod(0o600)
    aside = find_free_path(path.with_name(f"{path.name}.damaged"))
    for old, new in zip(schema.find_files(path)[1:], schema.find_files(aside)[1:], strict=True):
        if old.exists():  # first, or SQLite would apply it to the new file
            old.rename(new)
    with suppress(OSError):
        aside.hardlink_to(path)  # so that at no moment there is no file
    if not aside.exists():  # exFAT has no links
        path.rename(aside)
    draft.replace(path)
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
                f"{path}: its table `{table}` is damaged ({str(error)[:60]}), and games mean "
                f"nothing without it; restore a copy, or start over with --fresh"
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
