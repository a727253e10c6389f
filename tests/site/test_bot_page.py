"""A bot's page: what an author asks first is on it, and nothing of it is markup of a stranger's.
And its opponents over several pools.
"""

import pytest
from msgspec.structs import replace

from arena.faults.causes import KeptFault
from arena.model import Fault, Reason
from arena.site.bot_page import find_opponents, make_bot_page, make_remarks
from arena.tables.document import AnchorPoint
from tests.documents import put_aside, set_status
from tests.site.leagues import FOUR, TWO, league, many_pools
from tests.site.parts import Parts

EVIL = "<img src=x onerror=alert(1)>\x1b"
LIMIT = 300_000  # bytes of a page, up to 40 bots


def page(bot: str = "ann", **how: object) -> str:
    site, doc, stats = league(**how)
    return make_bot_page(site, doc, stats, bot)


def test_it_says_where_the_bot_stands_in_every_table() -> None:
    text = Parts(page()).text
    for table in ("Overall", "No Thanks! 3p", "Sixteen, all pools", "Sixteen 2p", "Sixteen 2v2"):
        assert table in text
    assert text.count("5 of 5") >= 4  # the weakest of five


def test_a_broken_bot_has_no_place() -> None:
    site, doc, stats = league()
    rows = set_status(doc.overall, "ann", "broken")
    text = make_bot_page(site, replace(doc, overall=rows), stats, "ann")
    overall = text[text.index('id="standings"') :].split("</tr>")[1]
    assert "5 of 5" not in overall
    assert "<svg role=img>" not in overall  # its rating may lie off the scale
    assert 'title="not ranked there"' in overall


def test_a_bot_that_is_not_ranked_has_a_page_without_places() -> None:
    site, doc, stats = league()
    text = make_bot_page(site, put_aside(doc, "ann", EVIL), stats, "ann")
    table = text[text.index('id="standings"') : text.index('id="opponents"')]
    assert table.count('title="not ranked there"') == 5
    assert " of 5" not in table
    assert " of 4" not in table
    assert EVIL not in text
    assert "Easiest opponent ann" in Parts(make_bot_page(site, doc, stats, "cid")).text
    other = put_aside(doc, "ann")
    assert "Easiest opponent ann" in Parts(make_bot_page(site, other, stats, "cid")).text


def test_with_an_anchor_no_line_is_said_to_be_every_table_s_mean() -> None:
    site, doc, stats = league()
    assert "dashed: the mean of all bots" in make_bot_page(site, doc, stats, "cid")
    point = AnchorPoint(bot="ann", rating=30.0, shift=5.0, problem=None)
    moved = replace(doc, pools=(replace(doc.pools[0], anchor=point), *doc.pools[1:]))
    assert "dashed: the mean of all bots" not in make_bot_page(site, moved, stats, "cid")


def test_the_hardest_and_the_easiest_opponent_are_named() -> None:
    text = Parts(page("cid", decks=400)).text
    assert "Hardest opponent eve. Ahead of it in only " in text
    assert "Easiest opponent ann. Ahead of it in " in text


def test_on_few_decks_it_says_that_these_are_not_known() -> None:
    text = Parts(page(decks=6)).text
    assert "Not known yet: it met 0 of its 4 opponents on 8 decks or more." in text
    assert "too few decks" in text


def test_the_hardest_is_only_of_those_met_often_and_that_is_said() -> None:
    """A bot that it met on few decks comes first in the table, and is not compared."""
    _, doc, stats = league(decks=400)
    often = find_opponents("cid", doc.pools, stats.pools)
    seldom = [each._replace(name=f"x{n}", sure=None) for n, each in enumerate(often[:2])]
    met = "{} of its {} opponents on 8 decks or more"
    said = [remark[:2] for remark in make_remarks([*seldom, *often])]
    assert said[:3] == [("Compared", ""), ("Hardest of 4", "eve"), ("Easiest of 4", "ann")]
    assert (
        make_remarks([*seldom, *often])[0].words
        == f"It met {met.format(4, 6)}; only these count here."
    )
    one = make_remarks([*seldom, often[0]])[0]
    assert one[::2] == ("Hardest and easiest", f"Not known yet: it met {met.format(1, 3)}.")


def test_opponents_have_record_games_and_what_ratings_expect() -> None:
    _, _, stats = league()
    own = stats.pools[0]
    (record,) = [each for each in own.records("ann") if each.opponent == "eve"]
    text = page()
    words = f"{record.ahead}–{record.tied}–{record.behind}; "
    assert words in text
    assert f"<small>{int(record.share.games)}</small>" in text


def test_faults_are_listed_by_kind_with_their_games() -> None:
    site, doc, stats = league()
    own = stats.pools[0]
    number = own.names.index("eve")
    assert own.forfeits[number]
    text = Parts(make_bot_page(site, doc, stats, "eve")).text
    for forfeits in own.forfeits[number]:
        assert f"No Thanks! 3p {forfeits.kind} {forfeits.total}" in text


def test_a_fault_s_game_opens_where_it_failed_as_it_saw_it() -> None:
    site, doc, stats = league(per_line_up=99)
    own = stats.pools[0]
    (game, seat), *_ = own.forfeits[own.names.index("eve")][0].games
    stats = stats._replace(failed_at={(game, seat): 17})
    assert f"watch.html#{game}/17/as-{seat}" in Parts(make_bot_page(site, doc, stats, "eve")).links
    without = Parts(make_bot_page(site, doc, stats._replace(failed_at={}), "eve")).links
    assert f"watch.html#{game}/as-{seat}" in without  # what of a damaged store could not be read


def test_games_to_watch_are_linked_and_others_are_not() -> None:
    every = Parts(page(per_line_up=99))
    none = Parts(page(per_line_up=1))
    linked = [link for link in every.links if link.startswith("watch.html#")]
    assert len(linked) > 7
    assert len([link for link in none.links if link.startswith("watch.html#")]) < len(linked)


def test_time_is_told_against_the_limit_and_what_cannot_be_told_is_said() -> None:
    text = Parts(page()).text
    assert "No Thanks! 3p 200 1 2.5 ms 2.5 ms 20 ms 20.0" in text
    assert "Median and 90 % are of sessions, not of decisions" in text
    assert "the time of a single decision is not kept" in text
    assert "Nothing is known of its time" in Parts(page("bob")).text


def test_texts_of_faults_are_shown_where_they_are_given_and_only_there() -> None:
    site, doc, stats = league()
    kept = KeptFault("a" * 20, Fault(2, 7, Reason("error", f"Traceback\n  {EVIL}\nKeyError: 3")))
    text = make_bot_page(site, doc, stats, "eve", stored_faults=[kept])
    assert "error, seat 2, action 7" in Parts(text).text
    assert "KeyError: 3" in text
    assert "img" not in Parts(text).tags
    assert "<pre" not in make_bot_page(site, doc, stats, "eve")


def test_the_text_of_a_fault_leads_to_where_it_happened_too() -> None:
    site, doc, stats = league()
    game = stats.watched[0].game.id
    kept = KeptFault(game, Fault(2, 7, Reason("error", "KeyError: 3")))
    parts = Parts(make_bot_page(site, doc, stats, "eve", stored_faults=[kept]))
    assert f"watch.html#{game}/7/as-2" in parts.links


@pytest.mark.whole
def test_with_forty_bots_and_ten_pools_it_is_small_and_above_pools_are_not_side_by_side() -> None:
    site, doc, stats = many_pools(10, 40, TWO)
    bot = doc.bots[7].name
    text = make_bot_page(site, doc, stats, bot)
    assert len(text.encode()) < LIMIT
    assert 'class="pool' in text
    site, doc, stats = many_pools(10, 41, TWO)
    assert 'class="pool' not in make_bot_page(site, doc, stats, bot)


@pytest.mark.parametrize("bot", ["ann", "bob", "cid", "dee", "eve"])
def test_a_bot_without_a_game_has_a_page(bot: str) -> None:
    assert "Where it stands" in page(bot, decks=0)


def test_all_games_together_are_those_of_the_pools() -> None:
    _, doc, stats = league()
    for each in find_opponents("ann", doc.pools, stats.pools):
        known = [record for record in each.records if record]
        assert each.share.games == sum(record.share.games for record in known)
        assert each.share.total == sum(record.ahead + record.tied / 2 for record in known)


def test_expected_is_the_mean_by_games_of_the_pools_that_ratings_know() -> None:
    _, doc, stats = league()
    for each in find_opponents("bob", doc.pools, stats.pools):
        known = [record for record in each.records if record and record.expected is not None]
        games = [record.share.games for record in known]
        assert each.rated.games == sum(games)
        total = sum((record.expected or 0) * of for record, of in zip(known, games, strict=True))
        assert each.expected == pytest.approx(total / sum(games))


def test_of_teams_of_two_bots_ratings_expect_nothing() -> None:
    _, doc, stats = league(pools=(FOUR,))
    for each in find_opponents("ann", doc.pools, stats.pools):
        assert each.share.games
        assert (each.expected, each.beyond, each.off) == (None, None, 0)


def test_two_bots_expect_of_each_other_what_makes_one() -> None:
    _, doc, stats = league(pools=(TWO,))
    (one,) = [met for met in find_opponents("ann", doc.pools, stats.pools) if met.name == "eve"]
    (other,) = [met for met in find_opponents("eve", doc.pools, stats.pools) if met.name == "ann"]
    assert one.expected is not None
    assert other.expected == pytest.approx(1 - one.expected)
    assert one.expected < 0.5  # those named later are better
    assert one.off == -other.off
