"""The games to watch on as many pages as they need, each with a list and a viewer of its own. Pure.

However many games were chosen, no page is larger than a page may be: a list is cut where it is
full, wherever that is in a pool. The first page is `games.html`, its viewer `watch.html`; the next
ones are `games-2.html` and `watch-2.html`. A viewer shows any game, and goes through its list.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import escape

from arena.escape import visible
from arena.site import names
from arena.site.games_to_watch import Watched

ROOM = 240_000
"""Bytes of a list, of the 300,000 that a page may have: the viewer itself takes 57,000."""

LINE, SEAT, FAULT = 350, 20, 40
"""At most so many bytes of markup are in the line of a game, of a seat in it, and of its fault."""


class Section(NamedTuple):
    """Games of a pool that are listed on one page."""

    pool: str  # title
    id: str  # of its part of the page
    first: int  # number of the first, among the games of the pool, from 1
    of: int  # games of the pool, on all pages
    games: tuple[Watched, ...]

    @property
    def last(self) -> int:
        """The number of the last."""
        return self.first + len(self.games) - 1

    @property
    def is_part(self) -> bool:
        """Whether other pages have games of the pool, too."""
        return len(self.games) < self.of


class Shelf(NamedTuple):
    """Games to watch that are listed on one page."""

    number: int  # of the page, from 1
    sections: tuple[Section, ...]

    @property
    def games(self) -> tuple[Watched, ...]:
        """Its games, in order."""
        return tuple(each for section in self.sections for each in section.games)

    @property
    def list_file(self) -> str:
        """The page that lists them."""
        return names.games_page(self.number)

    @property
    def viewer_file(self) -> str:
        """The page that goes through them."""
        return names.watch_page(self.number)


def shelves_of(watched: Iterable[Watched], pool_ids: Mapping[str, str]) -> tuple[Shelf, ...]:
    """Return the pages of the games to watch, which come by pool; `pool_ids` are the ids of pools'
    parts of a page, by title.
    """
    cut = list(_cut(watched))
    of: dict[str, int] = {}
    for games in cut:
        for each in games:
            of[each.pool] = of.get(each.pool, 0) + 1
    before = dict.fromkeys(of, 0)
    out = []
    for number, games in enumerate(cut, 1):
        sections = []
        for pool, grouped in groupby(games, key=lambda each: each.pool):
            own = tuple(grouped)
            sections.append(Section(pool, pool_ids[pool], before[pool] + 1, of[pool], own))
            before[pool] += len(own)
        out.append(Shelf(number, tuple(sections)))
    return tuple(out)


def _cut(watched: Iterable[Watched]) -> Iterator[list[Watched]]:
    """Yield the games of each page."""
    games, left = list[Watched](), ROOM
    for each in watched:
        room = room_of(each)
        if games and room > left:
            yield games
            games, left = [], ROOM
        games.append(each)
        left -= room
    if games:
        yield games


def room_of(watched: Watched) -> int:
    """Return how many bytes a game takes in a list, or in that of a viewer, at most."""
    seats = sum(SEAT + len(_text(bot)) for bot in watched.game.bots)
    faults = FAULT * sum(map(bool, watched.game.faults))
    words = sum(2 + len(_text(words)) for words in (watched.pool, *watched.why))
    return LINE + seats + faults + words


def _text(words: str) -> bytes:
    """Return words as they stand in a page."""
    return escape(visible(words)).encode()


def viewers_of(shelves: Iterable[Shelf]) -> dict[str, str]:
    """Return by id of each game to watch the page that goes through its list."""
    return {each.game.id: shelf.viewer_file for shelf in shelves for each in shelf.games}


def lists_of(shelves: Sequence[Shelf]) -> dict[str, str]:
    """Return by pool's title where the list of its games begins."""
    return {
        section.pool: f"{shelf.list_file}#{section.id}"
        for shelf in reversed(shelves)
        for section in shelf.sections
    }
