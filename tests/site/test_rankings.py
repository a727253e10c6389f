"""arena.site.rankings: rankings as pages show them."""

import pytest
from msgspec import structs

from arena.site.rankings import HEADINGS, Ranking, meanings, ranking_of
from tests.site.documents import kept


def ranking(**changes: object) -> Ranking:
    """The first pool's, its first line with changes."""
    doc = kept()
    first, *rest = doc.pools[0].table
    return ranking_of(doc, "x", "Pool", (structs.replace(first, **changes), *rest), [])


def test_every_heading_says_what_it_means() -> None:
    assert tuple(meanings(kept())) == HEADINGS
    assert all(len(words) > 10 for words in meanings(kept()).values())
    assert [title for title, _ in ranking().headings] == list(HEADINGS)


def test_without_scores_there_is_no_such_column() -> None:
    doc = kept()
    overall = ranking_of(doc, "overall", "Overall", doc.overall, [])
    assert [title for title, _ in overall.headings] == [t for t in HEADINGS if t != "score"]


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
