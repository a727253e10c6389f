"""A game in progress, as a session keeps it: state, who plays it, and its way there."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arena import ids
from arena.model import Fault, Fixture
from arena.sandbox import wire
from games import State

if TYPE_CHECKING:
    from arena.session.player import Slot


class Table:
    """A game in progress."""

    __slots__ = ("_seeds", "_setup", "_start", "asked", "faults", "fixture", "names", "slots",
                 "state", "trail")  # fmt: skip

    def __init__(
        self, fixture: Fixture, start: Callable[[Any], State], setup: Any,
        slots: "list[Slot]", key: bytes,
    ) -> None:  # fmt: skip
        self.fixture, self.slots = fixture, slots  # by seat
        self.state = start(setup)
        self.trail: list[str | int] = []  # every decision, passes too; a number: that seat forfeits
        self.faults: list[Fault] = []
        self.asked: tuple[Any, ...] = ()  # the question that waits, or was answered last
        self._start, self._setup = start, setup
        # `view.table` and the generator's seed, by seat
        self.names, self._seeds = zip(*ids.of_seats(key, fixture.id, len(slots)), strict=True)

    def begun(self, seat: int) -> wire.Begun:
        """Return what the seat's process is told of the game."""
        return wire.Begun(self.names[seat], self._seeds[seat])

    def turn_of(self) -> "Slot | None":
        """Return the slot that is to decide; None if the game is over or a stand-in is."""
        turn = self.state.turn
        return None if turn is None or turn in self.state.out else self.slots[turn]

    def wait(self) -> None:
        """Queue the question to whose turn it is, made now: what it reads was just written."""
        self.slots[self.ask()].waiting.append(self)

    def ask(self) -> int:
        """Make the question to whose turn it is, anew if there was one; return the seat."""
        seat = self.state.turn
        assert seat is not None, "asked of a game that is over"
        self.asked = self.state.fields(seat, self.names[seat])
        return seat

    def bot(self, seat: int) -> str:
        """Return the name of the seat's bot."""
        return self.fixture.line_up[self.fixture.seating[seat]].name

    def questions(self, seat: int) -> list[tuple[Any, str]]:
        """Return every question the seat was asked, with its answer, oldest first."""
        state, name, asked = self._start(self._setup), self.names[seat], []
        for step in self.trail:
            if isinstance(step, int):
                state.forfeit(step)
                continue
            if state.turn == seat and seat not in state.out and state.choice():
                asked.append((state.fields(seat, name), step))
            state.apply(step)
        return asked
