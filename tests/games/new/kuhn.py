"""Kuhn poker: one card each of jack, queen and king, one chip staked, one bet at most.

The higher card takes the pot unless one folds. The numbers K01 to K08 are those of `kuhn.md`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from games import BaseState, Event, IllegalAction, Rng, Zone, first_seat
from games.kit.zones import card_zone, value_zone

NAME = "kuhn"
VERSION = 1
KEEPS_ROUNDS = False
LOW_WINS = False

CHECK, BET, FOLD, CALL = "check", "bet", "fold", "call"
CARDS = "JQK"  # from the lowest
CHIPS = 2  # each, the ante among them


@dataclass(frozen=True)
class Options:
    """The rule options: there are none."""


class Setup(NamedTuple):
    """All that chance decided."""

    deck: tuple[str, ...]  # of seat 0, of seat 1, and the one that nobody gets
    first: int


class Fields(NamedTuple):
    """What the seat to decide may know."""

    table: int  # a name of the game within this process
    players: int  # how many play
    seat: int  # who is asked: this bot
    phase: str  # always "play"
    since: tuple[Event, ...]  # all that happened since this seat's last question
    card: str  # own
    pot: int  # 2, and 3 after a bet


class View(Fields):
    """What the seat to decide may know, and what it may do."""

    __slots__ = ()
    game: ClassVar[str] = NAME
    options: ClassVar[Options] = Options()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions; the first is the stand-in's."""
        return decisions(self.pot)


def decisions(pot: int) -> tuple[str, ...]:
    """Return what may be done: a bet is answered (K03, K04)."""
    return (FOLD, CALL) if pot == 3 else (CHECK, BET)


def seat_counts(options: Options) -> tuple[int, ...]:
    """Return how many may play (K01)."""
    return (2,)


def side(seat: int) -> int:
    """Return the seat: everybody plays alone."""
    return seat


def deal(options: Options, seats: int, rng: Rng) -> Setup:
    """Return a setup. All the chance in the game is here: six decks, two seats to begin."""
    draw = rng.random
    return Setup(tuple(sorted(CARDS, key=lambda _: draw())), int(draw() * seats))


def parse_setup(options: Options, seats: int, record: Mapping[str, Any]) -> Setup:
    """Return the setup a record describes. Raises ValueError, naming the key."""
    deck = record.get("deck")
    if not isinstance(deck, list) or sorted(map(repr, deck)) != sorted(map(repr, CARDS)):
        raise ValueError(f"setup.deck: found {deck!r}; expected J, Q and K once each")
    return Setup(tuple(deck), first_seat(record, seats))


class State(BaseState[View]):
    """A game in progress. Only `apply`, `forfeit` and `replay` change it."""

    __slots__ = ("_asked", "_log", "chips", "pot")
    VIEW = View

    def __init__(self, options: Options, seats: int, setup: Setup) -> None:
        super().__init__(options, seats, setup, setup.first)
        self.chips = [CHIPS - 1] * seats  # K02
        self.pot = seats
        self._log: list[Event] = []
        self._asked = [0] * seats  # length of the log when the seat was last asked

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn; () when over."""
        return () if self.to_act is None else decisions(self.pot)

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, in the order of `Fields`."""
        since = tuple(self._log[self._asked[seat] :])
        return table, len(self.chips), seat, "play", since, self.start.deck[seat], self.pot

    def apply(self, decision: str) -> None:
        """Carry out the turn's decision. Raises IllegalAction."""
        seat = self.to_act
        if seat is None:
            raise IllegalAction("the game is over")
        if decision not in decisions(self.pot):
            legal = " or ".join(self.legal())
            raise IllegalAction(f"seat {seat} played {decision!r}; legal is {legal}")
        self._asked[seat] = len(self._log)
        self._log.append((seat, decision))
        other = 1 - seat
        if decision in (BET, CALL):
            self.chips[seat] -= 1
            self.pot += 1
        if decision == FOLD:
            self._end(other, "complete")  # K04
        elif decision == CALL or (decision == CHECK and seat != self.start.first):
            mine, theirs = (CARDS.index(self.start.deck[each]) for each in (seat, other))
            self._end(seat if mine > theirs else other, "complete")  # K05
        else:
            self.to_act = other

    def _end(self, winner: int, reason: str) -> None:
        self.chips[winner] += self.pot
        self.pot = 0
        self.to_act, self.over = None, reason

    def forfeit(self, seat: int) -> None:
        """End the game, lost by `seat` (K08). Raises IllegalAction."""
        super().forfeit(seat)
        self._end(1 - seat, "forfeit")

    def result(self) -> dict[str, Any]:
        """Return the record's result: the chips won or lost (K06); one wins, always."""
        scores = [chips - CHIPS for chips in self.chips]
        return self.make_result(scores, [-score for score in scores])

    def dump(self) -> dict[str, Any]:
        """Return the whole state."""
        return super().dump() | {
            "cards": list(self.start.deck[:2]),
            "chips": list(self.chips),
            "pot": self.pot,
        }


def summarize(dump: Mapping[str, Any]) -> str:
    """Return a dump in words: pot, and card and chips by seat."""
    hands = zip(dump["cards"], dump["chips"], strict=True)
    return f"pot {dump['pot']}  " + " | ".join(f"{card} {chips}" for card, chips in hands)


def zones(view: View) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it: the other's card is a back."""
    own = (view.card,)
    hands = (((), 1) if seat != view.seat else (own, 0) for seat in range(view.players))
    return (
        value_zone("pot", view.pot, None, "tokens", "orange"),
        *(card_zone("card", faces, seat, backs) for seat, (faces, backs) in enumerate(hands)),
    )


def count_pieces(state: State) -> Counter[str]:
    """Return the cards (K01) and the chips (K02), the pot's too."""
    return Counter([*state.start.deck, *["chip"] * (sum(state.chips) + state.pot)])


def resample(
    options: Options,
    seats: int,
    setup: Setup,
    actions: Sequence[tuple[int, str]],
    seat: int,
    rng: Rng,
) -> tuple[Setup, list[tuple[int, str]]]:
    """Return another deal that `seat` cannot tell from this one after these actions, and them.

    The other's card may be either of two, until cards are shown (K07).
    """
    done = [action for _, action in actions]
    if CALL in done or done == [CHECK, CHECK]:
        return setup, list(actions)
    own, other, left = setup.deck[seat], setup.deck[1 - seat], setup.deck[2]
    if rng.random() < 0.5:
        other, left = left, other
    deck = (own, other, left) if seat == 0 else (other, own, left)
    return Setup(deck, setup.first), list(actions)
