"""What every game offers, and how the games of this folder are found.

A game is one file of this folder, named as players name it to the arena; `games/README.md`
walks through the contract below. Imports the standard library alone.
"""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from difflib import get_close_matches
from functools import lru_cache
from random import Random
from types import UnionType
from typing import Any, Literal, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

Event = tuple[int | str | tuple[tuple[str, str, int], ...], ...]
"""What happened, as one seat may know it: `(seat, what, ...)`; seat -1 is nobody's doing.
One tuple type for all shapes, because a union of tuple types cannot be decoded."""

FORFEIT = "forfeit"


class IllegalAction(ValueError):
    """The action cannot be played here; the message says why. The state is unchanged."""


class OptionsError(ValueError):
    """Rule options that cannot be; `problems` holds (option's name, what is wrong and would do)."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{name}: {what}" for name, what in problems))
        self.problems = tuple(problems)


class State(Protocol):
    """A game in progress. Only `apply`, `forfeit` and `replay` change it, and in place."""

    turn: int | None
    """The seat that decides next; None when the game is over."""
    out: list[int]
    """The seats that forfeited, in the order they did."""
    actions: list[tuple[int, str]]
    """Every (seat, action) that took effect, as a record keeps them."""

    def choice(self) -> bool:
        """Return whether the seat whose turn it is has two or more legal decisions."""

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn, in the views' order; () when over.

        The first is the stand-in's.
        """

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, as a plain tuple in the order of the view's fields."""

    def view(self, seat: int, table: int = 0) -> Any:
        """Return what `seat` may know, as the game's `View` bound to these options."""

    def apply(self, decision: str) -> None:
        """Carry out the decision of the seat whose turn it is. Raises IllegalAction."""

    def forfeit(self, seat: int) -> None:
        """Take `seat` out of the game. Raises IllegalAction if it is out or the game is over."""

    def replay(self, seat: int, action: str, also: Sequence[int] = ()) -> None:
        """Carry out an action of a record, `forfeit` too, supplying implied passes.

        `also` are the other seats that wanted to call (17 only). Raises IllegalAction.
        """

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """The checkpoints of the record format so far."""

    def result(self) -> dict[str, Any]:
        """Return the record's `result`. The game must be over."""

    def setup(self) -> dict[str, Any]:
        """Return the record's `setup`, with the reshuffles used so far."""

    def dump(self) -> dict[str, Any]:
        """Return the whole state, keys as the record format's last section."""


class Game(Protocol):
    """A module of this folder.

    It may also have `redealt(options, seats, setup, actions, seat, rng)`: another setup and another
    course of a record's (seat, action) pairs, which by the rules `seat` cannot tell from the given
    ones; or None where the game cannot say. It draws by `rng.random()` alone. `arena.audit.leaks`
    holds the views to it; a game without it is not checked.
    """

    NAME: str
    VERSION: int
    """Goes up when a change of the rules' code can change a game's course."""
    KEEPS_ROUNDS: bool
    """Whether the arena's own records carry `rounds`."""
    LOW_WINS: bool
    """Whether the lower score is the better one."""
    Options: type[Any]
    View: type[Any]

    def seat_counts(self, options: Any) -> tuple[int, ...]:
        """Return how many may play under these options, ascending."""

    def side(self, seat: int) -> int:
        """Return the side that wins and loses with `seat`: itself, or its team."""

    def deal(self, options: Any, seats: int, rng: Random) -> Any:
        """Return a setup. All the chance in the game is here, by `rng.random()` alone."""

    def setup_from(self, options: Any, seats: int, record: Mapping[str, Any]) -> Any:
        """Return the setup that a record's `setup` describes.

        Raises ValueError, naming the key and what is wrong: a card missing, doubled or unknown,
        a first seat that is none.
        """

    def State(self, options: Any, seats: int, setup: Any) -> State:
        """Return the game after the deal, before the first decision."""


@lru_cache(1)
def names() -> tuple[str, ...]:
    """Return the names of all games in this folder, in alphabetical order."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name[0] != "_"))


def load(name: str) -> Game:
    """Return the game of that name. Raises KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    return cast(Game, importlib.import_module(f"games.{name}"))


_V = TypeVar("_V")


def bind(view: type[_V], options: object) -> type[_V]:
    """Return the type of `view` in a game under these options: they are its class variable."""
    return cast(type[_V], _bound(cast(Any, view), options))


@lru_cache(64)
def _bound(view: Any, options: Any) -> Any:
    space = {"__slots__": (), "__doc__": view.__doc__, "options": options}
    return type(view.__name__, (view,), space)


_O = TypeVar("_O")


def options_from(cls: type[_O], given: Mapping[str, Any]) -> _O:
    """Return `cls` (a game's `Options`) with the given values, as a config or record has them.

    Raises OptionsError with every wrong name and value at once. A wrong type is wrong: 1 is no
    switch, and true is no number.
    """
    hints = get_type_hints(cls)
    problems, values = [], {}
    for name, value in given.items():
        if name not in hints:
            near = get_close_matches(name, hints, 1, 0.5)
            hint = f"; did you mean {near[0]}?" if near else f"; there is {_any_of(list(hints))}"
            problems.append((name, f"no such option{hint}"))
            continue
        try:
            values[name] = _value(hints[name], value)
        except OptionsError as error:
            problems += [(f"{name}.{inner}", what) for inner, what in error.problems]
        except ValueError as error:
            problems.append((name, str(error)))
    if not problems:
        try:
            return cls(**values)
        except OptionsError as error:
            problems += error.problems
    raise OptionsError(problems)


def changed(options: Any) -> dict[str, Any]:
    """Return the options that differ from their default, as a record keeps them."""
    default = type(options)()
    out: dict[str, Any] = {}
    for name in get_type_hints(type(options)):
        value = getattr(options, name)
        if value != getattr(default, name):
            out[name] = asdict(value) if hasattr(value, "__dataclass_fields__") else value
    return out


def _value(hint: Any, value: object) -> Any:
    """Return `value` if the hint allows it, a group of options built. Raises ValueError."""
    if is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise ValueError(f"found {value!r}; it takes a table")
        return options_from(cast(type, hint), value)
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        if not any(type(value) is type(a) and value == a for a in allowed):
            near = get_close_matches(str(value), [str(a) for a in allowed], 1, 0.5)
            hint_ = f"; did you mean {near[0]!r}?" if near else f"; it takes {_any_of(allowed)}"
            raise ValueError(f"found {value!r}{hint_}")
        return value
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if type(value) not in kinds:
        words = {bool: "true or false", int: "a whole number"}
        wanted = " or ".join(words.get(k, k.__name__) for k in kinds if k is not type(None))
        raise ValueError(f"found {value!r}; it takes {wanted}")
    return value


def _any_of(values: Sequence[object]) -> str:
    """Return the values as one phrase: `a, b or c`."""
    words = [v if isinstance(v, str) else repr(v) for v in values]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
