"""Nim: take as many as you like from one heap. Who takes the last one of all wins.

No cards, no chance, nothing hidden. The numbers M01 to M06 are those of `nim.md`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from games import BaseState, Event, IllegalAction, OptionsError, Rng

NAME = "nim"
VERSION = 1
KEEPS_ROUNDS = False
LOW_WINS = False

HEAPS = "ABCDEF"
SMALLEST = 3  # tokens in heap A; each further heap has one more (M01)


@dataclass(frozen=True)
class Options:
    """The rule options."""

    heaps: int = 3
    """How many heaps there are (M01)."""
    misere: bool = False
    """Who takes the last token loses, and the others win (M05)."""

    def __post_init__(self) -> None:
        if not 1 <= self.heaps <= len(HEAPS):
            raise OptionsError([("heaps", f"found {self.heaps}; expected 1 to {len(HEAPS)}")])


class Setup(NamedTuple):
    """All that chance decided: nothing."""


class Fields(NamedTuple):
    """What the seat to decide may know: everything."""

    table: int  # a name of the game within this process
    players: int  # how many play
    seat: int  # who is asked: this bot
    phase: str  # always "play"
    since: tuple[Event, ...]  # all that happened since this seat's last question
    heaps: tuple[int, ...]  # tokens in heap A, in heap B and so on


class View(Fields):
    """What the seat to decide may know, and what it may do."""

    __slots__ = ()
    game: ClassVar[str] = NAME
    options: ClassVar[Options] = Options()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions; the first is the stand-in's."""
        return decisions(self.heaps)


def decisions(heaps: Sequence[int]) -> tuple[str, ...]:
    """Return what may be taken: from each heap one, two, up to all of it (M02)."""
    sizes = zip(HEAPS, heaps, strict=False)
    return tuple(f"{heap}{taken}" for heap, size in sizes for taken in range(1, size + 1))


def seat_counts(options: Options) -> tuple[int, ...]:
    """Return how many may play, ascending (M01)."""
    return 2, 3, 4, 5


def side(seat: int) -> int:
    """Return the seat: everybody plays alone."""
    return seat


def deal(options: Options, seats: int, rng: Rng) -> Setup:
    """Return a setup: there is one."""
    return Setup()


def parse_setup(options: Options, seats: int, record: Mapping[str, Any]) -> Setup:
    """Return the setup a record describes. Raises ValueError, naming the key."""
    for key in record:
        raise ValueError(f"setup.{key}: nothing in Nim is left to chance")
    return Setup()


class State(BaseState[View]):
    """A game in progress. Only `apply`, `forfeit` and `replay` change it."""

    __slots__ = ("_asked", "_log", "heaps", "last")
    VIEW = View

    def __init__(self, options: Options, seats: int, setup: Setup) -> None:
        super().__init__(options, seats, setup, 0)
        self.heaps = list(range(SMALLEST, SMALLEST + options.heaps))
        self.last: int | None = None  # who took the last token of all
        self._log: list[Event] = []
        self._asked = [0] * seats  # length of the log when the seat was last asked

    def has_choice(self) -> bool:
        """Return whether the seat whose turn it is has two legal decisions."""
        return self.to_act is not None and sum(self.heaps) > 1

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn; () when over."""
        return () if self.to_act is None else decisions(self.heaps)

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, in the order of `Fields`."""
        since = tuple(self._log[self._asked[seat] :])
        return table, len(self._asked), seat, "play", since, tuple(self.heaps)

    def apply(self, decision: str) -> None:
        """Carry out the turn's decision. Raises IllegalAction."""
        seat = self.to_act
        if seat is None:
            raise IllegalAction("the game is over")
        if decision not in decisions(self.heaps):
            there = ", ".join(map(str, self.heaps))
            raise IllegalAction(f"seat {seat} played {decision!r}; the heaps are {there}")
        if self.has_choice():
            self._asked[seat] = len(self._log)  # the last token of all was no question
        self._log.append((seat, decision))
        self.heaps[HEAPS.index(decision[0])] -= int(decision[1])
        self.to_act = (seat + 1) % len(self._asked)
        if not any(self.heaps):
            self.last, self.to_act, self.over = seat, None, "complete"

    def result(self) -> dict[str, Any]:
        """Return the record's result: winners have a point (M04, M05), forfeits are last (M06)."""
        seats, last, misere = range(len(self._asked)), self.last, self.options.misere
        scores = [int(last is not None and (seat == last) != misere) for seat in seats]
        return self.make_result(scores, [-score for score in scores])

    def dump(self) -> dict[str, Any]:
        """Return the whole state."""
        return super().dump() | {"heaps": list(self.heaps)}
