"""The results of `arena explain`, and their sentences."""

from typing import Any

from msgspec.structs import replace

import games
from arena.insight.report import (
    Explained,
    Habit,
    Mark,
    SeatExplained,
    describe_explained,
    find_runs,
)

VIEW = {
    "table": 0, "players": 3, "seat": 2, "phase": "play", "since": ((0, "pass"),),
    "card": 12, "pot": 3, "chips": 4, "taken": ((14, 15), (), (27, 28)), "cards_left": 9,
    "all_chips": None,
}  # fmt: skip
MARK = Mark(
    action_number=41, unrecorded_decisions=0, decision="pass", better="take", loss=0.231,
    loss_se=0.021,
    unit="beats", decision_value=0.41, worlds=300, view=VIEW,
)  # fmt: skip
SEAT = SeatExplained(
    seat=2, bot="haggler", share_beaten=0.0, expected_share=0.47, expected_se=0.015,
    deal_share=0.44,
    deal_se=0.03, lost_before_first_decision=False, mistakes=[MARK], decisions=5,
    shares_by_decision=[(at, 0, 0.02) for at in (5, 41, 44, 47, 50)], games=655,
    detectable_loss=0.115,
)  # fmt: skip
FOUND = Explained(
    game_id="0106d9d8aabbccddeeff", pool="No Thanks! 3p", bots=["champion", "ledger", "haggler"],
    ranks=[1, 2, 3], worlds="fair", games=9400, faults={}, not_reproduced=[], seats=[SEAT],
)  # fmt: skip
RULES = games.load("no_thanks")


def said(found: Explained = FOUND, **of_seat: Any) -> list[str]:
    found = replace(found, seats=[replace(SEAT, **of_seat)])
    return [*describe_explained(found, RULES, RULES.Options())]


def test_a_mark_is_a_sentence_with_two_errors_and_the_line_of_its_view() -> None:
    assert said() == [
        "No Thanks! 3p, game 0106d9d8: haggler ranked 3 of 3.",
        "It beats 47% ±3 of these opponents on other deals, 44% ±6 on this deal.",
        "Decisions that cost most, against these bots as they play:",
        "1. action 41: pass; take beats 23 ±4 more (64%, not 41%; 300 worlds).",
        "   on offer 12, chips on it 3, cards to come 9; haggler: chips 4, cards 27 28, points 23; "
        "champion: cards 14 15; ledger: cards none",
        "4 of 5 decisions were as good as the best found.",
    ]


def test_marks_in_a_row_that_are_alike_are_one() -> None:
    """In the order of the costliest of each: at 47 another decision, at 5 not in a row."""
    other = replace(MARK, action_number=47, decision="take", better="pass")
    costs = replace(MARK, action_number=44, loss=0.3)
    marks = [costs, other, MARK, *(replace(MARK, action_number=at) for at in (50, 5))]
    shares = [*SEAT.shares_by_decision[:1], (9, 0, 0.5), *SEAT.shares_by_decision[1:]]
    runs = [
        [[mark.action_number for mark in run] for run in find_runs(FOUND, replace(SEAT, **given))]
        for given in ({"mistakes": marks}, {"mistakes": marks, "shares_by_decision": shares})
    ]
    assert runs == [[[44, 41, 5], [47], [50]], [[44, 41], [47], [50], [5]]]
    line = said(mistakes=marks)[3]
    assert line.startswith("1. actions 5, 41, 44: pass; take beats 30 ±4 more at 44 (")


def test_what_was_lost_from_the_start_costs_points() -> None:
    mark = replace(MARK, unit="score", loss=119.0, loss_se=6.2, decision_value=-2.1)
    lines = said(lost_before_first_decision=True, mistakes=[mark])
    assert "Lost from the start: it beat 2% of them before its first decision." in lines
    assert "1. action 41: pass; take gains 119 ±12 points (300 worlds)." in lines


def test_what_is_not_fair_is_said() -> None:
    lines = said(replace(FOUND, worlds="true cards"))
    assert "With the true cards, which haggler could not know, these cost most:" in lines
    lines = said(replace(FOUND, not_reproduced=["ledger"], faults={"cid": 95, "dee": 94}))
    assert lines[-2:] == [
        "ledger has a memory and random decisions: what it remembers may not fit these games.",
        "cid forfeited 95 of 9,400 games: `arena check cid` says why.",
    ]


def test_without_a_mark_it_is_said_how_much_was_looked_at() -> None:
    assert said(mistakes=[])[-2:] == [
        "No costly decision found (5 decisions looked at).",
        "655 games would have shown a loss of 12 opponents in 100 or more.",
    ]
    habits = [Habit(move_class="take", winner=(6, 10), seat=(0, 7))]
    told = "The winner, champion, chose take in 6 of 10 choices, haggler in 0 of 7."
    assert told in said(winner=0, habits=habits, mistakes=[])
    few = said(mistakes=[], detectable_loss=0.995, games=40)[-1]
    assert few == "40 games are too few to show any loss: play more with --seconds."
