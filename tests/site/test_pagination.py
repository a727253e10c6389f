"""arena.site.pagination: however many games there are to watch, no page lists too many, and each
leads to all others.
"""

from collections.abc import Sequence
from html import unescape
from itertools import pairwise

import pytest

from arena.model import Outcome
from arena.site import pagination
from arena.site.games_to_watch import WatchedGame
from arena.site.pages import Site
from arena.site.pagination import (
    ListPage,
    link_lists,
    list_page,
    paginate,
    viewer_files,
    viewer_page,
)
from arena.tables.document import Standings
from tests.site.leagues import league, paginated
from tests.site.parts import Parts

LIMIT = 300_000  # bytes of a page
IDS = {"Sixteen 2p": "pool-1", "Sixteen 3p": "pool-2", "Sixteen 4p": "pool-3"}


def games(pool: str, count: int, why: str = "all games are here") -> list[WatchedGame]:
    ids = [f"{list(IDS).index(pool)}{number:019x}" for number in range(count)]
    results = (Outcome(id, ("ann", "bob"), (1, 2), (7, 3), ("", "")) for id in ids)
    return [WatchedGame(pool, "all", 0, result, (why,)) for result in results]


def split(
    watched: Sequence[WatchedGame], a_page: int, monkeypatch: pytest.MonkeyPatch
) -> list[ListPage]:
    """Return the pages of games that are alike, with room for so many on a page."""
    monkeypatch.setattr(pagination, "LIST_BYTES", a_page * pagination.line_bytes(watched[0]))
    return list(paginate(watched, IDS))


def test_few_games_are_on_one_page_by_pool() -> None:
    (one,) = paginate([*games("Sixteen 2p", 3), *games("Sixteen 3p", 2)], IDS)
    assert (one.list_file, one.viewer_file) == ("games.html", "watch.html")
    assert [(each.pool, each.id, len(each.games)) for each in one.sections] == [
        ("Sixteen 2p", "pool-1", 3),
        ("Sixteen 3p", "pool-2", 2),
    ]
    assert [(each.first, each.of) for each in one.sections] == [(1, 3), (1, 2)]


def test_many_are_on_numbered_pages_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = [*games("Sixteen 2p", 7), *games("Sixteen 3p", 1), *games("Sixteen 4p", 2)]
    list_pages = split(watched, 3, monkeypatch)
    assert [each for page in list_pages for each in page.games] == watched
    assert [(each.list_file, each.viewer_file, len(each.games)) for each in list_pages] == [
        ("games.html", "watch.html", 3),
        ("games-2.html", "watch-2.html", 3),
        ("games-3.html", "watch-3.html", 3),
        ("games-4.html", "watch-4.html", 1),
    ]
    of_first = [each for page in list_pages for each in page.sections if each.pool == "Sixteen 2p"]
    assert [(each.first, each.last, each.of) for each in of_first] == [
        (1, 3, 7),
        (4, 6, 7),
        (7, 7, 7),
    ]


def test_every_game_has_its_viewer_and_every_pool_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = [*games("Sixteen 2p", 4), *games("Sixteen 3p", 1)]
    list_pages = split(watched, 2, monkeypatch)
    assert viewer_files(list_pages) == dict(
        zip(
            [each.game.id for each in watched],
            ["watch.html", "watch.html", "watch-2.html", "watch-2.html", "watch-3.html"],
            strict=True,
        )
    )
    assert link_lists(list_pages) == {
        "Sixteen 2p": [("1", "games.html#pool-1"), ("2", "games-2.html#pool-1")],
        "Sixteen 3p": [("3", "games-3.html#pool-2")],
    }


def test_a_game_of_many_words_takes_more_room_and_one_too_long_is_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = games("Sixteen 2p", 4)
    watched[1] = watched[1]._replace(why=("<" * 100_000,))  # four bytes each, on a page
    assert pagination.line_bytes(watched[1]) > 400_000
    assert [len(each.games) for each in split(watched, 3, monkeypatch)] == [1, 1, 2]


def test_without_games_there_is_no_page() -> None:
    assert paginate([], IDS) == ()


def test_every_game_has_its_link_and_its_reason() -> None:
    site, doc, stats = league()
    text = list_page(site, doc, paginated(doc, stats), 1)
    parts = Parts(text)
    links = [link for link in parts.links if link.startswith("watch.html#")]
    assert links == [f"watch.html#{each.game.id}" for each in stats.watched]
    for each in stats.watched:
        assert "; ".join(each.why) in unescape(text)
    assert {"pool-1", "pool-2", "pool-3"} <= {*parts.ids}


def split_league(
    monkeypatch: pytest.MonkeyPatch, room: int
) -> tuple[Site, Standings, tuple[ListPage, ...]]:
    """Return a league whose games to watch need several pages."""
    site, doc, stats = league()
    monkeypatch.setattr(pagination, "LIST_BYTES", room)
    cut = paginated(doc, stats)
    return site._replace(viewers=viewer_files(cut), lists=link_lists(cut)), doc, cut


def test_of_many_games_each_page_leads_to_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    site, doc, cut = split_league(monkeypatch, 3_000)
    assert len(cut) > 4
    pages = {here.list_file: Parts(list_page(site, doc, cut, here.number)) for here in cut}
    for here in cut:
        parts = pages[here.list_file]
        assert f"Games to watch, page {here.number} of {len(cut)}" in parts.text
        lists = [link for link in parts.links if link.startswith("games")]
        assert {link.partition("#")[0] for link in lists} == {*pages}
        for link in lists:
            file, _, id = link.partition("#")
            assert not id or id in pages[file].ids
        viewers = [link for link in parts.links if link.startswith("watch")]
        assert viewers == [f"{here.viewer_file}#{each.game.id}" for each in here.games]


def test_a_viewer_s_list_goes_on_where_that_of_the_page_before_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site, _, cut = split_league(monkeypatch, 3_000)
    for here, following in pairwise(cut):
        page, after = (Parts(viewer_page(site, cut, each.number)) for each in (here, following))
        assert f"{following.viewer_file}#{following.games[0].game.id}" in page.links
        assert f"{here.viewer_file}#{here.games[-1].game.id}" in after.links
        assert here.list_file in page.links


@pytest.mark.whole
def test_however_many_games_were_chosen_no_page_is_large() -> None:
    """As many as a site takes, with names as long as may be; a hostile store's are longer."""
    site, doc, _ = league()
    bots = tuple(f"<{number}&" + "w" * 30 for number in range(6))
    why = tuple(f"{bot}'s best: 123 points ahead of the next" for bot in bots)
    watched = [
        WatchedGame(
            doc.pools[number % 20_000 // 7_000].title,
            "line-up",
            number,
            Outcome(f"{number:020x}", bots, (1, 2, 3, 4, 5, 6), (-100,) * 6, ("protocol",) * 6),
            why[: 1 + number % 6],
        )
        for number in range(20_000)
    ]
    cut = paginate(watched, {pool.title: f"pool-{at}" for at, pool in enumerate(doc.pools, 1)})
    site = site._replace(viewers=viewer_files(cut), lists=link_lists(cut))
    for here in (*cut[:2], *cut[-2:]):
        listed = list_page(site, doc, cut, here.number)
        viewer = viewer_page(site, cut, here.number)
        assert max(len(listed.encode()), len(viewer.encode())) < LIMIT
    assert len(cut) < 200
    assert len(cut[0].sections[0].games) > 100
