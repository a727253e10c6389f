"""What every page promises; and however many games there are, no page lists too many."""

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from itertools import pairwise

import pytest
from markupsafe import Markup, escape
from msgspec.structs import replace

from arena.model import Outcome
from arena.site import bot_page, game_page, index
from arena.site.pages import LONGEST_SLUG, Link, Site, page, slugs
from arena.site.pagination import (
    line_bytes,
    link_lists,
    list_page,
    paginate,
    share_pages,
    viewer_files,
    viewer_page,
)
from arena.site.stories import WatchedGame, Why
from arena.tables.columns import COLUMNS_OF_PAGES
from arena.tables.overview import list_tables
from arena.tables.page import html, inline
from tests.places import ROOT
from tests.site.leagues import TWO, ids, league
from tests.site.parts import Parts, Tables

SITE = Site("<cup>", "2026-11-22", "0.1.0", (Link("Standings", "index.html"),), {}, {}, {}, {})


def test_the_hashes_of_a_page_are_those_of_what_stands_in_it() -> None:
    text = page("base.html", site=SITE, here="index.html", title="cup")
    meta = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert meta
    rule = str(Markup(meta[1]).unescape())
    told = dict(part.strip().split(" ", 1) for part in rule.split(";"))
    for what, count in (("style", 1), ("script", 2)):
        inside = re.findall(rf"<{what}>(.*?)</{what}>", text, re.DOTALL)
        assert len(inside) == count
        hashes = [f"'sha256-{b64encode(sha256(t.encode()).digest()).decode()}'" for t in inside]
        assert told[f"{what}-src"].split() == hashes
    assert told["default-src"] == told["base-uri"] == told["form-action"] == "'none'"


def test_what_is_inline_does_not_end_its_element() -> None:
    own = (
        "site/viewer/*",
        "site/templates/*.css",
        "tables/templates/*.css",
        "tables/templates/*.js",
    )
    files = [path for pattern in own for path in (ROOT / "arena").glob(pattern) if path.is_file()]
    assert len(files) > 6
    for file in files:
        text = inline(file.relative_to(ROOT / "arena").as_posix())
        assert "</" not in text
        assert "\r" not in text  # which a browser takes off before it hashes


def test_slugs_are_safe_and_unique_whatever_the_names_and_their_order() -> None:
    names = ["a", "A", "a-2", "a b", "../../etc/passwd", "", "\x1b[31m", "ä", "x" * 500, "X" * 500,
             "con", "<img src=x onerror=alert(1)>", "a/b", "a\\b", "İ"]  # fmt: skip
    found = slugs(names)
    assert found == slugs(names[::-1])
    safe = rf"[a-z0-9_-]{{1,{LONGEST_SLUG + 3}}}"
    assert found.keys() == set(names)
    assert len(set(found.values())) == len(names)
    assert all(re.fullmatch(safe, slug) for slug in found.values())
    assert slugs(["ann", "bob_2"]) == {"ann": "ann", "bob_2": "bob_2"}


PAGES = {
    "standings": lambda site, doc, stats: html(doc),
    "index": lambda site, doc, stats: index.make_index_page(site, doc, (), ()),
    "game": lambda site, doc, stats: game_page.make_game_page(site, doc, stats, "sixteen"),
    "bot": lambda site, doc, stats: bot_page.make_bot_page(site, doc, stats, doc.bots[0].name),
    "games": lambda site, doc, stats: list_page(site, doc, paginate(stats.watched), 1),
    "watch": lambda site, doc, stats: viewer_page(site, paginate(stats.watched), 1),
    "share": lambda site, doc, stats: next(
        share_pages(site, doc, sorted(stats.watched, key=lambda each: min(each.game.bots)))
    )[1],
}


EVIL = "<img src=x onerror=alert(1)>\x1b"


@pytest.mark.parametrize("kind", PAGES)
def test_links_within_lead_somewhere_and_every_id_is_one(kind: str) -> None:
    parts = Parts(PAGES[kind](*league()))
    games = league()[0].viewers if kind == "watch" else ()  # which the viewer's addresses name
    here = {link[1:] for link in parts.links if link.startswith("#")}
    assert here.difference(games) <= set(parts.ids)
    assert len(parts.ids) == len(set(parts.ids))


@pytest.mark.parametrize("kind", PAGES)
def test_hostile_names_are_text_and_nothing_is_styled_or_run_but_by_hash(kind: str) -> None:
    site, doc, stats = league((EVIL, "bob", "cid", "dee", "eve"))
    text = PAGES[kind](site._replace(name=EVIL), replace(doc, tournament=EVIL), stats)
    parts = Parts(text)
    assert parts.tags.isdisjoint({"img", "iframe", "object"})
    own = kind != "share"  # which lies apart and has no icon
    assert text.count("<link") == text.count('<link rel="icon" href="data:') == own
    assert not [name for name in parts.attributes if name == "style" or name.startswith("on")]
    assert "\x1b" not in text
    assert text.count("&lt;img src=x onerror=alert(1)&gt;\\x1b") > 5


OTHERS = ("#", "score", "ladder")  # columns that not every table has


@pytest.mark.parametrize("kind", ["standings", "index", "game"])
def test_under_each_heading_of_a_ranking_stands_its_own_number(kind: str) -> None:
    site, doc, stats = league()
    columns = [each for each in COLUMNS_OF_PAGES if each.cell and each.title not in OTHERS]
    known = [
        {each.heading: each.page_text(row) for each in columns}
        for listing in list_tables(doc)
        for row in listing.rows
    ]
    rankings = [table for table in Tables(PAGES[kind](site, doc, stats)).all if "±" in table[0]]
    assert rankings
    for head, *rows in rankings:
        for row in rows:
            said = dict(zip(head, row, strict=True))
            assert {each.heading: said[each.heading] for each in columns} in known
            assert f"{said['rating']}: " in said["strength"]


IDS = {"Sixteen 2p": "pool-1", "Sixteen 3p": "pool-2", "Sixteen 4p": "pool-3"}


def games(pool: str, count: int) -> list[WatchedGame]:
    ids = [f"{list(IDS).index(pool)}{number:019x}" for number in range(count)]
    results = (Outcome(id, ("ann", "bob"), (1, 2), (7, 3), ("", "")) for id in ids)
    return [WatchedGame(pool, 0, result, (Why("line-up", "all are"),)) for result in results]


def test_many_are_on_numbered_pages_in_their_order_and_every_pool_has_its_list() -> None:
    watched = [*games("Sixteen 2p", 7), *games("Sixteen 3p", 1), *games("Sixteen 4p", 2)]
    list_pages = paginate(watched, 3 * line_bytes(watched[0]))
    assert [each for page in list_pages for each in page.games] == watched
    assert [(each.list_file, each.viewer_file, len(each.games)) for each in list_pages] == [
        ("games.html", "watch.html", 3), ("games-2.html", "watch-2.html", 3),
        ("games-3.html", "watch-3.html", 3), ("games-4.html", "watch-4.html", 1),
    ]  # fmt: skip
    assert viewer_files(list_pages) == {
        game.game.id: page.viewer_file for page in list_pages for game in page.games
    }
    assert link_lists(list_pages, IDS) == {
        "Sixteen 2p": ("7 games", "games.html#game=pool-1"),
        "Sixteen 3p": ("1 game", "games-3.html#game=pool-2"),
        "Sixteen 4p": ("2 games", "games-3.html#game=pool-3"),
        "ann": ("10 games", "games.html#bot=ann"),
        "bob": ("10 games", "games.html#bot=bob"),
    }
    assert paginate([]) == ()


def test_a_name_that_an_address_cannot_hold_is_quoted() -> None:
    (game,) = games("Sixteen 2p", 1)
    game = game._replace(game=game.game._replace(bots=("a&b=c", "<d>")))
    links = link_lists(paginate([game]), IDS)
    assert links["a&b=c"].href == "games.html#bot=a%26b%3Dc"
    assert links["<d>"].href == "games.html#bot=%3Cd%3E"


def test_a_game_of_many_words_takes_more_room_and_one_too_long_is_alone() -> None:
    watched = games("Sixteen 2p", 4)
    watched[1] = watched[1]._replace(reasons=(Why("line-up", "<" * 100_000),))
    assert line_bytes(watched[1]) > 400_000  # four bytes each, on a page
    pages = paginate(watched, 3 * line_bytes(watched[0]))
    assert [len(each.games) for each in pages] == [1, 1, 2]


def test_every_game_has_its_link_and_its_reasons_and_says_what_a_filter_asks() -> None:
    site, doc, stats = league()
    text = list_page(site, doc, paginate(stats.watched), 1)
    links = [link for link in Parts(text).links if link.startswith("watch.html#")]
    assert [re.split("[#/]", link)[1] for link in links] == [each.game.id for each in stats.watched]
    data = r'data-game="([^"]*)" data-won="([^"]*)" data-lost="([^"]*)" data-show="([^"]*)"'
    for row, each in zip(re.findall(data, text), stats.watched, strict=True):
        assert row[0].split()[1] == ids(doc)[each.pool]
        assert {*row[1].split(), *row[2].split()} == {*each.game.bots}
        faults = ["fault"] if any(each.game.faults) else []
        assert row[3].split() == [*(why.kind for why in each.reasons), *faults]
        assert all(words in unescape(text) for words in each.why)


def test_of_many_games_each_page_leads_to_those_beside_it() -> None:
    site, doc, stats = league()
    cut = paginate(stats.watched, 3_000)
    site = site._replace(viewers=viewer_files(cut), lists=link_lists(cut, ids(doc)))
    assert len(cut) > 4
    for here in cut:
        parts = Parts(list_page(site, doc, cut, here.number))
        assert f"Games to watch, page {here.number} of {len(cut)}" in parts.text
        beside = {each.list_file for each in cut if abs(each.number - here.number) == 1}
        assert {link for link in parts.links if link.startswith("games")} == beside
        viewers = [link.partition("/")[0] for link in parts.links if link.startswith("watch")]
        assert viewers == [f"{here.viewer_file}#{each.game.id}" for each in here.games]
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
        title = unescape(re.findall(r'og:title" content="(.*?)"', text)[0])
        assert title in Parts(text).text  # for readers without scripts
        assert title.removeprefix(f"{each.pool}: ").startswith(tuple(each.winners))
        assert all(bot in title for bot in each.game.bots)
        assert f'og:description" content="cup: {escape(each.why[0])}"' in text
        assert Parts(text).links[-1].startswith(f"../watch.html#{each.game.id}")


@pytest.mark.whole
def test_with_forty_bots_and_many_pools_pages_are_small() -> None:
    names = tuple(f"a_bot_with_a_long_name_{number:03}" for number in range(40))
    site, doc, stats = league(names, 600, pools=(TWO,))
    for kind, times in (("bot", 10), ("game", 5)):
        pools = doc.pools * times
        many = stats._replace(pools=stats.pools * times)
        assert len(PAGES[kind](site, replace(doc, pools=pools), many).encode()) < 300_000


@pytest.mark.whole
def test_however_many_games_were_chosen_no_page_is_large() -> None:
    """As many as a site takes, with names as long as may be; a hostile store's are longer."""
    site, doc, _ = league()
    bots = tuple(f"<{number}&" + "w" * 30 for number in range(6))
    why = [Why("line-up", f"{bot}'s best: 123 points ahead of the next") for bot in bots]
    scores, faults = (-100,) * 6, ("protocol",) * 6
    watched = [
        WatchedGame(
            doc.pools[at // 7_000].title, at,
            Outcome(f"{at:020x}", bots, (1, 2, 3, 4, 5, 6), scores, faults),
            tuple(why[: 1 + at % 6]),
        )
        for at in range(20_000)
    ]  # fmt: skip
    cut = paginate(watched)
    site = site._replace(viewers=viewer_files(cut), lists=link_lists(cut, ids(doc)))
    for here in (*cut[:2], *cut[-2:]):
        for text in (list_page(site, doc, cut, here.number), viewer_page(site, cut, here.number)):
            assert len(text.encode()) < 300_000
    assert len(cut) < 200
    assert len(cut[0].games) > 100
