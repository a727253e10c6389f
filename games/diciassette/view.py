"""A seat's view of 17, and the decisions that follow from it."""

from typing import ClassVar, Literal, NamedTuple

from games import Event
from games.diciassette.cards import CALL, PASS, WINDOW, Options, Placed, plays_of


class Fields(NamedTuple):
    """The facts that the seat to decide may know."""

    table: int  # a name of the game within this process
    players: int  # how many play
    seat: int  # who is asked: this bot
    phase: str  # "play"; "window": call or not
    since: tuple[Event, ...]  # all that happened since this seat's last question
    hand: tuple[str, ...]  # own, sorted
    backs: tuple[tuple[int, ...], ...]  # by seat: the backs of its hand, sorted; 0 is blank
    row: tuple[Placed, ...]  # left to right: card as this seat knows it, "u" or "d", owner
    discard: tuple[str, ...]  # oldest first, as this seat knows them
    deck: int  # cards in the draw pile
    top_back: int | None  # of the draw pile; None without one
    tokens: tuple[tuple[int, int], ...]  # by seat: victories, penalties
    direction: int  # 1 clockwise, -1
    need: int  # cards the player of the turn still owes
    due: int  # cards the next turn owes as things stand
    next: int  # seat that plays the next card if nobody calls
    turns: int  # completed
    last: int | None  # seat that played last in this round


class View(Fields):
    """The facts that the seat to decide may know, and its legal decisions."""

    __slots__ = ()
    game: ClassVar[Literal["diciassette"]] = "diciassette"
    options: ClassVar[Options] = Options()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions; the first is the stand-in's."""
        if self.phase == WINDOW:
            return PASS, CALL
        return plays_of(self.hand)
