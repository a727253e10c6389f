"""The lists of games to watch: each game with a link and a reason, on pages that stay small."""

from html import unescape
from itertools import pairwise

import pytest

from arena.site import games_page, pagination, watch_page
from arena.site.games_to_watch import Watched
from arena.site.pages import Site
from arena.site.pagination import Shelf, lists_of, shelves_of, viewers_of
from arena.site.stats_games import Told
from arena.tables.document import Standings
from tests.site import leagues
from tests.site.leagues import league
from tests.site.parts import Parts

LIMIT = 300_000  # bytes of a page


def test_every_game_has_its_link_and_its_reason() -> None:
    site, doc, found = league()
    text = games_page.page_of(site, doc, leagues.shelves(doc, found), 1)
    parts = Parts(text)
    links = [link for link in parts.links if link.startswith("watch.html#")]
    assert links == [f"watch.html#{each.game.id}" for each in found.watched]
    for each in found.watched:
        assert "; ".join(each.why) in unescape(text)
    assert {"pool-1", "pool-2", "pool-3"} <= {*parts.ids}


def split(monkeypatch: pytest.MonkeyPatch, room: int) -> tuple[Site, Standings, tuple[Shelf, ...]]:
    """Return a league whose games to watch need several pages."""
    site, doc, found = league()
    monkeypatch.setattr(pagination, "ROOM", room)
    cut = leagues.shelves(doc, found)
    return site._replace(watched=viewers_of(cut), lists=lists_of(cut)), doc, cut


def test_of_many_games_each_page_leads_to_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    site, doc, cut = split(monkeypatch, 3_000)
    assert len(cut) > 4
    pages = {
        shelf.list_file: Parts(games_page.page_of(site, doc, cut, shelf.number)) for shelf in cut
    }
    for shelf in cut:
        parts = pages[shelf.list_file]
        assert f"Games to watch, page {shelf.number} of {len(cut)}" in parts.text
        lists = [link for link in parts.links if link.startswith("games")]
        assert {link.partition("#")[0] for link in lists} == {*pages}
        for link in lists:
            file, _, id = link.partition("#")
            assert not id or id in pages[file].ids
        viewers = [link for link in parts.links if link.startswith("watch")]
        assert viewers == [f"{shelf.viewer_file}#{each.game.id}" for each in shelf.games]


def test_a_viewer_s_list_goes_on_where_that_of_the_page_before_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site, _, cut = split(monkeypatch, 3_000)
    for shelf, following in pairwise(cut):
        page, after = (
            Parts(watch_page.page_of_shelf(site, cut, each.number)) for each in (shelf, following)
        )
        assert f"{following.viewer_file}#{following.games[0].game.id}" in page.links
        assert f"{shelf.viewer_file}#{shelf.games[-1].game.id}" in after.links
        assert shelf.list_file in page.links


@pytest.mark.whole
def test_however_many_games_were_chosen_no_page_is_large() -> None:
    """As many as a site takes, with names as long as may be; a hostile store's are longer."""
    site, doc, _ = league()
    bots = tuple(f"<{number}&" + "w" * 30 for number in range(6))
    why = tuple(f"{bot}'s best: 123 points ahead of the next" for bot in bots)
    watched = [
        Watched(
            doc.pools[number % 20_000 // 7_000].title,
            "line-up",
            Told(f"{number:020x}", bots, (1, 2, 3, 4, 5, 6), (-100,) * 6, ("protocol",) * 6),
            why[: 1 + number % 6],
        )
        for number in range(20_000)
    ]
    cut = shelves_of(watched, {pool.title: f"pool-{at}" for at, pool in enumerate(doc.pools, 1)})
    site = site._replace(watched=viewers_of(cut), lists=lists_of(cut))
    for shelf in (*cut[:2], *cut[-2:]):
        listed = games_page.page_of(site, doc, cut, shelf.number)
        viewer = watch_page.page_of_shelf(site, cut, shelf.number)
        assert max(len(listed.encode()), len(viewer.encode())) < LIMIT
    assert len(cut) < 200
    assert len(cut[0].sections[0].games) > 100
