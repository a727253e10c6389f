"""All that lies beside a store and is no table: files of an export or archive, each made again from
the store and compared by content; and the rest, named, for nothing shows that it is true.
"""

import gzip
import os
import zlib
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from arena.audit.published import find_wrong_line
from arena.export.files import make_lines, make_rows
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE, format_secret
from arena.store.schema import FILE, PUBLIC_FILE
from arena.store.store import Store
from arena.store.usage import read_timings
from arena.system.abilities import LINUX
from arena.system.folders import open_inside
from arena.tables.results import HISTORY, PROVENANCE, timing_csv

LONGEST = 1 << 24  # bytes of a line that are read: a record has half as many at most
LARGEST, SPARE = 4, 1 << 20  # times the bytes of the store; and more of a file, for small ones
MEMORY = 1 << 29
"""Bytes for reading a parquet file: whoever wrote it chose what a part of it unpacks to."""

MOST = 10_000  # names beside a store, and in the folder of its weeks, that are looked at

NO_TABLE = "not compared with the games"
WORD = "its maker's word"
REASONS = {PROVENANCE: WORD}
REASONS |= dict.fromkeys([FILE, PUBLIC_FILE], "another store; verify it by its path")
"""Reasons for not checking what lies beside a store, by name; that for all else is `NO_TABLE`."""


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
            with open_inside(store.path.parent, name) as file:
                if file.seek(0, os.SEEK_END) > most:
                    raise ValueError(f"longer than {most:,} bytes")
                file.seek(0)
                if not name.endswith(".parquet"):
                    problem = find_wrong_line(_read_lines(file), lines)
                elif LINUX and find_spec("pyarrow"):
                    problem = find_wrong_line(_read_rows(file), lines)
                else:
                    reason = "needs Linux and pyarrow"
        except FileNotFoundError:
            continue
        except (OSError, EOFError, MemoryError, ValueError, zlib.error) as error:
            problem = f"cannot be read ({getattr(error, 'strerror', None) or error or 'too large'})"
        if problem and name == SECRET_FILE:  # its words are for people, and may change
            problem, reason = "", "not as it is written here"
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
        schema = table.schema_arrow
        if schema.metadata:  # where pandas, for one, looks for the names of columns
            raise ValueError("has metadata, and those that Arena writes have none")
        yield str(tuple(schema.names))
        for batch in table.iter_batches(1024, use_threads=False):
            yield from map(str, zip(*(column.to_pylist() for column in batch), strict=True))
    except (ArrowException, OverflowError) as error:
        raise ValueError(error) from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def find_strangers(folder: Path, known: Collection[str]) -> Iterator[str]:
    """Yield what lies in a folder, and in that of its weeks, and is not `known`: names, and `NAME/`
    of folders, in order. Of each folder `MOST` names are looked at.
    """
    history = f"{HISTORY}/"
    for place in ("", history)[: 1 if (folder / HISTORY).is_symlink() else 2]:
        try:
            with os.scandir(folder / place) as entries:
                names = sorted(
                    place + entry.name + "/" * entry.is_dir(follow_symlinks=False)
                    for entry in islice(entries, MOST)
                )
        except FileNotFoundError:
            continue
        except OSError:
            names = [place]
        if len(names) == MOST:
            yield f"more than {MOST:,} files"
        yield from (name for name in names if name not in known and name != history)
