"""standings.html, and what pages of a site have of it: rankings, hashes, nothing that runs."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from markupsafe import Markup
from msgspec import structs

from arena.tables.document import Comparisons
from arena.tables.notes import Notes
from arena.tables.overview import Listing
from arena.tables.page import (
    MOST_IN_HEATMAP,
    html,
    make_heatmaps,
    policy,
    ranking_of,
    scale_of,
)
from tests.documents import example, of_many, set_status
from tests.site.parts import Parts


def test_a_dash_for_a_place_says_why() -> None:
    doc = example()
    game = doc.games[0]
    game = structs.replace(game, table=set_status(game.table, "bold", "broken"))
    text = html(structs.replace(doc, games=(game, *doc.games[1:])))
    assert text.count('title="not ranked there"') == 1
    assert 'title="not ranked there"' not in html(doc)


def test_nothing_on_it_is_styled_but_by_hash_or_run_or_of_elsewhere() -> None:
    text = html(example())
    assert "script" not in Parts(text).tags
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
    first, *rest = example().pools[0].table
    first = structs.replace(first, mu=25.0, interval=interval if any(interval) else None)
    shown = ranking_of(example(), Listing("x", "", [first, *rest], (), Notes([], [])))
    line = shown.lines[0]
    assert shown.scale.middle
    assert line.words == words
    assert line.low < line.mu < line.high
    assert [line.low == 0, line.high == 100] == [end is None for end in interval]


def test_ticks_are_round_numbers() -> None:
    for values, labels in {
        (20.0, 30.0): ["20", "25", "30"],
        (-0.3, 0.4): ["-0.2", "0.0", "0.2", "0.4"],
        (3.0, 97.0): ["20", "40", "60", "80"],
        (7.0,): ["6.5", "7.0", "7.5"],
        (): ["0.0", "0.5", "1.0"],
    }.items():
        scale = scale_of(values)
        assert [scale.label(tick) for tick in scale.ticks] == labels


def test_each_cell_has_its_share_and_its_games() -> None:
    """Two sides have one table, and more have three."""
    for pool in example().pools:
        cross = pool.crosstable
        results = [
            (cross.ahead_share, cross.games),
            (cross.win_share, cross.games),
            (cross.left_seat_win_share, cross.left_seat_games),
        ]
        shown = results[: 1 if pool.partners or pool.players == 2 else 3]
        for table, (shares, games) in zip(make_heatmaps(pool, "x"), shown, strict=True):
            assert table.bots == cross.bots
            told = [[cell and cell[1:] for cell in row] for row in table.rows]
            assert told == [
                [None if share is None else (share, met) for share, met in zip(*lines, strict=True)]
                for lines in zip(shares or (), games or (), strict=True)
            ]


def test_a_cell_is_coloured_where_it_is_sure_who_of_two_is_stronger() -> None:
    pool = example().pools[2]
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
    pool = of_many(MOST_IN_HEATMAP + 5).pools[2]
    table = make_heatmaps(pool, "x")[0]
    assert table.bots == pool.crosstable.bots[:MOST_IN_HEATMAP]
    assert {len(row) for row in table.rows} == {len(table.rows)} == {MOST_IN_HEATMAP}
    assert table.left_out == 5
