"""The files published beside a store, against the texts that are made again of its games."""

import errno
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arena.audit.text_diff import differences
from arena.store.store import Store
from arena.tables import publish

SPARE = 1 << 16  # bytes of a published file that are read beyond twice its right length


def differing(
    store: Store, texts: Mapping[str, Sequence[str]], exact: bool
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files that were compared with their texts, any of a file's, and (file, problem) of
    those that are missing or differ: where not `exact`, by more than one unit in the last place.

    A published store need not have its files beside it.
    """
    compared, problems = [], []
    for name, forms in texts.items():
        path = store.path.parent / name
        if not path.exists():
            if not store.public:
                problems.append((name, "is missing; `arena tournament` writes it again"))
            continue
        compared.append(name)
        try:
            there = _content(path, 2 * max(map(len, forms)) + SPARE).decode("utf-8", "replace")
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


def by_these_versions(store: Store) -> bool:
    """Return whether the tables were written by the versions that run here; of a published store,
    which tells no more, whether its games were played with them.
    """
    try:
        told = _content(store.path.parent / publish.PROVENANCE, SPARE)
        written = [msgspec.json.decode(told, type=_Provenance).versions]
    except (OSError, msgspec.MsgspecError):
        written = store.versions()
    ours = publish.versions()
    return all(kept.get(name) == ours[name] for kept in written for name in ("python", "numpy"))


def _content(path: Path, most: int) -> bytes:
    """Return a file, the first so many bytes of it. Raises OSError; also where it is no ordinary
    file, such as a pipe that nobody writes to.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not an ordinary file")
        return file.read(most)
