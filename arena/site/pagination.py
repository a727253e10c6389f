"""The games to watch on as many pages as they need, each with a list and a viewer.

However many games were chosen, no page is larger than a page may be: a list is cut where it is
full. The first page is `games.html`, its viewer `watch.html`; the next ones are `games-2.html` and
`watch-2.html`. A list's address may say what it shows: `games.html#bot=mia&show=lost`,
`games.html#game=pool-2`. A viewer goes through its list, and shows any game: its address says
which, `watch.html#ID`, `watch.html#ID/STEP` or `watch.html#ID/STEP/as-SEAT`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from arena.records.replay import describe_result
from arena.site.pages import SORTING, Link, Site, page, pool_id, viewer_address
from arena.site.stories import Kind, WatchedGame
from arena.tables.document import Standings
from arena.words import amount, visible

LIST_BYTES = 220_000
"""Bytes of a list, of the 300,000 that a page may have: the viewer itself takes 57,000."""

LINE, SEAT, FAULT, WHY = 440, 20, 40, 12
"""So many bytes of markup, at most, are in the line of a game, of a seat, its fault, a reason."""

FIRST_LIST = "games.html"

KIND_WORDS: Mapping[Kind, str] = {
    "upset": "upset",
    "close": "close game",
    "comeback": "comeback",
    "best": "best game",
    "worst": "worst game",
    "closest": "closest game",
    "fault": "fault",
    "line-up": "chosen at random",
}

CHOSEN: Mapping[Kind, str] = {
    "upset": "upsets",
    "close": "close games",
    "comeback": "comebacks",
    "best": "each bot's best, worst and closest game",
    "fault": "games for each kind of fault",
    "line-up": "games by chance",
}
"""Words for the lists, by kind."""


class ListPage(NamedTuple):
    """A list of games to watch, and the viewer that goes through it."""

    number: int  # from 1
    games: tuple[WatchedGame, ...]

    @property
    def list_file(self) -> str:
        """The page that lists them."""
        return FIRST_LIST if self.number == 1 else f"games-{self.number}.html"

    @property
    def viewer_file(self) -> str:
        """The page that goes through them."""
        return "watch.html" if self.number == 1 else f"watch-{self.number}.html"


def paginate(games: Iterable[WatchedGame], list_bytes: int = LIST_BYTES) -> tuple[ListPage, ...]:
    """Distribute the games to watch over pages, in their order."""
    cut, left = list[list[WatchedGame]](), 0
    for game in games:
        size = line_bytes(game)
        if not cut or size > left:
            cut.append([])
            left = list_bytes
        cut[-1].append(game)
        left -= size
    return tuple(ListPage(number, tuple(games)) for number, games in enumerate(cut, 1))


def line_bytes(watched: WatchedGame) -> int:
    """The most bytes that a game takes in a list, or in that of a viewer."""
    seats = sum(SEAT + 2 * _text_bytes(bot) for bot in watched.game.bots)
    faults = FAULT * sum(map(bool, watched.game.faults))
    words = sum(WHY + _text_bytes(words) for words in (watched.pool, *watched.why))
    return LINE + seats + faults + words


def _text_bytes(words: str) -> int:
    return len(escape(visible(words)).encode())


def viewer_files(list_pages: Iterable[ListPage]) -> dict[str, str]:
    """The page that goes through the list of each game to watch, by the game's id."""
    return {watched.game.id: on.viewer_file for on in list_pages for watched in on.games}


def link_lists(list_pages: Iterable[ListPage], pool_ids: Mapping[str, str]) -> dict[str, Link]:
    """Links to the games of one pool, by its title, and to those of one bot, by name, which say how
    many there are; of several pages to the first that has any. `pool_ids` are by title.
    """
    first, count = dict[str, str](), Counter[str]()
    for on in list_pages:
        for watched in on.games:
            asked = {bot: f"bot={quote(bot)}" for bot in watched.game.bots}
            asked[watched.pool] = f"game={pool_ids[watched.pool]}"
            count.update(asked.keys())
            for name, shown in asked.items():
                first.setdefault(name, f"{on.list_file}#{shown}")
    return {name: Link(amount(count[name], "game"), href) for name, href in first.items()}


def list_page(site: Site, doc: Standings, list_pages: Sequence[ListPage], number: int) -> str:
    """The list of that number, from 1: each game with why it was chosen, upsets first."""
    here = list_pages[number - 1]
    kinds = {why.kind for on in list_pages for story in on.games for why in story.reasons}
    return page(
        "games.html",
        site=site,
        here=here.list_file,
        list_page=here,
        list_pages=list_pages,
        total=len(site.viewers),
        played=sum(pool.games for pool in doc.pools),
        bots=sorted({bot for on in list_pages for story in on.games for bot in story.game.bots}),
        pools={pool.title: (pool_id(doc.pools, pool), pool.game) for pool in doc.pools},
        kinds=KIND_WORDS,
        chosen=", ".join(words for kind, words in CHOSEN.items() if kind in kinds),
        scripts=(*SORTING, "site/templates/games.js"),
    )


def viewer_page(site: Site, list_pages: Sequence[ListPage], number: int, replay: str = "") -> str:
    """The viewer of the list of that number, from 1; with a `replay` of its only game, whole."""
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
        replay=Markup(replay),  # JSON without a `<`
    )


def share_pages(
    site: Site, doc: Standings, games: Iterable[WatchedGame]
) -> Iterator[tuple[str, str]]:
    """The small page of each game, by which shared links say how it ended: (file, text)."""
    game_of = {pool.title: pool.game for pool in doc.pools}
    for watched in games:
        (id, bots, ranks, scores, faults), first = watched.game, watched.reasons[0]
        out = [seat for seat, fault in enumerate(faults) if fault]
        result = {"ranks": ranks, "scores": scores, "forfeits": out, "reason": "complete"}
        ended = describe_result(game_of[watched.pool], result, bots)
        file = f"games/{id}.html"
        yield (
            file,
            page(
                "share.html",
                site=site._replace(links=(), version=""),
                here=file,
                title=f"{watched.pool}: {ended}",
                description=f"{site.name}: {first.words}",
                address=viewer_address(site.viewers[id], id, first.step, first.seat),
            ),
        )


def _address_of(list_page: ListPage, place: int) -> str:
    return viewer_address(list_page.viewer_file, list_page.games[place].game.id)
