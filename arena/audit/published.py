"""The files published beside a store, against the texts that are made again of its games."""

import errno
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arena.audit.text_diff import differences
from arena.decoding import decoded
from arena.store import usage
from arena.store.shards import shard_in
from arena.store.store import Store
from arena.tables import publish

SPARE = 1 << 16  # bytes of a published file that are read beyond twice its right length


def differing(
    store: Store, texts: Mapping[str, Sequence[str]], exact: bool
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files that were compared with their texts, any of a file's, and (file, problem) of
    those that are missing or differ: where not `exact`, by more than one unit in the last place.

    A published store need not have its files beside it, and a shard has none.
    """
    compared, problems = [], []
    for name, forms in texts.items():
        path = store.path.parent / name
        if not path.exists():
            if not store.public and not shard_in(store):
                problems.append((name, "is missing; `arena tournament` writes it again"))
            continue
        compared.append(name)
        try:
            there = content(path, 2 * max(map(len, forms)) + SPARE).decode("utf-8", "replace")
        except OSError as error:
            problems.append((name, f"cannot be read ({error.strerror})"))
            continue
        if there in forms:
            continue
        where = [differences(there, text, 0 if exact else 1) for text in forms]
        if all(where):
            problems.append((name, f"is not what the stored games give: {where[0]}"))
    return compared, problems


class _Provenance(msgspec.Struct):
    """What is read of provenance.json."""

    versions: dict[str, str]


def by_these_versions(store: Store) -> tuple[bool, list[tuple[str, str]]]:
    """Return whether the tables were written by the versions that run here; where nothing says so,
    as of a published store, whether its games were played with them. And (file, problem) of what
    should say so and cannot be read.
    """
    problems = []
    try:
        told = content(store.path.parent / publish.PROVENANCE, SPARE)
        written = [decoded(told, _Provenance).versions]
    except FileNotFoundError:
        written = usage.versions(store)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        problems.append((publish.PROVENANCE, f"cannot be read ({why})"))
        written = usage.versions(store)
    ours = publish.versions()
    these = all(kept.get(name) == ours[name] for kept in written for name in ("python", "numpy"))
    return these, problems


def content(path: Path, most: int) -> bytes:
    """Return a file, the first so many bytes of it. Raises OSError; also where it is no ordinary
    file, such as a pipe that nobody writes to.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not an ordinary file")
        return file.read(most)
