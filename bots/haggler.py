"""Takes a card of No Thanks! when half of what it would cost lies on it in chips."""

import random

from games import diciassette, no_thanks, sixteen


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return "take" if the price is right."""
    if not isinstance(view, no_thanks.View):
        return elsewhere(view)
    mine = view.taken[view.seat]
    cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
    return no_thanks.TAKE if 2 * view.pot >= cost else no_thanks.PASS


def elsewhere(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return any legal decision, but call 17 at eight cards: one is worth about two."""
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        return diciassette.CALL if len(view.row) >= 8 else diciassette.PASS
    return random.choice(view.legal)
