"""A seat's knowledge of 17, card by card, and another deal that it cannot tell from the real one.

Written from what happened, not from the views: each card is followed by its slot, the place it had
in the deck or, since a reshuffle, in the new pile. A slot is known to who has held its card and,
once it has been face up or revealed, to all; what was known before a reshuffle is of the old slot.
The rules, and who plays when, are those of `play.py`.
"""

from collections.abc import Sequence
from itertools import pairwise

from games import FORFEIT, Actions, Rng, shuffled
from games.diciassette.cards import (
    BACK,
    CALL,
    DOWN,
    HAND,
    PASS,
    PLAYS,
    TRASH,
    UNKNOWN,
    UP,
    WINDOW,
    Options,
    Setup,
)
from games.diciassette.play import Play


class TrackedGame:
    """A game in play whose cards are tracked by their slots."""

    def __init__(self, options: Options, players: int, setup: Setup) -> None:
        self.state = Play(options, players, setup)
        self.cards = list(setup.deck)  # by slot: the deck, then each new pile, all top first
        self.starts = [0]  # first slot of the deck and of each new pile
        self.top = HAND * players  # the next slot to be drawn
        self.hands = [list(range(seat, self.top, players)) for seat in range(players)]
        self.holder = {slot: seat for seat, hand in enumerate(self.hands) for slot in hand}
        self.row: list[int] = []
        self.discard: list[int] = []  # oldest first
        self.public: set[int] = set()  # has been face up or revealed
        self.fixed: set[int] = set()  # what else stays as it is: see `apply` and `_draw`
        self.done: list[tuple[int, str, int | None]] = []  # seat, decision, slot of the card

    def replay(self, seat: int, action: str) -> None:
        """Carry out an action of a record, and before it the passes that it implies."""
        if action == FORFEIT:
            return self.forfeit(seat)
        while self.state.phase == WINDOW and (action != CALL or self.state.to_act != seat):
            self.apply(PASS)
        return self.apply(action)

    def forfeit(self, seat: int) -> None:
        """Take `seat` out of the game. Raises IllegalAction."""
        self.state.forfeit(seat)
        self.done.append((seat, FORFEIT, None))

    def apply(self, decision: str) -> None:
        """Carry out the decision of the turn. Raises IllegalAction."""
        state = self.state
        seat, rounds, slot = state.to_act, len(state.rounds), None
        state.apply(decision)
        assert seat is not None  # else the game was over, and could not go on
        if decision in PLAYS:
            card, face = PLAYS[decision]
            hand = self.hands[seat]
            slot = next(slot for slot in hand if self.cards[slot] == card)
            hand.remove(slot)
            if seat in state.forfeited and not BACK[card]:
                self.fixed.update(hand)  # a stand-in plays its first card: no other can be less
            if face == UP:
                self.public.add(slot)
            if decision == f"{TRASH}:{UP}" and (self.row or state.options.trash_empty == "discard"):
                self.discard += [*self.row[-1:], slot]
                self.row = self.row[:-1]
            else:
                self.row.append(slot)
        self.done.append((seat, decision, slot))
        if len(state.rounds) > rounds:
            self.public.update(self.row)  # a void row too: it is in the new pile at once
            self.discard += self.row
            self.row = []
        self._draw()

    def _draw(self) -> None:
        """Fill the hands as the game did: at the start of a round several, from its starter on."""
        state = self.state
        for step in range(state.seats):
            seat = (state.next + step * state.direction) % state.seats
            while len(self.hands[seat]) < len(state.hands[seat]):
                if self.top == len(self.cards):
                    self.cards += state.used[len(self.starts) - 1]
                    self.starts.append(self.top)
                    self.fixed.update(self.discard)  # they are the cards of the new pile
                    self.discard = []
                self.hands[seat].append(self.top)
                self.holder[self.top] = seat
                self.top += 1

    def seen(self, seat: int, slot: int) -> str:
        """Return the card of a slot that was drawn, as the rules let `seat` know it."""
        card = self.cards[slot]
        return card if BACK[card] or self._known(seat, slot) else UNKNOWN

    def _known(self, seat: int, slot: int) -> bool:
        """Return whether `seat` has held or seen the front of the slot's card."""
        return slot in self.public or self.holder.get(slot) == seat

    def resample(self, seat: int, rng: Rng) -> tuple[Setup, list[tuple[int, str]]]:
        """Return another deal and other decisions, passes too, that `seat` cannot tell from these.

        Below the top of the pile anything may lie anywhere. A blank back that the seat does not
        know may be any other such card of the same deck or pile.
        """
        cards = list(self.cards)
        _shuffle(cards, range(self.top + 1, len(cards)), rng)
        hidden = {
            slot
            for slot, card in enumerate(cards)
            if not BACK[card] and not self._known(seat, slot) and slot not in self.fixed
        }
        piles = list(pairwise([*self.starts, len(cards)]))
        for start, end in piles:
            _shuffle(cards, [slot for slot in range(start, end) if slot in hidden], rng)
        decisions = [
            (who, f"{cards[slot]}:{DOWN}" if slot is not None and slot in hidden else decision)
            for who, decision, slot in self.done
        ]
        deck, *reshuffles = [tuple(cards[start:end]) for start, end in piles]
        return Setup(deck, self.state.start.first, tuple(reshuffles)), decisions


def _shuffle(cards: list[str], slots: Sequence[int], rng: Rng) -> None:
    mixed = shuffled([cards[slot] for slot in slots], rng)
    for slot, card in zip(slots, mixed, strict=True):
        cards[slot] = card


def resample(
    options: Options, seats: int, setup: Setup, actions: Actions, seat: int, rng: Rng
) -> tuple[Setup, list[tuple[int, str]]]:
    """Return another deal and course of a record's actions that `seat` cannot tell apart.

    What it does not know is shuffled: the pile but for the back of its top, and the blank backs in
    other hands, or face down in the row and the discard; so others played other cards face down.
    Two things are left as they are: what a reshuffle brought back is where it was before that, and
    so is what a stand-in held beside a blank back that it played. The seat is taken to be in the
    window after the last action, in which nobody has passed yet. Raises IllegalAction.
    """
    tracked = TrackedGame(options, seats, setup)
    for who, action in actions:
        tracked.replay(who, action)
    other, decisions = tracked.resample(seat, rng)
    return other, [(who, decision) for who, decision in decisions if decision != PASS]
