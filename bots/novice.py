"""Goes by one number a game: cards that have gone round, rows of six cards, totals up to 16."""

import random

from games import diciassette, no_thanks, sixteen


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return what that number says, or else any legal decision."""
    if isinstance(view, no_thanks.View):
        return no_thanks.TAKE if view.pot >= view.players else no_thanks.PASS
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        return diciassette.CALL if len(view.row) >= 6 else diciassette.PASS
    if isinstance(view, sixteen.View) and view.phase != sixteen.DRAW:
        room = sixteen.GOAL - view.total
        return random.choice([play for play in view.legal if int(play[-1]) <= room] or view.legal)
    return random.choice(view.legal)
