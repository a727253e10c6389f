"""Shows that no view depends on cards hidden from its seat: deals them again, and compares.

The game's `resample` makes a twin of a course of play: by the rules the seat cannot tell the two
apart. Both are played side by side as the arena plays them, and a view that differs is a leak.
Pure: a record in, a finding out.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import games
from arena.records.questions import play_steps
from arena.records.record import Divergence, open_record
from games import State

SHOWN = 60  # characters of a value
BEFORE = 20  # of them before the first that differs
LEGAL = "legal"  # stands for a field where the state's legal decisions differ


class Leak(NamedTuple):
    """A view that depends on cards hidden from its seat."""

    seat: int
    at: int  # number of actions before the position
    field: str  # of the view; "legal" for the decisions that the state allows
    given: str  # its value in the game, shortened to where the two differ
    resampled: str  # its value in the twin, likewise


class PositionCheck(NamedTuple):
    """The result of checking one position."""

    compared: int  # seats that had a twin
    not_compared: int  # seats of which the game cannot say
    leak: Leak | None  # the first, by seat and then by position


class _Seen(NamedTuple):
    at: int  # actions so far
    fields: tuple[Any, ...]
    legal: tuple[str, ...] | None  # on its own turn


def positions(record: dict[str, Any], rng: Random, most: int) -> list[int]:
    """Draw up to `most` different numbers of actions, 0 to all of them, ascending."""
    every = range(len(record["actions"]) + 1)
    return sorted(sorted(every, key=lambda _: rng.random())[:most])


def check(record: dict[str, Any], at: int, rng: Random) -> PositionCheck:
    """Deal again the cards hidden from each seat after `at` actions; compare its views so far.

    The record is one that the judge agrees with. Raises Divergence where it is none or has fewer
    actions, and IllegalAction where the record's or the twin's actions cannot be played.
    """
    open_record(record)
    if not 0 <= at <= len(record["actions"]):
        raise Divergence(None, f"found {at}; the game has {len(record['actions'])} actions")
    game, seats = games.load(record["game"]), record["players"]
    options = games.parse_options(game.Options, record.get("options", {}))
    setup = game.parse_setup(options, seats, record["setup"])
    actions = [(entry[0], entry[1]) for entry in record["actions"][:at]]
    leaks, compared = [], 0
    for seat in range(seats):
        twin = games.resample(game, options, seats, setup, actions, seat, rng)
        if twin is None:
            continue
        compared += 1
        given = _course(game.State(options, seats, setup), actions, seat)
        other = _course(game.State(options, seats, twin[0]), twin[1], seat)
        leaks += _first_leak(seat, game.View._fields, given, other)
    return PositionCheck(compared, seats - compared, leaks[0] if leaks else None)


def _course(state: State, actions: Sequence[tuple[int, str]], seat: int) -> Iterator[_Seen]:
    """Play the actions as the arena does; yield `seat`'s view at each decision and at the end."""
    for _ in play_steps(state, actions):
        yield _look(state, seat)
    yield _look(state, seat)


def _look(state: State, seat: int) -> _Seen:
    legal = state.legal() if state.to_act == seat else None
    return _Seen(len(state.actions), state.fields(seat, 0), legal)


def _first_leak(
    seat: int, names: Sequence[str], given: Iterator[_Seen], other: Iterator[_Seen]
) -> list[Leak]:
    for one, two in zip(given, other, strict=True):
        if one == two:
            continue
        values = zip((*one.fields, one.legal), (*two.fields, two.legal), strict=True)
        for name, (a, b) in zip((*names, LEGAL), values, strict=True):
            if a != b:
                return [Leak(seat, one.at, name, *_shorten(repr(a), repr(b)))]
    return []


def _shorten(a: str, b: str) -> tuple[str, str]:
    pairs = enumerate(zip(a, b, strict=False))
    same = next((at for at, (x, y) in pairs if x != y), min(len(a), len(b)))
    start = max(0, same - BEFORE)
    return _cut(a, start), _cut(b, start)


def _cut(text: str, start: int) -> str:
    end = start + SHOWN
    return ("..." if start else "") + text[start:end] + ("..." if text[end:] else "")
