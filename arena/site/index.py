"""What the first page shows, made of the standings' document."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.site import crosstables, pages, rankings
from arena.site.crosstables import Heatmap
from arena.site.pages import Link, Site
from arena.site.rankings import Ranking
from arena.site.scales import Scale, scale_of
from arena.tables import against_formats, caveats, layout
from arena.tables.against import Against, BotMove, MoveTable
from arena.tables.document import Standings
from arena.words import interval

FAULT_WORDS = {
    "load": "the file fails or takes too long to load, or defines no bot",
    "illegal": "answered with what is not legal",
    "error": "raised an exception",
    "time": "took too long for a decision",
    "memory": "took too much memory",
    "crash": "its process died",
    "forbidden": "tried what the walls forbid",
    "protocol": "answered for the arena",
    "strikes": "lost its process too often, so it forfeited the rest of a session",
}
"""What each kind of fault is, in plain words."""

FAULT_HEADINGS = {"bot": rankings.WORDS["bot"], **FAULT_WORDS, "total": "of all kinds together"}


class PoolPart(NamedTuple):
    """A pool on the first page."""

    game: str
    ranking: Ranking


class MoveLine(NamedTuple):
    """What became of a bot, and where its interval lies on the scale, in percent."""

    move: BotMove
    change: str  # `+1.20`; empty where it is not known
    low: float
    at: float | None  # None where no change is known
    high: float
    words: str
    verdict: str


class Moved(NamedTuple):
    """A table of what moved since another league."""

    id: str
    title: str
    notes: tuple[str, ...]
    scale: Scale
    lines: tuple[MoveLine, ...]


FILE = "index.html"
ROOM = 260_000  # bytes for rankings and crosstables, of the 300,000 that a page may have
ROW, CELL = 600, 23  # bytes of a line of a ranking, and of a cell of a crosstable


class Index(NamedTuple):
    """The first page's tables."""

    size: str  # `12 bots, 10,560 games`
    summaries: tuple[Ranking, ...]  # overall and of games
    pools: tuple[PoolPart, ...]  # empty where they are on the games' pages alone
    crosstables: tuple[Heatmap, ...]  # of these pools; empty where only the games' pages have them
    meanings: dict[str, str]  # of the rankings' headings
    legend: tuple[str, ...]  # which bots are the same


def index_of(doc: Standings, moves: int = 0) -> Index:
    """Return the first page's tables; `moves` are the lines of what moved, which take room too."""
    rank = rankings.ranking_of
    left = layout.unlisted(doc)
    summaries = []
    if len(doc.games) > 1:
        notes = ["The mean of the games' ratings, for the bots that entered every game."]
        notes += [f"Not listed: {', '.join(left)}."] if left else []
        notes += caveats.of_orders(doc)
        summaries.append(rank(doc, "overall", "Overall", doc.overall, notes))
    for game in doc.games:
        if game.pools > 1:
            notes = [f"The mean of the ratings of {game.pools} pools."]
            notes += caveats.of_orders(doc) if len(doc.games) == 1 else []
            summaries.append(rank(doc, f"game-{game.game}", game.game, game.table, notes))
    rows = sum(len(table.lines) for table in summaries) + sum(len(p.table) for p in doc.pools)
    rows += moves
    shown = () if summaries and rows * ROW > ROOM else doc.pools
    cells = sum(len(pool.table) ** 2 for pool in shown)
    pools, tables = [], []
    for number, pool in enumerate(shown, 1):
        id = f"pool-{number}"
        note = f"{layout.pool_note(pool)}."
        pools.append(PoolPart(pool.game, rank(doc, id, pool.title, pool.table, [note])))
        if rows * ROW + cells * CELL <= ROOM or len(doc.pools) == 1:
            tables.append(crosstables.heatmaps(pool, id)[0])
    return Index(
        layout.facts(doc)[0],
        tuple(summaries),
        tuple(pools),
        tuple(tables),
        rankings.meanings(doc),
        tuple(layout.legend(doc)[1:]),
    )


def page_of(
    site: Site,
    doc: Standings,
    provenance: Sequence[tuple[str, str]],
    formats: Sequence[Link],
    moved: Against | None = None,
    watch: str = "",
) -> str:
    """Return the first page; `watch` is what there is to watch, in a sentence."""
    tables = moved_of(moved) if moved else ()
    shown = index_of(doc, sum(len(table.lines) for table in tables))
    faults = layout.faults(doc)
    return pages.page(
        "index.html",
        site=site,
        here=FILE,
        index=shown,
        contents=contents(shown, tables, bool(faults), bool(watch)),
        old=moved.old if moved else "",
        moved=tables,
        moved_facts=against_formats.facts(moved) if moved else (),
        moved_legend=against_formats.LEGEND,
        faults=faults,
        fault_words=FAULT_HEADINGS,
        bots=doc.bots,
        provenance=provenance,
        formats=formats,
        watch=watch,
    )


def moved_of(moved: Against) -> tuple[Moved, ...]:
    """Return the tables of what moved, from the widest view to the closest."""
    return tuple(
        _moved(f"moved-{number}", table)
        for number, table in enumerate(against_formats.both(moved), 1)
    )


def _moved(id: str, table: MoveTable) -> Moved:
    ends = [end for move in table.moves for end in (move.difference, *(move.interval or ()))]
    scale = scale_of([0.0, *ends], middle=0.0)
    lines = tuple(_move(move, scale) for move in table.moves)
    return Moved(id, table.title, tuple(against_formats.notes(table)), scale, lines)


def _move(move: BotMove, scale: Scale) -> MoveLine:
    _, _, _, change, _, verdict = against_formats.cells(move)
    if move.difference is None:
        return MoveLine(move, "", 0, None, 0, "", verdict)
    at = scale.at(move.difference)
    if move.interval is None:
        return MoveLine(move, change, at, at, at, f"{change}, no interval", verdict)
    low, high = move.interval
    words = f"{change}: {interval(low, high)}"
    return MoveLine(move, change, scale.at(low), at, scale.at(high), words, verdict)


def contents(
    index: Index, moved: Sequence[Moved], faults: bool, games: bool
) -> list[tuple[str, str]]:
    """Return the ids of the page's parts, with their words, in order."""
    out = [(table.id, table.title) for table in index.summaries]
    out += [(pool.ranking.id, pool.ranking.title) for pool in index.pools]
    out += [] if index.pools else [("pools", "Pools")]
    out += [("moved", "What moved")] if moved else []
    out += [("crosstables", "Who beat whom")] if index.pools else []
    out += [("faults", "Faults")] if faults else []
    out += [("watch", "Games to watch")] if games else []
    return [*out, ("bots", "Bots"), ("provenance", "Provenance"), ("legend", "How to read this")]
