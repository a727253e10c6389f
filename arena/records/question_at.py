"""The question that one action of a recorded game answered, as its seat was shown it. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import games
from arena.errors import UsageError
from arena.hints import either
from arena.records.judge import Divergence, judge
from arena.records.questions import NOT_KNOWN, questions
from games import FORFEIT, State


class Shown(NamedTuple):
    """One question of a game, and what was answered."""

    seat: int
    view: Any  # the game's `View`; its `table` is 0
    decision: str | None  # None where the seat forfeited instead, or the record ends before


def question_at(
    record: Mapping[str, Any],
    step: int,
    seat: int | None = None,
    phase: str | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> Shown:
    """Return the question that action number `step` of a record answered.

    With a seat, it is what that seat was asked there; with a phase, in that one. So the passes of a
    window of 17 are found at the step of the call or the card that came next. A seat that forfeits
    there may have failed at either: `failed` knows, as for `questions`, else the phase is believed.
    Raises UsageError where nobody was asked so, Divergence where the record does not hold.
    """
    whole = dict(record)
    verdict = judge(whole)
    if verdict.state is None:
        raise Divergence(verdict.at, verdict.why)
    actions = whole["actions"]
    if not 0 <= step <= len(actions):
        raise UsageError(f"step: found {step}; the game has {len(actions)} actions")
    if phase is not None and step < len(actions) and actions[step][1] == FORFEIT:
        failed = {actions[step][0]: phase, **failed}
    here = [*_asked_at(whole, step, verdict.state, failed)]
    found = here
    if seat is not None:
        found = [one for one in here if one.seat == seat]
    elif step < len(actions):
        who, action = actions[step][:2]
        answer = None if action == FORFEIT else action
        found = [one for one in here if (one.seat, one.decision) == (who, answer)]
        if phase is not None:
            found = [one for one in here if one.seat == who]
    found = [one for one in found if phase in (None, one.view.phase)]
    if found:
        return found[-1]
    raise UsageError(f"step {step}: {_nobody(actions, step, seat, here)}")


def _asked_at(
    record: dict[str, Any], step: int, last: State, failed: Mapping[int, str]
) -> Iterator[Shown]:
    """Yield what was asked before action number `step`, seat by seat; `last` is the state after all
    actions, where somebody may wait.
    """
    game = games.load(record["game"])
    options = games.options_from(game.Options, record.get("options", {}))
    view = games.bind(game.View, options)._make
    for seat in range(record["players"]):
        for question in questions(record, seat, [0] * record["players"], failed):
            if question.at == step:
                yield Shown(seat, view(question.fields), question.answer)
    turn, is_last = last.turn, step == len(record["actions"])
    if is_last and turn is not None and turn not in last.out and last.choice():
        yield Shown(turn, last.view(turn), None)


def _nobody(actions: list[Any], step: int, seat: int | None, here: list[Shown]) -> str:
    """Return why there is no such question, and what would do."""
    if here:
        there = [f"seat {one.seat} in phase {one.view.phase!r}" for one in here]
        who = actions[step][0] if seat is None else seat
        return f"seat {who} is not asked so there; it takes {either(list(dict.fromkeys(there)))}"
    if step == len(actions):
        return f"the game is over there; it takes 0 to {step - 1}"
    who, action, *_ = actions[step]
    if action == FORFEIT:
        return f"seat {who} forfeits there without being asked; take another step"
    return (
        f"seat {who} was not asked there: {action} was its only choice, or a stand-in's; "
        "take another step"
    )
