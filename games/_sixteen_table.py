"""A table of Sixteen as a seat may know it, and what it hears, for whoever draws or tells it."""

from typing import Any

from games import Event
from games._zones import Zone, amount, cards

_SAID = {"draw": "draws", "skip": "draws no card"}


def zones(view: Any) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it."""
    pile = [f"W={card}" if wild else card for card, _, wild in view.pile]
    return (
        cards("pile", pile),
        amount("total", view.total),
        amount("cards to come", view.deck),
        *(amount("sets", view.sets[seat % 2], seat) for seat in range(view.players)),
        *(
            cards("hand", view.hand, seat)
            if seat == view.seat
            else cards("hand", (), seat, view.hands[seat])
            for seat in range(view.players)
        ),
        cards("won", view.gone),
    )


def heard(event: Event) -> str:
    """Return what an event says its seat did."""
    what = str(event[1])
    if len(event) > 2:
        return f"makes a {what}: side {event[2]} wins {event[3]}"
    if what.startswith("W="):
        return f"plays a wild as {what[2:]}"
    return _SAID.get(what, f"plays {what}")
