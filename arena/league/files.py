"""A bot's files: read once, before play, and written as a copy that nobody can change.

The copy lies in a folder whose name nobody can guess.
"""

import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from arena.errors import ArenaError, UsageError
from arena.league.bots import ENTRY_FILE, BotPath

MAX_MIB = 64
MAX_FILES = 10_000
NAME_BYTES = 16  # random ones, of a snapshot's name
MAX_PATH = 1024  # bytes of a file's path in its folder: a copy may lie deeper than the bot
MAX_DEPTH = 64  # folders on that path: who looks through them holds a descriptor of each


class Source(NamedTuple):
    """All that a bot is."""

    files: tuple[tuple[str, bytes], ...]  # (relative path with /, content), by path


def read_bot(bot: BotPath) -> Source:
    """Return the bot's files, bytecode apart; a single file becomes `bot.py`.

    Raises UsageError where they cannot be taken: links out of the folder or to a folder, special
    files, names that are not UTF-8, more than 64 MiB or 10,000 files, paths of more than 1,024
    bytes or 64 folders.
    """
    path = bot.path
    home = path.parent.resolve()
    if not path.is_dir():
        return Source(((ENTRY_FILE, _content(path, home, MAX_MIB << 20)),))
    _stay_inside(path, home)
    return _read_folder(path)


def content_hash(source: Source) -> str:
    """Return the SHA-256, in hex, of relative paths and bytes, each with its length before it."""
    digest = hashlib.sha256()
    for name, content in source.files:
        for part in (name.encode(), content):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


def problem_of(source: Source, hash: str) -> str:
    """Return why files that are kept cannot be those of the bot with this hash; "" if they can.

    They may come from a stranger's store, which can name any place to write to.
    """
    return _unwritable(source) or (
        "" if content_hash(source) == hash else "its source does not match its hash"
    )


def _unwritable(source: Source) -> str:
    """Return why the files cannot be written below a folder of their own; "" if they can."""
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
            return f"its file {name!r} has no plain name"
        if path.is_absolute() or ".." in path.parts:
            return f"its file {name!r} lies outside its folder"
        if len(path.parts) > MAX_DEPTH or len(name.encode()) > MAX_PATH:
            return f"its file {name[:40]!r}... lies too far down"
        if inside := names.intersection(map(str, path.parents)):
            return f"its file {name!r} lies in {min(inside)!r}, which is a file"
    return ""


def write_snapshot(root: Path, source: Source, hash: str) -> Path:
    """Write the files to a new read-only folder in `root` and return it.

    Its name is random: a bot that loads may ask whether a path exists, and would learn from a name
    that can be guessed who else plays. It is there with all its files or not at all. Raises
    ArenaError if they cannot be the files of the bot with that hash (`problem_of`).
    """
    if problem := problem_of(source, hash):
        raise ArenaError(f"a bot's files are not written: {problem}")
    made = root / secrets.token_hex(NAME_BYTES)
    made.mkdir(mode=0o700, parents=True)
    try:
        _write(made, source)
        if content_hash(_read_folder(made)) != hash:
            raise ArenaError(f"the files of a bot do not have its content hash {hash}; verify them")
    except BaseException:
        remove(made)
        raise
    return made


def _read_folder(folder: Path) -> Source:
    home = folder.resolve()
    files: list[tuple[str, bytes]] = []
    left = MAX_MIB << 20
    for path in _paths(folder, home):
        if len(files) == MAX_FILES:
            raise UsageError(f"{folder}: more than {MAX_FILES:,} files; remove some")
        content = _content(path, home, left)
        left -= len(content)
        files.append((path.relative_to(folder).as_posix(), content))
    return Source(tuple(sorted(files)))


def _paths(folder: Path, home: Path) -> Iterator[Path]:
    """Yield the bot's files, bytecode apart."""
    for parent, inner, names in os.walk(folder, onerror=_refuse):
        inner[:] = [name for name in inner if name != "__pycache__"]
        for name in (*inner, *names):
            _stay_near(folder, Path(parent, name))
        for name in inner:
            path = Path(parent, name)
            if path.is_symlink():
                raise UsageError(f"{path}: a link to a folder; put the folder itself there")
        for name in names:
            try:
                name.encode()
            except UnicodeEncodeError:
                raise UsageError(f"{parent}: {name!r} is not UTF-8; rename the file") from None
            if not name.endswith(".pyc"):
                yield Path(parent, name)


def _stay_near(folder: Path, path: Path) -> None:
    """Raise UsageError if a bot's file or folder is too far down for its copy to be written."""
    within = path.relative_to(folder)
    if len(within.parts) > MAX_DEPTH or len(os.fsencode(within)) > MAX_PATH:
        raise UsageError(
            f"{folder}: '{str(within)[:60]}...' is longer than {MAX_PATH:,} bytes or {MAX_DEPTH} "
            "folders; shorten it"
        )


def _refuse(error: OSError) -> None:
    raise UsageError(f"{error.filename}: cannot be read: {error.strerror}; change its permissions")


def _stay_inside(path: Path, home: Path) -> None:
    try:
        inside = path.resolve().is_relative_to(home)
    except (OSError, RuntimeError) as error:  # a link to itself
        raise UsageError(f"{path}: a link that leads nowhere; remove it") from error
    if not inside:
        raise UsageError(f"{path}: a link that leaves {home}; put the bot's own copy there")


def _content(path: Path, home: Path, most: int) -> bytes:
    """Return a file's bytes. Raises UsageError if it is none, lies elsewhere or is too large."""
    _stay_inside(path, home)
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise UsageError(f"{path}: not a file but {_kind(mode)}; remove it")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read: {error.strerror}; change its permissions, or remove it"
        ) from error
    if len(content) > most:
        raise UsageError(f"{path}: the bot is larger than {MAX_MIB} MiB with it; make it smaller")
    return content


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")


def _write(folder: Path, source: Source) -> None:
    inner = set()
    for name, content in source.files:
        path = folder / name
        inner |= set(path.relative_to(folder).parents)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:  # which follows no link, and finds nothing there
            file.write(content)
        path.chmod(0o400)
    for parent in sorted(inner | {Path()}, reverse=True):  # the innermost first
        (folder / parent).chmod(0o500)


def remove(folder: Path) -> None:
    """Remove a snapshot, or a folder of them, whatever its paths have come to by being renamed.
    Raises OSError.
    """
    for _, _, _, fd in os.fwalk(folder):
        os.fchmod(fd, 0o700)  # read-only folders cannot be emptied
    shutil.rmtree(folder)
