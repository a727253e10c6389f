"""Adds up the numbers that it sees: takes a card for its number in chips, makes 16, calls 17."""

import random

from games import diciassette, no_thanks, sixteen


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return what the sum says; a row gets its lowest card, a pile any that fits."""
    if isinstance(view, no_thanks.View):
        return no_thanks.TAKE if view.pot >= view.card else no_thanks.PASS
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        seen = sum(diciassette.NUMBER.get(card, 0) for card, _, _ in view.row)
        return diciassette.CALL if seen >= 17 else diciassette.PASS
    if isinstance(view, sixteen.View) and view.phase != sixteen.DRAW:
        room = sixteen.GOAL - view.total
        makes_16 = [play for play in view.legal if int(play[-1]) == room]
        fits = [play for play in view.legal if int(play[-1]) <= room]
        return random.choice(makes_16 or fits or view.legal)
    return view.legal[0]
