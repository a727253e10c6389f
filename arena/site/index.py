"""The first page: the standings, within the room of a page, and what moved."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.site import pages
from arena.site.pages import Link, Site
from arena.tables import against_formats, charts, layout
from arena.tables.against import Against, BotMove, MoveTable
from arena.tables.charts import Scale, scale_of
from arena.tables.document import Standings
from arena.tables.page import PoolPart, Shown, contents_of, ranking_of, show, summaries_of
from arena.words import interval


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


def shown_of(doc: Standings, moves: int = 0) -> Shown:
    """Return what the first page shows of the standings; `moves` are the lines of what moved, which
    take room too.
    """
    summaries = summaries_of(doc)
    rows = sum(len(table.lines) for table in summaries) + sum(len(p.table) for p in doc.pools)
    rows += moves
    shown = () if summaries and rows * ROW > ROOM else doc.pools
    cells = sum(len(pool.table) ** 2 for pool in shown)
    crossed = rows * ROW + cells * CELL <= ROOM or len(doc.pools) == 1
    pools = []
    for number, pool in enumerate(shown, 1):
        id = f"pool-{number}"
        ranking = ranking_of(doc, id, pool.title, pool.table, [f"{layout.pool_note(pool)}."])
        maps = tuple(charts.heatmaps(pool, id)[:1]) if crossed else ()
        pools.append(PoolPart(pool.game, ranking, maps, None))
    return show(doc, summaries, pools)


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
    shown = shown_of(doc, sum(len(table.lines) for table in tables))
    return pages.page(
        "index.html",
        site=site,
        here=FILE,
        shown=shown,
        contents=contents_of(shown, bool(tables), bool(watch), provenance=True),
        old=moved.old if moved else "",
        moved=tables,
        moved_facts=against_formats.facts(moved) if moved else (),
        moved_legend=against_formats.LEGEND,
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
