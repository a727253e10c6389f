"""Calls "17" when the unseen cards make it likely, and plays what keeps the row below it."""

import random
from dataclasses import asdict

from games import diciassette, no_thanks, sixteen
from games.diciassette import BACK, CALL, NUMBER, PASS, UNKNOWN, WINDOW

TARGET = 17
LIKELY = 0.6


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return a call, a pass or a card; in other games any legal decision."""
    if not isinstance(view, diciassette.View):
        return elsewhere(view)
    row = [card for card, _, _ in view.row]
    seen = sum(NUMBER.get(card, 0) for card in row)
    totals = [seen + more for more in range(5 * row.count(UNKNOWN) + 1)]
    chances = convolution(blanks(view), row.count(UNKNOWN))

    def reached(number: int) -> float:
        return sum(chances[i] for i, total in enumerate(totals) if total + number >= TARGET)

    if view.phase == WINDOW:
        return CALL if reached(0) > LIKELY else PASS
    return min(view.legal, key=lambda play: reached(NUMBER[play[:-2]]))


def blanks(view: diciassette.View) -> list[float]:
    """Return how likely an unseen blank-backed card is to be worth 0 to 5."""
    counts = [sum(asdict(view.options.specials).values()), 3, 3, 3, 3, 3]
    for card in (*view.hand, *(card for card, _, _ in view.row), *view.discard):
        if BACK.get(card) == 0:
            counts[NUMBER[card]] -= 1
    unseen = sum(counts) or 1
    return [count / unseen for count in counts]


def convolution(one: list[float], cards: int) -> list[float]:
    """Return how likely the sum of so many cards is to be 0, 1, 2 and so on."""
    sums = [1.0]
    for _ in range(cards):
        longer = [0.0] * (len(sums) + 5)
        for total, chance in enumerate(sums):
            for number, share in enumerate(one):
                longer[total + number] += chance * share
        sums = longer
    return sums


def elsewhere(view: no_thanks.View | sixteen.View) -> str:
    """Return any legal decision, but take a card of No Thanks! for half its number in chips."""
    if isinstance(view, no_thanks.View):
        return no_thanks.TAKE if 2 * view.pot >= view.card else no_thanks.PASS
    return random.choice(view.legal)
