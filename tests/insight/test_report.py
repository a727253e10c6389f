"""The results of `arena explain`, and their sentences."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import games
from arena.insight.report import (
    Advice,
    Explained,
    Habit,
    Mark,
    Opponent,
    RuleTested,
    SeatExplained,
    describe_advice,
    describe_explained,
    find_runs,
)
from arena.typed_json import decode, encode

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
    game_id="0106d9d8aabbccddeeff", pool="No Thanks! 3p", bots=["champion", "reader", "haggler"],
    ranks=[1, 2, 3], worlds="fair", games=9400, faults={}, not_reproduced=[], seats=[SEAT],
)  # fmt: skip
RULES = games.load("no_thanks")


def said(found: Explained = FOUND, game: str = "no_thanks") -> list[str]:
    rules = games.load(game)
    return [*describe_explained(found, rules, rules.Options())]


def with_seat(**changes: Any) -> Explained:
    return replace(FOUND, seats=[replace(SEAT, **changes)])


def test_a_result_is_written_and_read_again() -> None:
    assert encode(decode(encode(FOUND), Explained)) == encode(FOUND)


def test_a_mark_is_a_sentence_with_two_errors_and_the_line_of_its_view() -> None:
    assert said() == [
        "No Thanks! 3p, game 0106d9d8: haggler ranked 3 of 3.",
        "It beats 47% ±3 of these opponents on other deals, 44% ±6 on this deal.",
        "Decisions that cost most, against these bots as they play:",
        "1. action 41: pass; take beats 23 ±4 more (64%, not 41%; 300 worlds).",
        "   on offer 12, chips on it 3, cards to come 9; haggler: chips 4, cards 27 28, points 23; "
        "champion: cards 14 15; reader: cards none",
        "4 of 5 decisions were as good as the best found.",
    ]


def test_marks_in_a_row_that_are_alike_are_one() -> None:
    """In the order of the costliest of each: at 47 another decision, at 5 not in a row."""
    other = replace(MARK, action_number=47, decision="take", better="pass")
    marks = [
        replace(MARK, action_number=44, loss=0.3),
        other,
        MARK,
        replace(MARK, action_number=50),
        replace(MARK, action_number=5),
    ]
    runs = find_runs(FOUND, replace(SEAT, mistakes=marks))
    assert [[mark.action_number for mark in run] for run in runs] == [[44, 41, 5], [47], [50]]
    line = said(with_seat(mistakes=marks))[3]
    assert line.startswith("1. actions 5, 41, 44: pass; take beats 30 ±4 more at 44 (")
    apart = replace(
        SEAT,
        mistakes=marks,
        shares_by_decision=[
            *SEAT.shares_by_decision[:1],
            (9, 0, 0.5),
            *SEAT.shares_by_decision[1:],
        ],
    )
    assert [[mark.action_number for mark in run] for run in find_runs(FOUND, apart)] == [
        [44, 41],
        [47],
        [50],
        [5],
    ]


def test_what_was_lost_from_the_start_costs_points() -> None:
    rules = games.load("diciassette")
    setup = rules.deal(rules.Options(), 3, Random(1))
    view = rules.State(rules.Options(), 3, setup).view(2)._asdict()
    mark = replace(MARK, unit="score", loss=0.44, loss_se=0.05, decision_value=-2.1, view=view)
    lines = said(with_seat(lost_before_first_decision=True, mistakes=[mark]), "diciassette")
    assert "Lost from the start: it beat 2% of them before its first decision." in lines
    assert "1. action 41: pass; take gains 0.44 ±0.1 victories (300 worlds)." in lines
    mark = replace(mark, loss=119.0, loss_se=6.2, view=VIEW)
    lines = said(with_seat(mistakes=[mark]))
    assert "1. action 41: pass; take gains 119 ±12 points (300 worlds)." in lines


def test_what_is_not_fair_is_said() -> None:
    lines = said(replace(FOUND, worlds="true cards"))
    assert "With the true cards, which haggler could not know, these cost most:" in lines
    lines = said(replace(FOUND, worlds="cannot resample"))
    assert lines[0] == "No Thanks! has no `resample`: hidden cards are those of the game."
    lines = said(replace(FOUND, not_reproduced=["ledger"], faults={"cid": 95, "dee": 94}))
    assert lines[-2:] == [
        "ledger has a memory and random decisions: what it remembers may not fit these games.",
        "cid forfeited 95 of 9,400 games: `arena check cid` says why.",
    ]


def test_without_a_mark_it_is_said_how_much_was_looked_at() -> None:
    assert said(with_seat(mistakes=[]))[-2:] == [
        "No costly decision found (5 decisions looked at).",
        "655 games would have shown a loss of 12 opponents in 100 or more.",
    ]
    few = said(with_seat(mistakes=[], detectable_loss=0.995, games=40))[-1]
    assert few == "40 games are too few to show any loss: play more with --seconds."
    assert len(said(with_seat(mistakes=[], deal_se=1.0))) == 3, "no time for other deals"
    some = "No costly decision found (5 of 25 decisions looked at; more --seconds look at more)."
    assert said(with_seat(mistakes=[], decisions=25))[-2] == some


def test_what_was_lost_from_the_start_or_without_a_mark_says_what_the_winner_chose() -> None:
    habits = [Habit(move_class="take", winner=(6, 10), seat=(0, 7))]
    told = "The winner, champion, chose take in 6 of 10 choices, haggler in 0 of 7."
    assert told not in said(with_seat(winner=0, habits=habits))
    assert told in said(with_seat(winner=0, habits=habits, mistakes=[]))
    assert told in said(with_seat(winner=0, habits=habits, lost_before_first_decision=True))
    none = "The winner, champion, chose no kind of move much more often."
    assert none in said(with_seat(winner=0, lost_before_first_decision=True))


def test_of_a_bot_in_two_seats_the_seat_is_said() -> None:
    heads = said(replace(FOUND, bots=["haggler", "reader", "haggler"]))
    assert heads[0] == "No Thanks! 3p, game 0106d9d8: haggler (seat 2) ranked 3 of 3."


@pytest.mark.parametrize("seats", [1, 2])
def test_of_one_seat_five_are_shown_and_of_several_three_each(seats: int) -> None:
    marks = [replace(MARK, action_number=at, better=f"take{at}") for at in (5, 41, 44, 47, 50, 53)]
    line = [*SEAT.shares_by_decision, (53, 0, 0.5)]
    lines = said(
        replace(FOUND, seats=[replace(SEAT, mistakes=marks, shares_by_decision=line)] * seats)
    )
    numbered = [text[:2] for text in lines if text[1:2] == "."]
    assert numbered == {1: ["1.", "2.", "3.", "4.", "5."], 2: ["1.", "2.", "3."] * 2}[seats]


def test_a_rule_that_loses_against_all_gains_against_none() -> None:
    def last_line(*gains: float) -> str:
        by = [
            Opponent(bot=f"b{n}", gain=gain, gain_se=0.02, deals=9) for n, gain in enumerate(gains)
        ]
        rule = RuleTested(
            rule="a -> b", deals=9, gain=gains[0], interval=(-0.1, 0.1), p_value=1.0,
            share_without_rule=0.5, gain_mu=0.0,
            changed_share=0.5, changed_mean_progress=0.5, no_replacement=0, by_opponent=by,
        )  # fmt: skip
        advice = Advice(
            bot="kim", game="no_thanks", pools=[], decisions=9, games=9, rules_tested=1,
            confirmed=[],
            rejected=[rule],
        )  # fmt: skip
        return [*describe_advice(advice, True, 5)][-1].strip()

    assert last_line(0.12, 0.01) == "Gains most against b0 +12 ±4; least against b1 +1 ±4."
    assert last_line(0.12, -0.1) == "Gains most against b0 +12 ±4; but worse against b1 -10 ±4."
    assert last_line(-0.02, -0.1) == "Loses least against b0 -2 ±4; most against b1 -10 ±4."
