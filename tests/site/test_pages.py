"""arena.site.pages: what every page promises."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from arena.model import Outcome
from arena.site import bot_page, game_page, index, pages
from arena.site.pages import LONGEST_SLUG, SORTING, Link, Site, by_rank, page, slugs
from arena.site.pagination import list_page, paginate, share_pages, viewer_page
from arena.site.stats import Stats
from arena.site.stories import WatchedGame
from arena.tables.columns import COLUMNS_OF_PAGES, Row
from arena.tables.page import html, inline
from tests.site.leagues import league
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


def test_text_is_text() -> None:
    text = page("base.html", site=SITE, here="", title="</title>\x1b<script>")
    assert "<cup>" not in text
    assert "&lt;cup&gt;" in text
    assert "<title>&lt;/title&gt;\\x1b&lt;script&gt;</title>" in text


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
