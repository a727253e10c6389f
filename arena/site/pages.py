"""The site's pages: templates filled in, each a whole document that needs no network.

They extend those of `arena.tables.page`, which says what may run in a page.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.tables.document import PoolTable
from arena.tables.page import render

PACKAGES = ("arena.site", "arena.tables")  # whose templates they are
SORTING = ("site/vendor/sortable.js", "site/vendor/sortable.a11y.js")
"""The scripts of a page that names no others."""


class Link(NamedTuple):
    """A page of the site, as other pages link to it."""

    text: str
    href: str


class Site(NamedTuple):
    """What every page says of the whole site: the value `site` of every template."""

    name: str  # the tournament's
    date: str  # of its results, as a day: 2026-11-22; "" where it is not known
    version: str  # of arena
    links: tuple[Link, ...]  # the pages that all others link to, in order
    bots: Mapping[str, str]  # by name: the file of its page
    games: Mapping[str, str]  # by name: the file of its page
    watched: Mapping[str, str]  # by id of each game to watch: the file of its viewer
    lists: Mapping[str, str]  # by title of each pool with such games: where their list begins


def page(template_name: str, **values: object) -> str:
    """Return a page; `values` are what its template needs, `site` among them."""
    return render(template_name, PACKAGES, **{"scripts": SORTING} | values)


def pool_id(pools: Sequence[PoolTable], pool: PoolTable) -> str:
    """Return the id of a pool's part, the same on every page; `pools` are all of them."""
    return f"pool-{pools.index(pool) + 1}"
