"""Folders that one process at a time may use, and names that nothing has yet."""

import fcntl
import os
from itertools import count
from pathlib import Path


def lock(folder: Path, flags: int = 0) -> int:
    """Return a descriptor that holds the folder's lock until it is closed, or the process ends.

    `flags` are further flags of `open(2)`. Raises BlockingIOError if another holds it, OSError if
    the folder cannot be opened.
    """
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | flags)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise
    return fd


def free_path(wanted: Path, before_number: str = "") -> Path:
    """Return the path, or the first of it with 2, 3, ... at its end at which nothing lies."""
    numbered = (wanted.with_name(f"{wanted.name}{before_number}{n}") for n in count(2))
    return wanted if not wanted.exists() else next(path for path in numbered if not path.exists())
