"""Read-only copies of the bots, taken before play."""

import os
import signal
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import ArenaError
from arena.league.files import Source, remove_snapshot, write_snapshot
from arena.model import Bot
from arena.system import lock_abandoned_folders, make_locked_folder, shield_children

_PREFIX = "arena-snapshots-"


def sweep_snapshots() -> None:
    """Remove the folders that a killed arena left behind."""
    for left, lock in lock_abandoned_folders(find_place(), _PREFIX):
        if os.fstat(lock).st_uid == os.getuid():
            with suppress(OSError):  # the next one tries again
                remove_snapshot(left)


@contextmanager
def write_snapshots(sources: Mapping[str, Source], bots: Iterable[Bot]) -> Iterator[dict[str, str]]:
    """Write every bot's snapshot to a private folder; give the paths by name. Raises ArenaError
    where they cannot be written.
    """
    here = find_place()
    with explain_write_errors(here):
        root, lock = make_locked_folder(here, _PREFIX)
    try:
        with explain_write_errors(here):
            paths = {b.name: str(write_snapshot(root, sources[b.name], b.hash)) for b in bots}
        yield paths
    finally:
        with shield_children(signal.SIGTERM):
            remove_snapshot(root)
        if lock is not None:
            os.close(lock)


def find_place() -> Path:
    """The folder that snapshots are written to: `TMPDIR`, or the system's. Raises ArenaError where
    no such folder can be written to.
    """
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:  # its words name all folders that were tried
        raise ArenaError(f"{error.strerror}; {_REMEDY}") from None


@contextmanager
def explain_write_errors(here: Path) -> Iterator[None]:
    """Turn an OSError into an ArenaError that says where copies cannot be written, and what to
    do.
    """
    try:
        yield
    except OSError as error:
        what = f"the bots' copies cannot be written there ({error.strerror})"
        raise ArenaError(f"{here}: {what}; {_REMEDY}") from None


_REMEDY = "set TMPDIR to a folder that has room and a short path"
