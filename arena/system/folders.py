"""Files and folders that are there whole or not at all, leftovers of killed writers removed, and a
stranger's files read.

What is to come is written as a draft beside its place, then renamed. A draft folder is locked
(`locks`) while it is in use.
"""

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, count
from math import inf
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import IO

from arena.progress import OutOfTime, check_time
from arena.system.abilities import LINUX, WINDOWS
from arena.system.locks import lock_abandoned_folders, make_locked_folder
from arena.words import spell, visible

NEW, OLD = "new", "old"
"""All that a draft of a folder has in it: what is to come, and what was moved aside for it."""

SUMS = "SHA256SUMS"
MOST_SUMS = 1 << 20  # bytes of it that are read
MOST_SUMMED = 16 << 30  # bytes of a file that is summed
LONGEST = 200  # characters of a name in it that are repeated

DRAFT = ".draft"  # how names of drafts end
TREE = ".arena-draft-"  # how the names of drafts of new files begin

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # which Windows lacks


@contextmanager
def _hold(folder: Path, name: str, make: bool = False) -> Iterator[Path]:
    """Give a path to a place in a folder of the user's that leads there whatever comes to the names
    on the way. Links on the way to the folder are followed, inside it none is. With `make`, missing
    folders inside it are made. Raises OSError.
    """
    with ExitStack() as opened:
        *inner, last = PurePath(name).parts
        held, way = opened.enter_context(_open_folder(folder, 0)), folder
        for part in inner:
            held, way = held / part, way / part
            with _name_errors(way):
                if make:
                    with suppress(FileExistsError):
                        held.mkdir()
                if not stat.S_ISDIR(held.lstat().st_mode):
                    raise OSError(errno.ELOOP, "is a link or no folder; move it away")
                held = opened.enter_context(_open_folder(held, _NO_LINK))
        yield held / last


@contextmanager
def _open_folder(folder: Path, flags: int) -> Iterator[Path]:
    if not LINUX:
        yield folder
        return
    fd = os.open(folder, os.O_PATH | os.O_DIRECTORY | flags)
    try:
        yield _find_open(fd, folder)
    finally:
        os.close(fd)


def _find_open(fd: int, folder: Path) -> Path:
    """A path to an open folder: by its descriptor on Linux, elsewhere its own."""
    return Path(f"/proc/self/fd/{fd}") if LINUX else folder


@contextmanager
def _name_errors(path: Path) -> Iterator[None]:
    """Have an OSError name this path: that of a full disk names none, others a draft's."""
    try:
        yield
    except OSError as error:
        if error.errno:  # else it is gzip's, say, whose text alone tells
            error.filename = str(path)
        raise


@contextmanager
def write_atomically(folder: Path, name: str) -> Iterator[IO[bytes]]:
    """Give a stream to write to; a reader of the file sees the old one until all of it is on disk.

    `name` is the file's path in a folder of the user's, in which no link is followed; folders that
    it names are made. The stream's own name is the path of the draft. Raises OSError, which names
    the file; the old one is still there then, and nothing else.
    """
    with _hold(folder, name, make=True) as place, _name_errors(folder / name):
        draft = place.with_name(f".{place.name}{DRAFT}")
        try:
            draft.unlink(missing_ok=True)  # left by a kill, or planted
            with open(draft, "xb") as stream:  # which follows no link
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write new files, by their paths in an existing folder that has nothing of their names.

    Raises OSError (also FileExistsError), which names the path; nothing was written then.
    """
    moved: list[Path] = []
    try:
        with TemporaryDirectory(prefix=TREE, dir=folder) as draft:  # on the same file system
            for name, content in files.items():
                path = Path(draft, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            for entry in sorted(Path(draft).iterdir()):
                place = folder / entry.name
                if os.path.lexists(place):
                    raise FileExistsError(0, "exists already", str(place))
                entry.rename(place)
                moved.append(place)
    except BaseException as error:
        for place in moved:
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        if isinstance(error, OSError) and TREE in str(error.filename):
            error.filename = str(folder)  # the draft's name says nothing to the user
        raise


@contextmanager
def replace_folder(
    folder: Path, name: str, prefix: str, check: Callable[[Path], object] | None = None
) -> Iterator[Path]:
    """Give a new folder to fill, which takes its place if the block ends well: a path by descriptor
    on Linux. `name` is the path of the place in a folder of the user's, in which no link is
    followed.

    What lies at the place is moved aside, where `check` looks at it, and raises if it must stay. It
    comes back then, or after a kill, unless something is there. Without `check` nothing is
    replaced. Leftovers of killed writers are removed first: drafts whose names begin with `prefix`,
    as this one's does. Raises OSError, also where something else came to the place, or the draft
    was swapped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        place = opened.enter_context(_hold(folder, name, make=True))
        replaced = place if check else None
        remove_left_drafts(place.parent, prefix, replaced)
        entry, lock = make_locked_folder(place.parent, prefix, DRAFT)
        if lock is not None:
            opened.callback(os.close, lock)
        draft = opened.enter_context(_open_folder(entry, _NO_LINK))
        try:
            new = draft / NEW
            new.mkdir()
            yield new
            for path in (*new.rglob("*"), new):
                _sync(path)
            if check and os.path.lexists(place):
                place.rename(draft / OLD)
                check(draft / OLD)
            with _name_errors(folder / name):
                if not os.path.samefile(draft, entry):
                    raise OSError(errno.ESTALE, "another user replaced its draft")
                new.rename(place)
        except OSError as error:
            if str(error.filename).startswith(str(draft)):  # a descriptor says nothing to the user
                error.filename = str(folder / name)
            raise
        finally:
            _remove(draft, entry, replaced)  # after an error, or Ctrl-C


def remove_left_drafts(folder: Path, prefix: str, replaced: Path | None = None) -> None:
    """Remove what killed calls of `replace_folder` left in a folder; gives back what they had moved
    aside from the place that they `replaced`.
    """
    for entry, lock in lock_abandoned_folders(folder, prefix, DRAFT):
        draft = _find_open(lock, entry)
        if all(p.name in (NEW, OLD) and stat.S_ISDIR(p.lstat().st_mode) for p in draft.iterdir()):
            _remove(draft, entry, replaced)


def _remove(draft: Path, entry: Path, replaced: Path | None) -> None:
    if replaced and os.path.lexists(draft / OLD) and not os.path.lexists(replaced):
        (draft / OLD).rename(replaced)
    shutil.rmtree(os.path.join(draft, "."), ignore_errors=True)  # by itself it is a link of /proc
    with suppress(OSError):  # the next one sweeps what stays
        entry.rmdir()


def make_cache_folder() -> Path | None:
    """The user's folder for what can be computed again, `~/.cache/arena`, made where it is missing.

    None where there is no such folder that this user alone may use: a stranger's is not believed,
    and among the libraries bots would read it, which are this user's processes.
    """
    if WINDOWS:  # modes say nothing there of who may use it
        return None
    from arena.sandbox.walls import find_library

    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        folder = (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "arena"
        if find_library(folder):
            return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except (OSError, RuntimeError):  # a home that cannot be written to, or that has no name
        return None
    private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
    return folder if private and status.st_uid == os.geteuid() else None


def read_ordinary_file(path: Path, most: int) -> bytes:
    """Read a stranger's file, the first `most` bytes of it. Raises OSError as
    `open_ordinary_file` does.
    """
    with open_ordinary_file(path) as file:
        return file.read(most)


def open_ordinary_file(path: Path, flags: int = 0) -> IO[bytes]:
    """Open a stranger's file for reading. `flags` are further flags of `open(2)`. Raises OSError;
    also where it is no ordinary file, such as a pipe without a writer.
    """
    flags |= getattr(os, "O_NONBLOCK", 0)  # Windows' files do not block
    file = open(path, "rb", opener=lambda path, ours: os.open(path, ours | flags))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file")
    return file


def read_inside(folder: Path, name: str, most: int) -> bytes:
    """Read a stranger's file as `read_ordinary_file`, by its path in a folder of the user's, in
    which no link is followed. Raises OSError, which names the file.
    """
    with open_inside(folder, name) as file:
        return file.read(most)


@contextmanager
def open_inside(folder: Path, name: str) -> Iterator[IO[bytes]]:
    """Open a regular file by its path in a stranger's folder. Raises ValueError where that leads
    out of it, OSError where it is no such file, also where a link is on the way.
    """
    path = PurePath(name)
    if path.anchor or ".." in path.parts or not path.name:
        raise ValueError(name)
    with _hold(folder, name) as place, _name_errors(folder / path):
        if place.is_symlink():
            raise OSError(errno.ELOOP, "is a link")
        with open_ordinary_file(place, _NO_LINK) as file:
            yield file


def write_sums(folder: Path) -> str:
    """Write the SHA-256 of each of a folder's files, as `sha256sum --check` reads it; returns that
    of the list.
    """
    lines = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            lines.append(f"{_digest(file, inf)}  {path.relative_to(folder).as_posix()}\n")
    content = "".join(lines).encode()
    with write_atomically(folder, SUMS) as out:
        out.write(content)
    return hashlib.sha256(content).hexdigest()


def find_wrong_sums(folder: Path, end_s: float = inf) -> Iterator[tuple[str, str]]:
    """Yield a stranger's files that are not those of `write_sums`, with what is wrong; none where
    the folder has no sums. Raises OutOfTime with the name
    of the file at hand, at `end_s` of the monotonic clock.
    """
    try:
        text = read_inside(folder, SUMS, MOST_SUMS + 1).decode("utf-8", "replace")
    except FileNotFoundError:
        return
    except OSError as error:
        yield SUMS, f"cannot be read ({error.strerror})"
        return
    if len(text) > MOST_SUMS:
        yield SUMS, f"is longer than {MOST_SUMS:,} bytes, which alone were checked"
    lines = [line.partition("  ") for line in text[:MOST_SUMS].splitlines()]
    sums = {PurePath(name): (name, digest) for digest, _, name in lines}
    if len(sums) < len(lines):
        yield SUMS, "names files more than once"
    for name, digest in sums.values():
        try:
            with open_inside(folder, name) as file:
                if os.fstat(file.fileno()).st_size > MOST_SUMMED:  # a hole takes no room, but time
                    yield visible(name)[:LONGEST], "is larger than 16 GiB, and was not read"
                elif _digest(file, end_s) != digest:
                    yield visible(name)[:LONGEST], f"does not match {SUMS}"
        except OutOfTime:
            raise OutOfTime(spell(name)) from None
        except ValueError:
            yield SUMS, f"names {spell(name)}, which is no file of the folder"
        except FileNotFoundError:
            yield visible(name)[:LONGEST], f"is missing, but in {SUMS}"
        except OSError as error:
            yield SUMS, f"names {spell(name)}, which cannot be read ({error.strerror})"


def _digest(file: IO[bytes], end_s: float) -> str:
    """The SHA-256 of a file, in hexadecimal. Raises OutOfTime at `end_s`."""
    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
        check_time(end_s)
    return digest.hexdigest()


def find_free_path(wanted: Path, before_number: str = "") -> Path:
    """The path itself if nothing is there, else the first free one of it with 2, 3, ... at its
    end.
    """
    numbered = (wanted.with_name(f"{wanted.name}{before_number}{n}") for n in count(2))
    return next(path for path in chain([wanted], numbered) if not os.path.lexists(path))


def _sync(path: Path) -> None:
    """Flush a file or a folder to disk; not on Windows, where that takes a file open for
    writing.
    """
    if WINDOWS:
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
