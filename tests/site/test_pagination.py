"""arena.site.pagination: however many games there are to watch, no page lists too many, and each
leads to all others.
"""

import re
from collections.abc import Sequence
from html import unescape
from itertools import pairwise

import pytest
from markupsafe import escape

from arena.model import Outcome
from arena.site import pagination
from arena.site.pages import Site
from arena.site.pagination import (
    ListPage,
    link_lists,
    list_page,
    paginate,
    share_pages,
    viewer_files,
    viewer_page,
)
from arena.site.stories import WatchedGame, Why
from arena.tables.document import Standings
from tests.site.leagues import ids, league
from tests.site.parts import Parts

LIMIT = 300_000  # bytes of a page
IDS = {"Sixteen 2p": "pool-1", "Sixteen 3p": "pool-2", "Sixteen 4p": "pool-3"}


def games(pool: str, count: int, why: str = "all games are here") -> list[WatchedGame]:
    ids = [f"{list(IDS).index(pool)}{number:019x}" for number in range(count)]
    results = (Outcome(id, ("ann", "bob"), (1, 2), (7, 3), ("", "")) for id in ids)
    return [WatchedGame(pool, 0, result, (Why("line-up", why),)) for result in results]


def split(
    watched: Sequence[WatchedGame], a_page: int, monkeypatch: pytest.MonkeyPatch
) -> list[ListPage]:
    """Return the pages of games that are alike, with room for so many on a page."""
    monkeypatch.setattr(pagination, "LIST_BYTES", a_page * pagination.line_bytes(watched[0]))
    return list(paginate(watched))


def test_few_games_are_on_one_page() -> None:
    (one,) = paginate([*games("Sixteen 2p", 3), *games("Sixteen 3p", 2)])
    assert (one.list_file, one.viewer_file) == ("games.html", "watch.html")
    assert len(one.games) == 5


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
    assert link_lists(list_pages, IDS) == {
        "Sixteen 2p": ("4 games", "games.html#game=pool-1"),
        "Sixteen 3p": ("1 game", "games-3.html#game=pool-2"),
        "ann": ("5 games", "games.html#bot=ann"),
        "bob": ("5 games", "games.html#bot=bob"),
    }


def test_a_name_that_an_address_cannot_hold_is_quoted() -> None:
    (game,) = games("Sixteen 2p", 1)
    game = game._replace(game=game.game._replace(bots=("a&b=c", "<d>")))
    links = link_lists(paginate([game]), IDS)
    assert links["a&b=c"].href == "games.html#bot=a%26b%3Dc"
    assert links["<d>"].href == "games.html#bot=%3Cd%3E"


def test_a_game_of_many_words_takes_more_room_and_one_too_long_is_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = games("Sixteen 2p", 4)
    watched[1] = watched[1]._replace(
        reasons=(Why("line-up", "<" * 100_000),)
    )  # four bytes each, on a page
    assert pagination.line_bytes(watched[1]) > 400_000
    assert [len(each.games) for each in split(watched, 3, monkeypatch)] == [1, 1, 2]


def test_without_games_there_is_no_page() -> None:
    assert paginate([]) == ()


def test_every_game_has_its_link_and_its_reasons_and_says_what_a_filter_asks() -> None:
    site, doc, stats = league()
    text = list_page(site, doc, paginate(stats.watched), 1)
    links = [link for link in Parts(text).links if link.startswith("watch.html#")]
    assert [link.split("#")[1].split("/")[0] for link in links] == [
        each.game.id for each in stats.watched
    ]
    rows = re.findall(
        r'data-game="([^"]*)" data-won="([^"]*)" data-lost="([^"]*)" data-show="([^"]*)"', text
    )
    for row, each in zip(rows, stats.watched, strict=True):
        assert row[0].split()[1] == ids(doc)[each.pool]
        assert {*row[1].split(), *row[2].split()} == {*each.game.bots}
        faults = ["fault"] if any(each.game.faults) else []
        assert row[3].split() == [*(why.kind for why in each.reasons), *faults]
        assert all(words in unescape(text) for words in each.why)


def test_a_list_says_how_its_games_were_chosen() -> None:
    site, doc, stats = league()
    faults = [each._replace(reasons=(Why("fault", "ann forfeits"),)) for each in stats.watched]
    text = Parts(list_page(site, doc, paginate(faults), 1)).text
    assert "the most remarkable first: games for each kind of fault." in text


def split_league(
    monkeypatch: pytest.MonkeyPatch, room: int
) -> tuple[Site, Standings, tuple[ListPage, ...]]:
    """Return a league whose games to watch need several pages."""
    site, doc, stats = league()
    monkeypatch.setattr(pagination, "LIST_BYTES", room)
    cut = paginate(stats.watched)
    return site._replace(viewers=viewer_files(cut), lists=link_lists(cut, ids(doc))), doc, cut


def test_of_many_games_each_page_leads_to_those_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    site, doc, cut = split_league(monkeypatch, 3_000)
    assert len(cut) > 4
    pages = {here.list_file: Parts(list_page(site, doc, cut, here.number)) for here in cut}
    for here in cut:
        parts = pages[here.list_file]
        assert f"Games to watch, page {here.number} of {len(cut)}" in parts.text
        beside = {each.list_file for each in cut if abs(each.number - here.number) == 1}
        assert {link for link in parts.links if link.startswith("games")} == beside
        viewers = [link.partition("/")[0] for link in parts.links if link.startswith("watch")]
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


def test_a_shared_link_says_how_the_game_ended_and_why_to_watch_it() -> None:
    site, doc, stats = league()
    pages = dict(share_pages(site, doc, stats.watched))
    assert len(pages) == len(stats.watched)
    for each in stats.watched:
        text = pages[f"games/{each.game.id}.html"]
        assert len(text.encode()) < 1_800
        parts = Parts(text)
        title = unescape(re.findall(r'og:title" content="(.*?)"', text)[0])
        assert title in parts.text  # for readers without scripts
        assert title.removeprefix(f"{each.pool}: ").startswith(tuple(each.winners))
        assert all(bot in title for bot in each.game.bots)
        assert f'og:description" content="cup: {escape(each.why[0])}"' in text
        assert parts.links[-1].startswith(f"../watch.html#{each.game.id}")


@pytest.mark.whole
def test_however_many_games_were_chosen_no_page_is_large() -> None:
    """As many as a site takes, with names as long as may be; a hostile store's are longer."""
    site, doc, _ = league()
    bots = tuple(f"<{number}&" + "w" * 30 for number in range(6))
    why = tuple(f"{bot}'s best: 123 points ahead of the next" for bot in bots)
    watched = [
        WatchedGame(
            doc.pools[number % 20_000 // 7_000].title,
            number,
            Outcome(f"{number:020x}", bots, (1, 2, 3, 4, 5, 6), (-100,) * 6, ("protocol",) * 6),
            tuple(Why("line-up", words) for words in why[: 1 + number % 6]),
        )
        for number in range(20_000)
    ]
    cut = paginate(watched)
    site = site._replace(viewers=viewer_files(cut), lists=link_lists(cut, ids(doc)))
    for here in (*cut[:2], *cut[-2:]):
        listed = list_page(site, doc, cut, here.number)
        viewer = viewer_page(site, cut, here.number)
        assert max(len(listed.encode()), len(viewer.encode())) < LIMIT
    assert len(cut) < 200
    assert len(cut[0].games) > 100
