"""A game in progress as far as games share it: chance, events, forfeits, copies, ranks."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, Self, TypedDict, TypeVar, cast

from games.kit.contract import Rng, State

Event = tuple[int | str | tuple[tuple[str, str, int], ...], ...]
"""An event, as one seat may know it: `(seat, what, ...)`; seat -1 is the rules' doing.
One tuple type for all shapes, because a union of tuple types cannot be decoded."""

FORFEIT = "forfeit"


class IllegalAction(ValueError):
    """The action cannot be played here; the message says why. The state is unchanged."""


_Card = TypeVar("_Card")


def shuffled(cards: Sequence[_Card], rng: Rng) -> list[_Card]:
    """Return the cards in the order of numbers drawn for them, one a card, in the order given.

    It depends on these numbers alone, while `shuffle` and `sample` of a `random.Random` may differ
    from one Python to the next. A source whose numbers are made already may have `keys(count)`:
    the next of them at once, or others that are ordered alike.
    """
    keys: Callable[[int], list[float]] | None = getattr(rng, "keys", None)
    draw = rng.random
    numbers = keys(len(cards)) if keys else [draw() for _ in cards]
    return [cards[place] for place in sorted(range(len(cards)), key=numbers.__getitem__)]


def first_seat(record: Mapping[str, Any], seats: int) -> int:
    """Return the `first` of a record's setup. Raises ValueError, naming it, if it is no seat."""
    first = record.get("first")
    if type(first) is not int or not 0 <= first < seats:
        raise ValueError(f"setup.first: found {first!r}; expected a seat, 0 to {seats - 1}")
    return first


_V = TypeVar("_V")


def bind_options(view: type[_V], options: object) -> type[_V]:
    """Return the type of `view` in a game under these options: they are its class variable."""
    return cast(type[_V], _bound(cast(Any, view), options))


@lru_cache(64)
def _bound(view: Any, options: Any) -> Any:
    space = {"__slots__": (), "__doc__": view.__doc__, "options": options}
    return type(view.__name__, (view,), space)


class BaseDump(TypedDict):
    """The whole state: its phase, the seat to act (null at the end) and the reason of the end."""

    phase: str
    to_act: int | None
    over: str | None


class BaseState(State, Generic[_V]):
    """A state without its rules. Only `apply`, `forfeit` and `replay` change it.

    A game adds `VIEW`, `_log`, its list of events, `legal`, `fields`, `apply` and `result`.
    """

    __slots__ = ("forfeited", "options", "over", "seats", "start", "to_act")
    VIEW: ClassVar[Any]
    phase: str = "play"
    _log: list[Event]
    _slots: ClassVar[list[str]]

    def __init_subclass__(cls) -> None:
        cls._slots = [name for base in cls.__mro__ for name in getattr(base, "__slots__", ())]

    def __init__(self, options: Any, seats: int, setup: Any, to_act: int) -> None:
        self.options = options
        self.seats = seats
        self.start = setup
        self.to_act: int | None = to_act
        self.forfeited: list[int] = []
        self.over: str | None = None  # the reason, once the game is over

    def side(self, seat: int) -> int:
        """Return the side that wins and loses with `seat`: itself."""
        return seat

    @property
    def actions(self) -> list[tuple[int, str]]:
        """Every (seat, action) that took effect, as a record keeps them."""
        return cast(list[tuple[int, str]], [event[:2] for event in self._log])

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """The record's checkpoints: none, as the game is one round."""
        return []

    def has_choice(self) -> bool:
        """Return whether the seat whose turn it is has two or more legal decisions."""
        return len(self.legal()) > 1

    def view(self, seat: int, table: int = 0) -> _V:
        """Return what `seat` may know."""
        view: _V = bind_options(self.VIEW, self.options)._make(self.fields(seat, table))
        return view

    def forfeit(self, seat: int) -> None:
        """Take `seat` out; with one side left the game ends. Raises IllegalAction."""
        if self.to_act is None:
            raise IllegalAction("the game is over")
        if not 0 <= seat < self.seats:
            raise IllegalAction(f"there is no seat {seat}")
        if seat in self.forfeited:
            raise IllegalAction(f"seat {seat} is out already")
        self._take_out(seat)

    def _take_out(self, seat: int) -> None:
        self.forfeited.append(seat)
        self._log.append((seat, FORFEIT))
        if len({*map(self.side, range(self.seats))} - {*map(self.side, self.forfeited)}) == 1:
            self.to_act, self.over = None, "forfeit"

    def replay(self, seat: int, action: str, other_takers: Sequence[int] = ()) -> None:
        """Carry out an action of a record. Raises IllegalAction."""
        if other_takers:
            raise IllegalAction("only a call of 17 names other seats")
        if action == FORFEIT:
            return self.forfeit(seat)
        if self.to_act is None:
            raise IllegalAction("the game is over")
        if seat != self.to_act:
            raise IllegalAction(f"it is the turn of seat {self.to_act}, not {seat}")
        if seat in self.forfeited and action != self.legal()[0]:
            raise IllegalAction(f"the stand-in of seat {seat} plays {self.legal()[0]!r} here")
        return self.apply(action)

    def copy(self) -> Self:
        """Return another game like this one: what happens to one does not happen to the other.

        Lists are copied, what is in them is shared.
        """
        other = object.__new__(type(self))
        for name in self._slots:
            value = getattr(self, name)
            setattr(other, name, value[:] if type(value) is list else value)
        return other

    def make_result(self, scores: list[int], places: Sequence[Any], **more: Any) -> dict[str, Any]:
        """Return the record's result: lowest of `places` first, equals share, forfeits last."""
        if self.forfeited:
            lost = {*map(self.side, self.forfeited)}
            sides = map(self.side, range(self.seats))
            pairs = zip(sides, places, strict=True)
            places = [(1,) if side in lost else (0, place) for side, place in pairs]
        order = sorted(places)
        ranks = [1 + order.index(place) for place in places]
        result = {"ranks": ranks, "scores": scores, **more, "reason": self.over}
        return result | {"forfeits": sorted(self.forfeited)} if self.forfeited else result

    def setup(self) -> dict[str, Any]:
        """Return the record's setup."""
        fields = self.start._asdict().items()
        return {name: [*value] if type(value) is tuple else value for name, value in fields}

    def dump(self) -> dict[str, Any]:
        """Return the whole state, keys as the record format has them: here those of all games."""
        return {
            "phase": "over" if self.to_act is None else self.phase,
            "to_act": self.to_act,
            "over": self.over,
            "legal": list(self.legal()),
        }
