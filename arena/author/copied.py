"""Copy this view as a test: what a recorded game asked, as the text of a file of tests."""

from collections.abc import Mapping
from typing import Any

from arena.author.recorded import asked
from arena.records.as_test import HEAD, as_test
from arena.records.questions import NOT_KNOWN


def copied(
    record: Mapping[str, Any],
    step: int,
    id: str = "",
    seat: int | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> str:
    """Return a file with one test: of the view that action number `step` answered, and of the
    decision, unless it was a forfeit.

    The bot is called as the record calls it, the game by the beginning of its id. `failed` knows
    the views that seats failed at. Raises UsageError where nobody was asked there.
    """
    return "\n\n".join([HEAD, one_copied(record, step, id, seat, failed)])


def one_copied(
    record: Mapping[str, Any],
    step: int,
    id: str = "",
    seat: int | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> str:
    """Return the test alone."""
    question = asked(record, step, seat=seat, failed=failed)
    meta = record.get("meta")
    bots = meta.get("bots") if isinstance(meta, dict) else None
    bot = bots[question.seat] if isinstance(bots, list) and question.seat < len(bots) else "my_bot"
    where = f"game {id[:8]} action {step}" if id else f"action {step}"
    return as_test(str(bot), question.view, question.decision, where)
