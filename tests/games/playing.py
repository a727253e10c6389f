"""Random play of any game, as the arena plays, and records of it, for tests."""

import json
import re
from ast import literal_eval
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, TypeVar

import pytest

import games
from tests.games.cases import Case, cases

S = TypeVar("S", bound=games.State)
LONGEST = 20_000  # decisions: far more than any game here takes
LEANS = (0.0, 0.5, 0.95)  # chances of taking the first legal decision; 17's windows pass by it


def new(game: games.Game, options: Any, seats: int, rng: Random) -> games.State:
    """Return a game just dealt."""
    return game.State(options, seats, game.deal(options, seats, rng))


def steps(state: games.State, seats: int, rng: Random, forfeits: float = 0.0) -> Iterator[str]:
    """Play `state` to its end, at random; yield each decision before it is carried out.

    What is forced, and every decision of a seat that is out, is `legal()[0]`; a game may lean to it
    throughout. `forfeits` is the chance of one before each decision.
    """
    lean = rng.choice(LEANS)
    for _ in range(LONGEST):
        if state.to_act is None:
            return
        if rng.random() < forfeits:
            state.forfeit(
                rng.choice([seat for seat in range(seats) if seat not in state.forfeited])
            )
            continue
        legal = state.legal()
        first = state.to_act in state.forfeited or rng.random() < lean
        decision = legal[0] if first else rng.choice(legal)
        yield decision
        state.apply(decision)
    raise AssertionError(f"the game goes on after {LONGEST} decisions")


def play(state: games.State, seats: int, rng: Random, forfeits: float = 0.0) -> games.State:
    """Return `state`, played to its end at random."""
    for _ in steps(state, seats, rng, forfeits):
        pass
    return state


def lines_of_play(state: games.State) -> int:
    """Return in how many ways the game can go on, by trying them all."""
    if state.to_act is None:
        return 1
    count = 0
    for decision in state.legal():
        after = deepcopy(state)
        after.apply(decision)
        count += lines_of_play(after)
    return count


USUAL = pytest.mark.parametrize("case", [c for c in cases() if not c.given], ids=str)


def record_of(case: Case, setup: dict[str, Any], actions: Any) -> dict[str, Any]:
    """Return a record that ends after these actions, as it comes back from a file."""
    meta = {"bots": [f"bot{seat}" for seat in range(case.seats)], "faults": []}
    record = {
        "v": 1, "game": case.name, "players": case.seats, "options": {}, "setup": setup,
        "actions": list(actions), "result": None, "meta": meta,
    }  # fmt: skip
    return dict(json.loads(json.dumps(record)))


def after(state: S, *decisions: str) -> S:
    """Return the state, with these decisions carried out; "forfeit2" is seat 2's."""
    for decision in decisions:
        if decision.startswith("forfeit"):
            state.forfeit(int(decision[7:]))
        else:
            state.apply(decision)
    return state


def seen(state: Any) -> dict[str, Any]:
    """Return what a row of a table of rules may name of any state: `pot1` is the pot in seat 1's
    view.
    """
    views = [state.view(seat)._asdict().items() for seat in range(state.seats)]
    found = {f"{key}{seat}": value for seat, view in enumerate(views) for key, value in view}
    return {**found, **state.result(), "legal": state.legal(), "to_act": state.to_act}


def values(cell: str) -> dict[str, Any]:
    """Return the values in a cell of a table of rules, as in "need=1 row=['N4']"."""
    return {key: literal_eval(value) for key, value in re.findall(r"(\w+)=('[^']*'|\S+)", cell)}
