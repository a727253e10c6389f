"""Read-only copies of the bots, taken before play."""

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError
from arena.league.files import Source, remove_snapshot, write_snapshot
from arena.model import Bot
from arena.system import lock_folder, shield_children

_DRAFT = "arena-draft-"  # of folders that are not locked yet
_PREFIX = "arena-snapshots-"  # of folders whose lock is held while they are in use

OLD_S = 60.0  # an older draft is abandoned


def sweep_snapshots() -> None:
    """Remove the folders that a killed arena left behind."""
    here = find_place()
    for left in (*here.glob(f"{_PREFIX}*"), *here.glob(f"{_DRAFT}*")):
        with contextlib.suppress(OSError):  # in use, somebody else's, or gone meanwhile
            if left.name.startswith(_PREFIX) or time.time() - left.stat().st_mtime > OLD_S:
                os.close(_locked(left))
                remove_snapshot(left)


@contextmanager
def write_snapshots(sources: Mapping[str, Source], bots: Iterable[Bot]) -> Iterator[dict[str, str]]:
    """Write every bot's snapshot to a private folder; give the paths by name. Raises ArenaError
    where they cannot be written.
    """
    with _private_folder() as root:
        with explain_write_errors(root.parent):
            paths = {b.name: str(write_snapshot(root, sources[b.name], b.hash)) for b in bots}
        yield paths


@contextmanager
def _private_folder() -> Iterator[Path]:
    """Give a folder whose lock is held, so that no sweep removes it."""
    here = find_place()
    with explain_write_errors(here):
        folder = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=here))
        lock = _locked(folder)
    try:
        with explain_write_errors(here):
            folder = folder.rename(here / folder.name.replace(_DRAFT, _PREFIX))
        yield folder
    finally:
        with shield_children(signal.SIGTERM):
            remove_snapshot(folder)
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


def _locked(folder: Path) -> int:
    """A descriptor that holds the folder's lock. Raises OSError, also if it is held already."""
    fd = lock_folder(folder, os.O_NOFOLLOW)
    if os.fstat(fd).st_uid != os.getuid():
        os.close(fd)
        raise PermissionError(f"{folder} is somebody else's")
    return fd
