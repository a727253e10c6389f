"""The pages of the games to watch: by pool, each with why it was chosen. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.site import pages
from arena.site.names import games_page
from arena.site.pages import Link, Site
from arena.site.pagination import Shelf
from arena.site.watch_page import address
from arena.tables.document import Standings

FILE = games_page()

WORDS = {
    "fault": "fault",
    "upset": "upset",
    "best": "best",
    "worst": "worst",
    "line-up": "by chance",
    "all": "",
}
"""Each kind of reason in short."""


class Listed(NamedTuple):
    """A pool in the contents."""

    title: str
    href: str  # of where its games begin
    parts: tuple[Link, ...]  # the pages that it is on, by number; none where it is on one alone


def page_of(site: Site, doc: Standings, shelves: Sequence[Shelf], number: int) -> str:
    """Return the page of that number, from 1, of those of the games to watch."""
    shelf = shelves[number - 1]
    return pages.page(
        "games.html",
        site=site,
        here=shelf.list_file,
        shelf=shelf,
        shelves=shelves,
        total=len(site.watched),
        played=sum(pool.games for pool in doc.pools),
        kinds=WORDS,
        address=address,
        contents=[*contents(site, shelves)],
    )


def contents(site: Site, shelves: Sequence[Shelf]) -> Iterator[Listed]:
    """Yield the pools, each with the pages that it is on."""
    parts: dict[str, list[Link]] = {}
    for shelf in shelves:
        for section in shelf.sections:
            link = Link(str(shelf.number), f"{shelf.list_file}#{section.id}")
            parts.setdefault(section.pool, []).append(link)
    for title, links in parts.items():
        yield Listed(title, site.lists[title], tuple(links) if len(links) > 1 else ())
