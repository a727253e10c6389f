"""The page that shows any game that was chosen to be watched. The games lie beside it, a file each.

Its address says which: `watch.html#ID`, `watch.html#ID/STEP`, `watch.html#ID/STEP/as-SEAT`. Of many
games each such page lists a part, and goes through that; but it shows all. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.site.names import watch_page
from arena.site.pages import Site, page
from arena.site.pagination import Shelf

FILE = watch_page()


class Listed(NamedTuple):
    """A game to watch, as the page lists it."""

    id: str
    words: str  # which game it is, and who plays
    why: str  # it was chosen


class GameLink(NamedTuple):
    """A game as pages name it."""

    id: str
    href: str  # of the viewer; "" where the game is not among those to watch


class Place(NamedTuple):
    """A page among those that list all games."""

    number: int = 1
    of: int = 1
    page: str = FILE
    list: str = ""  # the page that says why these games were chosen
    before: str = ""  # the address of the game before the first one here; "" where there is none
    after: str = ""  # of the one after the last


ALONE = Place()


def page_of(site: Site, listed: Sequence[Listed], place: Place = ALONE) -> str:
    """Return the page; `listed` are the games in the order in which a show goes through them."""
    return page("watch.html", site=site, here=place.page, games=listed, place=place)


def page_of_shelf(site: Site, shelves: Sequence[Shelf], number: int) -> str:
    """Return the viewer of the list of that number, from 1."""
    shelf = shelves[number - 1]
    before = _address_in(shelves[number - 2], -1) if number > 1 else ""
    after = _address_in(shelves[number], 0) if number < len(shelves) else ""
    listed = [
        Listed(each.game.id, f"{each.pool}: {', '.join(each.game.bots)}", "; ".join(each.why))
        for each in shelf.games
    ]
    place = Place(number, len(shelves), shelf.viewer_file, shelf.list_file, before, after)
    return page_of(site, listed, place)


def _address_in(shelf: Shelf, at: int) -> str:
    """Return the address of the game at a place of a list."""
    return address(shelf.games[at].game.id, file=shelf.viewer_file)


def file_of(id: str) -> str:
    """Return the file of a game, beside the page."""
    return f"games/{id}.js"


def link_to(
    id: str, viewers: Mapping[str, str], step: int | None = None, seat: int | None = None
) -> GameLink:
    """Return a game as pages name it; `viewers` are the pages of the games to watch, by id."""
    viewer = viewers.get(id)
    return GameLink(id, address(id, step, seat, viewer) if viewer else "")


def address(id: str, step: int | None = None, seat: int | None = None, file: str = FILE) -> str:
    """Return where a game is watched, from a step on (actions before it), as a seat sees it; `file`
    is the page that has it in its list.
    """
    at = "" if step is None else f"/{step}"
    eyes = "" if seat is None else f"/as-{seat}"
    return f"{file}#{id}{at}{eyes}"
