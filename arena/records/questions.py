"""What one seat was asked in a recorded game, and what it answered. Pure: a record in, questions
out.

A record leaves out what nobody decides and, in the window of 17, who let a call pass. All of that
follows from the rules, and is supplied here as the arena played it.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import games
from arena.records.judge import Divergence, opened
from games import FORFEIT, Game, IllegalAction, State

UNASKED = frozenset({"load", "strikes"})
"""Faults that take a seat out of a game whoever is asked there."""


class Question(NamedTuple):
    """A decision that a seat had to make."""

    at: int  # number of actions before it: `arena replay --at` shows that moment
    fields: tuple[Any, ...]  # of the view
    legal: tuple[str, ...]
    answer: str | None  # the decision; None where the seat forfeited instead


def questions(record: dict[str, Any], seat: int, table: int = 0) -> Iterator[Question]:
    """Yield what a seat was asked, in order, up to its forfeit or the end of the game.

    `table` is `view.table`. The record is one of arena's own that the judge agrees with. Raises
    Divergence where it is none.
    """
    state, game = opened(record), games.load(record["game"])
    kinds = {(at, who): kind for who, kind, at in record.get("meta", {}).get("faults", ())}
    try:
        for at, (who, action, *_) in enumerate(record["actions"]):
            if action == FORFEIT:
                if kinds.get((at, who)) not in UNASKED:
                    yield from _let_pass(game, state, who, seat, table)
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


def _let_pass(game: Game, state: State, who: int, seat: int, table: int) -> Iterator[Question]:
    """Let those pass who are asked for this place of the record before `who` is."""
    asked = games.asked(game, state.dump())
    while who in asked and state.turn in asked and asked.index(state.turn) < asked.index(who):
        yield from _decided(state, state.legal()[0], seat, table)


def _decided(state: State, decision: str, seat: int, table: int) -> Iterator[Question]:
    """Carry out a decision; yield it as the seat's answer, if it had one to give."""
    if state.turn == seat and _chooses(state):
        yield _question(state, seat, table, decision)
    state.apply(decision)


def _chooses(state: State) -> bool:
    return state.turn not in state.out and state.choice()


def _question(state: State, seat: int, table: int, answer: str | None) -> Question:
    return Question(len(state.actions), state.fields(seat, table), state.legal(), answer)
