"""Differences between published tables and those computed here from the same games: which of them
are rounding, and which are wrong.

What is computed in floating point may differ by one unit of its last published digit. Counts, and
shares made from counts, are computed in whole numbers, and are the same everywhere. Pure.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from arena.model import LEVEL, Week
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.values import round_drawn, rounded

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
_RATED = {*_UNITS, *_DRAWN, *_BY_MARGIN, *_DERIVED} | {
    "anchor", "comparisons", "converged", "fit", "majority_order", "overall_comparisons",
    "sequential_test",
}  # fmt: skip
"""Keys of what other rules of ratings would make otherwise, and of all that has none but such."""


def find_differences(
    there: Standings, here: Standings, rated: bool = True
) -> tuple[list[str], int]:
    """Compare the published standings with those computed here from the same games: what is wrong
    and where, and how many numbers differ by no more than rounding may. Unless `rated`, by counts
    alone: ratings are left out, and all that is made from them.
    """
    wrong = [*_find_disorder(there)] if rated else []
    count = 0
    builtins = _read(there, rated), _read(here, rated)
    for path, key, published, computed, near in _differing_values("", "", *builtins):
        if key in _DERIVED or _is_rounding(key, published, computed, near):
            count += 1
        else:
            wrong.append(f"{path}: found {published!r}, recomputed {computed!r}")
    return wrong, count


def find_difference_of_week(
    there: Week, here: Week, document: Standings, rated: bool = True
) -> str:
    """Compare the tables of a stored week with those of the same week computed here, of this
    document: what is wrong first, and where; "" if they differ by no more than rounding may. Unless
    `rated`, ratings are left out.
    """
    for table in there.tables if rated else ():
        places = [(row.place, row.mu) for row in table.rows if row.place]
        if any(at > after or mu < its for (at, mu), (after, its) in pairwise(places)):
            return f"{table.title}: places are not in the order of ratings"
    close: Counter[str] = Counter()
    compared = [part.comparisons for part in document.games]
    compared += [document.overall_comparisons, *(pool.comparisons for pool in document.pools)]
    for part in compared:
        close.update(_close(msgspec.to_builtins(part)))
    builtins = _read(there.tables, rated), _read(here.tables, rated)
    differing = [*_differing_values("", "", *builtins, close)]
    moved = any(key == "mu" for _, key, *_ in differing)
    for path, key, old, new, near in differing:
        if not (_is_rounding(key, old, new, near) or (key == "place" and moved)):
            return f"{path}: found {shorten(repr(old))}, recomputed {shorten(repr(new))}"
    return ""


def _read(value: Any, rated: bool) -> Any:
    """A value as JSON has it; unless `rated`, without the keys of ratings."""
    if rated or isinstance(value, str | int | float | None):
        return msgspec.to_builtins(value)
    if isinstance(value, tuple | list):
        return [_read(part, rated) for part in value]
    parts = value if isinstance(value, dict) else msgspec.to_builtins(value)
    return {key: _read(part, rated) for key, part in parts.items() if key not in _RATED}


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
                sides = [len(value["bots"])] * len(value["bots"])
                if rows is not None and [*map(len, rows)] == sides:  # else a stranger's
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


def shorten(text: str) -> str:
    text = text.strip(" ")
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
