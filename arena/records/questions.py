"""Questions to a seat in a recorded game, and its answers; also as a test of a bot. Pure.

A record leaves out what no seat decides and, in the window of 17, the seats that let a call pass.
Both follow from the rules, and are supplied here as the arena played them. A test is a text, to be
pasted into a file that pytest runs.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from operator import itemgetter
from textwrap import wrap
from typing import Any, NamedTuple

import games
from arena.errors import UsageError
from arena.faults.kinds import UNASKED
from arena.records.record import Divergence, judge_record, open_record
from arena.records.replay import Walk, name_seats
from arena.words import either
from games import FORFEIT, Actions, Game, IllegalAction, State

NOT_KNOWN: Mapping[int, str] = {}

WIDTH = 88  # of a test
CONFINED_NOTE = """\
# confined=True: in the sandbox, as the bot may be a stranger's. For a bot of your own,
# confined=False runs it in this process with your permissions, where a debugger reaches it.
"""
TEST_HEAD = f"from arena.testing import decide, view_of\n\n{CONFINED_NOTE}\n\n"
"""Of a file of tests, which follow it, with two empty lines between them."""

UNSAID = ("options", "table")  # where they are empty


class Question(NamedTuple):
    """A decision that a seat had to make."""

    at: int  # number of actions before it: `arena replay --at` shows that moment
    fields: tuple[Any, ...]  # of the view
    legal: tuple[str, ...]
    answer: str | None  # the decision; None where the seat forfeited instead


def find_questions(
    record: dict[str, Any],
    seat: int,
    tables: Sequence[int],
    failed: Mapping[int, str] = NOT_KNOWN,
) -> Iterator[Question]:
    """Yield what a seat was asked, in order, up to its forfeit or the end of the game, as
    `find_all_questions` has it of all.
    """
    return (question for who, question in find_all_questions(record, tables, failed) if who == seat)


def find_all_questions(
    record: dict[str, Any], tables: Sequence[int], failed: Mapping[int, str] = NOT_KNOWN
) -> Iterator[tuple[int, Question]]:
    """Yield what each seat was asked, in order, with the seat.

    `tables` are `view.table` by seat. `failed` has the phases that seats failed in, by seat: a seat
    that is asked for a call of 17 and is the next to play may have failed at either, and a record
    does not say at which. Without `failed` it is the call. The record is one of arena's own that
    the judge agrees with. Raises Divergence if it is not.
    """
    state, game = open_record(record), games.load(record["game"])
    kinds = {(mark.step, mark.seat): mark.kind for mark in Walk(record).marks()}
    course = [(who, action) for who, action, *_ in record["actions"]]
    try:
        for at, step in play_steps(state, course, is_over=record["result"] is not None):
            if isinstance(step, str):
                yield from _asked(state, at, tables, step)
            elif kinds.get((at, step)) not in UNASKED:
                for _ in range(_passes(game, state, step, failed.get(step))):
                    yield from _asked(state, at, tables, state.legal()[0])
                    state.apply(state.legal()[0])
                if step == state.to_act:
                    yield from _asked(state, at, tables, None)
    except IllegalAction as error:
        raise Divergence(len(state.actions), str(error)) from None


def _passes(game: Game, state: State, who: int, phase: str | None) -> int:
    """Count the seats that let it pass, at this place of the record, before `who` failed."""
    trial, first = deepcopy(state), None
    for count in itertools.count():
        if trial.to_act == who and _chooses(trial):
            if phase is None or phase == trial.view(who).phase:
                return count
            first = count if first is None else first
        if trial.to_act is None or not games.priority(game, trial.dump()):
            break
        trial.apply(trial.legal()[0])
        if len(trial.actions) > len(state.actions):
            break  # that is for the record to say
    return first or 0


def _chooses(state: State) -> bool:
    return state.to_act not in state.forfeited and state.has_choice()


def _asked(
    state: State, at: int, tables: Sequence[int], answer: str | None
) -> Iterator[tuple[int, Question]]:
    """Yield what the turn's seat is asked, if it has a choice, with the answer that it gives."""
    if state.to_act is not None and _chooses(state):
        fields = state.fields(state.to_act, tables[state.to_act])
        yield state.to_act, Question(at, fields, state.legal(), answer)


Step = str | int
"""A decision of the turn, or the number of a seat that forfeits."""


def play_steps(state: State, course: Actions, is_over: bool = False) -> Iterator[tuple[int, Step]]:
    """Play a record's actions and what it leaves out, of a game that `is_over` also the passes that
    ended it; yield each step before it is carried out, with the number of actions before it. Raises
    IllegalAction, also where a step is missing that no record leaves out.
    """
    for at, (who, action) in enumerate(course):
        if action == FORFEIT:
            yield at, who
            state.forfeit(who)
            continue
        while state.to_act is not None and (state.to_act != who or action not in state.legal()):
            yield from _left_out(state, at, f"seat {who} cannot play {action!r} as action {at}")
        yield at, action
        state.apply(action)
    while is_over and state.to_act is not None:
        yield from _left_out(state, len(course), "the game is not over")


def _left_out(state: State, at: int, otherwise: str) -> Iterator[tuple[int, Step]]:
    left_out = state.legal()[0]
    yield at, left_out
    state.apply(left_out)
    if len(state.actions) > at:
        raise IllegalAction(otherwise)


def walk_decisions(
    state: State, course: Actions, is_over: bool = True
) -> Iterator[tuple[int, int, int, str]]:
    """Play a game as `play_steps` does; yield each decision that a seat had to make before it is
    carried out: the number of actions before it, that of steps since the last of them, the seat,
    what it decided. None at which it forfeited.
    """
    before, passes = -1, 0
    for at, step in play_steps(state, course, is_over):
        passes, before = (passes + 1, at) if at == before else (0, at)
        if isinstance(step, str) and state.to_act is not None and _chooses(state):
            yield at, passes, state.to_act, step


class Shown(NamedTuple):
    """One question of a game, and its answer."""

    seat: int
    view: Any  # the game's `View`; its `table` is 0
    decision: str | None  # None where the seat forfeited instead, or the record ends before


def find_question_at(
    record: dict[str, Any],
    step: int,
    seat: int | None = None,
    phase: str | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> Shown:
    """Find the question that action number `step` of a record answered; the first has number 0.

    With a seat, it is what that seat was asked there; with a phase, in that one. So the passes of a
    window of 17 are found at the step of the call or the card that came next. A seat that forfeits
    there may have failed at either: `failed` knows, as for `find_questions`; otherwise the phase is
    believed. Raises UsageError if there was no such question or the record does not hold.
    """
    try:
        last = judge_record(record)
        actions = record["actions"]
        if not 0 <= step <= len(actions):
            raise UsageError(f"at: step: found {step}; the game has {len(actions)} actions")
        who, action = actions[step][:2] if step < len(actions) else (None, "")
        if phase is not None and who is not None and action == FORFEIT:
            failed = {who: phase, **failed}
        here = [*_asked_at(record, step, last, failed)]
    except Divergence as error:
        raise UsageError(f"at: the record breaks the rules: {error}") from None
    matching = [one for one in here if seat in (None, one.seat) and phase in (None, one.view.phase)]
    if seat is None and who is not None:
        answer = None if action == FORFEIT else action
        matching = [
            one
            for one in matching
            if one.seat == who and (phase is not None or one.decision == answer)
        ]
    if matching:
        return matching[-1]
    if here:
        there = dict.fromkeys(f"seat {one.seat} in phase {one.view.phase!r}" for one in here)
        asked = who if seat is None else seat
        why = f"seat {asked} is not asked there; expected {either([*there])}"
    elif who is None:
        why = f"the game is over there; expected 0 to {step - 1}"
    elif action == FORFEIT:
        why = f"seat {who} forfeits there without being asked; choose another step"
    else:
        only = f"{action} was its only choice, or a stand-in's"
        why = f"seat {who} was not asked there: {only}; choose another step"
    raise UsageError(f"at: step {step}: {why}")


def _asked_at(
    record: dict[str, Any], step: int, last: State, failed: Mapping[int, str]
) -> Iterator[Shown]:
    """Yield the questions before action number `step`, seat by seat.

    `last` is the state after all actions, in which a seat may be waiting to decide.
    """
    game = games.load(record["game"])
    view = games.bind_options(
        game.View, games.parse_options(game.Options, record.get("options", {}))
    )._make
    asked = find_all_questions(record, [0] * record["players"], failed)
    for seat, question in sorted(asked, key=itemgetter(0)):
        if question.at == step:
            yield Shown(seat, view(question.fields), question.answer)
    if step == len(record["actions"]) and last.to_act is not None and _chooses(last):
        yield Shown(last.to_act, last.view(last.to_act), None)


def write_test(
    record: dict[str, Any],
    step: int,
    id: str = "",
    seat: int | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> str:
    """Write the test of the view that action number `step` of a record answered, and of the
    decision, unless it was a forfeit. In a file `TEST_HEAD` comes before it.

    The bot has its name from the record, and the game is named by the first digits of its id. For
    the others, and what is raised, see `find_question_at`.
    """
    question = find_question_at(record, step, seat, failed=failed)
    bot = name_seats(record)[question.seat] or "my_bot"
    where = f"game {id[:8]} action {step}" if id else f"action {step}"
    return format_test(bot, question.view, question.decision, where)


def format_test(bot: str, view: Any, decision: str | None = None, of: str = "") -> str:
    """Write a test that asks a bot about a view: whether it still makes this decision.

    Without a decision, it tests whether the bot decides at all, and legally. `bot` is its name;
    `of` says in words where the view comes from. The text ends in a line break.
    """
    words = re.sub(r"\W+", "_", f"{bot} {of}".lower(), flags=re.ASCII).strip("_")
    lines = [f"def test_{words}() -> None:", "    view = view_of(", f"        {quote(view.game)},"]
    for name, value in view_arguments(view).items():
        lines += _argument(name, value)
    lines.append("    )")
    asked = f"decide({quote(bot)}, view, confined=True)"
    held = "in view.legal" if decision is None else f"== {quote(decision)}"
    return "\n".join([*lines, f"    assert {asked} {held}"]) + "\n"


def view_arguments(view: Any) -> dict[str, str]:
    """The arguments of `view_of` in such a test, by name, each as a Python expression."""
    fields = {"options": games.changed_options(view.options)} | view._asdict()
    return {n: quote(value) for n, value in fields.items() if value or n not in UNSAID}


def next_arguments(view: Any, before: Any, arguments: Mapping[str, str]) -> dict[str, str]:
    """The same, where `arguments` are those of a view `before` of the same game and table: only
    what differs is written again.
    """
    fields = zip(view._fields, view, before, strict=True)
    return {**arguments, **{name: quote(value) for name, value, old in fields if value != old}}


def quote(value: object) -> str:
    """The value as a Python expression, strings in double quotes."""
    if type(value) is int:  # nearly all are this or a string
        return str(value)
    if isinstance(value, str):
        return _quote_text(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{quote(key)}: {quote(item)}" for key, item in value.items())
        return f"{{{inner}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(quote, value))}{',' * (len(value) == 1)})"
    return repr(value)


_quote_text = lru_cache(1 << 12)(json.dumps)  # of a game's cards and decisions


def _argument(name: str, text: str) -> list[str]:
    """The lines of an argument; a long one goes on below its first bracket."""
    head = f"        {name}="
    if len(head) + len(text) < WIDTH:
        return [f"{head}{text},"]
    lines = wrap(
        text[1:-1], WIDTH - 12, break_long_words=False, break_on_hyphens=False
    )  # no string in a view has a space
    return [f"{head}{text[0]}", *[f"            {line}" for line in lines], f"        {text[-1]},"]
