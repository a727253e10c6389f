"""standings.html, and what pages of a site have of it: rankings, hashes, nothing that runs, and
what is drawn in cells.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from random import Random

import pytest
from markupsafe import Markup
from msgspec import structs

from arena.tables.columns import COLUMNS_OF_PAGES, Row
from arena.tables.document import Comparisons, Standings
from arena.tables.notes import Notes
from arena.tables.overview import Listing
from arena.tables.page import (
    MARGIN,
    MOST_IN_HEATMAP,
    TICKS,
    Ranking,
    html,
    make_heatmaps,
    policy,
    ranking_of,
    scale_of,
)
from tests.documents import example, of_many, set_status
from tests.site.parts import Parts


def ranking(**changes: object) -> Ranking:
    """The first pool's, its first line with changes."""
    doc = example()
    first, *rest = doc.pools[0].table
    return of_rows(doc, (structs.replace(first, **changes), *rest))


def test_a_dash_for_a_place_says_why() -> None:
    doc = example()
    rows = set_status(doc.games[0].table, "bold", "broken")
    text = html(
        structs.replace(doc, games=(structs.replace(doc.games[0], table=rows), *doc.games[1:]))
    )
    assert text.count('title="not ranked there"') == 1
    assert 'title="not ranked there"' not in html(doc)


def of_rows(doc: Standings, rows: Sequence[Row]) -> Ranking:
    return ranking_of(doc, Listing("x", "Pool", rows, (), Notes([], [])))


def test_nothing_on_it_is_styled_but_by_hash_or_run_or_of_elsewhere() -> None:
    text = html(example())
    assert Parts(text).tags.isdisjoint({"script", "img", "iframe", "object"})
    assert "src" not in Parts(text).attributes
    assert {link[:1] for link in Parts(text).links} == {"#"}
    assert not [name for name in Parts(text).attributes if name == "style" or name[:2] == "on"]
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    meta = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert meta
    told = dict(rule.split(" ", 1) for rule in str(Markup(meta[1]).unescape()).split("; "))
    assert told == {
        "default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "img-src": "data:",
        "style-src": f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'",
    }  # fmt: skip


def test_only_a_page_that_loads_scripts_may_load_those_beside_it() -> None:
    assert "script-src" not in policy((), ())
    own = ["site/vendor/sortable.js"]
    assert "script-src 'sha256-" in policy((), own)
    assert "script-src 'self' 'sha256-" in policy((), own, loads=True)


def test_it_has_what_a_site_has_on_other_pages() -> None:
    """By itself it tells who beat whom by all counts, and what each seat was worth."""
    text = html(example())
    for kind in ("ahead", "wins", "left"):
        assert text.count(f'id="pool-1-{kind}"') == 1
    assert "Wins by seat seat wins" in Parts(text).text


def test_the_page_of_many_bots_is_no_larger_than_it_must_be() -> None:
    """Each of 45 bots met each other one, in two pools: 4,000 cells."""
    doc = of_many(45)
    assert len(html(structs.replace(doc, pools=doc.pools[2:])).encode()) < 360_000


def test_without_scores_there_is_no_such_column() -> None:
    doc = example()
    overall = of_rows(doc, doc.overall)
    assert [*ranking().columns] == [*COLUMNS_OF_PAGES]
    assert [*overall.columns] == [each for each in COLUMNS_OF_PAGES if each.title != "score"]


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((20.0, 40.0), "25.00: 20.00 to 40.00"),
        ((20.0, None), "25.00: above 20.00"),
        ((None, 40.0), "25.00: below 40.00"),
        ((None, None), "25.00, no interval"),  # a lone dot would look certain
    ],
)
def test_an_interval_lies_around_its_rating_and_an_open_end_reaches_the_edge(
    interval: tuple[float | None, float | None], words: str
) -> None:
    line = ranking(mu=25.0, interval=interval if any(interval) else None).lines[0]
    assert line.words == words
    assert line.low < line.mu < line.high
    assert [line.low == 0, line.high == 100] == [end is None for end in interval]


def test_the_mean_of_the_bots_is_drawn_where_it_is_whatever_the_anchor() -> None:
    doc = example()
    rows = doc.pools[0].table[:2]
    moved = [structs.replace(row, mu=row.mu + 100.0, interval=None) for row in rows]
    for own in (rows, moved):
        middle = of_rows(doc, own).scale.middle
        assert middle == pytest.approx((own[0].mu + own[1].mu) / 2)


def test_the_least_and_the_greatest_lie_a_margin_from_the_ends() -> None:
    scale = scale_of([20.0, None, 30.0])
    assert (scale.at(20.0), scale.at(25.0), scale.at(30.0)) == (MARGIN, 50.0, 100 - MARGIN)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([20.0, 30.0], ["20", "25", "30"]),
        ([-0.3, 0.4], ["-0.2", "0.0", "0.2", "0.4"]),
        ([3.0, 97.0], ["20", "40", "60", "80"]),
        ([7.0], ["6.5", "7.0", "7.5"]),
        ([], ["0.0", "0.5", "1.0"]),
    ],
)
def test_ticks_are_round_numbers(values: list[float], labels: list[str]) -> None:
    scale = scale_of(values)
    assert [scale.label(tick) for tick in scale.ticks] == labels


def test_any_scale_has_a_few_ticks_and_all_lie_on_it(seed: int) -> None:
    rng = Random(seed)
    for _ in range(500):
        least = rng.uniform(-1000, 1000)
        scale = scale_of([least, least + 10 ** rng.uniform(-4, 4)])
        assert 1 <= len(scale.ticks) <= TICKS
        assert all(MARGIN - 0.1 <= scale.at(tick) <= 100.1 - MARGIN for tick in scale.ticks)
        labels = [scale.label(tick) for tick in scale.ticks]
        assert len(set(labels)) == len(labels)


def test_what_others_are_compared_with_is_drawn_where_it_is_on_the_scale() -> None:
    assert scale_of([20.0, 30.0], middle=25.0).middle == 25.0
    assert scale_of([26.0, 30.0], middle=25.0).middle is None


def test_two_sides_have_one_table_and_more_have_three() -> None:
    for pool in example().pools:
        sides = 2 if pool.partners else pool.players
        assert len(make_heatmaps(pool, "x")) == (1 if sides == 2 else 3)


def test_each_cell_has_its_share_and_its_games() -> None:
    for pool in example().pools:
        cross = pool.crosstable
        results = [
            (cross.ahead_share, cross.games),
            (cross.win_share, cross.games),
            (cross.left_seat_win_share, cross.left_seat_games),
        ]
        for table, (shares, games) in zip(make_heatmaps(pool, "x"), results, strict=False):
            assert shares
            assert games
            assert table.bots == cross.bots
            told = [[cell and cell[1:] for cell in row] for row in table.rows]
            assert told == [
                [None if share is None else (share, met) for share, met in zip(*lines, strict=True)]
                for lines in zip(shares, games, strict=True)
            ]


def test_a_cell_is_coloured_where_it_is_sure_who_of_two_is_stronger() -> None:
    (pool,) = (each for each in example().pools if each.title == "Sixteen 2p")
    a, b, c = pool.crosstable.bots[:3]
    levels = ((None, 0.95, 0.949), (0.0, None, 0.0), (0.0, None, None))
    pairs = Comparisons(bots=(a, b, c), better_probability=levels, confidence=levels)
    rows = make_heatmaps(structs.replace(pool, comparisons=pairs), "x")[0].rows
    assert [cell and cell[0] for row in rows[:3] for cell in row[:3]] == [
        None, "up", "", "down", None, "", "", "", None,
    ]  # fmt: skip
    none = make_heatmaps(structs.replace(pool, comparisons=None), "x")[0].rows
    assert {cell[0] for row in none for cell in row if cell} == {""}


def test_of_many_bots_the_first_are_shown_and_the_rest_counted() -> None:
    (pool,) = (each for each in example().pools if each.title == "Sixteen 2p")
    many = tuple(f"b{number}" for number in range(MOST_IN_HEATMAP + 5))
    square = tuple((0.5,) * len(many) for _ in many)
    counts = tuple((1,) * len(many) for _ in many)
    cross = structs.replace(pool.crosstable, bots=many, ahead_share=square, games=counts)
    table = make_heatmaps(structs.replace(pool, crosstable=cross), "x")[0]
    assert table.bots == many[:MOST_IN_HEATMAP]
    assert {len(row) for row in table.rows} == {len(table.rows)} == {MOST_IN_HEATMAP}
    assert table.left_out == 5
