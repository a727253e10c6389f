"""The files published beside a store, compared with those that are recomputed from its games.

Where they were made by the same versions of Python and numpy on the same kind of CPU, they are the
same to the byte. Elsewhere standings.json is compared number by number (`differences`), and the
others have to say what it says: rounding may turn a last digit.

Another release of Arena may have written them (`arena.tables.releases`). Keys that it does not
write are left out of what is recomputed. Ratings and the layout of tables have to be the same if
its rules are those of today; what differs by other rules, or by a release that is not known here,
is named as unchecked. Which release it was is only its writer's word, so that is named, too.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import StringIO
from itertools import zip_longest
from json import dumps
from typing import Any, NamedTuple

from msgspec import Struct, to_builtins

from arena import __version__
from arena.audit.differences import find_difference_of_week, find_differences, shorten
from arena.audit.game_check import UNSOUND
from arena.model import Week
from arena.store.history import KeptWeek
from arena.store.plans import load_plan
from arena.store.store import Store, map_over_store
from arena.store.usage import read_versions
from arena.system.folders import read_inside
from arena.system.machine import result_versions
from arena.tables import formats
from arena.tables.document import VERSION, Standings
from arena.tables.history import make_week
from arena.tables.releases import (
    LAYOUT,
    RULES,
    describe_release,
    find_keys,
    find_release,
    keep_keys,
    list_keys,
)
from arena.tables.results import (
    HISTORY,
    PROVENANCE,
    RATE_APART,
    compute_standings,
    cpu_features,
    make_files,
    make_history,
    read_provenance,
)
from arena.typed_json import decode
from arena.words import spell

SPARE = 1 << 16  # bytes of a published file that are read beyond twice its right length
DOCUMENT, CELLS = "standings.json", "standings.csv"
ON_TRUST = "its maker's word, which the comparison relies on"
UNSHOWABLE = (*UNSOUND, ArithmeticError, AttributeError)
"""Errors of making tables of a document whose ratings a stranger made up."""


class Compared(NamedTuple):
    """The result of comparing published files."""

    files: list[str] = []  # that were there
    exact: bool = True  # to the byte; else rounding is counted and is no problem
    rounding: int = 0  # numbers that differ, by no more than rounding may
    problems: Sequence[tuple[str, str]] = ()  # by file: it is missing, or says something else
    unchecked: Sequence[tuple[str, str]] = ()  # parts that were not compared, with the reasons


class Rated(NamedTuple):
    """The result of rating a week again."""

    problem: str  # "" for none
    unchecked: Sequence[tuple[str, str]] = ()
    grown: bool = False  # it has more games now, and was not compared


class Maker(NamedTuple):
    """The arena that wrote something, by its writer's word."""

    arena: str  # its version
    exact: bool = False  # on a machine like this one

    @property
    def in_words(self) -> str:
        named = self.arena if re.fullmatch(r"[\w.+-]{1,20}", self.arena) else spell(self.arena)
        return f"made by arena {named}"

    def has(self, number: str, ours: int) -> bool:
        """True if its release is known here, and has our number of `rules` or `layout`."""
        release = find_release(self.arena)
        return release is not None and getattr(release, number) == ours


class Document(NamedTuple):
    """A published standings.json, compared."""

    shown: Standings  # what the other files have to say
    wrong: str = ""
    rounding: int = 0
    unchecked: Sequence[tuple[str, str]] = ()


def compare_published(store: Store, computed: Standings, weeks: Sequence[Week] = ()) -> Compared:
    """Compare the files beside a store with the standings recomputed from its games. A published
    store need not have its files beside it.
    """
    maker, unread = _find_maker(store)
    history = make_history(weeks)
    right, rounding = make_files(computed) | history, 0
    there: dict[str, str] = {}
    problems: dict[str, str] = {}
    of_weeks, unchecked = dict(zip(history, weeks, strict=True)), list[tuple[str, str]]()
    most = 2 * max(map(len, right.values())) + SPARE
    for name in right:
        try:
            content = read_inside(store.path.parent, name, most)
            there[name] = content.decode("utf-8", "replace")
        except FileNotFoundError:
            if not store.public:
                problems[name] = "is missing; rewrite it with `arena tournament`"
        except OSError as error:
            problems[name] = f"cannot be read ({error.strerror})"
    trusted, text = False, there.get(DOCUMENT, right[DOCUMENT])
    if text != right[DOCUMENT] and maker != Maker(__version__, exact=True):
        try:
            document = _compare_document(text, computed, maker)
            right = make_files(document.shown) | history
        except UNSHOWABLE as error:
            document = Document(computed, f"no tables can be made of it ({error})")
        if document.wrong:
            problems[DOCUMENT] = document.wrong
        else:
            trusted, right[DOCUMENT], rounding = True, text, document.rounding
            unchecked += document.unchecked
    other_format = DOCUMENT in dict(unchecked)  # so its counts are not compared, nor their order
    for name, text in there.items():
        if name in problems or text == right[name]:
            continue
        if name in of_weeks:
            excused = _excuse_week(name, text, of_weeks[name])
        elif other_format:
            excused = [(name, maker.in_words)]
        else:
            excused = _excuse_table(name, text, right[name], maker)
        unchecked += excused
        if not excused:
            problems[name] = _say_difference(text, right[name])
    left = {part for part, _ in unchecked}
    tables = [name for name in there if name not in history and name not in left]
    exact = maker.exact and not unchecked
    if trusted or (unchecked and maker.arena != __version__):
        unchecked.insert(0, (PROVENANCE, ON_TRUST))
    return Compared(tables, exact, rounding, [*problems.items(), *unread], unchecked)


def _compare_document(text: str, computed: Standings, maker: Maker) -> Document:
    """Compare a document that is not what is written here: another release may have made it, or
    another machine.
    """
    try:
        written = decode(text, dict[str, Any])
    except ValueError as error:
        return Document(computed, f"is no document ({error})")
    release, unchecked = find_release(maker.arena), list[tuple[str, str]]()
    if (release is None or release.format != VERSION) and written.get("version") != VERSION:
        return Document(computed, unchecked=[(DOCUMENT, f"another format, {maker.in_words}")])
    keys = release.keys if release else find_keys(written, computed)
    known = keep_keys(computed, keys)
    if release is None and (lacking := list_keys(find_keys(to_builtins(computed), computed), keys)):
        unchecked.append((f"{lacking} (missing in {DOCUMENT})", maker.in_words))
    if text == (here := formats.json(known)):
        return Document(known, unchecked=unchecked)
    differs = _say_difference(text, here)
    rated = maker.has("rules", RULES)
    if maker.exact and rated:
        return Document(known, differs)
    try:
        published = decode(text, Standings)
        extra = _find_extra(written, published, maker)
        again = dumps(written, indent=1) + "\n" if extra else formats.json(published)
    except (ValueError, RecursionError):
        again = ""
    if text != again:
        return Document(known, differs)
    wrong, rounding = find_differences(published, known)
    if wrong and not rated:
        wrong, rounding = find_differences(published, known, rated=False)
        unchecked.append((f"ratings in {DOCUMENT}", maker.in_words))
    if wrong:
        return Document(known, wrong[0])
    if extra:
        unchecked.append((f"{extra} in {DOCUMENT}", maker.in_words))
    return Document(published, "", rounding, unchecked)


def _find_extra(written: Any, decoded: Struct, maker: Maker) -> str:
    """Name the keys of a document that no type has here; "" for none. Raises ValueError if its
    release is known, and does not write them.
    """
    release, keys = find_release(maker.arena), find_keys(written, decoded)
    if release and (wrong := list_keys(keys, release.keys)):
        raise ValueError(f"arena {maker.arena} does not write {wrong}")
    return list_keys(keys, describe_release().keys)


def _excuse_week(name: str, text: str, week: Week) -> list[tuple[str, str]]:
    """Name what is not checked of a week's file with more than the store's week, if that is what
    its release may write; nothing where it is wrong.
    """
    maker = Maker(week.arena)
    with suppress(ValueError, RecursionError):
        written = decode(text, dict[str, Any])
        extra = _find_extra(written, week, maker)
        if extra and decode(text, Week) == week and text == dumps(written) + "\n":
            return [(f"{extra} in {name}", maker.in_words)]
    return []


def _excuse_table(name: str, text: str, here: str, maker: Maker) -> list[tuple[str, str]]:
    """Name what is not checked of a table that another release may have laid out otherwise; nothing
    where it is wrong.
    """
    if maker.has("layout", LAYOUT) or (name == CELLS and not _has_counts(text, here)):
        return []
    what = f"all but counts in {name}" if name == CELLS else name
    return [(what, maker.in_words)]


def _has_counts(there: str, here: str) -> bool:
    """True if a CSV file has the bots and whole numbers of another, places apart, in columns of
    the same titles.
    """
    try:
        theirs, ours = ([*csv.DictReader(StringIO(text))] for text in (there, here))
    except csv.Error:
        return False
    return len(theirs) == len(ours) and all(
        their.get(title) == cell
        for their, our in zip(theirs, ours, strict=True)
        for title, cell in our.items()
        if title == "bot" or (cell.isdigit() and not title.startswith("place"))
    )


def compare_weeks(store: Store, weeks: Sequence[KeptWeek], standings: Standings) -> Iterator[Rated]:
    """Rate each week again by its plan, and compare it. `standings` are those of the stored plan: a
    week that has the same plan is not rated again.
    """
    games, plan = store.count(), load_plan(store)
    apart = games < RATE_APART <= games * len(weeks)  # else pools are, or nothing
    pieces = [
        (week, standings if week.plan._replace(run_began=plan.run_began) == plan else None)
        for week in weeks
    ]
    return map_over_store(store, _compare_week, pieces, apart=apart)


def _compare_week(store: Store, piece: tuple[KeptWeek, Standings | None]) -> Rated:
    stored, document = piece
    there = stored.week
    try:
        document = document or compute_standings(store, plan=stored.plan)
    except UNSOUND as error:
        return Rated(f"cannot be recomputed from the stored games ({error})")
    here = make_week(document, there.time, there.label)
    maker, place = Maker(there.arena), f"{HISTORY}/{there.number:04}.json"
    if there.games > here.games:
        return Rated(f"{there.games - here.games:,} of its {there.games:,} games are lost")
    if there.games < here.games:
        return Rated("", [(place, "more of its games are played now")], grown=True)
    wrong = find_difference_of_week(there, here, document)
    if not wrong or maker.arena == __version__:
        return Rated(wrong)
    release = find_release(maker.arena)
    here = keep_keys(here, release.keys if release else find_keys(to_builtins(there), there))
    unchecked = [(f"{place}: its version", ON_TRUST)]
    wrong = find_difference_of_week(there, here, document)
    if wrong and not maker.has("rules", RULES):
        wrong = find_difference_of_week(there, here, document, rated=False)
        unchecked.append((f"ratings in {place}", maker.in_words))
    return Rated(wrong, () if wrong else unchecked)


def _say_difference(there: str, here: str) -> str:
    what = find_wrong_line(there.splitlines(), here.splitlines()) or "line endings"
    return f"does not match the stored games: {what}"


def find_wrong_line(there: Iterable[object], here: Iterable[object]) -> str:
    """Find the first of a file's lines (text, bytes or rows) that is not what it should be; "" if
    there is none.
    """
    for number, (theirs, ours) in enumerate(zip_longest(there, here), 1):
        if theirs is None or ours is None:
            return f"line {number}: it has {'no' if theirs is None else 'one'} such line"
        if theirs != ours:
            lines = [line.decode("utf-8", "replace") if isinstance(line, bytes) else str(line)
                     for line in (theirs, ours)]  # fmt: skip
            pairs = enumerate(zip(*lines, strict=False))
            same = next((at for at, (a, b) in pairs if a != b), min(map(len, lines)))
            wrong, right = (shorten(line[max(0, same - 30) :]) for line in lines)
            return f"line {number}: found {wrong}, recomputed {right}"
    return ""


def _find_maker(store: Store) -> tuple[Maker, list[tuple[str, str]]]:
    """The arena that made the tables; it is like this one if it computed with the same versions of
    Python and numpy, and the same features of the CPU. And (file, problem) of a provenance that
    cannot be read.

    Without a provenance, as for a lone store, that is this version, and such a machine if its games
    were played by the same versions.
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
    arena = provenance.versions.get("arena", __version__) if provenance else __version__
    return Maker(arena, here and these), problems
