"""The contract of every game, as types: what chance gives, a game in progress, a game's module."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Rng(Protocol):
    """A source of numbers for a deal: a `random.Random` is one."""

    def random(self) -> float:
        """Return the next number, 0 <= number < 1."""


class State(Protocol):
    """A game in progress. Only `apply`, `forfeit` and `replay` change it, and in place."""

    __slots__ = ()
    to_act: int | None
    """The seat that decides next; None when the game is over."""
    forfeited: list[int]
    """The seats that forfeited, in the order they did."""

    @property
    def actions(self) -> list[tuple[int, str]]:
        """Every (seat, action) that took effect, as a record keeps them."""

    def has_choice(self) -> bool:
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

    def replay(self, seat: int, action: str, other_takers: Sequence[int] = ()) -> None:
        """Carry out an action of a record, `forfeit` too, supplying implied passes.

        `other_takers` are other seats that decided to take the place, too (see `priority`). Raises
        IllegalAction.
        """

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """The checkpoints of the record format so far."""

    def result(self) -> dict[str, Any]:
        """Return the record's `result`; before the game is over, as if it ended now."""

    def setup(self) -> dict[str, Any]:
        """Return the record's `setup`, with the reshuffles used so far."""

    def dump(self) -> dict[str, Any]:
        """Return the whole state, keys as the record format's last section."""


class Game(Protocol):
    """A module of this folder.

    What it may also have is in the second table of `games/README.md`, and is read by the functions
    of the same names in `games/__init__.py`, which say what holds where it is left out.
    """

    NAME: str
    VERSION: int
    """Goes up when a change of the rules' code can change a game's course."""
    KEEPS_ROUNDS: bool
    """True if the arena's records carry `rounds`."""
    LOW_WINS: bool
    """True if the lower score is the better one."""
    Options: type[Any]
    View: type[Any]

    def seat_counts(self, options: Any) -> tuple[int, ...]:
        """Return how many may play under these options, ascending."""

    def side(self, seat: int) -> int:
        """Return the side that wins and loses with `seat`: itself, or its team."""

    def deal(self, options: Any, seats: int, rng: Rng) -> Any:
        """Return a setup. All the chance in the game is here, by `rng.random()` and `shuffled`."""

    def parse_setup(self, options: Any, seats: int, record: Mapping[str, Any]) -> Any:
        """Return the setup that a record's `setup` describes.

        Raises ValueError, naming the key and what is wrong: a card missing, doubled or unknown,
        a first seat that is none.
        """

    def State(self, options: Any, seats: int, setup: Any) -> State:
        """Return the game after the deal, before the first decision."""
