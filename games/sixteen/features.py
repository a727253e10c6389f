"""Numbers and classes of decisions of Sixteen for the rules of `arena explain`."""

from collections.abc import Sequence

from games.sixteen.cards import GOAL, View


def features(view: View) -> dict[str, int]:
    """Return what is missing to 16, the sets ahead of the other side, and in how many ways the last
    two cards of the pile are alike: in number, in colour.
    """
    last = [card for card, _, _ in view.pile[-2:]]
    side = view.seat % 2
    return {
        "room": GOAL - view.total,
        "lead": view.sets[side] - view.sets[1 - side],
        "alike": _ways(last) if len(last) == 2 else 0,
    }


def move_classes(view: View, decision: str) -> tuple[str, ...]:
    """Return whether a card `wins` or `busts`; else what it leaves to 16, `leaves_7` being 7 and
    more, and whether it `pairs` with the last card, so that a third one may match.
    """
    card = decision.rpartition("=")[2]
    if view.phase != "play" or not card[1:].isdigit():
        return ()
    pile = [card for card, _, _ in view.pile]
    room, options = GOAL - view.total - int(card[1:]), view.options
    matches = options.match and len(pile) > 1 and _ways([*pile[-2:], card]) > 0
    if room == 0 or (matches and (room > 0 or options.bust_vs_match == "match")):
        return ("wins",)
    if room < 0:
        return ("busts",)
    pairs = options.match and pile and _ways([pile[-1], card]) > 0
    return (f"leaves_{min(room, 7)}", "pairs") if pairs else (f"leaves_{min(room, 7)}",)


def _ways(cards: Sequence[str]) -> int:
    """Return in how many ways all of the cards are alike: 0, 1 or 2."""
    return (len({card[0] for card in cards}) == 1) + (len({card[1] for card in cards}) == 1)
