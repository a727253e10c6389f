"""A table of 17 as a seat may know it, and what it hears, for whoever draws or tells it.

A card face down that the seat knows stands in brackets: its own, or one with a number on its back.
"""

from typing import Any

from games import Event
from games._diciassette_cards import BACK, CALL, DOWN, UNKNOWN, WINDOW
from games._zones import BACK as BLANK
from games._zones import Piece, Zone, amount, cards

_SAID = {
    "pass": "does not call",
    "reshuffle": "the discard pile is the new draw pile",
    "void": "nobody can play: the round is void",
}


def zones(view: Any) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it."""
    seats = range(view.players)
    top = () if view.top_back is None else (_by_back(view.top_back),)
    return (
        Zone("row", tuple(_placed(card, face) for card, face, _ in view.row)),
        amount("now", "call or pass" if view.phase == WINDOW else "play"),
        amount("turns go", "to the left" if view.direction == 1 else "to the right"),
        amount("cards due", view.need or view.due),
        amount("draw pile", view.deck),
        Zone("its top", top),
        Zone(
            "discarded", tuple(BLANK if card == UNKNOWN else Piece(card) for card in view.discard)
        ),
        *(amount("victories", view.tokens[seat][0], seat) for seat in seats),
        *(amount("penalties", view.tokens[seat][1], seat) for seat in seats),
        *(
            cards("hand", view.hand, seat)
            if seat == view.seat
            else Zone("hand", tuple(map(_by_back, view.backs[seat])), seat)
            for seat in seats
        ),
    )


def _placed(card: str, face: str) -> Piece:
    if card == UNKNOWN:
        return BLANK
    return Piece(f"({card})" if face == DOWN else card)


def _by_back(number: int) -> Piece:
    """Return a card of which the back is seen: a number there says what it is."""
    return Piece(f"N{number}") if number else BLANK


def heard(event: Event) -> str:
    """Return what an event says its seat did."""
    what = str(event[1])
    if len(event) > 2 and isinstance(event[3], tuple):
        row = " ".join(card for card, _, _ in event[3]) or "no card"
        how = "calls 17" if what == CALL else "cannot play, as if it called 17"
        return f"{how}: {row} make {event[2]}"
    if what == CALL:
        return "calls 17"
    card, _, face = what.partition(":")
    if card in BACK or card == UNKNOWN:
        named = "a card" if card == UNKNOWN else card
        return f"plays {named} face down" if face == DOWN else f"plays {named}"
    return _SAID.get(what, what)
