"""A game in progress, as a session keeps it: state, who plays it, and its way there."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arena import seeds
from arena.model import Fault, Fixture
from games import FORFEIT, State

if TYPE_CHECKING:
    from arena.slot import Slot


class Table:
    """A game in progress."""

    __slots__ = (
        "_key",
        "_names",
        "_setup",
        "_start",
        "faults",
        "fixture",
        "slots",
        "state",
        "trail",
    )

    def __init__(
        self, fixture: Fixture, start: Callable[[Any], State], setup: Any,
        slots: "list[Slot]", key: bytes,
    ) -> None:  # fmt: skip
        self.fixture, self.slots = fixture, slots  # by seat
        self.state = start(setup)
        self.trail: list[tuple[int, str]] = []  # every decision, passes and forfeits too
        self.faults: list[Fault] = []
        self._start, self._setup, self._key = start, setup, key
        self._names: dict[int, int] = {}

    def name(self, seat: int) -> int:
        """Return `view.table` of the seat."""
        name = self._names.get(seat)
        if name is None:
            name = self._names[seat] = seeds.table(self._key, self.fixture.id, seat)
        return name

    def seed(self, seat: int) -> bytes:
        """Return the seed of the seat's generator."""
        return seeds.generator_seed(self._key, self.fixture.id, seat)

    def bot(self, seat: int) -> str:
        """Return the name of the seat's bot."""
        return self.fixture.line_up[self.fixture.seating[seat]].name

    def questions(self, seat: int) -> list[tuple[Any, str]]:
        """Return every question the seat was asked, with its answer, oldest first."""
        state, name, asked = self._start(self._setup), self.name(seat), []
        for who, decision in self.trail:
            if decision == FORFEIT:
                state.forfeit(who)
                continue
            if who == seat and who not in state.out and state.choice():
                asked.append((state.fields(seat, name), decision))
            state.apply(decision)
        return asked
