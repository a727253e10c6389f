"""What was asked in a game, and what is needed to write each question down as a test. Pure."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import games
from arena.records.as_test import arguments
from arena.records.questions import questions
from arena.site.splices import splice


class Asked(NamedTuple):
    """A decision that a seat had to make."""

    step: int  # actions before it
    seat: int
    legal: tuple[str, ...]
    answer: str | None  # None where the seat forfeited instead
    changes: list[tuple[str, int, int, str]] | None
    """(field, at, removed, text): how the arguments of its test, as Python reads them, differ from
    those of the seat's question before. None where no test is wanted."""


def asked(record: dict[str, Any], tests: bool, of_faults: bool) -> list[Asked]:
    """Return all questions of a game, by step; of one step the question that its action answered
    last, and before it, by seat, what others let pass. With `tests`, each can be written down as a
    test; what a seat failed at only `of_faults`. Raises Divergence.
    """
    found = [o for seat in range(record["players"]) for o in _of(record, seat, tests, of_faults)]
    last = {(one.step, one.seat): one for one in found}
    actors = [entry[0] for entry in record["actions"]]

    def is_answered(one: Asked) -> bool:
        is_actor = one.step < len(actors) and actors[one.step] == one.seat
        return is_actor and last[one.step, one.seat] is one

    return sorted(found, key=lambda one: (one.step, is_answered(one)))


def _of(record: dict[str, Any], seat: int, tests: bool, of_faults: bool) -> Iterator[Asked]:
    game = games.load(record["game"])
    options = games.options_from(game.Options, record.get("options", {}))
    view = games.bind(game.View, options)._make
    before: dict[str, str] = {}
    for question in questions(record, seat, [0] * record["players"]):
        changes = None
        if tests and (of_faults or question.answer is not None):
            changes = []
            now = arguments(view(question.fields))
            for name in {**before, **now}:
                was, told = before.get(name, ""), now.get(name, "")
                if was != told:
                    at, removed, text = splice(was, told)
                    changes.append((name, at, removed, "".join(text)))
            before = now
        yield Asked(question.at, seat, question.legal, question.answer, changes)
