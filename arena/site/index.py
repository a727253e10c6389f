"""The first page: the standings within the room of a page, and their provenance."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from arena import ids
from arena.errors import ArenaError
from arena.faults.causes import Cause
from arena.model import StoredPlan, Week
from arena.site import pages
from arena.site.pages import Link, Site
from arena.site.stories import WatchedGame
from arena.tables.document import Standings
from arena.tables.history import compare_with_week, describe_since, find_gone, list_places
from arena.tables.notes import describe_anchors, describe_closing
from arena.tables.page import list_contents, show_in_room
from arena.tables.results import PROVENANCE, Provenance, read_provenance
from arena.words import amount

FILE = "index.html"
BROKEN = 40  # bots that are named among what broke, and drawn by week

FIRST = {
    "upset": "An upset",
    "close": "A close game",
    "comeback": "A comeback",
    "best": "A clear win",
    "fault": "A fault",
    "line-up": "By chance",
}
"""The kinds of games to watch, those first that a visitor would open, and what they are."""


def make_index_page(
    site: Site,
    doc: Standings,
    provenance: Sequence[tuple[str, str]],
    formats: Sequence[Link],
    watched: Sequence[WatchedGame] = (),
    causes: Mapping[str, Sequence[Cause]] = {},
    weeks: Sequence[Week] = (),
    left: str = "",
    reload_s: int = 0,
) -> str:
    """The first page; `causes` are of faults, by bot, most forfeits first; `left` says how far play
    has come, and it reloads itself so often.
    """
    names, lines = list_places(weeks) if len(weeks) > 1 else ([], [])
    lines = lines[:BROKEN]
    shown = show_in_room(doc, len(lines), compare_with_week(doc, weeks))
    total = {entry.bot: entry.total for entry in doc.faults if entry.total}
    failures = [
        (bot, total.get(bot, 0), of_bot[0])
        for bot, of_bot in causes.items()
        if of_bot and (bot in total or of_bot[0].kind == "load")
    ]
    return pages.page(
        "index.html",
        site=site,
        here=FILE,
        shown=shown,
        contents=list_contents(shown, bool(watched), True, bool(lines)),
        lines=lines,
        names=names,
        weeks=weeks,
        since=describe_since(weeks),
        gone=find_gone(weeks, [bot.name for bot in doc.bots]),
        provenance=provenance,
        formats=formats,
        watch=f"{amount(len(watched), 'game')}, step by step." if watched else "",
        to_watch=pick_first(watched, doc),
        failures=failures[:BROKEN],
        failures_left=len(failures[BROKEN:]),
        left=left,
        reload_s=reload_s,
    )


def pick_first(watched: Sequence[WatchedGame], doc: Standings) -> list[tuple[str, WatchedGame]]:
    """Three games to watch first, each of another kind and, if there is one, of another pool; with
    what it is. Games that ranked bots won come first, then those that they alone played.
    """
    ranked = {(pool.title, row.bot) for pool in doc.pools for row in pool.table if row.ranked}

    def strangers(story: WatchedGame) -> tuple[bool, int]:
        without = {bot for bot in story.game.bots if (story.pool, bot) not in ranked}
        return not without.isdisjoint(story.winners), len(without)

    first: list[tuple[str, WatchedGame]] = []
    for kind, words in FIRST.items():
        pools = {game.pool for _, game in first}
        if of_kind := [game for game in watched if game.kind == kind]:
            of_kind.sort(key=lambda story: (*strangers(story), story.pool in pools, story.order))
            first.append((words, of_kind[0]))
    return sorted(first, key=lambda pair: strangers(pair[1])[0])[:3]


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
    yield "results written", provenance.time or "not known: the results have no provenance.json"
    if doc.seed == "given":
        yield "seed", "given in the config: deals could be known before they were played"
    else:
        yield "seed", "secret: no deal was known before it was played"
        yield "commitment", doc.commitment or "not kept in this copy"
    yield "seeds' version", str(ids.SEEDS)
    if doc.entries_close:
        when, _, what = describe_closing(doc.entries_close).partition(": ")
        yield when, what
    for fact in describe_anchors(doc):
        yield "anchor", fact.removeprefix("anchor: ")
    yield "confinement", f"{doc.confinement} (arena doctor tells what each layer holds back)"
    limits = plan.limits
    yield (
        "limits",
        f"a decision: {limits.cpu_ms:,} ms of CPU time, {limits.wall_ms:,} ms in all; loading: "
        f"{limits.load_ms:,} ms of CPU time; {limits.memory_mib:,} MiB of memory; at most "
        f"{limits.max_restarts} restarts of a bot's process in a session, plus 1 % of its games",
    )
    if provenance.versions:
        yield "versions", ", ".join(f"{name} {is_}" for name, is_ in provenance.versions.items())
    machine = [provenance.machine, provenance.kernel, provenance.implementation]
    machine += [f"{provenance.cores} cores"] if provenance.cores else []
    if any(machine):
        yield "machine", ", ".join(part for part in machine if part)
    yield "standings.json, SHA-256", sha256(standings.encode()).hexdigest()
