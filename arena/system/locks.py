"""Folders that one process at a time may use.

The kernel releases a lock (flock) when the process ends, in whatever way: a folder that can be
locked has no user any more. A pid in it would say less: another process may have that pid by now,
or it may be one of another container.
"""

import errno
import mmap
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import NamedTuple

from arena.system.abilities import LINUX, WINDOWS

if WINDOWS:
    import msvcrt
else:
    import fcntl

LOCK = ".lock"
SNAPSHOTS = "arena-snapshots-"  # how the names of folders with copies of bots begin

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
    if the folder cannot be opened. Windows locks no folders: there, a file `LOCK` in it is locked.
    """
    if WINDOWS:
        fd = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError as error:
            os.close(fd)
            raise BlockingIOError(errno.EAGAIN, error.strerror, str(folder)) from None
        return fd
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | flags)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(fd), os.stat(folder)):
            raise BlockingIOError(errno.EAGAIN, "is now another folder", str(folder))
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


def is_held(folder: Path) -> bool:
    """True if a process holds the folder's lock. Elsewhere than on Linux that is tried: an arena
    that starts at that moment is refused.
    """
    if LINUX:
        return find_holder(folder) is not None
    try:
        os.close(lock_folder(folder))
    except BlockingIOError:
        return True
    except OSError:
        pass  # gone, or not ours to open
    return False


def find_lack(folder: Path) -> str:
    """Name a folder's file system and what it lacks for a store; "" if nothing is known."""
    if not LINUX:  # on others it is not known
        return ""
    lack = ""
    with suppress(OSError), TemporaryFile(dir=folder) as file:
        file.truncate(mmap.PAGESIZE)
        lack = "no file locks"  # this and the next hold if what follows them fails
        for lock in (fcntl.flock, fcntl.lockf):
            lock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: on NFS they meet each other
        lack = "no shared memory"
        mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
        lack = ""
    device, mounts = folder.stat().st_dev, Path("/proc/self/mountinfo")
    at = rf"^\S+ \S+ {os.major(device)}:{os.minor(device)} .* - (\S+)"
    kind = re.search(at, mounts.read_text(), re.MULTILINE) if lack and mounts.exists() else None
    return lack and f"its file system ({kind[1] if kind else 'unknown'}) has {lack}"


def make_locked_folder(parent: Path, prefix: str, suffix: str = "") -> tuple[Path, int | None]:
    """Make a folder with a random name, and a descriptor that holds its lock: None on a disk
    without locks, and on Windows, where such folders are never taken for abandoned: a file that is
    open in them would keep them from being moved. Raises OSError.
    """
    while True:
        folder = Path(mkdtemp(suffix, prefix, parent))
        if WINDOWS:
            return folder, None
        try:
            return folder, lock_folder(folder)
        except (BlockingIOError, FileNotFoundError):
            continue  # another process looked just now, and took it for one that was left
        except OSError:
            return folder, None


def lock_abandoned_folders(
    parent: Path, prefix: str, suffix: str = ""
) -> Iterator[tuple[Path, int]]:
    """Yield this user's folders of `make_locked_folder` that no process holds any more, with a
    descriptor that holds the lock until the next one is asked for.
    """
    by_us = re.compile(rf"{re.escape(prefix)}[a-z0-9_]{{8}}{re.escape(suffix)}")
    try:
        names = [] if WINDOWS else sorted(os.listdir(parent))
    except PermissionError:
        return  # a folder that may be written to, and not be looked through
    for name in filter(by_us.fullmatch, names):
        try:
            lock = lock_folder(parent / name, getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            continue  # in use, not ours to open, no folder, or gone meanwhile
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                yield parent / name, lock
        finally:
            os.close(lock)
