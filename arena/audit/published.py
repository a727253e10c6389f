"""The files published beside a store, compared with those that are recomputed from its games.

Where they were made by the same versions of Python and numpy on the same kind of CPU, they are the
same to the byte. Elsewhere standings.json is compared number by number, and the others have to say
what it says.
"""

import errno
import os
import stat
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from arena.store import usage
from arena.store.store import Store
from arena.system import result_versions
from arena.tables import results
from arena.tables.document import Standings
from arena.typed_json import decode

if TYPE_CHECKING:
    from arena.audit.document_diff import Differences

SPARE = 1 << 16  # bytes of a published file that are read beyond twice its right length
DOCUMENT, CSV = "standings.json", "standings.csv"


class Compared(NamedTuple):
    """The result of comparing published files."""

    files: list[str]  # that were there
    rounding: int  # numbers that differ, by no more than rounding may
    problems: list[tuple[str, str]]  # by file: it is missing, or says something else


def compare_published(store: Store, made: Standings, exact: bool) -> Compared:
    """Compare the files beside a store with the standings recomputed from its games; where not
    `exact`, rounding is counted and is no problem.

    A published store need not have its files beside it.
    """
    from arena.tables import formats

    right, rounding = results.make_files(made), 0
    there: dict[str, str] = {}
    problems: dict[str, str] = {}
    most = 2 * max(map(len, right.values())) + SPARE
    for name in right:
        try:
            there[name] = read_file(store.path.parent / name, most).decode("utf-8", "replace")
        except FileNotFoundError:
            if not store.public:
                problems[name] = "is missing; `arena tournament` writes it again"
        except OSError as error:
            problems[name] = f"cannot be read ({error.strerror})"
    if not exact and DOCUMENT in there and there[DOCUMENT] != right[DOCUMENT]:
        differences, published = _rounded(there[DOCUMENT], made)
        if differences.wrong:
            problems[DOCUMENT] = differences.wrong[0]
        elif published is not None:
            right, rounding, made = results.make_files(published), differences.rounding, published
    for name, text in there.items():
        if name in problems or text == right[name]:
            continue
        if name != CSV or text != formats.csv(made, safe=True):
            problems[name] = f"is not what the stored games give: {_first(text, right[name])}"
    return Compared([*there], rounding, [*problems.items()])


def _rounded(text: str, made: Standings) -> "tuple[Differences, Standings | None]":
    """How a published document differs from the one made here, and the document; None where it is
    not written as we write it, which is a stronger finding than any difference.
    """
    from arena.audit.document_diff import Differences, find_differences  # numpy takes its time
    from arena.tables import formats

    try:
        published = decode(text, Standings)
        if formats.json(published) == text:
            return find_differences(published, made), published
    except (ValueError, TypeError, LookupError):
        pass  # no document
    return Differences([], 0), None


def _first(there: str, here: str) -> str:
    """Where two texts differ first, in words."""
    lines = zip_longest(there.splitlines(), here.splitlines())
    for number, (theirs, ours) in enumerate(lines, 1):
        if theirs is None or ours is None:
            return f"line {number}: it has {'no' if theirs is None else 'one'} such line"
        if theirs != ours:
            return f"line {number}: it has {_short(theirs)}, they give {_short(ours)}"
    return "the ends of its lines"


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def is_made_here(store: Store) -> tuple[bool, list[tuple[str, str]]]:
    """Whether the tables were computed as they would be here: by the same versions of Python and
    numpy, with the same features of the CPU. And (file, problem) of a provenance that cannot be
    read.

    Without a provenance, as for a lone store, it is whether its games were played by the same
    versions.
    """
    problems = []
    ours = result_versions()
    try:
        provenance = decode(
            read_file(store.path.parent / results.PROVENANCE, SPARE), results.Provenance
        )
        written, here = [provenance.versions], provenance.cpu_features == results.cpu_features()
    except FileNotFoundError:
        written, here = usage.read_versions(store), True
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        problems.append((results.PROVENANCE, f"cannot be read ({why})"))
        written, here = usage.read_versions(store), True
    these = all(kept.get(name) == ours[name] for kept in written for name in ("python", "numpy"))
    return here and these, problems


def read_file(path: Path, most: int) -> bytes:
    """Read a file, the first `most` bytes of it. Raises OSError; also where it is no ordinary file,
    such as a pipe without a writer.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not an ordinary file")
        return file.read(most)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows' files do not block
