"""The page that shows any game that was chosen to be watched. The games lie beside it, a file each.

Its address says which: `watch.html#ID`, `watch.html#ID/STEP`, `watch.html#ID/STEP/as-SEAT`. Pure.
"""

from collections.abc import Container, Sequence
from typing import NamedTuple

from arena.site.pages import Site, page

FILE = "watch.html"


class Listed(NamedTuple):
    """A game to watch, as the page lists it."""

    id: str
    words: str  # which game it is, and who plays
    why: str  # it was chosen


class GameLink(NamedTuple):
    """A game as pages name it."""

    id: str
    href: str  # of the viewer; "" where the game is not among those to watch


def page_of(site: Site, listed: Sequence[Listed]) -> str:
    """Return the page; `listed` are the games in the order in which a show goes through them."""
    return page("watch.html", site=site, here=FILE, games=listed)


def file_of(id: str) -> str:
    """Return the file of a game, beside the page."""
    return f"games/{id}.js"


def link_to(
    id: str, watched: Container[str], step: int | None = None, seat: int | None = None
) -> GameLink:
    """Return a game as pages name it; `watched` are the ids of the games to watch."""
    return GameLink(id, address(id, step, seat) if id in watched else "")


def address(id: str, step: int | None = None, seat: int | None = None) -> str:
    """Return where a game is watched, from a step on (actions before it), as a seat sees it."""
    at = "" if step is None else f"/{step}"
    eyes = "" if seat is None else f"/as-{seat}"
    return f"{FILE}#{id}{at}{eyes}"
