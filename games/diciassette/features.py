"""Numbers and classes of decisions of 17 for the rules of `arena explain`."""

from collections import Counter
from itertools import product
from typing import Any

from games.diciassette.cards import BACK, NUMBER, UNKNOWN, pack
from games.diciassette.view import View

ROW_GOAL = 17
HIGH = 4


def features(view: View) -> dict[str, float]:
    """Return what the row is worth by the cards that the seat knows, how many it does not know,
    what it is worth on average, and in percent how likely it is to be worth 17 (D01).
    """
    row = [card for card, _, _ in view.row]
    seen, hidden = sum(NUMBER.get(card, 0) for card in row), row.count(UNKNOWN)
    unseen = Counter(card for card in pack(view.options) if not BACK[card])
    unseen.subtract(c for c in (*view.hand, *row, *view.discard) if BACK.get(c) == 0)
    numbers = Counter[int]()
    for card, count in unseen.items():
        numbers[NUMBER[card]] += count
    left = numbers.total() or 1
    sums = {seen: 1.0}
    for _ in range(hidden):
        longer = Counter[int]()
        for (total, chance), (number, count) in product(sums.items(), numbers.items()):
            longer[total + number] += chance * count / left  # type: ignore[assignment]
        sums = dict(longer)
    reached = sum(chance for total, chance in sums.items() if total >= ROW_GOAL)
    mean = seen + hidden * sum(number * count for number, count in numbers.items()) / left
    return {
        "row_seen": seen,
        "row_hidden": hidden,
        "row_mean": round(mean, 1),
        "calls": round(100 * reached),
    }


def move_classes(view: Any, decision: str) -> tuple[str, ...]:
    """Return whether a card is `high` (4 and 5), `low` or `special`, and so with its face."""
    card, _, face = decision.partition(":")
    if card not in NUMBER:
        return ()
    kind = "special" if not NUMBER[card] else "high" if NUMBER[card] >= HIGH else "low"
    return kind, f"{kind}:{face}"
