"""Weighs what a card is worth to itself: in its runs, for a set, in a row that is not yet full."""

from games import diciassette, no_thanks, sixteen
from games.diciassette import CALL, NUMBER, PASS, UNKNOWN, WINDOW

FULL = 14  # a row of 17 soon is


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return the decision that pays at once."""
    if isinstance(view, no_thanks.View):
        return take_or_pass(view)
    if isinstance(view, sixteen.View):
        return view.legal[0] if view.phase == sixteen.DRAW else card_for_pile(view)
    row = [card for card, _, _ in view.row]
    worth = sum(NUMBER.get(card, 0) for card in row) + row.count(UNKNOWN)
    if view.phase == WINDOW:
        return CALL if worth >= 17 else PASS
    low = [play for play in view.legal if worth + NUMBER[play[:-2]] < FULL]
    if low:
        return max(low, key=lambda play: NUMBER[play[:-2]])
    return min(view.legal, key=lambda play: NUMBER[play[:-2]])


def take_or_pass(view: no_thanks.View) -> str:
    """Return "take" when half of what the card would cost lies on it in chips."""
    mine = view.taken[view.seat]
    cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
    return no_thanks.TAKE if 2 * view.pot >= cost else no_thanks.PASS


def card_for_pile(view: sixteen.View) -> str:
    """Return a card that makes a set, else the highest that fits, and wilds last."""
    room = sixteen.GOAL - view.total
    fits = [play for play in view.legal if int(play[-1]) <= room]
    pile = [card for card, _, _ in view.pile[-2:]] if view.options.match else []
    for play in fits:
        if int(play[-1]) == room or (len(pile) == 2 and alike(*pile, play)):
            return play
    return max(fits or view.legal, key=lambda play: (sixteen.HELD[play] == play, int(play[-1])))


def alike(*cards: str) -> bool:
    """Return whether the cards share their colour or their number."""
    return any(len({card[place] for card in cards}) == 1 for place in (-2, -1))
