"""The list of games to watch: each with a link and a reason."""

from html import unescape

from arena.site import games_page
from arena.site.facts_watch import Wanted
from tests.site.leagues import league
from tests.site.parts import Parts


def test_every_game_has_its_link_and_its_reason() -> None:
    site, doc, found = league()
    text = games_page.page_of(site, doc, found)
    parts = Parts(text)
    links = [link for link in parts.links if link.startswith("watch.html#")]
    assert links == [f"watch.html#{each.game.id}" for each in found.watched]
    for each in found.watched:
        assert "; ".join(each.why) in unescape(text)
    assert {"pool-1", "pool-2", "pool-3"} <= {*parts.ids}


def test_where_there_are_none_it_says_so() -> None:
    site, doc, found = league(wanted=Wanted("faults"), decks=5)
    assert "None was asked for, or none fits." in games_page.page_of(site, doc, found)
