"""The first table, and all others like it, before any format lays them out; and in a sentence who
won, and how sure that is. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.model import LEVEL
from arena.tables.columns import NOT_RANKED, Row, show_place
from arena.tables.document import GameTable, PoolTable, Standings
from arena.tables.notes import (
    NEEDED,
    Notes,
    describe_no_games,
    note_game,
    note_overall,
    note_pool,
)
from games import title as game_title

NAMED = 4  # leaders, at most
GROUPS = 3  # of open places, at most
HOPE = 0.01  # of being the best, that a leader has at least


class Part(NamedTuple):
    """A game of the tournament, a pool of a game, or a week: a column of the bots' places there."""

    title: str
    places: Mapping[str, str]  # by bot; `-` for one that is not ranked there
    meaning: str


class Listing(NamedTuple):
    """A table of places."""

    id: str
    title: str
    rows: Sequence[Row]
    parts: Sequence[Part]
    notes: Notes

    @property
    def ranked(self) -> list[Row]:
        """The first lines: those of bots with a place."""
        return [row for row in self.rows if row.ranked]

    @property
    def drawn(self) -> list[Row]:
        """The lines whose ratings are drawn on the table's scale."""
        return [row for row in self.rows if not row.failed]


def list_tables(doc: Standings, before: Part | None = None) -> list[Listing]:
    """All tables of places, the widest view first, without those that would repeat another; the
    first with the places `before`, if there are such.
    """
    out = []
    if len(doc.games) > 1:
        parts = [_part(game_title(part.game), part.table) for part in doc.games]
        out.append(Listing("overall", "Overall", doc.overall, parts, note_overall(doc)))
    out += [
        list_game(doc, part, f"game-{part.game}", game_title(part.game))
        for part in doc.games
        if part.pool_count > 1
    ]
    out += [list_pool(doc, pool, f"pool-{at}") for at, pool in enumerate(doc.pools, 1)]
    if before and out:
        plain = [*out[0].notes.plain, f"{before.title}: {before.meaning}."]
        notes = out[0].notes._replace(plain=plain)
        out[0] = out[0]._replace(parts=[before, *out[0].parts], notes=notes)
    return out


def list_game(doc: Standings, game: GameTable, id: str, title: str) -> Listing:
    pools = [pool for pool in doc.pools if pool.game == game.game]
    parts = [
        _part(label, pool.table) for label, pool in zip(short_titles(pools), pools, strict=True)
    ]
    return Listing(id, title, game.table, parts, note_game(doc, game.table))


def list_pool(doc: Standings, pool: PoolTable, id: str) -> Listing:
    return Listing(id, pool.title, pool.table, (), note_pool(doc, pool))


def _part(title: str, rows: Sequence[Row]) -> Part:
    return Part(title, {row.bot: show_place(row.place) for row in rows}, f"place in {title}")


def short_titles(pools: Sequence[PoolTable]) -> list[str]:
    """A short name for each pool of one game: `3p`; `3p 1` and `3p 2` where two would have it."""
    kinds = {"": "", "same": "2v2", "mixed": "2v2 mixed"}
    short = [kinds[pool.partners] or f"{pool.players}p" for pool in pools]
    return [
        f"{label} {short[: index + 1].count(label)}" if short.count(label) > 1 else label
        for index, label in enumerate(short)
    ]


def headline(doc: Standings) -> str:
    """Name the winner, and the certainty, by the first table: `champion is clearly first. The order
    of places 2 to 30 is not decided yet.`
    """
    if not doc.has_games:
        return describe_no_games(doc)
    return summarize_places(list_tables(doc)[0].rows)


def summarize_places(rows: Sequence[Row]) -> str:
    """Summarise the sure places of a table, in two or three short sentences."""
    ranked = [row for row in rows if row.ranked]
    if not ranked:
        why = "; ".join(NOT_RANKED[status] for status in dict.fromkeys(row.status for row in rows))
        return f"No bot is ranked yet ({why})."
    known = [row for row in ranked if row.place_range]
    if not known:
        return f"Too few games to tell who is better: each bot needs at least {NEEDED}."
    notes = []
    if few := [row.bot for row in ranked if not row.place_range]:
        who = few[0] if len(few) == 1 else f"{len(few)} bots"
        notes.append(f"Too few games to place {who}.")
    if len(known) == 1:
        return " ".join([f"{known[0].bot} is the only bot ranked.", *notes])
    groups = _group(known)
    leaders = _leaders(known)
    if len(groups[0]) == 1 and leaders:
        second = groups[1][0] if len(groups[1]) == 1 else None
        also = f" and {second.bot} clearly second" if second in known and len(known) > 2 else ""
        lead = f"{leaders[0]} is clearly first{also}."
    elif len(leaders) == 1:
        lead = f"{leaders[0]} is very likely first."
    elif len(leaders) == len(known) > 2:
        lead = f"No order is certain yet: any of {len(known)} bots may be the best."
        return " ".join([lead, *notes])
    elif 1 < len(leaders) <= NAMED:
        better = "neither" if len(leaders) == 2 else "none"
        names = f"{', '.join(leaders[:-1])} and {leaders[-1]}"
        lead = f"{names} share the lead: {better} is clearly better."
    else:
        lead = f"{len(leaders)} bots share the lead: none is clearly better." if leaders else ""
    return " ".join(filter(None, [lead, _open_places(groups, len(leaders)), *notes]))


def _leaders(rows: Sequence[Row]) -> list[str]:
    """The bots that may be the best: none without hope of it by its `best_probability`, and none
    below a bot that is surely better than the next by its `better_than_next`.
    """
    leaders: list[str] = []
    for row in rows:
        if (
            row.place_range
            and row.place_range[0] == 1
            and (row.best_probability is None or row.best_probability >= HOPE)
        ):
            leaders.append(row.bot)
        if leaders and (row.better_than_next or 0) >= LEVEL:
            break
    return leaders


def _group(rows: Sequence[Row]) -> list[list[Row]]:
    """Cut a table wherever all bots above are surely better than all below. Places of `rows` are
    known.
    """
    groups: list[list[Row]] = [[]]
    for at, row in enumerate(rows):
        above = all(row.place_range and row.place_range[1] <= at for row in rows[:at])
        if at and above and all(row.place_range and row.place_range[0] > at for row in rows[at:]):
            groups.append([])
        groups[-1].append(row)
    return groups


def _open_places(groups: Sequence[Sequence[Row]], leaders: int) -> str:
    """Name places that are not sure; not those of the leaders, where no other bot may hold them."""
    spans, at = [], 1
    for group in groups:
        first = at + leaders if leaders in (1, len(group)) and group is groups[0] else at
        at += len(group)
        if len(group) > 1 and first < at - 1:
            spans.append(f"{first} to {at - 1}")
    if not spans:
        ordered = all(len(group) == 1 for group in groups)
        return "Every place is certain." if ordered and len(groups) > 2 else ""
    if len(spans) > GROUPS:
        return f"The order within {len(spans)} groups of bots is not decided yet."
    joined = spans[0] if len(spans) == 1 else f"{', '.join(spans[:-1])} and {spans[-1]}"
    return f"The order of places {joined} is not decided yet."
