"""A game's page: each pool with its tables, seats and scores, and histograms by hand."""

import re

import numpy as np
import pytest

import games
from arena.author.brief import read_rules
from arena.site.game_page import OPEN, make_game_page, make_rules_page
from arena.site.histograms import Histogram, Histograms, draw_histograms
from arena.site.pages import rules_file
from arena.tables.page import MARGIN
from tests.site.leagues import THREE, TWO, league, many_pools
from tests.site.parts import Parts


def page(game: str = "sixteen", **how: object) -> str:
    site, doc, stats = league(**how)
    return make_game_page(site, doc, stats, game)


def test_each_pool_has_ranking_crosstables_seats_and_scores() -> None:
    parts = Parts(page())
    assert "all" in parts.ids
    for pool in ("pool-2", "pool-3"):
        assert {pool, f"{pool}-ahead", f"{pool}-seats", f"{pool}-scores"} <= {*parts.ids}
    assert "pool-1" not in parts.ids  # of another game
    seats = page().partition('id="pool-2-seats"')[2].partition('id="pool-2-scores"')[0]
    bars = [(float(x), float(w)) for x, w in re.findall(r"<rect x=(.*?)% width=(.*?)%", seats)]
    assert (min(x for x, _ in bars), max(x + w for x, w in bars)) == (MARGIN, 100 - MARGIN)


def test_crosstables_stand_open_unless_large_or_mostly_empty() -> None:
    assert page().count("<details open><summary>Finished ahead of<") == 2
    assert "<details open>" not in page(decks=0)
    many = tuple(f"bot{number:02}" for number in range(OPEN + 1))
    assert "<details open>" not in page(names=many, decks=400, pools=(TWO,))
    assert "<details open>" in page(names=many[1:], decks=400, pools=(TWO,))


def test_three_sides_have_wins_by_opponent_and_by_neighbour_too() -> None:
    ids = Parts(page("no_thanks")).ids
    assert {"pool-1-wins", "pool-1-left"} <= {*ids}
    assert "all" not in ids  # one pool says it all


def test_a_histogram_says_in_words_what_it_draws() -> None:
    _, doc, stats = league()
    assert stats.of(doc.pools[0]).scores.bots[0].words in page("no_thanks")


def test_colours_of_the_legend_are_those_of_the_table() -> None:
    shades = re.findall(r'class="key (\w+)"', page())
    assert shades == ["up", "down"] * page().count('<div class="side">')
    for each in shades:
        assert f"td.{each}, .key.{each} {{" in page()


def test_which_score_is_the_better_is_said() -> None:
    assert "The lower score is the better." in page("no_thanks")
    assert "The higher score is the better." in page("sixteen")


def test_a_game_without_games_has_a_page() -> None:
    assert "No intervals: too few decks." in page(decks=0)


def test_the_rules_are_a_page_and_the_game_links_to_it() -> None:
    site, _, _ = league()
    parts = Parts(make_rules_page(site, "sixteen", read_rules("sixteen")))
    assert {"h1", "table", "code"} <= parts.tags
    assert "Options" in parts.text
    assert [link for link in parts.links if link.startswith("#part-")] == [
        f"#{id}" for id in parts.ids if id.startswith("part-")
    ]
    assert rules_file("sixteen") in Parts(page()).links


@pytest.mark.parametrize("game", games.names())
def test_every_reference_of_the_rules_leads_to_its_ruling(game: str) -> None:
    site = league()[0]._replace(games={game: f"game-{game}.html"})
    parts = Parts(make_rules_page(site, game, read_rules(game)))
    asked = [link[1:] for link in parts.links if re.fullmatch(r"#[A-Z]\d\d", link)]
    assert len(asked) > 5
    assert {*asked} <= {*parts.ids}
    assert f"game-{game}.html" in parts.links


def test_html_and_scripts_in_rules_are_text() -> None:
    site, _, _ = league()
    text = "# A\n\n<script>alert(1)</script>\n\n## B <img src=x>\n\n[x](javascript:alert(2))\n"
    parts = Parts(make_rules_page(site, "sixteen", text))
    assert parts.tags.isdisjoint({"img", "script"})
    assert not [link for link in parts.links if link.startswith("javascript:")]


@pytest.mark.whole
def test_with_forty_bots_and_five_pools_it_is_small() -> None:
    site, doc, stats = many_pools(5, 40, THREE)
    assert len(make_game_page(site, doc, stats, "no_thanks").encode()) < 300_000


def draw(everybody: list[int], *by_bot: list[int]) -> Histograms:
    """The drawings of scores; the first bot has everybody's."""
    return draw_histograms(np.array(everybody), map(np.array, (everybody, *by_bot)))


def test_bins_of_one_score_have_it_below_their_middle() -> None:
    drawn = draw([2, 0, 0, 2])
    assert (drawn.bins, drawn.ticks) == (3, ((16.7, 0), (50.0, 1), (83.3, 2)))


def test_bars_stand_side_by_side_on_the_ground() -> None:
    (drawn,) = draw([0, 2, 2, 0]).bots
    words = "median 1, half of the games from 0 to 2, all from 0 to 2; 4 games"
    path = "M0 40V2h1V40h1V2h1V40z"
    assert drawn == Histogram(4, path, path, 1.5, words, "1", "0 to 2")


def test_what_is_empty_at_the_ends_is_not_drawn_and_equals_are_one_bar() -> None:
    assert draw([0, 0, 2, 2], [2, 2]).bots[1].path == "M2 40V2h1V40z"
    assert draw([0, 1, 2]).bots[0].path == "M0 40V2h3V40z"


def test_wider_bins_have_their_edges_and_open_ones_at_the_ends_none() -> None:
    """Of 1,000 scores from 0 to 49, and two far off at each end: ten bins of five, two open."""
    drawn = draw([-900, -900, *range(50), *[*range(50)] * 19, 900, 900], [-900, 900], [7])
    assert drawn.bins == 12
    assert drawn.ticks == ((8.3, 0), (25.0, 10), (41.7, 20), (58.3, 30), (75.0, 40), (91.7, 50))
    _, far, one = drawn.bots
    assert far.path == "M0 40V2h1V40h10V2h1V40z"
    assert (one.path, one.at) == ("M2 40V2h1V40z", 2.5)  # 0.5 for the open one, 7.5 of 5


def test_without_games_nothing_is_drawn_and_that_is_said() -> None:
    assert draw([]) == (0, (), ((0, "", "", 0.0, "no game without a forfeit", "-", "-"),))
    assert draw([1], []).bots[1] == draw([]).bots[0]
