"""The games to watch on as many pages as they need, each with a list and a viewer.

However many games were chosen, no page is larger than a page may be: a list is cut where it is
full, wherever that is in a pool. The first page is `games.html`, its viewer `watch.html`; the next
ones are `games-2.html` and `watch-2.html`. A viewer goes through its list, and shows any game: its
address says which, `watch.html#ID`, `watch.html#ID/STEP` or `watch.html#ID/STEP/as-SEAT`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import escape

from arena.site.games_to_watch import WatchedGame
from arena.site.pages import Link, Site, page, viewer_address
from arena.tables import Standings
from arena.words import visible

LIST_BYTES = 240_000
"""Of a list, of the 300,000 that a page may have: the viewer itself takes 57,000."""

LINE, SEAT, FAULT = 350, 20, 40
"""At most so many bytes of markup are in the line of a game, of a seat in it, and of its fault."""

FIRST_LIST = "games.html"

REASON_WORDS = {"line-up": "by chance", "all": ""}
"""Kinds of reasons in short, where that is not the kind itself."""


class Section(NamedTuple):
    """Games of a pool that are listed on one page."""

    pool: str  # title
    id: str  # of its part of the page
    first: int  # number of the first, among the games of the pool, from 1
    of: int  # games of the pool, on all pages
    games: tuple[WatchedGame, ...]

    @property
    def last(self) -> int:
        """The number of the last."""
        return self.first + len(self.games) - 1


class ListPage(NamedTuple):
    """A list of games to watch, and the viewer that goes through it."""

    number: int  # from 1
    sections: tuple[Section, ...]

    @property
    def games(self) -> list[WatchedGame]:
        """Its games, in order."""
        return [game for section in self.sections for game in section.games]

    @property
    def list_file(self) -> str:
        """The page that lists them."""
        return FIRST_LIST if self.number == 1 else f"games-{self.number}.html"

    @property
    def viewer_file(self) -> str:
        """The page that goes through them."""
        return "watch.html" if self.number == 1 else f"watch-{self.number}.html"


def paginate(games: Iterable[WatchedGame], pool_ids: Mapping[str, str]) -> tuple[ListPage, ...]:
    """Distribute the games to watch, which come by pool, over pages; `pool_ids` are the ids of
    pools' parts of a page, by title.
    """
    cut, left = list[list[WatchedGame]](), 0
    for game in games:
        size = line_bytes(game)
        if not cut or size > left:
            cut.append([])
            left = LIST_BYTES
        cut[-1].append(game)
        left -= size
    total = Counter(game.pool for on_page in cut for game in on_page)
    before = Counter[str]()
    list_pages = []
    for number, on_page in enumerate(cut, 1):
        sections = []
        for pool, group in groupby(on_page, key=lambda game: game.pool):
            of_pool = tuple(group)
            sections.append(Section(pool, pool_ids[pool], before[pool] + 1, total[pool], of_pool))
            before[pool] += len(of_pool)
        list_pages.append(ListPage(number, tuple(sections)))
    return tuple(list_pages)


def line_bytes(watched: WatchedGame) -> int:
    """How many bytes a game takes in a list, or in that of a viewer, at most."""
    seats = sum(SEAT + _text_bytes(bot) for bot in watched.game.bots)
    faults = FAULT * sum(map(bool, watched.game.faults))
    words = sum(2 + _text_bytes(words) for words in (watched.pool, *watched.why))
    return LINE + seats + faults + words


def _text_bytes(words: str) -> int:
    """How many bytes words take in a page, escaped."""
    return len(escape(visible(words)).encode())


def viewer_files(list_pages: Iterable[ListPage]) -> dict[str, str]:
    """The page that goes through the list of each game to watch, by the game's id."""
    return {watched.game.id: on.viewer_file for on in list_pages for watched in on.games}


def link_lists(list_pages: Iterable[ListPage]) -> dict[str, list[Link]]:
    """Links to the parts of lists that have a pool's games, by the pool's title, then by page."""
    parts: dict[str, list[Link]] = {}
    for on in list_pages:
        for section in on.sections:
            link = Link(str(on.number), f"{on.list_file}#{section.id}")
            parts.setdefault(section.pool, []).append(link)
    return parts


def list_page(site: Site, doc: Standings, list_pages: Sequence[ListPage], number: int) -> str:
    """The list of that number, from 1: by pool, each game with why it was chosen."""
    here = list_pages[number - 1]
    return page(
        "games.html",
        site=site,
        here=here.list_file,
        list_page=here,
        list_pages=list_pages,
        total=len(site.viewers),
        played=sum(pool.games for pool in doc.pools),
        reasons=REASON_WORDS,
        contents=site.lists,
    )


def viewer_page(site: Site, list_pages: Sequence[ListPage], number: int) -> str:
    """The viewer of the list of that number, from 1."""
    here = list_pages[number - 1]
    before = _address_of(list_pages[number - 2], -1) if number > 1 else ""
    after = _address_of(list_pages[number], 0) if number < len(list_pages) else ""
    return page(
        "watch.html",
        site=site,
        here=here.viewer_file,
        list_page=here,
        of=len(list_pages),
        before=before,
        after=after,
    )


def _address_of(list_page: ListPage, place: int) -> str:
    return viewer_address(list_page.viewer_file, list_page.games[place].game.id)
