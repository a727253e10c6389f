"""A bot in one sentence: its place, what it forfeits and why, its place in each game; and causes in
words. Pure.

`33rd of 40: forfeits 122 of 144 games of No Thanks! (ZeroDivisionError, line 3); 7th in Sixteen.`
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import games
from arena.faults.causes import Cause, describe_end_failures
from arena.faults.kinds import CAUSES
from arena.faults.reasons import UNTOLD, line_of
from arena.tables.columns import Row
from arena.tables.document import Standings
from arena.tables.notes import ordinal, say_why_out
from arena.words import amount


class Part(NamedTuple):
    """A bot in one of the games that it entered."""

    title: str
    where: str  # the game, or its first pool that the bot entered where it lacks others
    table: Sequence[Row]  # of that
    row: Row  # of the table
    pools: Sequence[Row]  # its lines in the game's pools

    @property
    def failed(self) -> int:
        """Games that it forfeited."""
        return sum(row.faults_total for row in self.pools)

    @property
    def played(self) -> int:
        return sum(row.games for row in self.pools)


def tell_cause(cause: Cause) -> str:
    """Name an error and its place: `KeyError (boris.py line 5)`."""
    what = CAUSES[cause.kind].description if cause.message == UNTOLD else cause.message
    return what + cause.place


def summarize(doc: Standings, bot: str, causes: Sequence[Cause]) -> str:
    """A bot in one sentence; `causes` are its own, most faults first."""
    parts = _parts(doc, bot)
    if not sum(part.played for part in parts):
        (why,) = _not_loaded(causes) or [""]
        return f"It does not load ({why})." if why else "It has played no game yet."
    not_ranked = next((one for one in doc.not_ranked or () if one.bot == bot), None)
    overall = [row for row in doc.overall if row.bot == bot] if len(doc.games) > 1 else []
    head = _place(doc.overall, overall[0]) if overall else ""
    if overall and overall[0].status == "partial":
        head = "Not ranked overall"
    if not_ranked:
        why = say_why_out(not_ranked) if not_ranked.reason else ""
        head = f"Out of the ranking, {why}" if why else "A guest, not ranked"
    failed = [part for part in parts if part.failed]
    sound = [part for part in parts if not part.failed]
    clauses = [_forfeits(failed, causes)] if failed and not sound else []
    clauses += [_forfeits([part], causes, f" of {part.title}") for part in failed if sound]
    if len(parts) == 1 and not head:
        head = f"{_place(parts[0].table, parts[0].row)} in {parts[0].where}"
    else:
        places = sorted((part.row.place, part.where) for part in sound if part.row.place)
        standings = [f"{ordinal(place)} in {title}" for place, title in places]
        clauses += [", ".join(standings)] if standings else []
    sentence = ": ".join(filter(None, (head, "; ".join(clauses))))
    return sentence if sentence.endswith("!") else f"{sentence}."


def describe_failures(doc: Standings, bot: str, causes: Sequence[Cause]) -> str:
    """Count a bot's forfeits and say why, with the file: `forfeits 122 of 144 games of No Thanks!
    (ZeroDivisionError, sven.py line 3)`, or why it does not load; and where its `end` failed. "" if
    nothing did.
    """
    parts = _parts(doc, bot)
    failed = [part for part in parts if part.failed]
    titles = " and ".join(part.title for part in failed)
    where = f" of {titles}" if len(failed) < len(parts) else ""
    clauses = [_forfeits(failed, causes, where, named=True)] if failed else []
    clauses += [f"does not load ({why})" for why in _not_loaded(causes) if not failed]
    if any(load.bot == bot and not load.permanent for load in doc.not_loaded or ()):
        clauses.append("the next run tries to load it again")
    if ends := describe_end_failures(causes):
        clauses.append(f"{ends} ({name_cause(causes, {'end'}, named=True)})")
    return "; ".join(clauses)


def _not_loaded(causes: Sequence[Cause]) -> list[str]:
    return [name_cause([load], {"load"}, named=True) for load in causes if load.kind == "load"][:1]


def _parts(doc: Standings, bot: str) -> list[Part]:
    parts = []
    for game in doc.games:
        title, pools = games.title(game.game), [p for p in doc.pools if p.game == game.game]
        tables = [(title, game.table), *((pool.title, pool.table) for pool in pools)]
        rows = [(*of, row) for of in tables for row in of[1] if row.bot == bot]
        if rows:
            where, table, row = rows[1] if rows[0][2].missing_pools else rows[0]
            parts.append(Part(title, where, table, row, [pool_row for *_, pool_row in rows[1:]]))
    return parts


def _place(table: Sequence[Row], row: Row) -> str:
    """`3rd of 40`, `tied 3rd of 40`, `3rd of 40 (likely 2nd to 5th)`."""
    if not row.place:
        return "Not ranked"
    table = [one for one in table if one.ranked]
    tied = "tied " if sum(one.place == row.place for one in table) > 1 else ""
    place = f"{tied}{ordinal(row.place)} of {len(table)}"
    if row.place_range is None:
        return f"{place} (too few decks to be sure)"
    first, last = row.place_range
    return place if first == last else f"{place} (likely {ordinal(first)} to {ordinal(last)})"


def _forfeits(
    parts: Sequence[Part], causes: Iterable[Cause], where: str = "", named: bool = False
) -> str:
    """`forfeits 122 of 144 games of No Thanks! (ZeroDivisionError, line 3)`."""
    failed, played = sum(part.failed for part in parts), sum(part.played for part in parts)
    what = "all " if failed == played else f"{failed:,} of "
    kinds = {kind for part in parts for row in part.pools for kind, of in row.faults.items() if of}
    why = name_cause(causes, kinds, named)
    return f"forfeits {what}{amount(played, 'game')}{where}{f' ({why})' if why else ''}"


def name_cause(causes: Iterable[Cause], kinds: Collection[str], named: bool = False) -> str:
    """The first cause of these kinds in short: `ZeroDivisionError, line 3`; with the file, and with
    all that arena says of a bot that does not load, if these may be `named`. "" without any.
    """
    first = next((cause for cause in causes if cause.kind in kinds), None)
    if not first:
        return ""
    short = first.message if named and first.kind == "load" else CAUSES[first.kind].summary
    name = first.reason.error.rpartition(".")[2] or short
    line = line_of(first.reason)
    return ", ".join(filter(None, (name, f"{first.file} {line}" if line and named else line)))
