"""The first page: the standings, within the room of a page, and what moved."""

from collections.abc import Sequence

from arena.site import pages
from arena.site.pages import Link, Site
from arena.tables import against, page
from arena.tables.against import Against, BotMove, MoveTable
from arena.tables.document import Standings
from arena.tables.page import (
    PoolPart,
    Scale,
    Shown,
    contents_of,
    ranking_of_pool,
    scale_of,
    show,
    summaries_of,
)
from arena.words import interval

FILE = "index.html"
ROOM = 260_000  # bytes for rankings and crosstables, of the 300,000 that a page may have
ROW, CELL = 600, 23  # bytes of a line of a ranking, and of a cell of a crosstable


def shown_of(doc: Standings, moves: int = 0) -> Shown:
    """What the first page shows of the standings, within the room of a page. `moves` is how many
    lines show what moved: they take room too.
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
        ranking = ranking_of_pool(doc, pool, id)
        maps = tuple(page.heatmaps(pool, id)[:1]) if crossed else ()
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
    """The first page; `watch` says in a sentence what there is to watch."""
    tables = moved.tables if moved else []
    shown = shown_of(doc, sum(len(table.moves) for table in tables))
    return pages.page(
        "index.html",
        site=site,
        here=FILE,
        shown=shown,
        contents=contents_of(shown, bool(tables), bool(watch), provenance=True),
        old=moved.old if moved else "",
        moved=[(table, [*against.notes(table)], _scale(table)) for table in tables],
        cells_of=against.cells,
        in_words=_in_words,
        moved_facts=against.facts(moved) if moved else (),
        moved_legend=against.LEGEND,
        provenance=provenance,
        formats=formats,
        watch=watch,
    )


def _scale(table: MoveTable) -> Scale:
    """The scale of a table's changes and their intervals; 0 is on it, and marked."""
    ends = [end for move in table.moves for end in (move.difference, *(move.interval or ()))]
    return scale_of([0.0, *ends], middle=0.0)


def _in_words(move: BotMove, change: str) -> str:
    return f"{change}: {interval(*move.interval)}" if move.interval else f"{change}, no interval"
