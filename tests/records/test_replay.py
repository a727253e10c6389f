"""A record walked through: forth and back, and by a seat's eyes no more than it may know."""

import json
from random import Random
from typing import Any

import pytest

import games
from arena.errors import UsageError
from arena.records.replay import Walk, find_view, replay_as
from tests.games.cases import Case, cases
from tests.games.playing import play, steps

USUAL = pytest.mark.parametrize("case", [c for c in cases() if not c.given], ids=str)


def record_of(case: Case, setup: dict[str, Any], actions: Any) -> dict[str, Any]:
    """Return a record that ends after these actions, as it comes back from a file."""
    meta = {"bots": [f"bot{seat}" for seat in range(case.seats)], "faults": []}
    record = {
        "v": 1, "game": case.name, "players": case.seats, "options": {}, "setup": setup,
        "actions": list(actions), "result": None, "meta": meta,
    }  # fmt: skip
    return dict(json.loads(json.dumps(record)))


@USUAL
def test_forth_and_back_come_to_the_same(case: Case, seed: int) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng, forfeits=0.002)
    walk = Walk(record_of(case, state.setup(), state.actions))
    seen = []
    for step in range(min(walk.steps, 60) + 1):
        walk.go(step)
        seen.append((walk.state.dump(), walk.zones(), walk.last))
    for step in reversed(range(len(seen))):
        walk.go(step)
        assert (walk.state.dump(), walk.zones(), walk.last) == seen[step]
    assert all(last for _, _, last in seen[1:]), "every action is heard by who did it"


@USUAL
def test_a_seat_sees_its_view_and_nothing_else(case: Case, seed: int) -> None:
    rng = Random(seed)
    state = play(case.state(rng), case.seats, rng)
    record = record_of(case, state.setup(), state.actions)
    at = rng.randrange(len(state.actions) + 1)
    again = case.replayed({**record, "actions": record["actions"][:at]})
    for seat in range(case.seats):
        assert find_view(record, at, seat) == again.view(seat)._asdict()
        walk = Walk(record, seat)
        walk.go(at)
        assert walk.zones() == games.zones(case.game, again.view(seat))


@USUAL
def test_two_games_that_a_seat_cannot_tell_apart_are_told_to_it_alike(
    case: Case, seed: int
) -> None:
    """The rules say which those are, by what happened (`redealt`), and not by a view."""
    rng, others = Random(seed), 0
    for _ in range(4):
        state, turns = case.state(rng), rng.randrange(1, 25)
        for number, _decision in enumerate(steps(state, case.seats, rng)):
            if number == turns:
                break
        setup = case.game.setup_from(case.options, case.seats, state.setup())
        for seat in range(case.seats):
            twin = games.redealt(
                case.game, case.options, case.seats, setup, state.actions, seat, rng
            )
            if twin is None:
                pytest.skip("the game does not say")
            other = case.game.State(case.options, case.seats, twin[0])
            others += twin[0] != setup
            told, twin_told = (
                [*replay_as(record_of(case, each.setup(), actions), seat)]
                for each, actions in ((state, state.actions), (other, twin[1]))
            )
            assert told == twin_told
    assert others


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
