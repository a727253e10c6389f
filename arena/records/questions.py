"""What one seat was asked in a recorded game, and what it answered. Pure: a record in, questions
out.

A record leaves out what nobody decides and, in the window of 17, who let a call pass. All of that
follows from the rules, and is supplied here as the arena played it.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import games
from arena.records.judge import Divergence, opened
from games import FORFEIT, Game, IllegalAction, State

UNASKED = frozenset({"load", "strikes"})
"""Faults that take a seat out of a game whoever is asked there."""

NOT_KNOWN: Mapping[int, str] = {}


class Question(NamedTuple):
    """A decision that a seat had to make."""

    at: int  # number of actions before it: `arena replay --at` shows that moment
    fields: tuple[Any, ...]  # of the view
    legal: tuple[str, ...]
    answer: str | None  # the decision; None where the seat forfeited instead


def questions(
    record: dict[str, Any],
    seat: int,
    tables: Sequence[int],
    failed: Mapping[int, str] = NOT_KNOWN,
) -> Iterator[Question]:
    """Yield what a seat was asked, in order, up to its forfeit or the end of the game.

    `tables` are `view.table` by seat. `failed` has the phases that seats failed in, by seat:
    whoever is asked for a call of 17 and is the next to play may have failed at either, and a
    record does not say at which. Without it that is the call. The record is one of arena's own that
    the judge agrees with. Raises Divergence where it is none.
    """
    state, game, table = opened(record), games.load(record["game"]), tables[seat]
    kinds = {(at, who): kind for who, kind, at in record.get("meta", {}).get("faults", ())}
    try:
        for at, (who, action, *_) in enumerate(record["actions"]):
            if action == FORFEIT:
                if kinds.get((at, who)) not in UNASKED:
                    for _ in range(_passes(game, state, who, failed.get(who))):
                        yield from _decided(state, state.legal()[0], seat, table)
                    if who == seat == state.turn and _chooses(state):
                        yield _question(state, seat, table, None)
                state.forfeit(who)
                continue
            while state.turn is not None and (state.turn != who or action not in state.legal()):
                yield from _decided(state, state.legal()[0], seat, table)
                if len(state.actions) > at:  # then no record would leave it out
                    raise Divergence(at, f"seat {who} cannot play {action!r}")
            yield from _decided(state, action, seat, table)
        while state.turn is not None and record["result"] is not None:
            yield from _decided(state, state.legal()[0], seat, table)
            if len(state.actions) > len(record["actions"]):
                raise Divergence(None, "the game is not over")
    except IllegalAction as error:
        raise Divergence(len(state.actions), str(error)) from None


def _passes(game: Game, state: State, who: int, phase: str | None) -> int:
    """Return how many let it pass, at this place of the record, before `who` failed."""
    trial, first = deepcopy(state), None
    for count in itertools.count():
        if trial.turn == who and _chooses(trial):
            if phase is None or phase == trial.view(who).phase:
                return count
            first = count if first is None else first
        if trial.turn is None or not games.asked(game, trial.dump()):
            break
        trial.apply(trial.legal()[0])
        if len(trial.actions) > len(state.actions):
            break  # that is for the record to say
    return first or 0


def _decided(state: State, decision: str, seat: int, table: int) -> Iterator[Question]:
    """Carry out a decision; yield it as the seat's answer, if it had one to give."""
    if state.turn == seat and _chooses(state):
        yield _question(state, seat, table, decision)
    state.apply(decision)


def _chooses(state: State) -> bool:
    return state.turn not in state.out and state.choice()


def _question(state: State, seat: int, table: int, answer: str | None) -> Question:
    return Question(len(state.actions), state.fields(seat, table), state.legal(), answer)
