"""Completes a set of Sixteen if it can, else leaves what fewest unseen cards would complete."""

import random

from games import diciassette, no_thanks, sixteen


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return the card that serves the neighbour least; in other games any legal decision."""
    if not isinstance(view, sixteen.View) or view.phase == sixteen.DRAW:
        return elsewhere(view)
    pile = [card for card, _, _ in view.pile[-2:]]
    below = [play for play in view.legal if view.total + int(play[-1]) <= sixteen.GOAL]
    for play in below:
        if view.total + int(play[-1]) == sixteen.GOAL or (len(pile) == 2 and alike(*pile, play)):
            return play
    everything = "".join(sixteen.pack(view.options))
    seen = "".join([*view.hand, *view.gone, *(card for card, _, _ in view.pile)])

    def danger(play: str) -> int:
        colour, number = play[-2], play[-1]
        marks = [str(sixteen.GOAL - view.total - int(number))]  # what makes 16
        marks += [mark for mark in (colour, number) if pile and mark in pile[-1]]
        return sum(everything.count(mark) - seen.count(mark) for mark in marks)

    cards = [play for play in below if sixteen.HELD[play] == play]  # wilds are kept for sets
    return min(cards or below or view.legal, key=danger)


def alike(*cards: str) -> bool:
    """Return whether the cards share their colour or their number."""
    return any(len({card[place] for card in cards}) == 1 for place in (-2, -1))


def elsewhere(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return what often is right: call 17 at eight cards, take a card for half its number."""
    if isinstance(view, diciassette.View) and view.phase == diciassette.WINDOW:
        return diciassette.CALL if len(view.row) >= 8 else diciassette.PASS
    if isinstance(view, no_thanks.View):
        return no_thanks.TAKE if 2 * view.pot >= view.card else no_thanks.PASS
    return random.choice(view.legal)
