"""The files published beside a store, compared with those that are recomputed from its games.

Where they were made by the same versions of Python and numpy on the same kind of CPU, they are the
same to the byte. Elsewhere standings.json is compared number by number (`differences`), and the
others have to say what it says: rounding may turn a last digit.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from arena.audit.differences import find_difference_of_week, find_differences, shorten
from arena.audit.game_check import UNSOUND
from arena.model import Week
from arena.store.history import KeptWeek
from arena.store.plans import load_plan
from arena.store.store import Store, map_over_store
from arena.store.usage import read_versions
from arena.system.folders import read_ordinary_file
from arena.system.machine import result_versions
from arena.tables.document import Standings
from arena.tables.history import make_week
from arena.tables.results import (
    HISTORY,
    PROVENANCE,
    RATE_APART,
    compute_standings,
    cpu_features,
    format_tables,
    make_files,
    make_history,
    read_provenance,
)
from arena.typed_json import decode

SPARE = 1 << 16  # bytes of a published file that are read beyond twice its right length
DOCUMENT = "standings.json"


class Compared(NamedTuple):
    """The result of comparing published files."""

    files: list[str]  # that were there
    exact: bool  # to the byte; else rounding is counted and is no problem
    rounding: int  # numbers that differ, by no more than rounding may
    problems: list[tuple[str, str]]  # by file: it is missing, or says something else


def compare_published(store: Store, computed: Standings, weeks: Sequence[Week] = ()) -> Compared:
    """Compare the files beside a store with the standings recomputed from its games. A published
    store need not have its files beside it.
    """
    exact, unread = _is_made_here(store)
    history = make_history(weeks)
    right, rounding = make_files(computed) | history, 0
    there: dict[str, str] = {}
    problems: dict[str, str] = {}
    most = 2 * max(map(len, right.values())) + SPARE
    for name in right:
        try:
            content = read_ordinary_file(store.path.parent / name, most)
            there[name] = content.decode("utf-8", "replace")
        except FileNotFoundError:
            if not store.public:
                problems[name] = "is missing; rewrite it with `arena tournament`"
        except OSError as error:
            problems[name] = f"cannot be read ({error.strerror})"
    for path in (store.path.parent / HISTORY).glob("[0-9]*.json"):
        if (name := f"{HISTORY}/{path.name}") not in right:
            problems[name] = "is of no week in the store"
    published = None if exact else _document(there.get(DOCUMENT, ""))
    if published is not None and published != computed:
        wrong, rounding = find_differences(published, computed)
        if wrong:
            problems[DOCUMENT] = wrong[0]
            rounding = 0
        else:
            right, computed = make_files(published) | history, published
    for name, text in there.items():
        if name in problems or text == right[name]:
            continue
        differs = find_difference(text.splitlines(), right[name].splitlines()) or "line endings"
        problems[name] = f"does not match the stored games: {differs}"
    tables = [name for name in there if name not in history]
    return Compared(tables, exact, rounding, [*problems.items(), *unread])


def compare_weeks(
    store: Store, weeks: Sequence[KeptWeek], standings: Standings
) -> Iterator[str | None]:
    """Rate each week again by its plan, and say what is wrong with it, "" for nothing. None where
    it has more games now, which is allowed. `standings` are those of the stored plan: a week that
    has the same plan is not rated again.
    """
    games, plan = store.count(), load_plan(store)
    apart = games < RATE_APART <= games * len(weeks)  # else pools are, or nothing
    pieces = [
        (week, standings if week.plan._replace(run_began=plan.run_began) == plan else None)
        for week in weeks
    ]
    return map_over_store(store, _compare_week, pieces, apart=apart)


def _compare_week(store: Store, piece: tuple[KeptWeek, Standings | None]) -> str | None:
    stored, document = piece
    there = stored.week
    try:
        document = document or compute_standings(store, plan=stored.plan)
    except UNSOUND as error:
        return f"cannot be recomputed from the stored games ({error})"
    here = make_week(document, there.time, there.label)
    if there.games > here.games:
        return f"{there.games - here.games:,} of its {there.games:,} games are lost"
    if there.games < here.games:
        return None
    return find_difference_of_week(there, here, document)


def _document(text: str) -> Standings | None:
    """A published document; None where it is not written as we write it, which is a stronger
    finding than any difference.
    """
    try:
        published = decode(text, Standings)
        return published if format_tables(published, "json") == text else None
    except (ValueError, TypeError, LookupError):
        return None


def find_difference(there: Iterable[object], here: Iterable[object]) -> str:
    """Find the first of a file's lines (text, bytes or rows) that is not what it should be; "" if
    there is none.
    """
    for number, (theirs, ours) in enumerate(zip_longest(there, here), 1):
        if theirs is None or ours is None:
            return f"line {number}: it has {'no' if theirs is None else 'one'} such line"
        if theirs != ours:
            return f"line {number}: found {shorten(theirs)}, recomputed {shorten(ours)}"
    return ""


def _is_made_here(store: Store) -> tuple[bool, list[tuple[str, str]]]:
    """True if the tables were computed as they would be here: by the same versions of Python and
    numpy, with the same features of the CPU. And (file, problem) of a provenance that cannot be
    read.

    Without a provenance, as for a lone store, it is true if its games were played by the same
    versions.
    """
    provenance, problems = None, []
    try:
        provenance = read_provenance(store.path.parent)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        problems.append((PROVENANCE, f"cannot be read ({why})"))
    written, here = read_versions(store), True
    if provenance:
        written, here = [provenance.versions], provenance.cpu_features == cpu_features()
    ours = result_versions()
    these = all(past.get(name) == ours[name] for past in written for name in ("python", "numpy"))
    return here and these, problems
