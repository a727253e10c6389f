"""A game's page: each pool with its tables, seats and scores, and histograms by hand."""

import re

import numpy as np
import pytest

import games
from arena.author.brief import read_rules
from arena.site.game_page import make_game_page, make_rules_page
from arena.site.histograms import Histograms, draw_histograms
from arena.site.pages import rules_file
from tests.site.leagues import league
from tests.site.parts import Parts


def page(game: str = "sixteen", **how: object) -> str:
    site, doc, stats = league(**how)
    return make_game_page(site, doc, stats, game)


def test_each_pool_has_ranking_crosstables_seats_and_scores() -> None:
    ids = {*Parts(page()).ids}
    assert "all" in ids
    for pool in ("pool-2", "pool-3"):
        assert {pool, f"{pool}-ahead", f"{pool}-seats", f"{pool}-scores"} <= ids
    assert "pool-1" not in ids  # of another game
    ids = {*Parts(page("no_thanks")).ids}
    assert {"pool-1-wins", "pool-1-left"} <= ids
    assert "all" not in ids  # one pool says it all
    _, doc, stats = league()
    assert stats.of(doc.pools[0]).scores.bots[0].words in page("no_thanks")


def test_which_score_is_the_better_is_said_and_where_decks_are_too_few() -> None:
    assert "The lower score is the better." in page("no_thanks")
    assert "The higher score is the better." in page("sixteen")
    assert "No intervals: too few decks." in page(decks=0)


@pytest.mark.parametrize("game", games.names())
def test_the_rules_are_a_page_where_every_reference_leads_to_its_ruling(game: str) -> None:
    site = league()[0]._replace(games={game: f"game-{game}.html"})
    parts = Parts(make_rules_page(site, game, read_rules(game)))
    assert {"h1", "table", "code"} <= parts.tags
    assert [link for link in parts.links if link.startswith("#part-")] == [
        f"#{id}" for id in parts.ids if id.startswith("part-")
    ]
    asked = [link[1:] for link in parts.links if re.fullmatch(r"#[A-Z]\d\d", link)]
    assert len(asked) > 5
    assert {*asked} <= {*parts.ids}
    assert f"game-{game}.html" in parts.links
    assert rules_file("sixteen") in Parts(page()).links


def test_html_and_scripts_in_rules_are_text() -> None:
    site, _, _ = league()
    text = "# A\n\n<script>alert(1)</script>\n\n## B <img src=x>\n\n[x](javascript:alert(2))\n"
    parts = Parts(make_rules_page(site, "sixteen", text))
    assert parts.tags.isdisjoint({"img", "script"})
    assert not [link for link in parts.links if link.startswith("javascript:")]


def draw(everybody: list[int], *by_bot: list[int]) -> Histograms:
    return draw_histograms(np.array(everybody), map(np.array, (everybody, *by_bot)))


def test_wider_bins_have_their_edges_and_open_ones_at_the_ends_none() -> None:
    """Of 1,000 scores from 0 to 49, and two far off at each end: ten bins of five, two open."""
    drawn = draw([-900, -900, *range(50), *[*range(50)] * 19, 900, 900], [-900, 900], [7])
    assert drawn.bins == 12
    assert drawn.ticks == ((8.3, 0), (25.0, 10), (41.7, 20), (58.3, 30), (75.0, 40), (91.7, 50))
    _, far, one = drawn.bots
    assert far.path == "M0 40V2h1V40h10V2h1V40z" != far.everybody
    assert (one.path, one.at) == ("M2 40V2h1V40z", 2.5)  # 0.5 for the open one, 7.5 of 5
