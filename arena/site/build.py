"""Builds the site: all its pages and what lies beside them, put in place whole or not at all.

The same store and the same provenance give the same bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.progress import SILENT, Progress
from arena.site import (
    bot_page,
    folder,
    formats,
    game_page,
    games_page,
    index,
    names,
    pages,
    provenance,
    watch_page,
    watched,
)
from arena.site.facts import Facts, facts_in
from arena.site.facts_watch import USUAL
from arena.site.facts_watch import Wanted as Games
from arena.site.folder import Draft
from arena.site.pages import Link, Site
from arena.site.shelves import Shelf, lists_of, shelves_of, viewers_of
from arena.store.logs import KeptFault, Logs
from arena.store.plans import plan_in
from arena.store.store import Store
from arena.tables import layout
from arena.tables.against import Against, against
from arena.tables.document import Standings
from arena.tables.from_store import league_of
from arena.words import amount

FAULTS_TOLD = 10  # of a bot, with their texts, where those are asked for


class Built(NamedTuple):
    """What was written."""

    files: int
    bytes: int
    watched: int  # games


class Wanted(NamedTuple):
    """What is asked for."""

    old: Store | None = None  # of the league to say what moved since
    games: Games = USUAL  # to watch
    logs: bool = False  # whether what bots printed, and how they failed, is published too


def build(
    store: Store, to: Path, wanted: Wanted, brief: Callable[[str], str], steps: Progress = SILENT
) -> Built:
    """Make the site of a store in the folder `to`; `brief` returns a game's page for bots' authors.

    Raises UsageError where `to` holds anything but a site of ours, or the old league shares nothing
    with this one.
    """
    folder.check(to)
    league = league_of(store, steps=steps)
    moved = None
    if wanted.old:
        then = league_of(wanted.old, steps=steps)
        moved = against(league, then, f"--against: {wanted.old.path.parent}")
    doc = league.document
    found = facts_in(store, doc, wanted.games, steps)
    made = provenance.read(store.path.parent)
    ids = {pool.title: pages.pool_id(doc.pools, pool) for pool in doc.pools}
    shelves = shelves_of(found.watched, ids)
    site = _site(doc, made.date, shelves)
    tables = formats.tables(doc)
    said = tuple(provenance.lines(doc, plan_in(store), made, tables["standings.json"]))
    with folder.in_place(to) as draft:
        steps.begin("writing pages")
        for name, text in tables.items():
            draft.write(name, text)
        _beside(draft, site, doc, brief)
        texts = _texts(store, doc) if wanted.logs else {}
        _pages(draft, site, doc, found, said, moved, texts)
        for number, shelf in enumerate(shelves, 1):
            draft.write(shelf.list_file, games_page.page_of(site, doc, shelves, number))
            draft.write(shelf.viewer_file, watch_page.page_of_shelf(site, shelves, number))
        games = [game.game.id for game in found.watched]
        for name, text in watched.files(store, games, wanted.logs, steps):
            draft.write(name, text)
        return Built(draft.files, draft.bytes, len(games))


def _site(doc: Standings, date: str, shelves: Sequence[Shelf]) -> Site:
    """Return what every page says of the site."""
    games = {entry.game: names.game_page(entry.game) for entry in doc.games}
    slugs = names.slugs(bot.name for bot in doc.bots)
    links = [Link("Standings", index.FILE), *(Link(game, file) for game, file in games.items())]
    links += [Link("Games to watch", games_page.FILE)] if shelves else []
    bots = {bot: names.bot_page(slug) for bot, slug in slugs.items()}
    viewers, lists = viewers_of(shelves), lists_of(shelves)
    return Site(doc.name, date, __version__, tuple(links), bots, games, viewers, lists)


def _beside(draft: Draft, site: Site, doc: Standings, brief: Callable[[str], str]) -> None:
    """Write what is for bots' authors, models and servers."""
    for game in site.games:
        draft.write(formats.brief_file(game), brief(game))
    draft.write("llms.txt", formats.llms(site, layout.facts(doc)[0]))
    draft.write(".nojekyll", "")  # GitHub Pages is to serve the files as they are


def _texts(store: Store, doc: Standings) -> dict[str, Sequence[KeptFault]]:
    """Return some faults of each bot that has any, with their texts."""
    faulty = [entry.bot for entry in doc.faults if entry.total]
    logs = Logs(store)
    return {bot: logs.faults_of(bot, FAULTS_TOLD)[0] for bot in faulty}


def _pages(
    draft: Draft,
    site: Site,
    doc: Standings,
    found: Facts,
    said: tuple[tuple[str, str], ...],
    moved: Against | None,
    texts: Mapping[str, Sequence[KeptFault]],
) -> None:
    """Write the pages; `texts` are faults to be told of in full, by bot."""
    size = f"{amount(len(found.watched), 'game')}, step by step." if found.watched else ""
    links = formats.links(site)
    draft.write(index.FILE, index.page_of(site, doc, said, links, moved, size))
    for game, file in site.games.items():
        draft.write(file, game_page.page_of(site, doc, found, game))
    for bot, file in site.bots.items():
        draft.write(file, bot_page.page_of(site, doc, found, bot, texts.get(bot, ())))
