"""A record walked through: forth and back, and by a seat's eyes no more than it may know."""

from itertools import islice
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
from tests.games.cases import Case
from tests.games.playing import USUAL, play, record_of, steps


@USUAL
def test_every_action_is_heard_and_a_seat_sees_its_view_and_nothing_else(
    case: Case, seed: int
) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng, forfeits=0.002)
    record = record_of(case, state.setup(), state.actions)
    walk = Walk(record)
    while walk.step < walk.steps:
        walk.advance()
        assert walk.last
    assert walk.state.dump() == state.dump()
    at = rng.randrange(len(state.actions) + 1)
    again = case.replay({**record, "actions": record["actions"][:at]})
    for seat in range(case.seats):
        assert find_view(record, at, seat) == again.view(seat)._asdict()
        walk = Walk(record, seat)
        while walk.step < at:
            walk.advance()
        assert walk.zones() == games.zones(case.game, again.view(seat), again.to_act is None)


@USUAL
def test_two_games_that_a_seat_cannot_tell_apart_are_told_to_it_alike(
    case: Case, seed: int
) -> None:
    """The rules say which those are, by what happened (`resample`), and not by a view."""
    rng, others = Random(seed), 0
    for _ in range(4):
        state, turns = case.state(rng), rng.randrange(1, 25)
        for _decision in islice(steps(state, case.seats, rng), turns):
            pass
        setup = case.game.parse_setup(case.options, case.seats, state.setup())
        for seat in range(case.seats):
            twin = games.resample(
                case.game, case.options, case.seats, setup, state.actions, seat, rng
            )
            if twin is None:
                pytest.skip("the game does not say")
            other = case.game.State(case.options, case.seats, twin[0])
            others += twin[0] != setup
            both = (state, state.actions), (other, twin[1])
            told = [[*replay_lines(record_of(case, s.setup(), acts), seat)] for s, acts in both]
            assert told[0] == told[1]
    assert others


@pytest.mark.parametrize(
    ("game", "ranks", "scores", "more", "said"),
    [
        ("no_thanks", [1, 1, 3], [1, 1, 33], {}, "ann and bob share the win with 1 point, "
         "then you with 33."),
        ("no_thanks", [2, 2, 1], [1, 1, 33], {"forfeits": [0, 1], "reason": "forfeit"},
         "you win with 33 points, ann and bob forfeited."),
        ("sixteen", [3, 1, 3, 1], [2, 5, 2, 5], {}, "bob and seat 3 win with 5 sets, "
         "then ann and you with 2."),
        ("diciassette", [1, 2], [2, 1], {"reason": "turn_limit"},
         "ann wins with 2 victories, then bob with 1 (turn limit)."),
    ],
)  # fmt: skip
def test_how_a_game_ended_is_said_in_a_sentence(
    game: str, ranks: list[int], scores: list[int], more: dict[str, Any], said: str
) -> None:
    names = ["ann", "bob", "you", ""][: len(ranks)]
    result = {"ranks": ranks, "scores": scores, "reason": "complete"} | more
    assert describe_result(game, result, names) == said


def test_marks_are_who_forfeits_where_and_why_and_a_seat_that_is_none_is_refused() -> None:
    case = Case("no_thanks", {}, 3)
    actions = [[0, "pass"], [1, "forfeit"], [1, "pass"]]
    record = record_of(case, case.state(Random(1)).setup(), actions)
    record["meta"]["faults"] = [[1, "time", 0], [1, "error", 1], "nonsense"]
    assert [tuple(mark) for mark in Walk(record).marks()] == [(1, 1, "error")]
    record["meta"] = None
    assert [tuple(mark) for mark in Walk(record).marks()] == [(1, 1, "")]
    with pytest.raises(UsageError, match="--as: found 9; the seats are 0 to 2"):
        Walk(record, 9)


def test_what_a_call_came_to_is_said_in_two_sentences() -> None:
    said = [Phrase(1, "calls 17"), Phrase(0, "wins the round"), Phrase(1, "takes a penalty")]
    heard = sentences(said, ["uwe", "you"])
    assert heard == "you call 17. uwe wins the round, you take a penalty."


@USUAL
def test_a_position_is_told_between_its_two_actions_whoever_decides_first(
    case: Case, seed: int
) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng)
    record = record_of(case, state.setup(), state.actions)
    at = rng.randrange(len(state.actions))
    _, *told = replay_lines(record, at=at)
    said = [line for line in told if line[:4].strip().isdecimal()]
    assert [int(line[:4]) for line in said] == [step for step in (at - 1, at) if step >= 0]
    assert {*said} < {*replay_lines(record)}
    (table,) = [line for line in told if line not in said]
    assert f"bot{replay_to(record, at).to_act}: " in table.split("; ")[1]
    if case.name == "no_thanks":  # numbers that a seat cannot know are left out
        assert "hidden" not in "".join(replay_lines(record, 0, at=at))
