"""What every page promises; and however many games there are, no page lists too many."""

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from markupsafe import Markup, escape
from msgspec.structs import replace

from arena.model import Outcome
from arena.site import bot_page, game_page, index, pages
from arena.site.pages import LONGEST_SLUG, SORTING, Link, Site, by_rank, page, slugs
from arena.site.pagination import (
    ListPage,
    line_bytes,
    link_lists,
    list_page,
    paginate,
    share_pages,
    viewer_files,
    viewer_page,
)
from arena.site.stats import Stats
from arena.site.stories import WatchedGame, Why
from arena.tables.columns import COLUMNS_OF_PAGES, Row
from arena.tables.document import Standings
from arena.tables.page import html, inline
from tests.site.leagues import ids, league
from tests.site.parts import Parts, Tables

SITE = Site("<cup>", "2026-11-22", "0.1.0", (Link("Standings", "index.html"),), {}, {}, {}, {})


def test_the_hashes_of_a_page_are_those_of_what_stands_in_it() -> None:
    text = page("base.html", site=SITE, here="index.html", title="cup")
    inside = {
        what: re.findall(rf"<{what}>(.*?)</{what}>", text, re.DOTALL)
        for what in ("style", "script")
    }
    assert len(inside["style"]) == 1
    assert len(inside["script"]) == 2
    meta = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert meta
    rule = str(Markup(meta[1]).unescape())
    told = dict(part.strip().split(" ", 1) for part in rule.split(";"))
    for what, texts in inside.items():
        hashes = [f"'sha256-{b64encode(sha256(t.encode()).digest()).decode()}'" for t in texts]
        assert told[f"{what}-src"].split() == hashes
    assert told["default-src"] == told["base-uri"] == told["form-action"] == "'none'"


def test_what_is_inline_does_not_end_its_element() -> None:
    viewer = Path(pages.__file__).parent / "viewer"
    own = [f"site/viewer/{file.name}" for file in viewer.iterdir()]
    for file in (*SORTING, "site/templates/facts.css", "tables/templates/style.css", *own):
        assert "</" not in inline(file)
        assert "\r" not in inline(file)  # which a browser takes off before it hashes


def test_the_seats_of_a_game_are_told_best_first() -> None:
    game = Outcome("a1", ("ann", "bob"), (2, 1), (3, 9), ("time", ""))
    assert by_rank(game) == [("bob", 1, 9, ""), ("ann", 2, 3, "time")]


def test_a_name_that_is_safe_stays() -> None:
    assert slugs(["ann", "bob_2", "no-name"]) == {n: n for n in ("ann", "bob_2", "no-name")}


def test_slugs_are_safe_and_unique_whatever_the_names() -> None:
    names = ["a", "A", "a-2", "a b", "../../etc/passwd", "", "\x1b[31m", "ä", "x" * 500, "X" * 500,
             "con", "<img src=x onerror=alert(1)>", "a/b", "a\\b", "İ"]  # fmt: skip
    found = slugs(names)
    safe = rf"[a-z0-9_-]{{1,{LONGEST_SLUG + 3}}}"
    assert found.keys() == set(names)
    assert len(set(found.values())) == len(names)
    assert all(re.fullmatch(safe, slug) for slug in found.values())


def test_slugs_do_not_depend_on_the_order() -> None:
    assert slugs(["A", "a", "a-2"]) == slugs(["a-2", "a", "A"])


VALUES = {
    "place": 1, "place_range": (2, 3), "mu": 12.34, "interval": (11.04, 14.04), "beats": 0.111,
    "better_than_next": 0.222, "best_probability": 0.33, "sigma": 1.0,
    "conservative_mu": 9.34, "wins": 0.444, "games": 6666, "faults_total": 77,
}  # fmt: skip
TOLD = {
    "rating": "12.34", "±": "1.50", "likely places": "2-3", "beats %": "11", "next %": "22.2",
    "first %": "33", "wins %": "44.4", "games": "6,666", "faults": "77",
}  # fmt: skip


def lines(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The lines, with a number of its own in each column."""
    return tuple(replace(row, **VALUES, score=None if row.score is None else 5.55) for row in rows)


PAGES = {
    "standings": lambda site, doc, stats: html(doc),
    "index": lambda site, doc, stats: index.make_index_page(site, doc, (), ()),
    "game": lambda site, doc, stats: game_page.make_game_page(site, doc, stats, "sixteen"),
    "bot": lambda site, doc, stats: bot_page.make_bot_page(site, doc, stats, doc.bots[0].name),
    "games": lambda site, doc, stats: list_page(site, doc, paginate(stats.watched), 1),
    "watch": lambda site, doc, stats: viewer_page(site, paginate(stats.watched), 1),
    "share": lambda site, doc, stats: next(share_pages(site, doc, by_name(stats)))[1],
}


def by_name(stats: Stats) -> list[WatchedGame]:
    """The games to watch, that of the bot whose name comes first at the front."""
    return sorted(stats.watched, key=lambda each: min(each.game.bots))


EVIL = "<img src=x onerror=alert(1)>\x1b"


@pytest.mark.parametrize("kind", [kind for kind in PAGES if kind != "standings"])
def test_a_site_whose_address_is_known_says_it_on_each_page(kind: str) -> None:
    site, doc, stats = league()
    assert "og:url" not in PAGES[kind](site, doc, stats)
    text = PAGES[kind](site._replace(url="https://example.org/cup/"), doc, stats)
    found = re.search(r'og:url" content="https://example.org/cup/([\w./-]+)"', text)
    assert found
    assert f'<link rel="canonical" href="https://example.org/cup/{found[1]}">' in text
    assert 'og:image" content="https://example.org/cup/picture.png"' in text


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


@pytest.mark.parametrize("kind", ["standings", "index", "game", "bot"])
def test_under_each_heading_of_a_ranking_stands_its_own_number(kind: str) -> None:
    site, doc, found = league()
    doc = replace(
        doc,
        overall=lines(doc.overall),
        games=tuple(replace(game, table=lines(game.table)) for game in doc.games),
        pools=tuple(replace(pool, table=lines(pool.table)) for pool in doc.pools),
    )
    text = PAGES[kind](site, doc, found)
    rankings = [table for table in Tables(text).all if "rating" in table[0]]
    assert rankings
    for head, *rows in rankings:
        shown = {each.heading for each in COLUMNS_OF_PAGES if each.title not in ("#", "bot")}
        assert shown - {*head} <= {"score"}
        for row in rows:
            assert len(row) == len(head)
            said = dict(zip(head, row, strict=True))
            assert {title: said[title] for title in TOLD} == TOLD
            assert said["strength"].endswith("12.34: 11.04 to 14.04")
            assert said.get("score") in (None, "", "5.55")


LIMIT = 300_000  # bytes of a page
IDS = {"Sixteen 2p": "pool-1", "Sixteen 3p": "pool-2", "Sixteen 4p": "pool-3"}


def games(pool: str, count: int, why: str = "all games are here") -> list[WatchedGame]:
    ids = [f"{list(IDS).index(pool)}{number:019x}" for number in range(count)]
    results = (Outcome(id, ("ann", "bob"), (1, 2), (7, 3), ("", "")) for id in ids)
    return [WatchedGame(pool, 0, result, (Why("line-up", why),)) for result in results]


def split(watched: Sequence[WatchedGame], a_page: int) -> list[ListPage]:
    """Return the pages of games that are alike, with room for so many on a page."""
    return list(paginate(watched, a_page * line_bytes(watched[0])))


def test_many_are_on_numbered_pages_in_their_order() -> None:
    watched = [*games("Sixteen 2p", 7), *games("Sixteen 3p", 1), *games("Sixteen 4p", 2)]
    list_pages = split(watched, 3)
    assert [each for page in list_pages for each in page.games] == watched
    assert [(each.list_file, each.viewer_file, len(each.games)) for each in list_pages] == [
        ("games.html", "watch.html", 3),
        ("games-2.html", "watch-2.html", 3),
        ("games-3.html", "watch-3.html", 3),
        ("games-4.html", "watch-4.html", 1),
    ]


def test_every_game_has_its_viewer_and_every_pool_its_list() -> None:
    watched = [*games("Sixteen 2p", 4), *games("Sixteen 3p", 1)]
    list_pages = split(watched, 2)
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


def test_a_game_of_many_words_takes_more_room_and_one_too_long_is_alone() -> None:
    watched = games("Sixteen 2p", 4)
    watched[1] = watched[1]._replace(
        reasons=(Why("line-up", "<" * 100_000),)
    )  # four bytes each, on a page
    assert line_bytes(watched[1]) > 400_000
    assert [len(each.games) for each in split(watched, 3)] == [1, 1, 2]


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


def split_league() -> tuple[Site, Standings, tuple[ListPage, ...]]:
    """Return a league whose games to watch need several pages."""
    site, doc, stats = league()
    cut = paginate(stats.watched, 3_000)
    return site._replace(viewers=viewer_files(cut), lists=link_lists(cut, ids(doc))), doc, cut


def test_of_many_games_each_page_leads_to_those_beside_it() -> None:
    site, doc, cut = split_league()
    assert len(cut) > 4
    pages = {here.list_file: Parts(list_page(site, doc, cut, here.number)) for here in cut}
    for here in cut:
        parts = pages[here.list_file]
        assert f"Games to watch, page {here.number} of {len(cut)}" in parts.text
        beside = {each.list_file for each in cut if abs(each.number - here.number) == 1}
        assert {link for link in parts.links if link.startswith("games")} == beside
        viewers = [link.partition("/")[0] for link in parts.links if link.startswith("watch")]
        assert viewers == [f"{here.viewer_file}#{each.game.id}" for each in here.games]


def test_a_viewer_s_list_goes_on_where_that_of_the_page_before_ends() -> None:
    site, _, cut = split_league()
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
