"""Reads all it is shown before it decides, as a bot that plays does: some 3 us a decision."""

from typing import Any


def decide(view: Any) -> Any:
    """Return a decision that every field of the view has a say in."""
    if view.game == "no_thanks":
        return no_thanks(view)
    return sixteen(view) if view.game == "sixteen" else diciassette(view)


def no_thanks(view: Any) -> str:
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


def sixteen(view: Any) -> str:
    """Complete a set; else leave the total that is hardest to complete."""
    missing = 16 - view.total
    gone = len(view.gone) + view.deck + sum(view.hands)
    theirs = [card for card, seat, wild in view.pile if seat != view.seat and not wild]
    behind = view.sets[view.seat % 2] < view.sets[1 - view.seat % 2]
    spoken = len([event for event in view.since if len(event) == 2])
    best, chosen = -99, ""
    for decision in view.legal[:6]:
        number = int(decision[-1])
        worth = 9 if number == missing else -9 if number > missing else number % 3 + behind
        if worth > best or (worth == best and (gone + spoken + len(theirs)) % 2):
            best, chosen = worth, decision
    return chosen


def diciassette(view: Any) -> str:
    """Call what can be seen to be there, or is likely; else play the next card in turn."""
    seen, hidden = 0, 0
    for card, _, _ in view.row:
        number = card[1:]
        if card == "?":
            hidden += 1
        elif number.isdigit():
            seen += int(number) if card[0] != "x" else 0
    thrown = view.discard.count("?") + len(view.since)
    likely = seen + 2 * hidden + (view.tokens[view.seat][1] == 0) + (view.deck < 20) - thrown % 2
    if view.phase == "window":
        return "17" if likely >= 17 else "pass"
    held = sum([len(backs) for backs in view.backs]) + len(view.hand) + view.turns
    legal = view.legal
    return str(legal[(held + likely) % len(legal)])
