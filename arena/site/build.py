"""Builds the site: all its pages and what lies beside them, put in place whole or not at all.

The same store and the same provenance give the same bytes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.site import folder, formats, index, provenance
from arena.site.pages import Link, Site
from arena.steps import UNTOLD, Steps
from arena.store.plans import plan_in
from arena.store.store import Store
from arena.tables import layout
from arena.tables.against import against
from arena.tables.document import Standings
from arena.tables.from_store import league_of


class Built(NamedTuple):
    """What was written."""

    files: int
    bytes: int
    watched: int  # games


class Wanted(NamedTuple):
    """What is asked for."""

    old: Store | None = None  # of the league to say what moved since


def build(
    store: Store, to: Path, wanted: Wanted, brief: Callable[[str], str], steps: Steps = UNTOLD
) -> Built:
    """Make the site of a store in the folder `to`; `brief` returns a game's page for bots' authors.

    Raises UsageError where `to` holds anything but a site of ours, or the old league shares nothing
    with this one.
    """
    folder.check(to)
    league = league_of(store, steps=steps)
    doc = league.document
    moved = None
    if wanted.old:
        then = league_of(wanted.old, steps=steps)
        moved = against(league, then, f"--against: {wanted.old.path.parent}")
    made = provenance.read(store.path.parent)
    briefs = {entry.game: brief(entry.game) for entry in doc.games}
    site = _site(doc, made.date)
    with folder.in_place(to) as draft:
        tables = formats.tables(doc)
        for name, text in tables.items():
            draft.write(name, text)
        for game, text in briefs.items():
            draft.write(formats.brief_file(game), text)
        draft.write("llms.txt", formats.llms(site, layout.facts(doc)[0], tuple(briefs), False))
        draft.write(".nojekyll", "")  # GitHub Pages is to serve the files as they are
        said = tuple(provenance.lines(doc, plan_in(store), made, tables["standings.json"]))
        links = formats.links(briefs)
        draft.write(index.FILE, index.page_of(site, doc, said, links, moved))
        return Built(draft.files, draft.bytes, 0)


def _site(doc: Standings, date: str) -> Site:
    """Return what every page says of the site."""
    links = [Link("Standings", index.FILE)]
    return Site(
        doc.name,
        date,
        __version__,
        tuple(links),
        {},
        {},
    )
