"""Keeps the books on all chips in No Thanks! and lets a card go round that only it wants."""

import random
from typing import TYPE_CHECKING

from games import diciassette, no_thanks, sixteen

if TYPE_CHECKING:
    from arena.sandbox.harness import Game


class Bot:
    """One game of No Thanks!, remembered from its first event on; any decision in other games."""

    def __init__(self, game: "Game") -> None:
        self.chips = [0] * game.players
        if isinstance(game.options, no_thanks.Options):
            each = {6: 9, 7: 7}.get(game.players, 11)  # ruling N02
            given = game.options.chips
            self.chips = [each if given is None else given] * game.players

    def decide(self, view: no_thanks.View | sixteen.View | diciassette.View) -> str:
        """Return "take" if the price is right, or will not get better."""
        if not isinstance(view, no_thanks.View):
            return elsewhere(view)
        self.read(view)
        own = price(view, view.seat)
        if view.pot < own / 2 - (2 if view.chips < 4 else 0):
            return no_thanks.PASS
        others = [seat for seat in range(view.players) if seat != view.seat]
        for place, seat in enumerate(others, 1):
            broke = not self.chips[seat]
            if broke or price(view, seat) <= 2 * (view.pot + place):
                return no_thanks.TAKE
        return no_thanks.PASS

    def read(self, view: no_thanks.View) -> None:
        """Book all that happened since the last question."""
        for event in view.since:
            seat, what = event[0], event[1]
            assert isinstance(seat, int)
            if what == no_thanks.PASS:
                self.chips[seat] -= 1
            elif what == no_thanks.TAKE:
                pot = event[3]
                assert isinstance(pot, int)
                self.chips[seat] += pot


def price(view: no_thanks.View, seat: int) -> int:
    """Return the points that the card on offer costs a seat."""
    cards = view.taken[seat]
    return no_thanks.points((*cards, view.card), 0) - no_thanks.points(cards, 0)


def elsewhere(view: sixteen.View | diciassette.View) -> str:
    """Return any legal decision, but call 17 when the numbers that lie open reach it."""
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        seen = sum(diciassette.NUMBER[card] for card, face, _ in view.row if face == diciassette.UP)
        return diciassette.CALL if seen >= 17 else diciassette.PASS
    return random.choice(view.legal)
