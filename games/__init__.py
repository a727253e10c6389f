"""Games of this folder by name, and what holds where a game leaves something out.

A game is a package of this folder, or one file, named as players name it to the arena;
`games/README.md` walks through what it offers, `kit/contract.py` has it as types. Imports the
standard library alone.
"""

import importlib
import importlib.util
import pkgutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from games.kit.contract import Game as Game
from games.kit.contract import Rng as Rng
from games.kit.contract import State as State
from games.kit.options import OptionsError as OptionsError
from games.kit.options import changed_options as changed_options
from games.kit.options import parse_options as parse_options
from games.kit.result import Result as Result
from games.kit.state import FORFEIT as FORFEIT
from games.kit.state import BaseDump as BaseDump
from games.kit.state import BaseState as BaseState
from games.kit.state import Event as Event
from games.kit.state import IllegalAction as IllegalAction
from games.kit.state import bind_options as bind_options
from games.kit.state import first_seat as first_seat
from games.kit.state import shuffled as shuffled
from games.kit.zones import Piece as Piece
from games.kit.zones import Symbol as Symbol
from games.kit.zones import Zone as Zone
from games.kit.zones import merge_zones, value_zone


class Phrase(NamedTuple):
    """Words for what a seat did or got, to follow its name: `takes the 7`."""

    seat: int | None  # None where it is the rules' doing, and the words stand alone
    words: str


@lru_cache(1)
def names() -> tuple[str, ...]:
    """Return the names of all games in this folder, in alphabetical order."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in modules if name != "kit" and name[0] != "_"))


def load(name: str) -> Game:
    """Return the game of that name. Raises KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    return cast(Game, importlib.import_module(f"games.{name}"))


@lru_cache
def title(name: str) -> str:
    """A game's name as people say it: its `TITLE`; else, or of a game that is not here, `name`."""
    return _optional(load(name), "TITLE", name) if name in names() else name


_D = TypeVar("_D")


def _optional(game: Game, name: str, default: _D) -> _D:
    return cast(_D, getattr(game, name, default))


def shared_decks(game: Game) -> bool:
    """Return the game's `SHARED_DECKS`, which holds where a config is silent; else no."""
    return bool(_optional(game, "SHARED_DECKS", False))


def dump_type(game: Game) -> Any:
    """Return the type of a state's dump: the game's `Dump`, else `BaseDump`."""
    return _optional(game, "Dump", BaseDump)


def summarize(game: Game, dump: Mapping[str, Any]) -> str:
    """Return a state's dump in words, on one line: the game's `summarize(dump)`.

    Without it: "key value, key value".
    """
    phrases = (f"{key} {dump[key]}" for key in dump if key not in ("legal", "phase"))
    return _optional(game, "summarize", lambda _: ", ".join(phrases))(dump)


def zones(game: Game, view: Any, over: bool = False) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it: the game's `zones(view)`, then
    what its `derived_zones` says of them; what is next only where the game is not `over`.

    Of a game without it that is every field of the view, as it stands there.
    """
    draw: Callable[[Any], tuple[Zone, ...]] | None = _optional(game, "zones", None)
    if draw is not None:
        return _add_derived(game, draw(view), over)
    return _value_zones(view._asdict(), COMMON_FIELDS)


def open_zones(game: Game, state: State, seats: int) -> tuple[Zone, ...]:
    """Return what lies on the table with all hands open: what any of the seats may know of it.

    Of a game without `zones` that is the state's dump.
    """
    return all_zones(game, state, [state.view(seat) for seat in range(seats)])[0]


def all_zones(game: Game, state: State, views: Sequence[Any]) -> list[tuple[Zone, ...]]:
    """Return what lies on the table with all hands open, then as each of the seats' views has it,
    as `open_zones` and `zones` do.
    """
    draw: Callable[[Any], tuple[Zone, ...]] | None = _optional(game, "zones", None)
    over = state.to_act is None
    if draw is not None:
        by_seat = [draw(view) for view in views]
        return [_add_derived(game, shown, over) for shown in (merge_zones(by_seat), *by_seat)]
    dump = _value_zones(state.dump(), _OF_STEP)
    return [dump, *(zones(game, view, over) for view in views)]


def _value_zones(values: Mapping[str, Any], hidden: Sequence[str]) -> tuple[Zone, ...]:
    shown = [(name, value) for name, value in values.items() if name not in hidden]
    return tuple(value_zone(name, format_value(value)) for name, value in shown)


def _add_derived(game: Game, shown: tuple[Zone, ...], over: bool) -> tuple[Zone, ...]:
    every = shown + _optional(game, "derived_zones", lambda _: ())(shown)
    return tuple(zone for zone in every if not over or zone.style != "next")


def features(game: Game, view: Any) -> Mapping[str, float]:
    """Return numbers that follow from the view, by name, for conditions of `arena explain`: the
    game's `features(view)`, else none. No name is one of the view's fields.
    """
    return _optional(game, "features", lambda _: {})(view)


def move_classes(game: Game, view: Any, decision: str) -> Sequence[str]:
    """Return what kinds of decision this is here, for rules of `arena explain`: the game's
    `move_classes(view, decision)`, else none. No kind is spelled like a decision.
    """
    return _optional(game, "move_classes", lambda *_: ())(view, decision)


def symbol(game: Game, text: str) -> Symbol:
    """Return how a card that shows this text is drawn: the game's `symbol(text)`.

    A game without it has white cards with the text on them.
    """
    return _optional(game, "symbol", lambda text: Symbol(text, text))(text)


def legend(game: Game) -> Mapping[str, str]:
    """Return by text what cards do that no number says: the game's `LEGEND`, else nothing."""
    return _optional(game, "LEGEND", {})


def round_name(game: Game) -> str:
    """Return what the game calls one of its `rounds`: its `ROUND_NAME`, else "round"."""
    return _optional(game, "ROUND_NAME", "round")


def score_unit(game: Game, number: int) -> str:
    """Return what the game counts, after this number of them: its `SCORE_UNIT`, else points."""
    one, more = _optional(game, "SCORE_UNIT", ("point", "points"))
    return one if number == 1 else more


COMMON_FIELDS = ("table", "players", "seat", "phase", "since")
_OF_STEP = ("phase", "to_act", "over", "legal")


def describe_event(game: Game, event: Event) -> str:
    """Return what an event says its seat did, in words that go on from its name: `takes the 7`.

    That is the game's `describe_event(event)`; without it, the event's fields. All games have the
    same words for a forfeit.
    """
    if event[1] == FORFEIT:
        return "forfeits"
    return _optional(game, "describe_event", lambda event: format_value(event[1:]))(event)


def describe_events(
    game: Game,
    options: Any,
    events: Sequence[Event],
    rounds: Sequence[Mapping[str, Any]],
    names: Sequence[str],
) -> list[list[Phrase]]:
    """Return what some events say, in words, a list for each: what was done, then what came of it.

    `events` may be all that a seat knows of; `rounds` are the checkpoints up to the last of them,
    `names` by seat. An event that ends a round is told by the game's
    `describe_round(event, rounds, names, options)`, which returns None of any other, and gets the
    checkpoints up to its own. Without it, `describe_event` has the words.
    """
    describe: Any = _optional(game, "describe_round", lambda *_: None)
    phrases, ended = [], len(rounds)
    for event in reversed(events):
        came = None if event[1] == FORFEIT else describe(event, rounds[:ended], names, options)
        if came is None:
            seat = event[0] if isinstance(event[0], int) and event[0] >= 0 else None
            phrases.append([Phrase(seat, describe_event(game, event))])
        else:
            ended -= 1
            phrases.append([Phrase(seat if seat >= 0 else None, words) for seat, words in came])
    return phrases[::-1]


def split_decision(game: Game, decision: str) -> Sequence[str]:
    """Return a decision as a person makes it, choice after choice.

    That is the game's `split_decision(decision)`. A game without it has one choice: the decision.
    """
    return _optional(game, "split_decision", lambda decision: (decision,))(decision)


def format_value(value: object) -> str:
    """Return a value in words: lists without brackets, one in another by a bar."""
    if not isinstance(value, tuple | list):
        return "-" if value is None else str(value)
    nested = any(isinstance(item, tuple | list) for item in value)
    return (" | " if nested else " ").join(map(format_value, value)) or "-"


def priority(game: Game, dump: Mapping[str, Any]) -> Sequence[int]:
    """Return who is asked for one place of a record, in this order: the game's `priority(dump)`.

    They are those of whom the first to decide otherwise than to let it pass has the place, and
    whose passes no record keeps. Without it, no decision is left out: no seat.
    """
    return _optional(game, "priority", lambda _: ())(dump)


def initial_setup(game: Game, setup: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what of a record's setup was there before the first action.

    That is the game's `initial_setup(setup)`; the rest depends on the play. A game without it has
    all of its setup then.
    """
    return _optional(game, "initial_setup", dict)(setup)


def count_pieces(game: Game, state: State) -> Counter[Any] | None:
    """Return how many there are of each card and chip, wherever they lie.

    Play neither makes nor loses one. None for a game without it, which has nothing of the kind.
    """
    return _optional(game, "count_pieces", lambda _: None)(state)


Actions = Sequence[tuple[int, str]]
"""A record's (seat, action) pairs."""


def resample(
    game: Game, options: Any, seats: int, setup: Any, actions: Actions, seat: int, rng: Rng
) -> tuple[Any, Actions] | None:
    """Return another setup and course which by the rules `seat` cannot tell from the given ones.

    That is the game's `resample`, without `game`: it draws as a deal does, and
    `arena.audit.leaks` holds the views to it. None where the game cannot say, or has none.
    """
    return _optional(game, "resample", lambda *_: None)(options, seats, setup, actions, seat, rng)


_Setup = TypeVar("_Setup")


def complete_setup(game: Game, setup: _Setup, rng: Rng) -> _Setup:
    """Return a record's setup for another course than the record's: the game's `complete_setup`.

    What chance decides after the deal is drawn from `rng` there. A game without it draws all when
    it deals.
    """
    complete: Callable[[_Setup, Rng], _Setup] = _optional(
        game, "complete_setup", lambda given, _: given
    )
    return complete(setup, rng)


def make_view(game: Game, options: Any, given: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return the fields of a view that has the given ones, by name, of the types that they have.

    The others are chosen so that the whole can be: the seat is asked there, and has a choice. That
    is `make_view(options, given)` of the game's `situations.py`, which tests of bots load, and
    no bot's process. Raises ValueError, its `problems` a line each, where nothing goes with what is
    given. None for a game without that file, which cannot say what can be.
    """
    name = f"games.{game.NAME}.situations"
    if not hasattr(game, "__path__") or importlib.util.find_spec(name) is None:
        return None
    fields: tuple[Any, ...] = importlib.import_module(name).make_view(options, given)
    return fields
