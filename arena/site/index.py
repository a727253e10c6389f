"""The first page: the standings within the room of a page, what moved, and their provenance."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from arena import ids
from arena.errors import ArenaError
from arena.model import StoredPlan
from arena.site import pages
from arena.site.pages import Link, Site
from arena.tables import against, layout, page
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
from arena.tables.results import PROVENANCE, Provenance, read_provenance
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
        maps = page.heatmaps(pool, id)[:1] if crossed else []
        pools.append(PoolPart(pool.game, ranking, maps, None))
    return show(doc, summaries, pools)


def make_index_page(
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
        moved=moved if tables else None,
        against=against,
        scale_of_moves=_scale,
        in_words=_in_words,
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


def load_provenance(folder: Path) -> Provenance:
    """A results folder's provenance; an empty one without any. Raises ArenaError if it is
    damaged.
    """
    try:
        return read_provenance(folder) or Provenance()
    except ValueError as error:
        raise ArenaError(
            f"{folder / PROVENANCE}: is damaged ({error}); `arena tournament` with its config "
            "writes it again"
        ) from None


def provenance_lines(
    doc: Standings, plan: StoredPlan, provenance: Provenance, standings: str
) -> Iterator[tuple[str, str]]:
    """The facts of a site's origin: (name, words); `standings` is the text of standings.json."""
    yield "results written", provenance.written or "not known: no provenance.json beside the store"
    if doc.seed == "given":
        yield "seed", "given in the config: deals could be known before they were played"
    else:
        yield "seed", "secret: no deal was known before it was played"
        yield "commitment", doc.commitment or "not kept in this copy"
    yield "seeds' version", str(ids.SEEDS)
    for fact in layout.describe_anchors(doc):
        yield "anchor", fact.removeprefix("anchor: ")
    yield "confinement", f"{doc.confinement} (arena doctor tells what each layer holds back)"
    limits = plan.limits
    yield (
        "limits",
        f"a decision: {limits.cpu_ms:,} ms of CPU time, {limits.wall_ms:,} ms in all; loading: "
        f"{limits.load_ms:,} ms of CPU time; {limits.memory_mib:,} MiB of memory; {limits.strikes} "
        "processes replaced a session, beside 1 % of its games",
    )
    intervals = f"from {doc.refits:,} refits on decks drawn anew" if doc.refits else "from the fit"
    yield "intervals", intervals
    if provenance.versions:
        yield "versions", ", ".join(f"{name} {is_}" for name, is_ in provenance.versions.items())
    machine = [provenance.machine, provenance.kernel, provenance.implementation]
    machine += [f"{provenance.cores} cores"] if provenance.cores else []
    if any(machine):
        yield "machine", ", ".join(part for part in machine if part)
    yield "standings.json, SHA-256", sha256(standings.encode()).hexdigest()
