"""A game in progress, as a session keeps it: state, the seat it waits for, and its actions so far.

Knows seats and no players: the player of a seat takes its questions from the seat's queue.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from arena.ids import SeatNumbers
from arena.model import Fault, Fixture, Reason
from arena.sandbox import wire
from games import State

Beginning = tuple[State, Sequence[str | int]]
"""The state right after the deal, and the steps played before any bot is asked, as in a trail."""


class Origin(NamedTuple):
    """Functions from a fixture to its beginning, always the same, so that no game stores it."""

    begin: Callable[[Fixture], Beginning]
    numbers: Callable[[Fixture], SeatNumbers]


class Script(Protocol):
    """The beginnings of a session's games, and the use of answers, other than by the schedule."""

    at_once: int  # questions in one message, about

    def begin(self, fixture: Fixture) -> Beginning:
        """Begin a game, each time alike."""

    def numbers(self, fixture: Fixture) -> SeatNumbers:
        """The numbers of a game's seats."""

    def answers(self, asked: Sequence["LiveGame"], decisions: Sequence[str]) -> Sequence[str]:
        """Take a batch's decisions, by game; return those that are played: here all of them."""
        return decisions

    def body(self, game: "LiveGame") -> bytes | None:
        """Return the report of a finished game as JSON; None, as here, stands for its record."""
        return None


class LiveGame:
    """A game in progress.

    `aliases` are `view.table` by seat; `queues` are by seat, and hold the games that wait for that
    seat's player.
    """

    __slots__ = (
        "_origin", "aliases", "asked", "faults", "fixture", "queues", "state", "trail",
    )  # fmt: skip

    def __init__(
        self,
        fixture: Fixture,
        origin: Origin,
        aliases: Sequence[int],
        queues: Sequence[list["LiveGame"]],
    ) -> None:
        self.fixture, self.aliases, self.queues = fixture, aliases, queues
        self.state, steps = origin.begin(fixture)
        self.trail = [*steps]  # every decision, passes too; a number: that seat forfeits
        for step in steps:
            _play(self.state, step)
        self.faults: list[Fault] = []
        self.asked: tuple[Any, ...] = ()  # the question that waits, or was answered last
        self._origin = origin

    def make_begun(self, seat: int) -> wire.Begun:
        """The message that announces the game to the seat's process."""
        aliases, seeds = self._origin.numbers(self.fixture)
        return wire.Begun(aliases[seat], seeds[seat])

    def advance(self) -> bool:
        """Play all forced steps and queue the next question; False if the game is over.

        The question is made now: the state it reads was just written.
        """
        state = self.state
        while (seat := state.to_act) is not None:
            if seat not in state.forfeited and state.has_choice():
                self.asked = state.fields(seat, self.aliases[seat])
                self.queues[seat].append(self)
                return True
            decision = state.legal()[0]
            self.trail.append(decision)
            state.apply(decision)
        return False

    def forfeit(self, seat: int, reason: Reason) -> None:
        """Take a seat out of the game."""
        self.state.forfeit(seat)
        self.trail.append(seat)
        self.faults.append(Fault(seat, len(self.state.actions) - 1, reason))

    def questions(self, seat: int, all_of_them: bool = True) -> list[tuple[Any, str]]:
        """Every question the seat was asked, with its answer, oldest first; else those after the
        steps that the game began with.
        """
        (state, steps), alias, questions = self._origin.begin(self.fixture), self.aliases[seat], []
        first = 0 if all_of_them else len(steps)
        for at, step in enumerate(self.trail):
            chooses = at >= first and not isinstance(step, int) and state.to_act == seat
            if chooses and seat not in state.forfeited and state.has_choice():
                questions.append((state.fields(seat, alias), str(step)))
            _play(state, step)
        return questions


def _play(state: State, step: str | int) -> None:
    if isinstance(step, int):
        state.forfeit(step)
    else:
        state.apply(step)
