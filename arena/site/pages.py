"""The site's pages: their names, and templates filled in, each a whole document without a network.

They extend those of `arena.tables.page`, which says what may run in a page.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arena.model import Outcome
from arena.site.sentence import tell_cause
from arena.tables.document import PoolTable
from arena.tables.page import page_environment

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGES = ("arena.site", "arena.tables")  # whose templates they are
SORTING = ("site/vendor/sortable.js", "site/vendor/sortable.a11y.js")
"""The scripts of a page that names no others."""


LONGEST_SLUG = 60  # characters
_UNSAFE = re.compile(r"[^a-z0-9_]+")


class Link(NamedTuple):
    """A page of the site, as other pages link to it."""

    text: str
    href: str


class Site(NamedTuple):
    """Facts about the whole site for every page: the value `site` of every template."""

    name: str  # the tournament's
    date: str  # of its results, as a day: 2026-11-22; "" where it is not known
    version: str  # of arena
    links: tuple[Link, ...]  # the pages that all others link to, in order
    bots: Mapping[str, str]  # by name: the file of its page
    games: Mapping[str, str]  # by name: the file of its page
    viewers: Mapping[str, str]  # by id of each game to watch: the file of its viewer
    lists: Mapping[str, Link]  # of such games, by title of a pool, and by name of a bot
    url: str = ""  # of its folder, with a slash at the end; "" where it is not known


def slugs(names: Iterable[str]) -> dict[str, str]:
    """A word for each name that is safe in a file's name and an address, and unique among these.

    Only small ASCII letters, digits, `_` and `-`: no two differ by case, which some disks ignore.
    """
    by_name: dict[str, str] = {}
    used: set[str] = set()
    for name in sorted(set(names)):
        word = _UNSAFE.sub("-", name.lower()).strip("-")[:LONGEST_SLUG] or "unnamed"
        slug, number = word, 2
        while slug in used:
            slug, number = f"{word}-{number}", number + 1
        used.add(slug)
        by_name[name] = slug
    return by_name


def game_file(id: str) -> str:
    """The file of a game to watch, beside the pages."""
    return f"games/{id}.js"


def rules_file(game: str) -> str:
    return f"rules-{game}.html"


def viewer_address(file: str, id: str, step: int | None = None, seat: int | None = None) -> str:
    """The address of a game in a viewer: from a step on (actions before it), as a seat sees it."""
    at = "" if step is None else f"/{step}"
    eyes = "" if seat is None else f"/as-{seat}"
    return f"{file}#{id}{at}{eyes}"


def by_rank(game: Outcome) -> list[tuple[str, int, int, str]]:
    """Bot, rank, score and fault of each seat, best first."""
    by_seat = zip(game.bots, game.ranks, game.scores, game.faults, strict=True)
    return sorted(by_seat, key=lambda seat: seat[1])


def page(template_name: str, **values: object) -> str:
    """Render a page; `values` are what its template needs, `site` among them."""
    template = _environment().get_template(template_name)
    return template.render(**{"scripts": SORTING} | values)


def pool_id(pools: Sequence[PoolTable], pool: PoolTable) -> str:
    """The id of a pool's part, the same on every page; `pools` are all of them."""
    return f"pool-{pools.index(pool) + 1}"


@cache
def _environment() -> "Environment":
    env = page_environment(PACKAGES)
    env.globals |= {"viewer_address": viewer_address, "rules_file": rules_file}
    env.globals |= {"by_rank": by_rank, "tell_cause": tell_cause}
    return env
