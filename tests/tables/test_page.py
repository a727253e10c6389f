"""standings.html, and what pages of a site have of it: rankings, hashes, nothing that runs."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from markupsafe import Markup
from msgspec import structs

from arena import escape
from arena.model import FAULTS
from arena.tables.columns import COLUMNS_OF_PAGES
from arena.tables.page import (
    FAULT_WORDS,
    Ranking,
    html,
    inline,
    meanings_of,
    policy,
    ranking_of,
)
from tests.browser.fields import field
from tests.site.documents import kept
from tests.site.parts import Parts
from tests.tables.test_formats import HOSTILE, Page, example, harmless_page, hostile


def ranking(**changes: object) -> Ranking:
    """The first pool's, its first line with changes."""
    doc = kept()
    first, *rest = doc.pools[0].table
    return ranking_of(doc, "x", "Pool", (structs.replace(first, **changes), *rest), [])


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_shown_as_text(text: str) -> None:
    page = Page(html(hostile(text)))
    assert page.tags == harmless_page("standings.html").tags
    assert escape.visible(text) + "0" in page.text


def test_it_needs_no_network_and_no_script_and_leads_nowhere_else() -> None:
    parts = Parts(html(example()))
    assert parts.tags.isdisjoint({"script", "link", "img", "iframe", "object"})
    assert "src" not in parts.attributes
    assert {link[:1] for link in parts.links} == {"#"}
    assert "script-src" not in html(example())


def test_every_link_of_the_contents_leads_somewhere_and_every_id_is_one() -> None:
    parts = Parts(html(example()))
    assert {link[1:] for link in parts.links} <= set(parts.ids)
    assert len(parts.links) > 8
    assert len(parts.ids) == len(set(parts.ids))


def test_nothing_on_it_is_styled_or_run_but_by_hash() -> None:
    text = html(example())
    assert not [name for name in Parts(text).attributes if name == "style" or name[:2] == "on"]
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    meta = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert meta
    told = dict(rule.split(" ", 1) for rule in str(Markup(meta[1]).unescape()).split("; "))
    assert told == {
        "default-src": "'none'", "base-uri": "'none'", "form-action": "'none'",
        "style-src": f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'",
    }  # fmt: skip


def test_only_a_page_with_scripts_may_load_those_beside_it() -> None:
    assert "script-src" not in policy((), ())
    assert "script-src 'self' 'sha256-" in policy((), ["site/vendor/sortable.js"])


def test_a_style_does_not_end_its_element() -> None:
    assert "</" not in inline("tables/templates/style.css")
    assert "\r" not in inline("tables/templates/style.css")  # a browser drops it before it hashes


def test_it_has_what_a_site_has_on_other_pages() -> None:
    """By itself it tells who beat whom by all counts, and what each seat was worth."""
    text = html(example())
    for kind in ("ahead", "wins", "left"):
        assert text.count(f'id="pool-1-{kind}"') == 1
    assert "Wins by seat no_thanks 3p" in Parts(text).text


@pytest.mark.whole
def test_the_page_of_many_bots_is_no_larger_than_it_must_be() -> None:
    """Each of 45 bots met each other one: 8,000 cells."""
    assert len(html(field(45, 1)).encode()) < 320_000


def test_every_kind_of_fault_is_told_in_plain_words() -> None:
    assert tuple(FAULT_WORDS) == FAULTS


def test_every_heading_says_what_it_means() -> None:
    meanings = meanings_of(kept())
    assert [*meanings] == [column.heading for column in COLUMNS_OF_PAGES]
    assert all(len(words) > 10 for words in meanings.values())


def test_without_scores_there_is_no_such_column() -> None:
    doc = kept()
    overall = ranking_of(doc, "overall", "Overall", doc.overall, [])
    assert ranking().columns == COLUMNS_OF_PAGES
    assert [*overall.columns] == [each for each in COLUMNS_OF_PAGES if each.title != "score"]


def test_an_interval_lies_around_its_rating() -> None:
    line = ranking(mu=25.0, interval=(20.0, 40.0)).lines[0]
    assert line.low < line.mu < line.high
    assert line.words == "25.00: 20.00 to 40.00"


@pytest.mark.parametrize(
    ("interval", "words", "ends"),
    [((20.0, None), "25.00: above 20.00", "high"),
     ((None, 30.0), "25.00: below 30.00", "low")],
)  # fmt: skip
def test_an_open_end_reaches_the_edge(
    interval: tuple[float | None, float | None], words: str, ends: str
) -> None:
    line = ranking(mu=25.0, interval=interval).lines[0]
    assert line.words == words
    assert (line.low if ends == "low" else line.high) == {"low": 0.0, "high": 100.0}[ends]


def test_the_mean_of_the_bots_is_drawn_where_it_is_whatever_the_anchor() -> None:
    doc = kept()
    rows = doc.pools[0].table[:2]
    moved = [structs.replace(row, mu=row.mu + 100.0, interval=None) for row in rows]
    for own in (rows, moved):
        middle = ranking_of(doc, "x", "Pool", own, []).scale.middle
        assert middle == pytest.approx((own[0].mu + own[1].mu) / 2)


def test_without_an_interval_there_is_a_dot() -> None:
    line = ranking(mu=25.0, interval=None).lines[0]
    assert line.low == line.mu == line.high
    assert line.words == "25.00, no interval"
