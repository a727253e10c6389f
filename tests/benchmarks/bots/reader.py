"""Reads all it is shown before it decides, as a bot that plays does: some 3 us a decision."""

from typing import Any


def decide(view: Any) -> str:
    """Take a card for a share of what it costs, the less the more the others want it."""
    card, own, cost, rivals, behind, near = view.card, view.seat, 0, 0, 0, 0
    for seat, cards in enumerate(view.taken):
        points = 0
        for one in cards:
            if one - 1 not in cards:
                points += one
            if -3 < one - card < 3:
                near += 1 if seat == own else -1
        more = 0 if card - 1 in cards else card
        if card + 1 in cards:
            more -= card + 1
        if seat == own:
            cost = more
            behind += points
        else:
            rivals += more <= 0
            behind -= points
    passed = 0
    for event in view.since:
        if event[1] == "pass":
            passed += 1
    poor = view.chips < 4 + view.cards_left // 8
    wanted = cost - 2 * rivals - near - passed - poor + (behind > 40)
    return "take" if 3 * view.pot >= wanted else "pass"
