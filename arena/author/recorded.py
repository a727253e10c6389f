"""A view of a recorded game, for a test, and the test itself.

The record is given as a dict, as a line, or in a file.
"""

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from arena.errors import UsageError
from arena.records.as_test import HEAD, format_test
from arena.records.judge import Divergence
from arena.records.questions import NOT_KNOWN, Shown, find_question_at
from arena.words import shown


def at(
    record: Mapping[str, Any] | str | Path,
    step: int,
    *,
    seat: int | None = None,
    phase: str | None = None,
    line: int = 1,
) -> Any:
    """The view that action number `step` of a record answered; the first action has number 0.

    `record` is a record as a dict, one line of `arena records`, or a file of such lines, of which
    `line` chooses one, counted from 1. `seat` and `phase` choose another question of the same step:
    in a window of 17 others are asked before a call, and pass. A seat that forfeits there may have
    failed in the window or in the play after it, and the record does not say which: without `phase`
    it counts as the window. The view is made by the rules; its `table` is 0. Raises UsageError
    where the record breaks the rules, or the seat was not asked there.
    """
    return find_question(record, step, seat=seat, phase=phase, line=line).view


def find_question(
    record: Mapping[str, Any] | str | Path,
    step: int,
    *,
    seat: int | None = None,
    phase: str | None = None,
    line: int = 1,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> Shown:
    """The question of `at`, with the decision. `failed` has the views that seats failed at."""
    try:
        return find_question_at(_record(record, line), step, seat, phase, failed)
    except Divergence as error:
        where = "" if error.at is None else f"action {error.at}: "
        raise UsageError(f"at: the record does not hold: {where}{error.why}") from None
    except UsageError as error:
        raise UsageError(*[f"at: {text}" for text in error.args]) from None


def write_test_file(
    record: Mapping[str, Any],
    step: int,
    id: str = "",
    seat: int | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> str:
    """A file with one test: of the view that action number `step` answered, and of the decision,
    unless it was a forfeit.

    The bot has its name from the record, and the game is named by the first digits of its id.
    `failed` has the views that seats failed at. Raises UsageError where no seat was asked there.
    """
    return "\n\n".join([HEAD, write_test(record, step, id, seat, failed)])


def write_test(
    record: Mapping[str, Any],
    step: int,
    id: str = "",
    seat: int | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> str:
    """One test as in `write_test_file`, without the head of the file."""
    question = find_question(record, step, seat=seat, failed=failed)
    meta = record.get("meta")
    bots = meta.get("bots") if isinstance(meta, dict) else None
    bot = bots[question.seat] if isinstance(bots, list) and question.seat < len(bots) else "my_bot"
    where = f"game {id[:8]} action {step}" if id else f"action {step}"
    return format_test(str(bot), question.view, question.decision, where)


def _record(given: Mapping[str, Any] | str | Path, line: int) -> Mapping[str, Any]:
    """Parse or read a record. Raises UsageError."""
    if isinstance(given, Mapping):
        return given
    place = "record"
    if not (isinstance(given, str) and given.lstrip().startswith("{")):
        place = f"{given}:{line}"
        try:
            with open(given, encoding="utf-8", errors="replace") as stream:
                given = next(islice(stream, max(line - 1, 0), None), "")
        except (OSError, TypeError) as error:
            why = getattr(error, "strerror", None) or "no record and no file's name"
            raise UsageError(f"{given}: cannot be read: {why}") from None
        if not given:
            raise UsageError(f"{place}: the file has no such line; lines are counted from 1")
    try:
        record = json.loads(str(given))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: not JSON ({error}); it takes a line of arena records") from None
    if not isinstance(record, dict):
        raise UsageError(f"{place}: found {shown(record)}; it takes a record, a JSON object")
    return record
