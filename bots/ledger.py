"""Looks at the others: keeps the books on their chips, leaves them little, hides blank backs."""

from typing import TYPE_CHECKING

from games import diciassette, no_thanks, sixteen
from games.diciassette import CALL, DOWN, NUMBER, PASS, TRAP, UNKNOWN, WINDOW

if TYPE_CHECKING:
    from arena.sandbox.harness import Game

SHARE = 0.44  # of its cost that a card of No Thanks! must bring in chips
NEAR = 12  # a row that the next card or the one after may bring to 17


class Bot:
    """One game; of No Thanks! remembered from its first event on."""

    def __init__(self, game: "Game") -> None:
        self.chips = [0] * game.players
        if isinstance(game.options, no_thanks.Options):
            each = {6: 9, 7: 7}.get(game.players, 11)  # ruling N02
            given = game.options.chips
            self.chips = [each if given is None else given] * game.players

    def decide(self, view: no_thanks.View | sixteen.View | diciassette.View) -> str:
        """Return what leaves the others least."""
        if isinstance(view, diciassette.View):
            return call_or_card(view)
        if isinstance(view, sixteen.View):
            return view.legal[0] if view.phase == sixteen.DRAW else card_for_pile(view)
        return self.take_or_pass(view)

    def take_or_pass(self, view: no_thanks.View) -> str:
        """Return "take" if the price is right, or will not get better."""
        self.read(view)
        own = price(view, view.seat)
        if view.pot < own * SHARE - (2 if view.chips < 4 else 0):
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


def card_for_pile(view: sixteen.View) -> str:
    """Return a card that makes a set, else what fewest unseen cards would complete."""
    pile = [card for card, _, _ in view.pile[-2:]] if view.options.match else []
    fits = [play for play in view.legal if view.total + int(play[-1]) <= sixteen.GOAL]
    for play in fits:
        if view.total + int(play[-1]) == sixteen.GOAL or (len(pile) == 2 and alike(*pile, play)):
            return play
    everything = "".join(sixteen.pack(view.options))
    seen = "".join([*view.hand, *view.gone, *(card for card, _, _ in view.pile)])

    def danger(play: str) -> int:
        colour, number = play[-2], play[-1]
        marks = [str(sixteen.GOAL - view.total - int(number))]  # what makes 16
        marks += [mark for mark in (colour, number) if pile and mark in pile[-1]]
        return sum(everything.count(mark) - seen.count(mark) for mark in marks)

    cards = [play for play in fits if sixteen.HELD[play] == play]  # wilds are kept for sets
    return min(cards or fits or view.legal, key=danger)


def alike(*cards: str) -> bool:
    """Return whether the cards share their colour or their number."""
    return any(len({card[place] for card in cards}) == 1 for place in (-2, -1))


def call_or_card(view: diciassette.View) -> str:
    """Return a call of what it sees, a high number, or for a near-full row what is hidden best."""
    seen = sum(NUMBER.get(card, 0) for card, _, _ in view.row)
    if view.phase == WINDOW:
        return CALL if seen >= 17 else PASS
    hidden = sum(card == UNKNOWN for card, _, _ in view.row)
    numbers = [play for play in view.legal if 0 < NUMBER[play[:-2]] < NEAR - seen - hidden]
    if numbers:
        return max(numbers, key=lambda play: NUMBER[play[:-2]])
    trap = f"{TRAP}:{DOWN}"
    return min(view.legal, key=lambda play: (NUMBER[play[:-2]], play != trap, play[-1] != DOWN))
