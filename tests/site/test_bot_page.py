"""A bot's page: what an author asks first is on it, and nothing of it is markup of a stranger's.
Its opponents over several pools, the bot in one sentence, and causes in words.
"""

import pytest
from msgspec.structs import replace

from arena.faults.causes import Cause, KeptFault, group_by_cause
from arena.faults.kinds import FaultKind
from arena.faults.reasons import publish
from arena.model import Fault, Place, Reason
from arena.site.bot_page import find_opponents, make_bot_page, make_remarks
from arena.site.sentence import describe_failures, summarize, tell_cause
from arena.tables.columns import Row
from arena.tables.document import AnchorPoint, Standings
from tests.documents import put_aside, set_status
from tests.site.leagues import FOUR, THREE, TWO, league, many_pools
from tests.site.parts import Parts

EVIL = "<img src=x onerror=alert(1)>\x1b"
LIMIT = 300_000  # bytes of a page, up to 40 bots


def page(bot: str = "ann", **how: object) -> str:
    site, doc, stats = league(**how)
    return make_bot_page(site, doc, stats, bot)


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


def test_time_is_told_against_the_limit_and_what_cannot_be_told_is_said() -> None:
    text = Parts(page()).text
    assert "No Thanks! 3p 200 1 2.5 ms 2.5 ms 20 ms 20.0" in text
    assert "Median and 90 % are of sessions, not of decisions" in text
    assert "the time of a single decision is not kept" in text
    assert "Nothing is known of its time" in Parts(page("bob")).text


def test_texts_of_faults_are_shown_where_they_are_given_and_only_there() -> None:
    site, doc, stats = league()
    game = stats.watched[0].game.id
    kept = KeptFault(game, Fault(2, 7, Reason("error", f"Traceback\n  {EVIL}\nKeyError: 3")))
    text = make_bot_page(site, doc, stats, "eve", stored_faults=[kept])
    assert "error, seat 2, action 7" in Parts(text).text
    assert "KeyError: 3" in text
    assert f"watch.html#{game}/7/as-2" in Parts(text).links
    assert "img" not in Parts(text).tags
    assert "<pre" not in make_bot_page(site, doc, stats, "eve")


@pytest.mark.whole
def test_with_forty_bots_and_ten_pools_it_is_small_and_above_pools_are_not_side_by_side() -> None:
    site, doc, stats = many_pools(10, 40, TWO)
    bot = doc.bots[7].name
    text = make_bot_page(site, doc, stats, bot)
    assert len(text.encode()) < LIMIT
    assert 'class="pool' in text
    site, doc, stats = many_pools(10, 41, TWO, decks=20)
    assert 'class="pool' not in make_bot_page(site, doc, stats, bot)


def test_a_bot_without_a_game_has_a_page() -> None:
    assert "Where it stands" in page("ann", decks=0)


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


def causes(*reasons: Reason) -> list[Cause]:
    return group_by_cause([KeptFault("g", Fault(0, 4, publish(each))) for each in reasons], "x.py")


ZERO = Reason("error", "division by zero", error="ZeroDivisionError", places=(Place("bot.py", 3),))


def standing(row: Row, faults: dict[FaultKind, int], **how: object) -> Row:
    """The line of a bot of 100 games, with these faults."""
    total = sum(faults.values())
    return replace(row, games=100, faults=faults, faults_total=total, **how)


def doc_of(faults: dict[str, dict[FaultKind, int]], **how: object) -> Standings:
    """The standings of No Thanks! and Sixteen, in which `ann` has these faults by game; she has
    place 5 overall and in both.
    """
    _, doc, _ = league(pools=(THREE, TWO) if len(faults) > 1 else (THREE,))

    def lines(rows: tuple[Row, ...], own: dict[FaultKind, int]) -> tuple[Row, ...]:
        return tuple(
            standing(row, own if row.bot == "ann" else {}, **(how if row.bot == "ann" else {}))
            for row in rows
        )

    return replace(
        doc,
        overall=lines(doc.overall, {}),
        games=tuple(replace(game, table=lines(game.table, {})) for game in doc.games),
        pools=tuple(
            replace(pool, table=lines(pool.table, faults[pool.game])) for pool in doc.pools
        ),
    )


def test_a_sound_bot_has_its_place_overall_and_in_each_game_the_best_first() -> None:
    doc = doc_of({"no_thanks": {}, "sixteen": {}}, place_range=(4, 5))
    no_thanks, sixteen = doc.games
    better = tuple(replace(row, place=2) if row.bot == "ann" else row for row in sixteen.table)
    doc = replace(doc, games=(no_thanks, replace(sixteen, table=better)))
    said = "5th of 5 (likely 4th to 5th): 2nd in Sixteen, 5th in No Thanks!"
    assert summarize(doc, "ann", []) == said


def test_one_that_fails_in_one_game_forfeits_there_and_has_its_place_elsewhere() -> None:
    doc = doc_of({"no_thanks": {"error": 90, "strikes": 5}, "sixteen": {}}, place_range=(5, 5))
    found = causes(*[Reason("strikes", "lost")] * 5, *[ZERO] * 3)
    assert summarize(doc, "ann", found) == (
        "5th of 5: forfeits 95 of 100 games of No Thanks! (ZeroDivisionError, line 3); 5th in "
        "Sixteen."
    )


def test_one_that_cannot_be_loaded_forfeits_all() -> None:
    doc = doc_of({"no_thanks": {"load": 100}, "sixteen": {"load": 100}}, place_range=(5, 5))
    bad = Reason("load", "expected ':'", how="error", error="SyntaxError", places=ZERO.places)
    said = "5th of 5: forfeits all 200 games (SyntaxError, line 3)."
    assert summarize(doc, "ann", causes(bad)) == said


def test_with_one_game_alone_the_sentence_names_it() -> None:
    doc = doc_of({"no_thanks": {"time": 7}}, place_range=(5, 5))
    slow = Reason("time", "over the time limit: 100 ms a decision")
    said = "5th of 5 in No Thanks!: forfeits 7 of 100 games (too slow)."
    assert summarize(doc, "ann", causes(slow)) == said
    assert (
        summarize(doc_of({"no_thanks": {}}, place_range=(5, 5)), "ann", [])
        == "5th of 5 in No Thanks!"
    )


def test_the_sentence_of_a_broken_bot_names_no_place() -> None:
    doc = doc_of({"no_thanks": {"load": 100}}, status="not loaded", place=None)
    bad = Reason("load", how="error", error="SyntaxError")
    assert summarize(doc, "ann", causes(bad)) == (
        "Not ranked in No Thanks!: forfeits all 100 games (SyntaxError)."
    )


def test_shared_places_and_few_decks_are_said() -> None:
    doc = doc_of({"no_thanks": {}, "sixteen": {}}, place_range=None, place=1)
    assert summarize(doc, "ann", []).startswith("tied 1st of 5 (too few decks to be sure): ")


def test_without_a_game_nothing_is_said_of_places() -> None:
    doc = doc_of({"no_thanks": {}})
    none = tuple(replace(row, games=0) for row in doc.pools[0].table)
    doc = replace(doc, pools=(replace(doc.pools[0], table=none),))
    assert summarize(doc, "ann", []) == "It has played no game yet."


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (ZERO, "ZeroDivisionError: division by zero (x.py line 3)"),
        (Reason("error", "my hand is N4", error="ValueError"), "ValueError"),
        (Reason("illegal", "played 'PASS'; legal is N4", played="PASS", legal=("N4",)),
         "played no legal decision"),
        (Reason("crash"), "its process died"),
        (Reason("strikes", "lost 4 times"), "lost 4 times"),
    ],
)  # fmt: skip
def test_a_cause_is_told_without_what_the_bot_may_have_seen(reason: Reason, words: str) -> None:
    (cause,) = causes(reason)
    assert tell_cause(cause) == words


def test_at_the_end_of_a_run_a_line_names_what_was_forfeited_and_the_file_and_line() -> None:
    doc = doc_of({"no_thanks": {"error": 40}, "sixteen": {}})
    said = "forfeits 40 of 100 games of No Thanks! (ZeroDivisionError, x.py line 3)"
    assert describe_failures(doc, "ann", causes(ZERO)) == said
    assert describe_failures(doc, "bob", []) == ""
    both = doc_of({"no_thanks": {"error": 40}, "sixteen": {"error": 2}})
    assert describe_failures(both, "ann", causes(ZERO)).startswith("forfeits 42 of 200 games (Zero")
    sound = doc_of({"no_thanks": {}})
    third = replace(
        both,
        games=(*both.games, replace(sound.games[0], game="diciassette")),
        pools=(*both.pools, replace(sound.pools[0], game="diciassette", title="17 3p")),
    )
    said = "forfeits 42 of 200 games of No Thanks! and Sixteen (Zero"
    assert describe_failures(third, "ann", causes(ZERO)).startswith(said)


def test_one_that_is_not_ranked_has_no_place_anywhere() -> None:
    doc = doc_of({"no_thanks": {}, "sixteen": {}}, place_range=(5, 5))
    assert summarize(put_aside(doc, "ann"), "ann", []) == "A guest, not ranked."
    out = put_aside(doc_of({"no_thanks": {"error": 95}, "sixteen": {}}), "ann", "it plays twice.")
    assert summarize(out, "ann", causes(ZERO)) == (
        "Out of the ranking, because it plays twice: forfeits 95 of 100 games of No Thanks! "
        "(ZeroDivisionError, line 3)."
    )
    assert summarize(out, "bob", []).startswith("4th of 4")
