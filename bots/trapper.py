"""Hides traps in 17 when a call is near, burdens the next with doubles, calls what it can see."""

import random

from games import diciassette, no_thanks, sixteen
from games.diciassette import CALL, NUMBER, PASS, REV, TRAP, TRASH, WINDOW, X2

TARGET = 17
NEAR = 12  # a total that the next card or the one after may bring to 17


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return a call, a pass or a card; in other games any legal decision."""
    if not isinstance(view, diciassette.View):
        return elsewhere(view)
    seen = sum(NUMBER.get(card, 0) for card, _, _ in view.row)
    if view.phase == WINDOW:
        return CALL if seen >= TARGET else PASS
    if seen < NEAR:
        numbers = [card for card in view.hand if NUMBER[card]]
        if numbers:
            return max(numbers, key=lambda card: NUMBER[card]) + ":u"
    for wanted in (f"{TRAP}:d", f"{X2}:u", f"{TRASH}:u", f"{REV}:u"):
        if wanted in view.legal:
            return wanted
    return min(view.legal, key=lambda play: NUMBER[play[:-2]])


def elsewhere(view: no_thanks.View | sixteen.View) -> str:
    """Return any legal decision, but take a card of No Thanks! for half its number in chips."""
    if isinstance(view, no_thanks.View):
        return no_thanks.TAKE if 2 * view.pot >= view.card else no_thanks.PASS
    return random.choice(view.legal)
