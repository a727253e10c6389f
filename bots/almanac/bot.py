"""Takes a card of No Thanks! for the share of its cost that a table has for players and chips."""

import csv
import random
from pathlib import Path

from games import diciassette, no_thanks, sixteen

with open(Path(__file__).with_name("prices.csv"), encoding="utf-8", newline="") as file:
    _, *lines = csv.reader(file)
PERCENT = {int(players): [int(share) for share in shares] for players, *shares in lines}


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return "take" at the table's price; in other games any legal decision."""
    if not isinstance(view, no_thanks.View):
        return elsewhere(view)
    few, some, many = PERCENT[view.players]
    percent = few if view.chips < 4 else some if view.chips < 10 else many
    mine = view.taken[view.seat]
    cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
    return no_thanks.TAKE if 100 * view.pot >= percent * cost else no_thanks.PASS


def elsewhere(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return any legal decision, but call 17 at eight cards: one is worth about two."""
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        return diciassette.CALL if len(view.row) >= 8 else diciassette.PASS
    return random.choice(view.legal)
