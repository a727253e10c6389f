"""Views for tests of bots: some fields given and the rest chosen to fit, or of a record: one, or
all that a seat was shown in a game.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec

import games
from arena.errors import UsageError
from arena.records.questions import Question, find_question_at, find_questions
from arena.records.replay import read_meta
from arena.sandbox import wire
from arena.words import nearest, not_one_of, spell
from games import OptionsError


def view_of(game: str, /, *, options: Any = None, **fields: Any) -> Any:
    """Make a view of that game with these fields; the others are chosen to make it possible.

    `options` are the rule options that differ from the default, as a config has them (a mapping) or
    as the game's `Options`. Raises UsageError, with every problem at once, for a field that does
    not exist or has a wrong type, for an impossible situation, and for a game that cannot check
    situations.
    """
    if game not in games.names():
        raise UsageError(f"view_of: {not_one_of(game, games.names())}")
    rules = games.load(game)
    built = options_of("view_of", rules, options)
    given, problems = _convert(rules, fields)
    if problems:
        raise UsageError(*[f"view_of: {problem}" for problem in problems])
    try:
        view = games.make_view(rules, built, given)
    except ValueError as error:
        lines = getattr(error, "problems", (str(error),))
        raise UsageError(*[f"view_of: {line}" for line in lines]) from None
    if view is None:
        raise UsageError(
            f"view_of: {game} has no check of situations (games/{game}/situations.py), so views "
            f"cannot be made up; use a recorded one: arena.testing.at(record, step)"
        )
    return games.bind_options(rules.View, built)._make(view)


def options_of(caller: str, rules: games.Game, given: Any) -> Any:
    """The game's options from what a test gives: None, a mapping, or the options themselves. Raises
    UsageError, its messages begun with the `caller`.
    """
    if isinstance(given, rules.Options):
        return given
    if not isinstance(given, Mapping | None):
        raise UsageError(f"{caller}: options: found {spell(given)}; expected a dict")
    try:
        return games.parse_options(rules.Options, given or {})
    except OptionsError as error:
        wrong = [f"{caller}: options.{name}: {what}" for name, what in error.problems]
        raise UsageError(*wrong) from None


def _convert(rules: games.Game, fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The fields as a view has them, with tuples throughout, and what is wrong with the others."""
    types, names = get_type_hints(rules.View), rules.View._fields
    given, problems = {}, []
    for name, value in fields.items():
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean {near}?" if near else f"the fields are {', '.join(names)}"
            problems.append(f"{name}: {rules.NAME} has no such field; {hint}")
            continue
        try:
            given[name] = msgspec.convert(value, types[name])
        except (msgspec.ValidationError, OverflowError) as error:
            why = str(error)[:1].lower() + str(error)[1:].replace("`", "")
            problems.append(f"{name}: found {spell(value)}; {why}")
    return given, problems


def at(
    record: Mapping[str, Any] | str | Path,
    step: int,
    *,
    seat: int | None = None,
    phase: str | None = None,
    line: int = 1,
) -> Any:
    """The view that action number `step` of a record answered; the first action has number 0.

    `record` is a record as a dict, one line of `arena records`, or a file of such lines; `line`
    chooses one, counted from 1. `seat` and `phase` choose another question of the same step:
    in a window of 17 others are asked before a call, and pass. A seat that forfeits there may have
    failed in the window or in the play after it, and the record does not say which: without `phase`
    it counts as the window. The view is made by the rules; its `table` is 0. Raises UsageError
    where the record breaks the rules, or the seat was not asked there.
    """
    return find_question_at(read_record(record, line), step, seat, phase).view


def read_record(given: Mapping[str, Any] | str | Path, line: int = 1) -> dict[str, Any]:
    """Parse or read a record, given as `at` takes it. Raises UsageError."""
    if isinstance(given, Mapping):
        return dict(given)
    place = "record"
    if not (isinstance(given, str) and given.lstrip().startswith("{")):
        place = f"{given}:{line}"
        try:
            with open(given, encoding="utf-8", errors="replace") as stream:
                given = next(islice(stream, max(line - 1, 0), None), "")
        except (OSError, TypeError) as error:
            why = getattr(error, "strerror", None) or "neither a record nor a file's name"
            raise UsageError(f"{given}: cannot be read: {why}") from None
        if not given:
            raise UsageError(f"{place}: no such line in the file; lines count from 1")
    try:
        record = json.loads(str(given))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: not JSON ({error}); expected a line of arena records") from None
    if not isinstance(record, dict):
        raise UsageError(f"{place}: found {spell(record)}; expected a record, a JSON object")
    return record


class RecordedGame(NamedTuple):
    """A recorded game as one seat saw it, with the random numbers that the bot had then."""

    id: str
    seat: int
    hello: wire.Hello
    begun: wire.Begun
    questions: Sequence[Question]

    def view(self, number: int) -> Any:
        """A question's view, as the bot is shown it."""
        game = games.load(self.hello.game)
        kind = games.bind_options(game.View, games.parse_options(game.Options, self.hello.options))
        return msgspec.msgpack.decode(
            msgspec.msgpack.encode(self.questions[number].fields), type=kind
        )


def find_recorded_game(
    record: dict[str, Any], seat: int, begun: wire.Begun, failed: Mapping[int, str]
) -> RecordedGame:
    """The game of a record that the judge agrees with, as a seat saw it; `failed` is that of
    `arena.records.questions.find_questions`.
    """
    hello = wire.Hello(record["game"], record.get("options", {}))
    tables = [begun.table] * record["players"]  # of the other seats none is shown
    asked = tuple(find_questions(record, seat, tables, failed))
    return RecordedGame(str(read_meta(record).get("id", "")), seat, hello, begun, asked)
