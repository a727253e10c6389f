"""The first table, and all others like it, before any format lays them out; and in a sentence who
won, and how sure that is. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from arena.model import LEVEL
from arena.tables.columns import Row
from arena.tables.document import GameTable, PoolTable, Standings
from arena.tables.notes import (
    NEEDED,
    UNRANKED,
    Notes,
    describe_no_games,
    note_game,
    note_overall,
    note_pool,
)
from games import title as game_title

NAMED = 4  # leaders, at most
GROUPS = 3  # of open places, at most
UNRANKED_YET = (
    "No bot is ranked yet: all are guests (house bots, or new bots that were not changed), out of "
    "the ranking, or forfeited half of their games."
)
HOPE = 0.01  # of being the best, that a leader has at least


class Part(NamedTuple):
    """A game of the tournament, or a pool of a game: a column with each bot's place there."""

    title: str
    places: Mapping[str, str]  # by bot; `-` for a broken one


class Listing(NamedTuple):
    """A table of places."""

    id: str
    title: str
    ranked: Sequence[Row]
    broken: Sequence[Row]  # shown below the others, without a place
    parts: Sequence[Part]
    notes: Notes
    aside: Sequence[Row] = ()  # out, guests, or not in all pools: below these

    @property
    def rows(self) -> tuple[Row, ...]:
        """All lines, in the order in which they are shown."""
        return (*self.ranked, *self.broken, *self.aside)


def list_tables(doc: Standings) -> list[Listing]:
    """All tables of places, the widest view first, without those that would repeat another."""
    out = []
    if len(doc.games) > 1:
        parts = [Part(game_title(each.game), _places(each.table)) for each in doc.games]
        out.append(_list("overall", "Overall", doc.overall, parts, note_overall(doc)))
    out += [
        list_game(doc, each, f"game-{each.game}", game_title(each.game))
        for each in doc.games
        if each.pools > 1
    ]
    return out + [list_pool(doc, pool, f"pool-{at}") for at, pool in enumerate(doc.pools, 1)]


def list_game(doc: Standings, game: GameTable, id: str, title: str) -> Listing:
    pools = [pool for pool in doc.pools if pool.game == game.game]
    parts = [
        Part(label, _places(pool.table))
        for label, pool in zip(short_titles(pools), pools, strict=True)
    ]
    return _list(id, title, game.table, parts, note_game(doc, game.table))


def list_pool(doc: Standings, pool: PoolTable, id: str) -> Listing:
    return _list(id, pool.title, pool.table, (), note_pool(doc, pool))


def _list(id: str, title: str, rows: Sequence[Row], parts: Sequence[Part], notes: Notes) -> Listing:
    ranked = limit_places(rows, [row for row in rows if row.ranked])
    broken = [row for row in rows if row.broken and not row.aside]
    aside = [row for row in rows if row.aside]
    plain = [UNRANKED, *notes.plain] if broken else notes.plain
    return Listing(id, title, ranked, broken, parts, Notes(plain, notes.details), aside)


def limit_places(rows: Sequence[Row], shown: Sequence[Row]) -> list[Row]:
    """These rows of a table, as `shown`: likely places end with the last ranked bot's, since below
    it are only bots without a place.
    """
    ranked = [row.place for row in rows if row.ranked]
    last = max([len(ranked), *ranked])  # bots may share the last place
    return [
        replace(row, places=(min(row.places[0], last), min(row.places[1], last)))
        if row.places
        else row
        for row in shown
    ]


def _places(rows: Sequence[Row]) -> dict[str, str]:
    return {row.bot: "-" if row.broken else str(row.place) for row in rows if not row.aside}


def short_titles(pools: Sequence[PoolTable]) -> list[str]:
    """A short name for each pool of one game: `3p`; `3p 1` and `3p 2` where two would have it."""
    kinds = {"": "", "same": "2v2", "mixed": "2v2 mixed"}
    short = [kinds[pool.partners] or f"{pool.players}p" for pool in pools]
    return [
        f"{label} {short[: index + 1].count(label)}" if short.count(label) > 1 else label
        for index, label in enumerate(short)
    ]


def headline(doc: Standings) -> str:
    """Who won, and how sure that is, by the first table: `champion is clearly first. The order of
    places 2 to 30 is not decided yet.`
    """
    if not doc.has_games:
        return describe_no_games(doc)
    rows = list_tables(doc)[0]
    if rows.aside and not rows.ranked and any(row.aside != "partial" for row in rows.aside):
        return UNRANKED_YET
    return summarize_places(rows.ranked, rows.broken)


def summarize_places(ranked: Sequence[Row], broken: Sequence[Row] = ()) -> str:
    """What is sure of a table's places, in two or three short sentences."""
    if not ranked:
        why = "all forfeited half of their games" if broken else "none entered every game"
        return f"No bot is ranked: {why}."
    known = [row for row in ranked if row.places]
    if not known:
        return f"Too few games to tell who is better: each bot needs at least {NEEDED}."
    said = []
    if few := [row.bot for row in ranked if not row.places]:
        who = few[0] if len(few) == 1 else f"{len(few)} bots"
        said.append(f"Too few games to place {who}.")
    if len(known) == 1:
        return " ".join([f"{known[0].bot} is the only bot ranked.", *said])
    groups = _group([row for row in (*ranked, *broken) if row.places])
    leaders = _leaders(known)
    if len(groups[0]) == 1 and leaders:
        second = groups[1][0] if len(groups[1]) == 1 else None
        also = f" and {second.bot} clearly second" if second in known and len(known) > 2 else ""
        lead = f"{leaders[0]} is clearly first{also}."
    elif len(leaders) == 1:
        lead = f"{leaders[0]} is very likely first."
    elif len(leaders) == len(known) > 2:
        lead = f"No order is certain yet: any of {len(known)} bots may be the best."
        return " ".join([lead, *said])
    elif 1 < len(leaders) <= NAMED:
        better = "neither" if len(leaders) == 2 else "none"
        names = f"{', '.join(leaders[:-1])} and {leaders[-1]}"
        lead = f"{names} share the lead: {better} is clearly better."
    else:
        lead = f"{len(leaders)} bots share the lead: none is clearly better." if leaders else ""
    return " ".join(filter(None, [lead, _open_places(groups, len(leaders)), *said]))


def _leaders(rows: Sequence[Row]) -> list[str]:
    """The bots that may be the best: none that has no hope of it by the column `first`, and none
    below a bot that is surely better than the next by the column `next`.
    """
    leaders: list[str] = []
    for row in rows:
        if row.places and row.places[0] == 1 and (row.first is None or row.first >= HOPE):
            leaders.append(row.bot)
        if leaders and (row.better_than_next or 0) >= LEVEL:
            break
    return leaders


def _group(rows: Sequence[Row]) -> list[list[Row]]:
    """Cut a table wherever all bots above are surely better than all below. Places of `rows` are
    known.
    """
    ordered = sorted(rows, key=lambda row: row.place)
    groups: list[list[Row]] = [[]]
    for at, row in enumerate(ordered):
        above = all(each.places and each.places[1] <= at for each in ordered[:at])
        if at and above and all(each.places and each.places[0] > at for each in ordered[at:]):
            groups.append([])
        groups[-1].append(row)
    return groups


def _open_places(groups: Sequence[Sequence[Row]], leaders: int) -> str:
    """Which places are not sure, those of the leaders apart."""
    spans, at = [], 1
    for group in groups:
        shown = sum(not row.broken for row in group)
        first = max(at, leaders + 1) if len(groups[0]) > 1 else at
        if shown > 1 and first < at + shown - 1:
            spans.append(f"{first} to {at + shown - 1}")
        at += len(group)
    if not spans:
        ordered = all(len(group) == 1 for group in groups)
        return "Every place is certain." if ordered and len(groups) > 2 else ""
    if len(spans) > GROUPS:
        return f"The order within {len(spans)} groups of bots is not decided yet."
    joined = spans[0] if len(spans) == 1 else f"{', '.join(spans[:-1])} and {spans[-1]}"
    return f"The order of places {joined} is not decided yet."
