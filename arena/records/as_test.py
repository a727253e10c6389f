"""A view as the text of a test, to be pasted into a file that pytest runs. Pure."""

import json
import re
from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import games
from arena.records.questions import NOT_KNOWN, find_question_at
from arena.records.replay import name_seats

WIDTH = 88
TEST_HEAD = """\
from arena.testing import decide, view_of

# confined=True: behind the walls, as the bot may be a stranger's. For a bot of your own,
# confined=False runs it in this process with your rights, where a debugger reaches it.


"""
"""Of a file of tests, which follow it, with two empty lines between them."""


def write_test(
    record: dict[str, Any],
    step: int,
    id: str = "",
    seat: int | None = None,
    failed: Mapping[int, str] = NOT_KNOWN,
) -> str:
    """Write the test of the view that action number `step` of a record answered, and of the
    decision, unless it was a forfeit. In a file `HEAD` comes before it.

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
    fields = {"options": games.changed(view.options)} | view._asdict()
    return {n: quote(value) for n, value in fields.items() if value or n not in UNSAID}


UNSAID = ("options", "table")  # where they are empty


def quote(value: object) -> str:
    """The value as a Python expression, strings in double quotes."""
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{quote(key)}: {quote(each)}" for key, each in value.items())
        return f"{{{inner}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(quote, value))}{',' * (len(value) == 1)})"
    return repr(value)


def _argument(name: str, text: str) -> list[str]:
    """The lines of an argument; a long one goes on below its first bracket."""
    head = f"        {name}="
    if len(head) + len(text) < WIDTH:
        return [f"{head}{text},"]
    lines = wrap(
        text[1:-1], WIDTH - 12, break_long_words=False, break_on_hyphens=False
    )  # no string in a view has a space
    return [f"{head}{text[0]}", *[f"            {line}" for line in lines], f"        {text[-1]},"]
