"""arena.site.sentence: a bot in one sentence, and causes in words."""

import pytest
from msgspec.structs import replace

from arena.faults.causes import Cause, KeptFault, group_by_cause
from arena.faults.kinds import FaultKind
from arena.faults.reasons import publish
from arena.model import Fault, Place, Reason
from arena.site.sentence import describe_failures, summarize, tell_cause
from arena.tables.columns import Row
from arena.tables.document import Standings
from tests.documents import put_aside
from tests.site.leagues import THREE, TWO, league


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


def test_a_broken_bot_has_no_place() -> None:
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
