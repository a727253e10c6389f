"""A bot's files: read once, before play, and written as a read-only copy.

Copies lie in a private folder, under names that cannot be guessed.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
import signal
import stat
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from arena.errors import ArenaError, UsageError
from arena.league.bots import ENTRY_FILE, MARKS, BotPath, is_part
from arena.model import Bot
from arena.system.abilities import WINDOWS
from arena.system.locks import SNAPSHOTS, lock_abandoned_folders, make_locked_folder
from arena.system.signals import shield_children

MAX_MIB = 64
MAX_FILES = 10_000
NAME_BYTES = 16  # random ones, of a snapshot's name
MAX_PATH = 1024  # bytes of a file's path in its folder: a copy may lie deeper than the bot
MAX_DEPTH = 64  # folders on that path: who looks through them holds a descriptor of each

_READ = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):  # the last is Windows'
    _READ |= getattr(os, _name, 0)

_Open = int | Path
"""A descriptor; of a folder on Windows, which opens none, its path."""

_NOT_ON_WINDOWS = re.compile(r'[<>:"\\|?*]')  # in names of files

_REMEDY = "set TMPDIR to a folder with free space and a short path"


class Source(NamedTuple):
    """All of a bot."""

    files: tuple[tuple[str, bytes], ...]  # (relative path with /, content), by path
    is_folder: bool = False  # else a single file, which is called `bot.py` here

    @property
    def size(self) -> int:
        """Bytes of its files, and of their paths."""
        return sum(len(name.encode()) + len(content) for name, content in self.files)


def read_bot(bot: BotPath, most_files: int = MAX_FILES) -> Source:
    """Read the bot's files, without machinery; a single file becomes `bot.py`.

    Their owner may swap the files while they are read: each is opened once, from its folder's
    descriptor, and checked and read by its own. Raises UsageError for files that a bot may not
    have: links, special files, names that are not UTF-8, more than 64 MiB or 10,000 files, paths of
    more than 1,024 bytes or 64 folders.
    """
    folder, left = bot.path, MAX_MIB << 20
    with _open(folder, folder) as fd:
        if not stat.S_ISDIR(os.stat(fd).st_mode):
            return Source(((ENTRY_FILE, _read(folder, fd, left)),))
        files: list[tuple[str, bytes]] = []
        for path, file in _files(folder, fd):
            if len(files) == most_files:
                raise UsageError(f"{folder}: more than {most_files:,} files; remove some")
            content = _read(folder / path, file, left)
            left -= len(content)
            files.append((path, content))
        return Source(tuple(sorted(files)), is_folder=True)


def measure_bot(bot: BotPath) -> int:
    """The size of a bot's files in bytes, up to one that `read_bot` refuses, before it is read:
    reading a thousand that are refused would take minutes.
    """
    size = 0
    with suppress(UsageError, RecursionError), _open(bot.path, bot.path) as fd:
        for _, file in _files(bot.path, fd) if bot.path.is_dir() else [("", fd)]:
            size += os.stat(file).st_size
            if size > MAX_MIB << 20:
                break
    return size


def hash_source(source: Source) -> str:
    """The SHA-256, in hex, of relative paths and bytes, each with its length before it."""
    digest = hashlib.sha256()
    for name, content in source.files:
        for part in (name.encode(), content):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


def hash_text(source: Source) -> str:
    """The hash of the bot's text, without byte order marks and with the line ends of Unix."""
    plain = ((name, content.removeprefix(BOM_UTF8)) for name, content in source.files)
    return hash_source(Source(tuple((name, re.sub(b"\r\n?", b"\n", text)) for name, text in plain)))


def check_source(source: Source, hash: str) -> str:
    """The reason why stored files cannot be those of the bot with this hash, or cannot be written
    below a folder of their own; "" if they can.

    They may come from a stranger's store, which can name any place to write to.
    """
    if len(source.files) > MAX_FILES:
        return f"it has {len(source.files):,} files; a bot has {MAX_FILES:,} at most"
    if sum(len(content) for _, content in source.files) > MAX_MIB << 20:
        return f"its files come to more than {MAX_MIB} MiB"
    names = {name for name, _ in source.files}
    if len(names) < len(source.files):
        return "two of its files have one name"
    for name in sorted(names):
        path = PurePosixPath(name)
        if "\0" in name or path.as_posix() != name or not path.parts:
            return f"its file {name!r} has a name that is not allowed"
        if WINDOWS and (_NOT_ON_WINDOWS.search(name) or PureWindowsPath(name).is_reserved()):
            return f"its file {name!r} has a name that Windows does not allow"
        if path.is_absolute() or ".." in path.parts:
            return f"its file {name!r} lies outside its folder"
        if len(path.parts) > MAX_DEPTH or len(name.encode()) > MAX_PATH:
            return f"its file {name[:40]!r}... is nested too deeply"
        if inside := names.intersection(map(str, path.parents)):
            return f"its file {name!r} lies in {min(inside)!r}, which is a file"
    return "" if hash_source(source) == hash else "its source does not match its hash"


def _files(folder: Path, fd: _Open, inner: str = "") -> Iterator[tuple[str, _Open]]:
    """Yield the bot's files, without machinery: path in its folder with /, and the open file.
    Raises UsageError for a file or folder that cannot be in a copy.
    """
    try:
        entries = list(os.scandir(fd))
    except OSError as error:
        raise _unreadable(folder / inner, error) from error
    for entry in entries:
        name, path = entry.name, f"{inner}{entry.name}"
        if not is_part(entry, _number(fd)):
            continue
        try:
            length = len(path.encode())
        except UnicodeEncodeError:
            raise UsageError(f"{folder}: {path!r} is not UTF-8; rename it") from None
        if path.count("/") >= MAX_DEPTH or length > MAX_PATH:
            raise UsageError(
                f"{folder}: '{path[:60]}...' is longer than {MAX_PATH:,} bytes or {MAX_DEPTH} "
                "folders; shorten it"
            )
        with _open(folder / path, name, fd) as opened:
            if stat.S_ISDIR(os.stat(opened).st_mode):
                yield from _files(folder, opened, f"{path}/")
            else:
                yield path, opened


@contextmanager
def _open(path: Path, name: str | Path, within: _Open | None = None) -> Iterator[_Open]:
    """Open the file or folder with that path, by its name in a folder that is open.

    Links are not followed, and pipes not waited for. Raises UsageError.
    """
    try:
        opened: _Open
        if not WINDOWS:
            opened = os.open(name, _READ, dir_fd=_number(within))
        elif path.is_symlink():
            raise OSError(errno.ELOOP, "is a link")
        else:
            opened = path if path.is_dir() else os.open(path, _READ)
    except OSError as error:
        if error.errno == errno.ELOOP:
            what = "a link; replace it with the file or folder it points to"
            above = () if _number(within) is None else (MARKS[0], f"../{MARKS[0]}")
            if any(os.access(mark, os.F_OK, dir_fd=_number(within)) for mark in above):
                what = "a link of a virtual environment; move the bot's own files to a new folder"
            raise UsageError(f"{path}: {what}") from None
        raise _unreadable(path, error) from error
    try:
        yield opened
    finally:
        if isinstance(opened, int):
            os.close(opened)


def _number(opened: _Open | None) -> int | None:
    """A folder's descriptor; None on Windows, or where it is the current one."""
    return opened if isinstance(opened, int) else None


def _unreadable(path: Path, error: OSError) -> UsageError:
    return UsageError(
        f"{path}: cannot be read ({error.strerror}); change its permissions, or remove it"
    )


def _read(path: Path, fd: _Open, most: int) -> bytes:
    """An open file's bytes. Raises UsageError if it is no ordinary file, or too large."""
    mode = os.stat(fd).st_mode
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
        kind = kinds.get(stat.S_IFMT(mode), "something else")
        raise UsageError(f"{path}: {kind}, not a file; remove it")
    try:
        with open(fd, "rb", closefd=False) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(content) > most:
        raise UsageError(
            f"{path}: the bot is larger than {MAX_MIB} MiB with this file; make it smaller"
        )
    return content


@contextmanager
def write_snapshots(sources: Mapping[str, Source], bots: Iterable[Bot]) -> Iterator[dict[str, str]]:
    """Write every bot's snapshot to a private folder; give the paths by name. Raises ArenaError
    where they cannot be written.
    """
    here = find_place()
    with explain_write_errors(here):
        root, lock = make_locked_folder(here, SNAPSHOTS)
    try:
        with explain_write_errors(here):
            paths = {b.name: str(write_snapshot(root, sources[b.name], b.hash)) for b in bots}
        yield paths
    finally:
        # gone, if another program tidies up: where that was in the way, play has said so
        with shield_children(signal.SIGTERM), suppress(FileNotFoundError):
            remove_snapshot(root)
        if lock is not None:
            os.close(lock)


def sweep_snapshots() -> None:
    """Remove the folders that a killed arena left behind."""
    for left, lock in lock_abandoned_folders(find_place(), SNAPSHOTS):
        if os.fstat(lock).st_uid == os.getuid():
            with suppress(OSError):  # the next one tries again
                remove_snapshot(left)


def write_snapshot(root: Path, source: Source, hash: str) -> Path:
    """Write the files to a new read-only folder in `root` and return it.

    Its name is random: a bot that loads can ask whether a path exists, and a name that can be
    guessed would tell it which bots it plays. The folder has all its files or is not made. Raises
    ArenaError if they cannot be the files of the bot with that hash (`check_source`).
    """
    if problem := check_source(source, hash):
        raise ArenaError(f"a bot's files are not written: {problem}")
    snapshot = root / secrets.token_hex(NAME_BYTES)
    snapshot.mkdir(mode=0o700, parents=True)
    try:
        folders = {Path()}
        for name, content in source.files:
            path = snapshot / name
            folders |= set(Path(name).parents)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:  # which follows no link, and finds nothing there
                file.write(content)
            path.chmod(0o400)
        for folder in sorted(folders, reverse=True):  # the innermost first
            (snapshot / folder).chmod(0o500)
        written = ((name, (snapshot / name).read_bytes()) for name, _ in source.files)
        if hash_source(Source(tuple(sorted(written)))) != hash:
            raise ArenaError(f"a bot's files do not match its hash {hash}; run `arena verify`")
    except BaseException:
        remove_snapshot(snapshot)
        raise
    return snapshot


def remove_snapshot(folder: Path) -> None:
    """Remove a snapshot, or a folder of them, even where its paths were renamed. Raises OSError."""
    if WINDOWS:
        for path in folder.rglob("*"):
            path.chmod(0o700)  # what is read-only cannot be removed
    else:
        for _, _, _, fd in os.fwalk(folder):
            os.fchmod(fd, 0o700)  # read-only folders cannot be emptied
    shutil.rmtree(folder)


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
    """Turn an OSError into an ArenaError: where copies cannot be written, and what to do."""
    try:
        yield
    except OSError as error:
        what = f"copies of the bots cannot be written there ({error.strerror})"
        raise ArenaError(f"{here}: {what}; {_REMEDY}") from None
