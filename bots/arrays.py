"""Takes a card of No Thanks! for a third of its cost in chips, all tables' prices in one array."""

from collections.abc import Sequence
from random import Random

import numpy as np

from games import diciassette, no_thanks, sixteen

WIDTH = 38  # a place for each card, and one beside the highest


def decide_many(
    views: Sequence[no_thanks.View | sixteen.View | diciassette.View], rngs: Sequence[Random]
) -> list[str]:
    """Return a decision for each view; in other games any legal one."""
    offers = [view for view in views if isinstance(view, no_thanks.View)]
    if len(offers) < len(views):
        return [elsewhere(view, rngs[at]) for at, view in enumerate(views)]
    mine = np.zeros((len(offers), WIDTH), bool)
    for at, view in enumerate(offers):
        mine[at, list(view.taken[view.seat])] = True
    card, pot, chips = np.array([(view.card, view.pot, view.chips) for view in offers]).T
    table = np.arange(len(offers))
    above, below = mine[table, card + 1], mine[table, card - 1]
    # the card's own points unless it goes on a run, less the run's that it goes under
    cost = np.where(below, 0, card) - np.where(above, card + 1, 0)
    take = 3 * pot >= cost
    take |= chips == 0
    return [no_thanks.TAKE if taken else no_thanks.PASS for taken in take.tolist()]


def elsewhere(view: no_thanks.View | sixteen.View | diciassette.View, rng: Random) -> str:
    """Return any legal decision, but call 17 at eight cards: one is worth about two."""
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        return diciassette.CALL if len(view.row) >= 8 else diciassette.PASS
    return rng.choice(view.legal)
