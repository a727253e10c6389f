"""A real view of each phase of a game, for whoever has to see one before they write a bot.

They come from games by our own rules from a fixed seed, of seats that decide at random, so they are
the same each time. What a bot is asked where there is no choice does not exist, and is not shown.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import games

SEED = 17
PLAYERS = 3  # where the game allows; else its fewest
FIRST = 0.85  # the share of decisions that are the first legal one: 17's rows grow by it


class Example(NamedTuple):
    """A view that a bot was shown, from the middle of a game."""

    phase: str
    option: str  # the rule option under which this phase exists: `draw_rule = "strict"`; or ""
    view: Any


def examples(game: games.Game) -> list[Example]:
    """Return an example of each phase, in the order they first come up; then those that only exist
    under an option.
    """
    found: dict[str, Example] = {}
    for option, value in [("", None), *_options(game.Options)]:
        options = game.Options(**{option: value} if option else {})
        by_phase: dict[str, list[Any]] = {}
        for view in _asked(game, options):
            by_phase.setdefault(view.phase, []).append(view)
        named = f"{option} = {_as_toml(value)}" if option else ""
        for phase, views in by_phase.items():
            eventful = [view for view in views if view.since] or views
            found.setdefault(phase, Example(phase, named, eventful[len(eventful) // 2]))
    return list(found.values())


def _asked(game: games.Game, options: Any) -> Iterator[Any]:
    """Yield the views of a game's questions, in their order."""
    rng, counts = Random(SEED), game.seat_counts(options)
    seats = PLAYERS if PLAYERS in counts else counts[0]
    state = game.State(options, seats, game.deal(options, seats, rng))
    while state.turn is not None:
        legal = state.legal()
        if state.choice():
            yield state.view(state.turn)
        state.apply(legal[0] if rng.random() < FIRST else rng.choice(legal))


def _options(options: type[Any]) -> Iterator[tuple[str, Any]]:
    """Yield each rule option that is a switch or a word, with each value beside its default."""
    for name, hint in get_type_hints(options).items():
        allowed = get_args(hint) if get_origin(hint) is Literal else ()
        allowed = (True, False) if hint is bool else allowed
        for value in allowed:
            if value != getattr(options(), name):
                yield name, value


def _as_toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'
