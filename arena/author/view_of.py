"""A view of any situation that can be, for a test: some of its fields given, the rest chosen."""

from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

import games
from arena import words
from arena.errors import UsageError
from games import OptionsError


def view_of(game: str, /, *, options: Any = None, **fields: Any) -> Any:
    """Return a view of that game with these fields; the others are chosen so that the whole can be.

    `options` are the rule options that differ from the default, as a config has them (a mapping) or
    as the game's `Options`. Raises UsageError, with every trouble at once, for a field that does
    not exist or is of a wrong type, for a situation that the game says cannot be, and for a game
    that cannot say.
    """
    if game not in games.names():
        raise UsageError(f"view_of: {words.not_one_of(game, games.names())}")
    rules = games.load(game)
    built = options_of(rules, options)
    given, problems = _converted(rules, fields)
    if problems:
        raise UsageError(*[f"view_of: {problem}" for problem in problems])
    try:
        found = games.situation(rules, built, given)
    except ValueError as error:
        lines = getattr(error, "problems", (str(error),))
        raise UsageError(*[f"view_of: {line}" for line in lines]) from None
    if found is None:
        raise UsageError(
            f"view_of: {game} has no check of situations (games/_{game}_situations.py), so none can"
            " be made up; take a recorded one: arena.testing.at(record, step)"
        )
    return games.bind(rules.View, built)._make(found)


def options_of(rules: games.Game, given: Any) -> Any:
    """Return the game's options of what a test gives: none, a mapping, or themselves."""
    if isinstance(given, rules.Options):
        return given
    if not isinstance(given, Mapping | None):
        raise UsageError(f"view_of: options: found {words.shown(given)}; it takes a dict")
    try:
        return games.options_from(rules.Options, given or {})
    except OptionsError as error:
        raise UsageError(*[f"view_of: options.{name}: {what}" for name, what in error.problems]) \
            from None  # fmt: skip


def _converted(rules: games.Game, fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the fields as a view has them, tuples all through, and what is wrong with the rest."""
    types = get_type_hints(rules.View)
    names = rules.View._fields
    given, problems = {}, []
    for name, value in fields.items():
        if name not in names:
            near = words.nearest(name, names)
            hint = f"did you mean {near}?" if near else f"it takes {', '.join(names)}"
            problems.append(f"{name}: {rules.NAME} has no such field; {hint}")
            continue
        try:
            given[name] = msgspec.convert(value, types[name])
        except (msgspec.ValidationError, OverflowError) as error:
            problems.append(f"{name}: found {words.shown(value)}; {str(error)[:1].lower()}"
                            f"{str(error)[1:].replace('`', '')}")  # fmt: skip
    return given, problems
