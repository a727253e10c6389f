"""A record walked through: forth and back, and by a seat's eyes no more than it may know."""

from random import Random
from typing import Any

import pytest

import games
from arena.errors import UsageError
from arena.records.replay import (
    Walk,
    describe_result,
    find_view,
    replay_lines,
    replay_to,
    sentences,
)
from games import Phrase
from tests.games.cases import Case, cases
from tests.games.playing import USUAL, play, record_of, steps


@USUAL
def test_every_action_is_heard_by_who_did_it(case: Case, seed: int) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng, forfeits=0.002)
    walk = Walk(record_of(case, state.setup(), state.actions))
    while walk.step < walk.steps:
        walk.advance()
        assert walk.last
    assert walk.state.dump() == state.dump()


@USUAL
def test_a_seat_sees_its_view_and_nothing_else(case: Case, seed: int) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng)
    record = record_of(case, state.setup(), state.actions)
    at = rng.randrange(len(state.actions) + 1)
    again = case.replay({**record, "actions": record["actions"][:at]})
    for seat in range(case.seats):
        assert find_view(record, at, seat) == again.view(seat)._asdict()
        walk = Walk(record, seat)
        while walk.step < at:
            walk.advance()
        over = again.to_act is None
        assert walk.zones() == games.zones(case.game, again.view(seat), over)


@USUAL
def test_two_games_that_a_seat_cannot_tell_apart_are_told_to_it_alike(
    case: Case, seed: int
) -> None:
    """The rules say which those are, by what happened (`resample`), and not by a view."""
    rng, others = Random(seed), 0
    for _ in range(4):
        state, turns = case.state(rng), rng.randrange(1, 25)
        for number, _decision in enumerate(steps(state, case.seats, rng)):
            if number == turns:
                break
        setup = case.game.parse_setup(case.options, case.seats, state.setup())
        for seat in range(case.seats):
            twin = games.resample(
                case.game, case.options, case.seats, setup, state.actions, seat, rng
            )
            if twin is None:
                pytest.skip("the game does not say")
            other = case.game.State(case.options, case.seats, twin[0])
            others += twin[0] != setup
            told, twin_told = (
                [*replay_lines(record_of(case, each.setup(), actions), seat)]
                for each, actions in ((state, state.actions), (other, twin[1]))
            )
            assert told == twin_told
    assert others


def test_what_a_call_showed_and_came_to_is_said_in_two_sentences() -> None:
    said = [Phrase(1, "calls 17, wrong: the row is worth 1 (N1)"), Phrase(0, "wins the round")]
    said.append(Phrase(1, "takes a penalty"))
    assert sentences(said, ["uwe", "klara"]) == (
        "klara calls 17, wrong: the row is worth 1 (N1). uwe wins the round, klara takes a penalty."
    )
    assert sentences(said, ["uwe", "you"]) == (
        "you call 17, wrong: the row is worth 1 (N1). uwe wins the round, you take a penalty."
    )
    assert sentences([Phrase(None, "the round is void")], ["uwe", "you"]) == "The round is void."


@pytest.mark.parametrize(
    ("game", "ranks", "scores", "more", "said"),
    [
        ("no_thanks", [2, 1, 3], [20, 12, 33], {}, "bob wins with 12 points, then ann with 20, "
         "cid with 33."),
        ("no_thanks", [1, 1, 3], [1, 1, 33], {}, "ann and bob share the win with 1 point, "
         "then cid with 33."),
        ("no_thanks", [2, 2, 1], [1, 1, 33], {"forfeits": [0, 1], "reason": "forfeit"},
         "cid wins with 33 points, ann and bob forfeited."),
        ("sixteen", [3, 1, 3, 1], [2, 5, 2, 5], {}, "bob and dan win with 5 sets, "
         "then ann and cid with 2."),
        ("sixteen", [1, 1], [3, 3], {}, "ann and bob share the win with 3 sets."),
        ("diciassette", [1, 2], [2, 1], {"reason": "turn_limit"},
         "ann wins with 2 victories, then bob with 1 (turn limit)."),
    ],
)  # fmt: skip
def test_how_a_game_ended_is_said_in_a_sentence(
    game: str, ranks: list[int], scores: list[int], more: dict[str, Any], said: str
) -> None:
    names = ["ann", "bob", "cid", "dan"][: len(ranks)]
    result = {"ranks": ranks, "scores": scores, "reason": "complete"} | more
    assert describe_result(game, result, names) == said


def test_you_win_and_a_seat_without_a_name_is_called_by_its_number() -> None:
    result = {"ranks": [1, 2], "scores": [3, 0], "reason": "complete"}
    assert describe_result("sixteen", result, ["you", ""]) == (
        "you win with 3 sets, then seat 1 with 0."
    )
    assert describe_result("sixteen", result, ["ann", "ann"]).startswith("ann (0) wins")


def test_marks_are_who_forfeits_where_and_why() -> None:
    record = record_of(
        next(c for c in cases() if c.name == "no_thanks" and c.seats == 3),
        {"deck": list(range(3, 27)), "removed": list(range(27, 36)), "first": 0},
        [[0, "pass"], [1, "forfeit"], [1, "pass"]],
    )
    record["meta"]["faults"] = [[1, "error", 1], [2, "time", 0], "nonsense"]
    assert [tuple(mark) for mark in Walk(record).marks()] == [(1, 1, "error")]
    record["meta"] = None
    assert [tuple(mark) for mark in Walk(record).marks()] == [(1, 1, "")]


def test_a_seat_that_is_none_is_refused() -> None:
    case = cases()[0]
    record = record_of(case, case.state(Random(1)).setup(), [])
    with pytest.raises(UsageError, match=f"--as: found 9; the seats are 0 to {case.seats - 1}"):
        Walk(record, 9)


@USUAL
def test_a_position_is_told_between_its_two_actions_whoever_decides_first(
    case: Case, seed: int
) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng)
    record = record_of(case, state.setup(), state.actions)
    at = rng.randrange(len(state.actions))
    turn = replay_to(record, at).to_act
    numbers = [str(step) for step in (at - 1, at) if step >= 0]
    _, *told = replay_lines(record, at=at)
    said = [line for line in told if line[:4].strip().isdecimal()]
    assert [line[:4].strip() for line in said] == numbers
    assert {*said} < {*replay_lines(record)}
    (table,) = [line for line in told if line not in said]
    assert f"bot{turn}: " in table.split("; ")[1]
    if case.name == "no_thanks":  # numbers that a seat cannot know are left out
        assert "hidden" not in "".join(replay_lines(record, 0, at=at))
