"""Numbers of No Thanks! for the rules of `arena explain`, and the score that they come from."""

from collections.abc import Iterable
from typing import Any

FREE = 999  # percent: a card that costs nothing


def points(taken: Iterable[int], chips: int) -> int:
    """Return the score of a seat: its runs' lowest cards, less its chips (N07)."""
    return sum({*taken}.difference([card + 1 for card in taken])) - chips


def features(view: Any) -> dict[str, int]:
    """Return what the card on offer costs the seat, and the seat for which it is cheapest; and the
    chips on it in percent of its cost.
    """
    card = (view.card,)
    costs = [points(taken + card, 0) - points(taken, 0) for taken in view.taken]
    cost = costs.pop(view.seat)
    share = 100 * view.pot // cost if cost > 0 else FREE
    return {"cost": cost, "cost_others": min(costs), "pot_share": share}
