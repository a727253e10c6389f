"""Builds the site: all its pages and what lies beside them, put in place whole or not at all.

The same store and the same provenance give the same bytes.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.progress import SILENT, Progress
from arena.site import downloads, index, pages, provenance
from arena.site.bot_page import make_bot_page
from arena.site.game_files import make_game_files
from arena.site.game_page import make_game_page
from arena.site.games_to_watch import USUAL, Selection
from arena.site.pages import Link, Site
from arena.site.pagination import (
    FIRST_LIST,
    ListPage,
    list_addresses,
    list_page,
    paginate,
    viewer_files,
    viewer_page,
)
from arena.site.publish_dir import check_target, replace_site
from arena.site.stats import collect_stats
from arena.store.logs import KeptFault, Logs
from arena.store.plans import load_plan
from arena.store.store import Store
from arena.tables import layout
from arena.tables.against import compare_leagues
from arena.tables.document import Standings
from arena.tables.results import make_league
from arena.words import amount

FAULT_TEXTS = 10  # of a bot, where they are asked for


class Built(NamedTuple):
    """What was written."""

    files: int
    bytes: int
    watched: int  # games


class SiteOptions(NamedTuple):
    """What a site is to hold."""

    old: Store | None = None  # of the league to say what moved since
    games: Selection = USUAL  # to watch
    logs: bool = False  # whether what bots printed, and how they failed, is published too


def build_site(
    store: Store,
    to: Path,
    options: SiteOptions,
    brief: Callable[[str], str],
    steps: Progress = SILENT,
) -> Built:
    """Make the site of a store in the folder `to`; `brief` returns a game's page for bots' authors.

    Raises UsageError where `to` holds anything but a site of ours, or the old league shares nothing
    with this one.
    """
    check_target(to)
    league = make_league(store, steps=steps)
    doc, moved = league.document, None
    if options.old:
        old = make_league(options.old, steps=steps)
        moved = compare_leagues(league, old, f"--against: {options.old.path.parent}")
    stats = collect_stats(store, doc, options.games, steps)
    ids = {pool.title: pages.pool_id(doc.pools, pool) for pool in doc.pools}
    list_pages = paginate(stats.watched, ids)
    made = provenance.read(store.path.parent)
    site = _site(doc, made.date, list_pages)
    tables = downloads.tables(doc)
    origin = [*provenance.lines(doc, load_plan(store), made, tables["standings.json"])]
    texts = _fault_texts(store, doc) if options.logs else {}
    with replace_site(to) as staged:
        steps.begin("writing pages")
        for name, text in tables.items():
            staged.write(name, text)
        for game in site.games:
            staged.write(downloads.brief_file(game), brief(game))
        staged.write("llms.txt", downloads.llms(site, layout.facts(doc)[0]))
        staged.write(".nojekyll", "")  # GitHub Pages is to serve the files as they are
        games = [watched.game.id for watched in stats.watched]
        watch = f"{amount(len(games), 'game')}, step by step." if games else ""
        links = downloads.links(site)
        staged.write(index.FILE, index.page_of(site, doc, origin, links, moved, watch))
        for game, file in site.games.items():
            staged.write(file, make_game_page(site, doc, stats, game))
        for bot, file in site.bots.items():
            staged.write(file, make_bot_page(site, doc, stats, bot, texts.get(bot, ())))
        for page in list_pages:
            staged.write(page.list_file, list_page(site, doc, list_pages, page.number))
            staged.write(page.viewer_file, viewer_page(site, list_pages, page.number))
        for name, text in make_game_files(store, games, options.logs, steps):
            staged.write(name, text)
        return Built(staged.files, staged.bytes, len(games))


def _site(doc: Standings, date: str, list_pages: Sequence[ListPage]) -> Site:
    games = {entry.game: f"game-{entry.game}.html" for entry in doc.games}
    slugs = pages.slugs(bot.name for bot in doc.bots)
    links = [Link("Standings", index.FILE), *(Link(game, file) for game, file in games.items())]
    links += [Link("Games to watch", FIRST_LIST)] if list_pages else []
    return Site(
        doc.name,
        date,
        __version__,
        tuple(links),
        {bot: f"bot-{slug}.html" for bot, slug in slugs.items()},
        games,
        viewer_files(list_pages),
        list_addresses(list_pages),
    )


def _fault_texts(store: Store, doc: Standings) -> dict[str, Sequence[KeptFault]]:
    """Some faults of each bot that has any, with their texts: at most `FAULT_TEXTS` a bot."""
    faulty = [entry.bot for entry in doc.faults if entry.total]
    logs = Logs(store)
    return {bot: logs.faults_of(bot, FAULT_TEXTS)[0] for bot in faulty}
