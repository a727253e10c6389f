"""A game's page: each pool with its tables, seats and scores."""

import re

import pytest

import games
from arena.author.brief import read_rules
from arena.site.game_page import OPEN, make_game_page, make_rules_page
from arena.site.pages import rules_file
from tests.site.leagues import THREE, league, many_pools
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


def test_crosstables_stand_open_unless_large_or_mostly_empty() -> None:
    assert page().count("<details open><summary>Finished ahead of<") == 2
    assert "<details open>" not in page(decks=0)
    many = tuple(f"bot{number:02}" for number in range(OPEN + 1))
    assert "<details open>" not in page(names=many, decks=2_000)
    assert "<details open>" in page(names=many[1:], decks=2_000)


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
