"""All that lies beside a store and is no table: files of an export or archive, each made again from
the store and compared by content; and the rest, named, for nothing shows that it is true.
"""

import os
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

from arena.audit.published import find_difference
from arena.export.contents import make_lines, make_rows
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE, format_secret
from arena.store.schema import FILE, PUBLIC_FILE, find_files
from arena.store.store import Store
from arena.store.usage import read_timings
from arena.system.folders import SUMS, open_ordinary_file
from arena.tables.results import HISTORY, PROVENANCE, timing_csv
from arena.typed_json import decode
from arena.words import visible

PIECE = 1 << 20  # bytes that are read, or unpacked, at once
LONGEST = 1 << 24  # bytes of a line: a record has half as many at most
ROWS = 1024  # read at once
MEMORY = 1 << 29
"""Bytes for reading a parquet file: whoever wrote it chose what a page of it unpacks to."""

MOST = 10_000  # files and folders that are looked at, beside a store, and in folders there

OTHER = "other files"
"""The reason for not checking what nothing makes from the store."""


class Exported(NamedTuple):
    """The result of comparing; what cannot be made again here is unchecked."""

    files: list[str]  # that were there, and compared
    problems: list[tuple[str, str]]  # by file: it cannot be read, or says something else
    unchecked: list[tuple[str, str]]  # file, reason


def compare_exported(store: Store, secret: bytes | None) -> Exported:
    """Compare those files beside a store that are made from it, tables apart. `secret` is the one
    that its deals come from.

    Raises what reading a damaged store does.
    """
    folder, plan = store.path.parent, load_plan(store)
    result = Exported([], [], [])
    right: dict[str, Iterable[object]] = {**make_lines(store)}
    right["timing.csv"] = timing_csv(read_timings(store), plan.limits).encode().splitlines()
    for name, (heads, rows) in make_rows(store).items():
        right[f"{name}.parquet"] = map(str, chain([heads], rows))
    words = format_secret(plan, secret).encode() if secret else b""
    if secret:
        right[SECRET_FILE] = _read_secret(BytesIO(words))
    for name, lines in right.items():
        path, read = folder / name, READERS[Path(name).suffix]
        try:
            with open_ordinary_file(path, getattr(os, "O_NOFOLLOW", 0)) as file:
                if read is _read_parquet and not (sys.platform == "linux" and find_spec("pyarrow")):
                    result.unchecked.append((name, "needs Linux and pyarrow"))
                    continue
                problem = find_difference(read(file), lines)
                file.seek(0)
                if name == SECRET_FILE and file.read(PIECE) != words and not problem:
                    result.unchecked.append((name, "in other words than this version's"))
        except FileNotFoundError:
            continue
        except (OSError, EOFError, MemoryError, ValueError, zlib.error) as error:
            why = "a link" if path.is_symlink() else getattr(error, "strerror", None) or error
            problem = f"cannot be read ({why})"
        result.files.append(name)
        if problem:
            result.problems.append((name, problem))
    return result


def _read_lines(file: IO[bytes]) -> Iterator[bytes]:
    return _split(iter(partial(file.read, PIECE), b""))


def _read_packed_lines(file: IO[bytes]) -> Iterator[bytes]:
    return _split(_unpack(file))


def _split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines; of one that is too long the beginning."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > LONGEST:
            break
    if rest:
        yield rest


def _unpack(file: IO[bytes]) -> Iterator[bytes]:
    """Yield a gzip file's content in pieces. (`gzip` would also go through zeros after its end, and
    through parts without content.) Raises zlib.error, or EOFError where it is cut off.
    """
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    while not unpacker.eof:
        packed = unpacker.unconsumed_tail or file.read(PIECE)
        if not packed:
            raise EOFError("it is cut off")
        yield unpacker.decompress(packed, PIECE)
    if unpacker.unused_data or file.read(1):
        raise EOFError("it goes on after its packed content")


def _read_parquet(file: IO[bytes]) -> Iterator[str]:
    """Yield the columns' names, and the rows. Raises ValueError, OSError or MemoryError."""
    from pyarrow import ArrowException, parquet

    with _limit_memory():
        try:
            table = parquet.ParquetFile(file, pre_buffer=False)
            yield str(tuple(table.schema_arrow.names))
            for batch in table.iter_batches(ROWS, use_threads=False):
                columns = [column.to_pylist() for column in batch.columns]
                yield from map(str, zip(*columns, strict=True))
        except (ArrowException, OverflowError) as error:
            raise ValueError(error) from None


@contextmanager
def _limit_memory() -> Iterator[None]:
    """Let this process map no more than `MEMORY` bytes more meanwhile. On Linux only."""
    import resource

    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = min(limit for limit in (mapped + MEMORY, *before) if limit != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _read_secret(file: IO[bytes]) -> Iterator[str]:
    """Yield what secret.json says, without words for people, and what other versions may add."""
    document = decode(file.read(PIECE), dict[str, object])
    for key in ("version", "tournament", "seeds", "secret", "commitment"):
        yield f"{key}: {document.get(key)!r}"


READERS: dict[str, Callable[[IO[bytes]], Iterator[object]]] = {
    ".csv": _read_lines, ".gz": _read_packed_lines, ".parquet": _read_parquet,
    ".json": _read_secret,
}  # fmt: skip


def find_strangers(store: Store, known: Collection[str]) -> list[tuple[str, str]]:
    """Find what lies beside a store and is not `known`, that is compared or reported elsewhere, by
    name, with the reason why it is not checked. A folder has the number of its files.
    """
    known = {*known, SUMS, *(path.name for path in find_files(store.path))}
    names, left = dict[str, str](), MOST
    for name, entry in islice(_list_entries(store.path.parent), MOST):
        if entry.is_symlink():
            names[f"{name} (a link)"] = OTHER
        elif entry.is_dir():
            inner = [*islice(_walk(entry.path), left)]
            left -= len(inner)
            more = "" if left else " or more"
            names[f"{name}/ ({inner.count(False):,}{more} files)"] = OTHER
        elif name == PROVENANCE and name not in known:
            names[name] = "its maker's word"
        elif name in (FILE, PUBLIC_FILE) and name not in known:
            names[name] = "another store; verify it by its path"
        elif name not in known:
            names[name] = OTHER
    if len(names) >= MOST:
        names[f"{MOST:,} or more files"] = OTHER
    return [(visible(name), reason) for name, reason in sorted(names.items())]


def _list_entries(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield what lies in a folder, and in the one of its weeks in place of that one."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == HISTORY and entry.is_dir(follow_symlinks=False):
                with os.scandir(entry.path) as weeks:
                    yield from ((f"{HISTORY}/{week.name}", week) for week in weeks)
            else:
                yield entry.name, entry


def _walk(folder: str) -> Iterator[bool]:
    """Yield of each entry in a folder, and in folders in it, whether it is a folder."""
    folders = [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if is_folder := entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                yield is_folder
