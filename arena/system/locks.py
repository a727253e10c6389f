"""Folders that one process at a time may use, and names that nothing has yet."""

import errno
import os
import re
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

_FLOCK = re.compile(r"^\d+: FLOCK +\w+ +\w+ +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) ", re.MULTILINE)
"""A line of /proc/locks: pid, and inode. The device is not always the one that stat(2) gives."""


class Holder(NamedTuple):
    """Who holds a folder's lock."""

    pid: int
    uid: int

    @property
    def user(self) -> str:
        """The user's name, or number where it has none."""
        import pwd  # here: Windows has none

        with suppress(KeyError):
            return pwd.getpwuid(self.uid).pw_name
        return str(self.uid)


def lock_folder(folder: Path, flags: int = 0) -> int:
    """Return a descriptor that holds the folder's lock until it is closed, or the process ends.

    Whoever may read the folder can hold it. `flags` are further flags of `open(2)`. Raises
    BlockingIOError if another holds it, or has put another folder there meanwhile; OSError if the
    folder cannot be opened, or on Windows.
    """
    if sys.platform == "win32":
        raise OSError(errno.ENOTSUP, "folders cannot be locked on Windows", str(folder))
    import fcntl

    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | flags)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(fd), os.stat(folder)):
            raise BlockingIOError(errno.EAGAIN, "is another folder now", str(folder))
    except OSError:
        os.close(fd)
        raise
    return fd


def find_holder(folder: Path) -> Holder | None:
    """Return who holds the folder's lock; None where nobody does, or the kernel does not say, as of
    processes in another container.
    """
    with suppress(OSError):  # it is gone meanwhile, or not for us to see
        inode = folder.stat().st_ino
        for pid, locked in _FLOCK.findall(Path("/proc/locks").read_text()):
            if int(locked) == inode:
                status = Path(f"/proc/{pid}/status").read_text()
                uid = re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)
                return Holder(int(pid), int(uid[1])) if uid else None
    return None


def find_free_path(wanted: Path, before_number: str = "") -> Path:
    """Return the path, or the first of it with 2, 3, ... at its end at which nothing lies."""
    numbered = (wanted.with_name(f"{wanted.name}{before_number}{n}") for n in count(2))
    return wanted if not wanted.exists() else next(path for path in numbered if not path.exists())
