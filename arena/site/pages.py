"""The site's pages: their names, and templates filled in, each a whole document without a network.

A template extends `base.html`. The style and the scripts that it names go inline into the page, and
their hashes into its Content-Security-Policy: nothing else can run, whatever a bot's name or print
holds. Names, prints and tracebacks go in as plain strings, never as markup.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from arena.escape import visible
from arena.tables import layout
from arena.tables.document_pool import PoolTable
from arena.words import short_duration

if TYPE_CHECKING:
    from jinja2 import Environment

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self' {scripts}; "
    "style-src {styles}; img-src data:"
)


LONGEST_SLUG = 60  # characters
_UNSAFE = re.compile(r"[^a-z0-9_]+")


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
    viewers: Mapping[str, str]  # by id of each game to watch: the file of its viewer
    lists: Mapping[str, str]  # by title of each pool with such games: where their list begins


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return by name a word that is safe in a file's name and an address, unique among these.

    Small ASCII letters, digits, `_` and `-` alone: no two differ by case, which some disks ignore.
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
    """Return the file of a game to watch, beside the pages."""
    return f"games/{id}.js"


def viewer_address(file: str, id: str, step: int | None = None, seat: int | None = None) -> str:
    """Return where a viewer shows a game: from a step on (actions before it), as a seat sees it."""
    at = "" if step is None else f"/{step}"
    eyes = "" if seat is None else f"/as-{seat}"
    return f"{file}#{id}{at}{eyes}"


def page(template_name: str, **values: object) -> str:
    """Return a page; `values` are what its template needs, `site` among them."""
    return _environment().get_template(template_name).render(**values)


def pool_id(pools: Sequence[PoolTable], pool: PoolTable) -> str:
    """Return the id of a pool's part, the same on every page; `pools` are all of them."""
    return f"pool-{pools.index(pool) + 1}"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=PackageLoader("arena.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Text alone: what a macro made is a subclass of str, and markup already.
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    env.filters |= {
        name: getattr(layout, name)
        for name in ("two", "percent", "percent_drawn", "count", "places", "between", "in_prose")
    }
    env.filters |= {"of_100": of_100, "short_duration": short_duration}
    env.globals |= {"inline": inline, "policy": policy, "reach": layout.reach, "shade": shade}
    env.globals["viewer_address"] = viewer_address
    return env


def of_100(share: float | None) -> str:
    """Return a share in percent without the sign, which its heading has; "" for none."""
    return "" if share is None else f"{100 * share:.1f}"


def shade(heat: int) -> str:
    """Return the class of a cell of a heatmap: a (0) by k (10, even) to u (20)."""
    return "abcdefghijklmnopqrstu"[heat]


@cache
def inline(file: str) -> Markup:
    """Return the text of a file of this folder, for a page's <style> or <script>."""
    return Markup(files("arena.site").joinpath(file).read_text("utf-8"))


def policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Return the Content-Security-Policy of a page with these files inline."""
    return POLICY.format(
        scripts=" ".join(map(_source, scripts)), styles=" ".join(map(_source, styles))
    )


@cache
def _source(file: str) -> str:
    """Return what a policy names a file's text by."""
    return f"'sha256-{b64encode(sha256(inline(file).encode()).digest()).decode()}'"
