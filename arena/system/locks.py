"""Folders that one process at a time may use, and free names for files."""

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
    """The process that holds a folder's lock."""

    pid: int
    uid: int

    @property
    def user(self) -> str:
        """The name of the user, or the number where the user has no name."""
        import pwd  # here: Windows has none

        with suppress(KeyError):
            return pwd.getpwuid(self.uid).pw_name
        return str(self.uid)


def lock_folder(folder: Path, flags: int = 0) -> int:
    """Lock a folder: returns a descriptor that holds the lock until it is closed, or the process
    ends.

    Any process that may read the folder can lock it. `flags` are further flags of `open(2)`. Raises
    BlockingIOError if another process holds the lock, or the folder was replaced meanwhile; OSError
    if the folder cannot be opened, or on Windows.
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
    """Find the process that holds the folder's lock; None where there is none, or the kernel does
    not show it, for example in another container.
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
    """The path itself if nothing is there, else the first free one of it with 2, 3, ... at its
    end.
    """
    numbered = (wanted.with_name(f"{wanted.name}{before_number}{n}") for n in count(2))
    return wanted if not wanted.exists() else next(path for path in numbered if not path.exists())
