"""Read-only copies of the bots, taken before play."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena.league.files import Source, write_snapshot
from arena.model import Bot
from arena.system.locks import lock
from arena.system.signals import out_of_reach

_DRAFT = "arena-draft-"  # of folders that are not locked yet
_PREFIX = "arena-snapshots-"  # of folders whose lock is held while they are in use

OLD_S = 60.0  # a draft that is older is nobody's


def sweep() -> None:
    """Take away the folders that an arena left behind when it was killed."""
    here = Path(tempfile.gettempdir())
    for left in (*here.glob(f"{_PREFIX}*"), *here.glob(f"{_DRAFT}*")):
        with contextlib.suppress(OSError):  # in use, somebody else's, or gone meanwhile
            if left.name.startswith(_PREFIX) or time.time() - left.stat().st_mtime > OLD_S:
                os.close(_locked(left))
                _remove(left)


@contextmanager
def snapshots(sources: Mapping[str, Source], bots: Iterable[Bot]) -> Iterator[dict[str, str]]:
    """Write every bot's snapshot to a private folder; give the paths by name."""
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT))
    lock = _locked(draft)
    root = draft.rename(draft.with_name(draft.name.replace(_DRAFT, _PREFIX)))
    try:
        yield {bot.name: str(write_snapshot(root, sources[bot.name], bot.hash)) for bot in bots}
    finally:
        with out_of_reach(signal.SIGTERM):
            _remove(root)
        os.close(lock)


def _locked(folder: Path) -> int:
    """Return a descriptor that holds the folder's lock. Raises OSError, also if it is held."""
    fd = lock(folder, os.O_NOFOLLOW)
    if os.fstat(fd).st_uid != os.getuid():
        os.close(fd)
        raise PermissionError(f"{folder} is somebody else's")
    return fd


def _remove(root: Path) -> None:
    for folder in root.rglob("*"):
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o700)  # read-only folders cannot be emptied
    shutil.rmtree(root)
