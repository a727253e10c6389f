"""All that lies beside a store and is no table: files of an export or archive, each made again from
the store and compared by content; and the rest, named, for nothing shows that it is true.
"""

import gzip
import os
import sys
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from arena.audit.published import find_difference
from arena.export.files import make_lines, make_rows
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE, format_secret
from arena.store.schema import FILE, PUBLIC_FILE
from arena.store.store import Store
from arena.store.usage import read_timings
from arena.system.folders import open_ordinary_file
from arena.tables.results import HISTORY, PROVENANCE, timing_csv
from arena.words import amount, visible

LONGEST = 1 << 24  # bytes of a line that are read: a record has half as many at most
LARGEST, SPARE = 4, 1 << 20  # times the bytes of the store; and more of a file, for small ones
MEMORY = 1 << 29
"""Bytes for reading a parquet file: whoever wrote it chose what a part of it unpacks to."""

MOST = 10_000  # files and folders beside a store, and in folders there, that are looked at

REASONS = {PROVENANCE: "its maker's word"}
REASONS |= dict.fromkeys([FILE, PUBLIC_FILE], "another store; verify it by its path")


class Remade(NamedTuple):
    """A file that was made again and compared, or cannot be here."""

    name: str
    problem: str = ""
    reason: str = ""  # for not checking it


def compare_exported(store: Store, secret: bytes | None) -> Iterator[Remade]:
    """Compare those files beside a store that are made from it, tables apart. `secret` is the one
    that its deals come from.

    Raises what reading a damaged store does.
    """
    plan = load_plan(store)
    right: dict[str, Iterable[object]] = {**make_lines(store)}
    right["timing.csv"] = timing_csv(read_timings(store), plan.limits).encode().splitlines(True)
    right |= {f"{name}.parquet": map(str, rows) for name, rows in make_rows(store).items()}
    if secret:
        right[SECRET_FILE] = format_secret(plan, secret).encode().splitlines(True)
    most = LARGEST * store.path.stat().st_size + SPARE
    for name, lines in right.items():
        problem = reason = ""
        try:
            path = store.path.parent / name
            with open_ordinary_file(path, getattr(os, "O_NOFOLLOW", 0)) as file:
                if file.seek(0, os.SEEK_END) > most:
                    raise ValueError(f"longer than {most:,} bytes")
                file.seek(0)
                if not name.endswith(".parquet"):
                    problem = find_difference(_read_lines(file), lines)
                elif sys.platform == "linux" and find_spec("pyarrow"):
                    problem = find_difference(_read_rows(file), lines)
                else:
                    reason = "needs Linux and pyarrow"
        except FileNotFoundError:
            continue
        except (OSError, EOFError, MemoryError, ValueError, zlib.error) as error:
            problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        if problem and name == SECRET_FILE:  # its words are for people, and may change
            problem, reason = "", "all but its secret, which is right"
        yield Remade(name, problem, reason)


def _read_lines(file: IO[bytes]) -> Iterator[bytes]:
    packed = str(file.name).endswith(".gz")
    stream = gzip.GzipFile(fileobj=file) if packed else file
    return iter(partial(stream.readline, LONGEST), b"")


def _read_rows(file: IO[bytes]) -> Iterator[str]:
    """Yield the names of a parquet file's columns, then its rows. Raises ValueError or OSError."""
    import resource

    from pyarrow import ArrowException, parquet

    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    if before[0] == resource.RLIM_INFINITY:  # else there is a bound already
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, before[1]))
    try:
        table = parquet.ParquetFile(file, pre_buffer=False)
        yield str(tuple(table.schema_arrow.names))
        for batch in table.iter_batches(1024, use_threads=False):
            yield from map(str, zip(*(column.to_pylist() for column in batch), strict=True))
    except (ArrowException, OverflowError) as error:
        raise ValueError(error) from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def find_strangers(folder: Path, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what lies in a folder and is not `known`, that is compared or reported elsewhere, by
    name, with the reason for not checking it. A folder has the number of its files.
    """
    names, folders, left = Counter[str](), [""], MOST
    while folders and left > 0:
        place = folders.pop(0)
        top = place.partition("/")[0]
        try:
            with os.scandir(folder / place) as entries:
                for entry in islice(entries, left):
                    left -= 1
                    path = place + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(f"{path}/")
                    elif path not in known or entry.is_symlink():
                        names[f"{top}/" if top not in ("", HISTORY) else path] += 1
        except OSError:
            names[f"{top}/"] += 0  # which cannot be listed, or is too deep
    more = "other files" if left else f"other files; no more than {MOST:,} were looked at"
    for name, count in sorted(names.items()):
        files = f" ({amount(count, 'file')})" if name.endswith("/") else ""
        yield visible(name) + files, REASONS.get(name, more)
