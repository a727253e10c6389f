"""A folder beside a place, for what is to come there; leftovers of killed writers are removed.

The process that writes a draft holds its lock (flock). The kernel releases it when the process
ends, in whatever way: a draft that can be locked has no writer any more. A pid in the draft would
say less: another process may have that pid by now, or it may be one of another container.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from arena.system import lock_folder

NEW, OLD = "new", "old"
"""All that a draft has in it: what is to come to the place, and what was moved aside for it."""

SUFFIX = ".draft"


def prefix_of(place: Path) -> str:
    """How the names of drafts for a place begin; eight characters and `SUFFIX` follow."""
    return f".{place.name}.arena-publish-"


@contextmanager
def staging_dir(place: Path) -> Iterator[Path]:
    """Give a new folder beside a place, which is gone when the block ends; leftovers there are
    swept before.

    If a writer was stopped or killed after it had moved aside what lay at the place, that comes
    back, unless something is there.
    """
    _sweep(place)
    folder, held = _make(place)
    try:
        yield folder
    finally:
        _take_back(folder / OLD, place)  # Ctrl-C comes between any two steps
        shutil.rmtree(folder, ignore_errors=True)  # the next one sweeps what stays
        if held is not None:
            os.close(held)


def _make(place: Path) -> tuple[Path, int | None]:
    """A new draft, and a descriptor that holds its lock: None on a disk without locks, where drafts
    are never swept.
    """
    while True:
        folder = Path(mkdtemp(prefix=prefix_of(place), suffix=SUFFIX, dir=place.parent))
        try:
            held = lock_folder(folder)
        except (BlockingIOError, FileNotFoundError):
            continue  # another one looked for drafts just now, and took it for one that was left
        except OSError:
            return folder, None
        if folder.exists():
            return folder, held
        os.close(held)


def _sweep(place: Path) -> None:
    """Remove the drafts for a place that no process writes any more."""
    draft_name = re.compile(rf"{re.escape(prefix_of(place))}[a-z0-9_]{{8}}{re.escape(SUFFIX)}")
    try:
        names = sorted(os.listdir(place.parent))
    except PermissionError:
        return  # a folder that may be written to, and not be looked through
    for name in names:
        if not draft_name.fullmatch(name):
            continue
        draft = place.parent / name
        try:
            held = lock_folder(draft, getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            continue  # another process writes it, or it is no folder
        try:
            if _is_draft(draft):
                _take_back(draft / OLD, place)
                shutil.rmtree(draft, ignore_errors=True)  # what is another user's stays
        finally:
            os.close(held)


def _is_draft(folder: Path) -> bool:
    """Whether a folder has in it what a draft has, and nothing else."""
    with os.scandir(folder) as entries:
        return all(
            entry.name in (NEW, OLD) and entry.is_dir(follow_symlinks=False) for entry in entries
        )


def _take_back(aside: Path, place: Path) -> None:
    if aside.exists() and not os.path.lexists(place):
        aside.rename(place)
