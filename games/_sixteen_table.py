"""A table of Sixteen as a seat may know it, and what it hears, for whoever draws or tells it."""

from typing import Any

from games import Event, Face
from games._zones import Colour, Piece, Zone, amount, cards

_SAID = {"draw": "draws", "skip": "draws no card"}
_COLOURS: dict[str, Colour] = {"B": "blue", "G": "green", "O": "orange", "R": "red"}


def zones(view: Any) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it."""
    pile = [Piece(f"W={card}" if wild else card, by=seat) for card, seat, wild in view.pile]
    return (
        Zone("pile", tuple(pile)),
        amount("total", view.total),
        amount("cards to come", view.deck, None, "stack"),
        *(
            amount("sets", view.sets[seat % 2], seat, "score", "violet")
            for seat in range(view.players)
        ),
        *(
            cards("hand", view.hand, seat)
            if seat == view.seat
            else cards("hand", (), seat, view.hands[seat])
            for seat in range(view.players)
        ),
        cards("won", view.gone, look="pile"),
    )


def face(text: str) -> Face:
    """Return a card; a wild that was played as the card that it is then."""
    if text == "W":
        return Face("W", "wild", "violet", "wild")
    colour = _COLOURS[text[-2]]
    is_wild = text.startswith("W=")
    words = f"{'wild as ' if is_wild else ''}{colour} {text[-1]}"
    return Face(text[-1], words, colour, f"W={text[-2]}" if is_wild else text[-2])


def heard(event: Event) -> str:
    """Return what an event says its seat did."""
    what = str(event[1])
    if len(event) > 2:
        return f"makes a {what}: side {event[2]} wins {event[3]}"
    if what.startswith("W="):
        return f"plays a wild as {what[2:]}"
    return _SAID.get(what, f"plays {what}")
