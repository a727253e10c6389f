"""The league's folder: which files are bots, and what is in them.

A bot is a Python file, or a folder with a `bot.py`. Its files are read once, before play; what is
played is a copy that nobody can change, in a folder named by its content.
"""

import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from arena.errors import ArenaError, UsageError
from arena.hints import nearest

BOTS = "bots"
ENTRY_FILE = "bot.py"
MAX_MIB = 64
MAX_FILES = 10_000
NAME = re.compile(r"[a-z0-9_-]{1,32}")
NAME_RULE = "a bot's name is 1 to 32 of a-z, 0-9, _ and -"
NO_BOT = ("_", ".", "test_")  # names that start so are no bots
WILD = re.compile(r"[*?\[]")


class Found(NamedTuple):
    """A bot in the league's folder."""

    name: str
    path: Path  # its file, or its folder


class Source(NamedTuple):
    """All that a bot is."""

    files: tuple[tuple[str, bytes], ...]  # (relative path with /, content), by path


def folder_of(config_path: Path) -> Path:
    """Return the nearest folder, from the config file's upwards, that holds `bots/`."""
    return folder_from(config_path.absolute().parent, f"{config_path}: ")


def folder_from(start: Path, prefix: str = "") -> Path:
    """Return the nearest folder, from `start` upwards, that holds `bots/`. Raises UsageError, its
    message begun with `prefix`.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / BOTS).is_dir():
            return folder
    raise UsageError(
        f"{prefix}no folder '{BOTS}' in {start} or any folder above it; "
        f"make one there, with a bot in it"
    )


def glob_problem(pattern: str) -> str | None:
    """Return what is wrong with a glob of bots, or None."""
    path = PurePosixPath(pattern.removeprefix("!"))
    if not path.parts:
        return f"found {pattern!r}; it takes a path such as 'bots/*'"
    if path.is_absolute() or ".." in path.parts:
        return f"found {pattern!r}; it takes a path inside the league's folder, such as 'bots/*'"
    if any("**" in part and part != "**" for part in path.parts):
        return f"found {pattern!r}; '**' stands alone between two slashes"
    return None


def find_bots(folder: Path, globs: Sequence[str]) -> list[Found]:
    """Return the bots that the globs name, by name; a leading `!` takes out again, in order.

    Raises UsageError, with every trouble at once: a glob that finds no bot, a path without wild
    card that is none, a name no bot may have, two bots of one name.
    """
    problems: list[str] = []
    bots: dict[Path, Found] = {}
    for pattern in globs:
        wrong = glob_problem(pattern)
        if wrong:
            problems.append(f"bots: {wrong}")
            continue
        paths = sorted(folder.glob(pattern.removeprefix("!")))
        if pattern.startswith("!"):
            for path in paths:
                bots.pop(path, None)
            continue
        refused = {path: why for path in paths if (why := _no_bot(path))}
        bots |= {path: Found(_stem(path), path) for path in paths if path not in refused}
        if not WILD.search(pattern) and refused:
            problems += [f"{path}: {why}" for path, why in refused.items()]
        elif len(refused) == len(paths):
            problems.append(_nothing(folder, pattern))
    if not bots and not problems:
        problems.append(f"{folder}: no bot is left of {', '.join(map(repr, globs))}")
    raise_all(problems + list(_wrong_names(sorted(bots.values()))))
    return sorted(bots.values())


def find_bot(folder: Path, given: str) -> Found:
    """Return one bot: of the league's by its name, or any by its path. Raises UsageError."""
    own = [folder / BOTS / name for name in (f"{given}.py", given)] if NAME.fullmatch(given) else []
    path = next((path for path in own if not _no_bot(path) and path.exists()), Path(given))
    if not path.exists():
        names = [_stem(each) for each in (folder / BOTS).glob("*") if not _no_bot(each)]
        near = nearest(given, names)
        hint = f"did you mean {near}?" if near else "it takes a bot's name, or its path"
        raise UsageError(f"{given}: no bot of that name in {folder / BOTS}, and no file; {hint}")
    refused = _no_bot(path)
    if refused:
        raise UsageError(f"{path}: {refused}")
    found = Found(_stem(path), path)
    raise_all(list(_wrong_names([found])))
    return found


def read_bot(found: Found) -> Source:
    """Return the bot's files, bytecode apart; a single file becomes `bot.py`.

    Raises UsageError where they cannot be taken: links out of the folder or to a folder, special
    files, names that are not UTF-8, more than 64 MiB or 10,000 files.
    """
    path = found.path
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


def write_snapshot(root: Path, source: Source, hash: str) -> Path:
    """Write the files to the read-only folder `root/hash`, if it is not there; return it.

    It is there with all its files or not at all, whoever else writes it at the same moment.
    Raises ArenaError if what is there is something else.
    """
    target = root / hash
    if not target.exists():
        root.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{hash[:12]}.", dir=root))
        try:
            _write(made, source)
            made.rename(target)
        except OSError:
            _remove(made)
            if not target.exists():  # else another was faster, with the same files
                raise
    if content_hash(_read_folder(target)) != hash:
        raise ArenaError(f"{target}: its files were changed; delete the folder and start again")
    return target


def raise_all(problems: Sequence[str]) -> None:
    """Raise UsageError with the problems, one a line, if there are any."""
    if problems:
        raise UsageError("\n".join(problems))


def _stem(path: Path) -> str:
    return path.name if path.is_dir() else path.stem


def _no_bot(path: Path) -> str | None:
    """Return why the path is no bot, whatever its name might be else; None if it is one."""
    if path.name.startswith(NO_BOT):
        return f"is no bot: its name starts with {', '.join(NO_BOT[:-1])} or {NO_BOT[-1]}"
    if path.is_dir():
        if (path / ENTRY_FILE).is_file():
            return None
        return f"is no bot: a folder without {ENTRY_FILE}"
    return None if path.suffix == ".py" else "is no bot: not a Python file"


def _nothing(folder: Path, pattern: str) -> str:
    if WILD.search(pattern):
        return f"{folder}: '{pattern}' finds no bot; put a file with `def decide(view)` there"
    return f"{folder / pattern}: no such file; 'bots/*' takes all bots there are"


def _wrong_names(bots: Sequence[Found]) -> Iterator[str]:
    """Yield what is wrong with the names of bots, given by name."""
    for before, bot in pairwise(bots):
        if before.name == bot.name:
            yield f"{bot.path}: is called {bot.name!r}, as is {before.path}; rename one of them"
    for bot in bots:
        if not NAME.fullmatch(bot.name):
            right = re.sub(r"[^a-z0-9-]+", "_", bot.name.lower()).strip("_")[:32] or "bot"
            yield f"{bot.path}: found the name {bot.name!r}; {NAME_RULE}, such as {right!r}"


def _read_folder(folder: Path) -> Source:
    home = folder.resolve()
    files: list[tuple[str, bytes]] = []
    left = MAX_MIB << 20
    for path in _paths(folder, home):
        if len(files) == MAX_FILES:
            raise UsageError(f"{folder}: more than {MAX_FILES:,} files; take some out")
        content = _content(path, home, left)
        left -= len(content)
        files.append((path.relative_to(folder).as_posix(), content))
    return Source(tuple(sorted(files)))


def _paths(folder: Path, home: Path) -> Iterator[Path]:
    """Yield the bot's files, bytecode apart."""
    for parent, inner, names in os.walk(folder, onerror=_refuse):
        inner[:] = [name for name in inner if name != "__pycache__"]
        for name in inner:
            path = Path(parent, name)
            if path.is_symlink():
                raise UsageError(f"{path}: is a link to a folder; put the folder itself there")
        for name in names:
            try:
                name.encode()
            except UnicodeEncodeError:
                raise UsageError(f"{parent}: {name!r} is not UTF-8; rename the file") from None
            if not name.endswith(".pyc"):
                yield Path(parent, name)


def _refuse(error: OSError) -> None:
    raise UsageError(f"{error.filename}: cannot be read: {error.strerror}; change its permissions")


def _stay_inside(path: Path, home: Path) -> None:
    try:
        inside = path.resolve().is_relative_to(home)
    except (OSError, RuntimeError) as error:  # a link to itself
        raise UsageError(f"{path}: is a link that leads nowhere; take it out") from error
    if not inside:
        raise UsageError(f"{path}: is a link that leaves {home}; put the bot's own copy there")


def _content(path: Path, home: Path, most: int) -> bytes:
    """Return a file's bytes. Raises UsageError if it is none, lies elsewhere or is too large."""
    _stay_inside(path, home)
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise UsageError(f"{path}: is no file but {_kind(mode)}; take it out")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read: {error.strerror}; change its permissions, or take it out"
        ) from error
    if len(content) > most:
        raise UsageError(f"{path}: the bot is larger than {MAX_MIB} MiB with it; make it smaller")
    return content


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
    }  # fmt: skip
    return kinds.get(stat.S_IFMT(mode), "something else")


def _write(folder: Path, source: Source) -> None:
    inner = set()
    for name, content in source.files:
        path = folder / name
        inner |= set(path.relative_to(folder).parents)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o400)
    for parent in sorted(inner | {Path()}, reverse=True):  # the innermost first
        (folder / parent).chmod(0o500)


def _remove(folder: Path) -> None:
    for parent, _, _ in os.walk(folder):
        Path(parent).chmod(0o700)
    shutil.rmtree(folder)
