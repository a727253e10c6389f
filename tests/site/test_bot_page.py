"""A bot's page: what an author asks first is on it, and nothing of it is a stranger's markup."""

import pytest
from msgspec.structs import replace

from arena.faults.causes import Cause, KeptFault, group_by_cause
from arena.faults.kinds import FaultKind
from arena.faults.reasons import publish
from arena.model import Fault, Place, Reason
from arena.site.bot_page import find_opponents, make_bot_page, make_remarks
from arena.site.sentence import describe_failures, summarize, tell_cause
from arena.tables.columns import Row
from arena.tables.document import Standings
from tests.documents import put_aside, set_status, with_pool
from tests.site.leagues import THREE, TWO, league
from tests.site.parts import Parts

EVIL = "<img src=x onerror=alert(1)>\x1b"


def page(bot: str = "ann", **how: object) -> str:
    site, doc, stats = league(**how)
    return make_bot_page(site, doc, stats, bot)


def test_a_bot_that_is_not_ranked_has_a_page_without_places() -> None:
    site, doc, stats = league()
    text = make_bot_page(site, put_aside(doc, "ann", EVIL), stats, "ann")
    table = text[text.index('id="standings"') : text.index('id="opponents"')]
    assert table.count('title="not ranked there"') == 5
    assert " of 5" not in table
    assert " of 4" not in table
    assert EVIL not in text
    broken = replace(doc, overall=set_status(doc.overall, "ann", "broken"))
    text = make_bot_page(site, broken, stats, "ann")
    overall = text[text.index('id="standings"') :].split("</tr>")[1]
    assert "<svg role=img>" not in overall  # its rating may lie off the scale
    assert 'title="not ranked there"' in overall
    assert "Easiest opponent ann" in Parts(make_bot_page(site, doc, stats, "cid")).text
    other = put_aside(doc, "ann")
    assert "Easiest opponent ann" in Parts(make_bot_page(site, other, stats, "cid")).text


def test_the_hardest_and_the_easiest_opponent_are_named_where_decks_suffice() -> None:
    text = Parts(page("cid", decks=400)).text
    assert "Hardest opponent eve. Ahead of it in only " in text
    assert "Easiest opponent ann. Ahead of it in " in text
    text = Parts(page(decks=6)).text
    assert "Not known yet: it met 0 of its 4 opponents on 8 decks or more." in text
    assert "Where it stands" in page("ann", decks=0)


def test_the_hardest_is_only_of_those_met_often_and_that_is_said() -> None:
    """A bot that it met on few decks comes first in the table, and is not compared."""
    _, doc, stats = league(decks=400)
    often = find_opponents("cid", doc.pools, stats.pools)
    compared, hardest, *_ = make_remarks([often[0]._replace(name="x", sure=None), *often])
    assert compared.words.startswith("It met 4 of its 5 opponents on 8 decks or more; only these")
    assert hardest[:2] == ("Hardest of 4", "eve")


def test_a_fault_s_game_opens_where_it_failed_as_it_saw_it() -> None:
    site, doc, stats = league(per_line_up=99)
    own = stats.pools[0]
    forfeits = own.forfeits[own.names.index("eve")]
    (game, seat), *_ = forfeits[0].games
    parts = Parts(make_bot_page(site, doc, stats._replace(failed_at={(game, seat): 17}), "eve"))
    assert f"watch.html#{game}/17/as-{seat}" in parts.links
    assert all(f"No Thanks! 3p {each.kind} {each.total}" in parts.text for each in forfeits)
    without = Parts(make_bot_page(site, doc, stats._replace(failed_at={}), "eve")).links
    assert f"watch.html#{game}/as-{seat}" in without  # what of a damaged store could not be read


def test_time_is_told_against_the_limit_and_what_cannot_be_told_is_said() -> None:
    assert "No Thanks! 3p 200 1 2.5 ms 2.5 ms 20 ms 20.0" in Parts(page()).text
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


def test_expected_is_the_mean_by_games_of_the_pools_that_ratings_know() -> None:
    _, doc, stats = league()
    for each in find_opponents("bob", doc.pools, stats.pools):
        records = [record for record in each.records if record]
        assert each.share.games == sum(record.share.games for record in records)
        assert each.share.total == sum(record.ahead + record.tied / 2 for record in records)
        known = [record for record in records if record.expected is not None]
        games = [record.share.games for record in known]
        assert each.rated.games == sum(games) < each.share.games
        total = sum((record.expected or 0) * of for record, of in zip(known, games, strict=True))
        assert each.expected == pytest.approx(total / sum(games))
        assert each.name != "eve" or total < sum(games) / 2  # those named later are better


def causes(*reasons: Reason) -> list[Cause]:
    return group_by_cause([KeptFault("g", Fault(0, 4, publish(each))) for each in reasons], "x.py")


ZERO = Reason("error", "division by zero", error="ZeroDivisionError", places=(Place("bot.py", 3),))


def doc_of(faults: dict[str, dict[FaultKind, int]], **how: object) -> Standings:
    """Standings in which `ann`, 5th everywhere, has these faults in 100 games of each game."""
    _, doc, _ = league(pools=(THREE, TWO) if len(faults) > 1 else (THREE,))

    def lines(rows: tuple[Row, ...], own: dict[FaultKind, int]) -> tuple[Row, ...]:
        told: dict[bool, dict[str, object]] = {
            True: {"faults": own, "faults_total": sum(own.values()), **how},
            False: {"faults": {}, "faults_total": 0},
        }
        return tuple(replace(row, games=100, **told[row.bot == "ann"]) for row in rows)

    return replace(
        doc,
        overall=lines(doc.overall, {}),
        games=tuple(replace(game, table=lines(game.table, {})) for game in doc.games),
        pools=tuple(
            replace(pool, table=lines(pool.table, faults[pool.game])) for pool in doc.pools
        ),
    )


def test_what_a_bot_forfeits_is_in_its_sentence_with_the_cause_and_its_places() -> None:
    sound = doc_of({"no_thanks": {}, "sixteen": {}}, place_range=(4, 5))
    no_thanks, sixteen = sound.games  # the best comes first
    better = tuple(replace(row, place=row.bot == "ann" and 2) for row in sixteen.table)
    none = doc_of({"no_thanks": {}})
    rows = tuple(replace(row, games=0) for row in none.pools[0].table)
    slow = Reason("time", "over the time limit: 100 ms a decision")
    bad = Reason("load", "expected ':'", how="error", error="SyntaxError", places=ZERO.places)
    fifth: dict[str, object] = {"place_range": (5, 5)}
    both: dict[FaultKind, int] = {"error": 90, "strikes": 5}
    cases: list[tuple[Standings, list[Cause], str]] = [
        (replace(sound, games=(no_thanks, replace(sixteen, table=better))), [],
         "5th of 5 (likely 4th to 5th): 2nd in Sixteen, 5th in No Thanks!"),
        (doc_of({"no_thanks": both, "sixteen": {}}, **fifth),
         causes(*[Reason("strikes", "lost")] * 5, *[ZERO] * 3),
         "5th of 5: forfeits 95 of 100 games of No Thanks! (ZeroDivisionError, line 3); 5th in "
         "Sixteen."),
        (doc_of({"no_thanks": {"load": 100}, "sixteen": {"load": 100}}, **fifth), causes(bad),
         "5th of 5: forfeits all 200 games (SyntaxError, line 3)."),
        (doc_of({"no_thanks": {"time": 7}}, **fifth), causes(slow),
         "5th of 5 in No Thanks!: forfeits 7 of 100 games (too slow)."),
        (doc_of({"no_thanks": {}}, **fifth), [], "5th of 5 in No Thanks!"),
        (doc_of({"no_thanks": {"load": 100}}, status="not loaded", place=None), causes(bad),
         "Not ranked in No Thanks!: forfeits all 100 games (SyntaxError, line 3)."),
        (doc_of({"no_thanks": {}}, place_range=None, place=1), [],
         "tied 1st of 5 (too few decks to be sure) in No Thanks!"),
        (with_pool(none, 0, table=rows), [], "It has played no game yet."),
    ]  # fmt: skip
    for doc, found, said in cases:
        assert summarize(doc, "ann", found) == said


def test_a_cause_is_told_without_what_the_bot_may_have_seen() -> None:
    for reason, words in (
        (ZERO, "ZeroDivisionError: division by zero (x.py line 3)"),
        (Reason("error", "my hand is N4", error="ValueError"), "ValueError"),
        (Reason("illegal", "played 'PASS'; legal is N4", played="PASS", legal=("N4",)),
         "played no legal decision"),
        (Reason("crash"), "its process died"),
        (Reason("strikes", "lost 4 times"), "lost 4 times"),
    ):  # fmt: skip
        assert [*map(tell_cause, causes(reason))] == [words]


def test_at_the_end_of_a_run_a_line_names_what_was_forfeited_and_the_file_and_line() -> None:
    doc = doc_of({"no_thanks": {"error": 40}, "sixteen": {}})
    said = "forfeits 40 of 100 games of No Thanks! (ZeroDivisionError, x.py line 3)"
    assert describe_failures(doc, "ann", causes(ZERO)) == said
    assert describe_failures(doc, "bob", []) == ""


def test_one_that_is_not_ranked_has_no_place_anywhere() -> None:
    doc = doc_of({"no_thanks": {}, "sixteen": {}}, place_range=(5, 5))
    assert summarize(put_aside(doc, "ann"), "ann", []) == "A guest, not ranked."
    out = put_aside(doc_of({"no_thanks": {"error": 95}, "sixteen": {}}), "ann", "it plays twice.")
    assert summarize(out, "ann", causes(ZERO)) == (
        "Out of the ranking, because it plays twice: forfeits 95 of 100 games of No Thanks! "
        "(ZeroDivisionError, line 3)."
    )
    assert summarize(out, "bob", []).startswith("4th of 4")
