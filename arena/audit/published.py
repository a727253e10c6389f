"""The files published beside a store, compared with those that are recomputed from its games.

Where they were made by the same versions of Python and numpy on the same kind of CPU, they are the
same to the byte. Elsewhere standings.json is compared number by number, and the others have to say
what it says: rounding may turn a last digit. Counts, and shares made from counts, are computed in
whole numbers, and are the same everywhere.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

import msgspec

from arena.audit.game_check import UNSOUND
from arena.model import LEVEL, Week
from arena.store.history import KeptWeek
from arena.store.plans import load_plan
from arena.store.store import Store, map_over_store
from arena.store.usage import read_versions
from arena.system.folders import read_ordinary_file
from arena.system.machine import result_versions
from arena.tables.columns import Row
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
from arena.values import round_drawn, rounded

SPARE = 1 << 16  # bytes of a published file that are read beyond twice its right length
DOCUMENT = "standings.json"

_THREE = (
    "mu interval beats better_than_next sigma draw_probability shift chi_square degrees_of_freedom "
    "expected_share standardised difference effect_size progress_different progress_equal"
)
_SIX = dict.fromkeys(["p_value", "error_probability"], 1e-6)
_UNITS = dict.fromkeys([*_THREE.split(), "better_probability of"], 0.001) | _SIX
"""One unit of the last published digit, by key, of what is computed in floating point; `x of` is a
cell of the matrix x."""
_DRAWN = {"best_probability", "top_probabilities", "confidence of"}
"""Shares of draws, see `arena.values.round_drawn`."""
_BY_MARGIN = {"place_range"}  # counts of bots ahead: a level close to `LEVEL` may be one more
_BY_RATING = {"overall", "table", "majority_order", "rows"}
"""Lists whose order follows from ratings beside it."""
_DERIVED = {"place", "conservative_mu"}  # made from published numbers, of the same row or table


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
        problems[name] = f"does not match the stored games: {_first(text, right[name])}"
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
    for table in there.tables:
        places = [(row.place, row.mu) for row in table.rows if row.place]
        if any(at > after or mu < its for (at, mu), (after, its) in pairwise(places)):
            return f"{table.title}: places are not in the order of ratings"
    close: Counter[str] = Counter()
    compared = [part.comparisons for part in document.games]
    compared += [document.overall_comparisons, *(pool.comparisons for pool in document.pools)]
    for part in compared:
        close.update(_close(msgspec.to_builtins(part)))
    builtins = msgspec.to_builtins(there.tables), msgspec.to_builtins(here.tables)
    differing = [*_differing_values("", "", *builtins, close)]
    moved = any(key == "mu" for _, key, *_ in differing)
    for path, key, old, new, near in differing:
        if not (_is_rounding(key, old, new, near) or (key == "place" and moved)):
            return f"{path}: found {_short(repr(old))}, recomputed {_short(repr(new))}"
    return ""


def _document(text: str) -> Standings | None:
    """A published document; None where it is not written as we write it, which is a stronger
    finding than any difference.
    """
    try:
        published = decode(text, Standings)
        return published if format_tables(published, "json") == text else None
    except (ValueError, TypeError, LookupError):
        return None


def _first(there: str, here: str) -> str:
    lines = zip_longest(there.splitlines(), here.splitlines())
    for number, (theirs, ours) in enumerate(lines, 1):
        if theirs is None or ours is None:
            return f"line {number}: it has {'no' if theirs is None else 'one'} such line"
        if theirs != ours:
            return f"line {number}: found {_short(theirs)}, recomputed {_short(ours)}"
    return "line endings"


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


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


def find_differences(there: Standings, here: Standings) -> tuple[list[str], int]:
    """Compare the published standings with those computed here from the same games: what is wrong
    and where, and how many numbers differ by no more than rounding may.
    """
    wrong = [*_find_disorder(there)]
    count = 0
    builtins = msgspec.to_builtins(there), msgspec.to_builtins(here)
    for path, key, published, computed, near in _differing_values("", "", *builtins):
        if key in _DERIVED or _is_rounding(key, published, computed, near):
            count += 1
        else:
            wrong.append(f"{path}: found {published!r}, recomputed {computed!r}")
    return wrong, count


def _is_rounding(key: str, published: Any, computed: Any, near: int) -> bool:
    if key in _BY_MARGIN and type(published) is type(computed) is int:
        return abs(published - computed) <= near
    if type(published) is not float or type(computed) is not float:
        return False
    unit = _UNITS.get(key, 0.0)
    written = round_drawn(published) if key in _DRAWN else round(published, 6 if unit < 1e-3 else 3)
    if published != written:
        return False
    if key in _DRAWN:
        unit = 0.001 if min(published, computed) < 0.01 or max(published, computed) > 0.99 else 0.01
    return abs(published - computed) < 1.5 * unit


def _find_disorder(standings: Standings) -> Iterator[str]:
    """Yield tables that are not in the order of their ratings, or of numbers made from these."""
    tables = {"overall": (standings.overall, standings.overall_comparisons)}
    tables |= {part.game: (part.table, part.comparisons) for part in standings.games}
    tables |= {part.title: (part.table, part.comparisons) for part in standings.pools}
    for title, (rows, comparisons) in tables.items():
        if list(rows) != sorted(rows, key=lambda row: row.order):
            yield f"{title}: bots are not in the order of their ratings"
        if comparisons and comparisons.bots != tuple(row.bot for row in rows if row.ranked):
            yield f"{title}: comparisons are not in the order of bots"
        yield from _find_misplaced(title, rows)
    for pool in standings.pools:
        if pool.crosstable.bots != tuple(row.bot for row in pool.table):
            yield f"{pool.title}: crosstable is not in the order of bots"
    of_overall = [(row.bot, row.place) for row in standings.overall if row.ranked]
    if [(order.bot, order.place) for order in standings.majority_order] != of_overall:
        yield "majority_order: not the order of the overall table"


def _find_misplaced(title: str, rows: Sequence[Row]) -> Iterator[str]:
    ratings = sorted(-row.mu for row in rows if row.ranked)
    for row in rows:
        if row.place_range and not 1 <= row.place_range[0] <= row.place_range[1] <= len(ratings):
            yield f"{title}: {row.bot}: place_range {row.place_range} are not a range"
        place = 1 + bisect_left(ratings, -row.mu) if row.ranked else None
        if row.place != place:
            yield f"{title}: {row.bot}: place {row.place}, expected {place} from the ratings"
        if row.conservative_mu != rounded(row.mu - 3 * row.sigma):
            yield f"{title}: {row.bot}: conservative_mu {row.conservative_mu} is not mu - 3 sigma"


def _differing_values(
    path: str, key: str, there: Any, here: Any, close: Mapping[str, int] = {}, bot: str = ""
) -> Iterator[tuple[str, str, Any, Any, int]]:
    """Each value that differs: where, its key, there, here, and how many levels that it may hang on
    are so close to `LEVEL` that rounding may have brought them across. `close` has these of the
    table, by bot.
    """
    theirs, ours = _parts(key, there), _parts(key, here)
    same = theirs is not None and ours is not None and theirs.keys() == ours.keys()
    if same and path.rpartition(", ")[2] not in _BY_RATING and isinstance(here, list | tuple):
        same = list(theirs or ()) == list(ours or ())
    if theirs is None or ours is None or not same:
        if there != here or type(there) is not type(here):
            near = close.get(bot, 0) if key == "place_range" else sum(close.values()) // 2
            yield path, key, there, here, near
        return
    if isinstance(here, dict):
        bot = here.get("bot", bot)
        if {"comparisons", "overall_comparisons"} & here.keys():
            close = _close(here.get("comparisons", here.get("overall_comparisons")))
    for name, (inner, value) in theirs.items():
        at = f"{path}, {name}" if path else name
        yield from _differing_values(at, inner, value, ours[name][1], close, bot)


def _parts(key: str, value: Any) -> dict[str, tuple[str, Any]] | None:
    """Split a value into its parts by name, each with its key; None where it has none. Rows, and
    cells of a matrix, are named after their bots: in another order, each is still compared with
    itself.
    """
    if isinstance(value, dict):
        parts = {name: (name, part) for name, part in value.items()}
        if "bots" in value and all(isinstance(bot, str) for bot in value["bots"]):
            pairs = [f"{one} and {other}" for one in value["bots"] for other in value["bots"]]
            del parts["bots"]
            for name, (_, rows) in [*parts.items()]:
                if rows is not None:
                    del parts[name]
                    cells = (cell for row in rows for cell in row)
                    parts |= {
                        f"{name} of {pair}": (f"{name} of", cell)
                        for pair, cell in zip(pairs, cells, strict=True)
                    }
        return parts
    if isinstance(value, list | tuple):
        named = [_name(part) or str(number) for number, part in enumerate(value)]
        if len({*named}) < len(named):
            named = [*map(str, range(len(value)))]
        return {name: (key, part) for name, part in zip(named, value, strict=True)}
    return None


def _name(part: Any) -> str | None:
    """The name of an element of a list: its title, bots or game; None or "" without one."""
    if not isinstance(part, dict):
        return None
    return part.get("title") or " and ".join(
        part[key] for key in ("bot", "other", "game", "name") if key in part
    )


def _close(comparisons: Any) -> dict[str, int]:
    """Count by bot how many of its levels lie within a published unit of `LEVEL`."""
    close: Counter[str] = Counter()
    if comparisons:
        for one, levels in zip(comparisons["bots"], comparisons["confidence"], strict=True):
            for other, level in zip(comparisons["bots"], levels, strict=True):
                if level is not None and abs(level - LEVEL) < 0.015:
                    close.update((one, other))
    return close
