"""A table of Sixteen as a seat may know it, and what it hears, for whoever draws or tells it."""

from collections.abc import Mapping, Sequence
from typing import Any

from games import Event, Symbol
from games.kit.zones import Colour, Piece, Zone, card_zone, value_zone

_PHRASES = {"draw": "draws a card", "skip": "draws no card"}
LEGEND = {
    "W": "Wild: its player says which number and colour it is. W=G5 is a wild played as green 5.",
    "B5": "B is blue.",
    "G5": "G is green.",
    "O5": "O is orange.",
    "R5": "R is red.",
}
_COLOURS: dict[str, Colour] = {"B": "blue", "G": "green", "O": "orange", "R": "red"}


def zones(view: Any) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it."""
    pile = [Piece(f"W={card}" if wild else card, played_by=seat) for card, seat, wild in view.pile]
    return (
        Zone("pile", tuple(pile)),
        value_zone("total", view.total),
        value_zone("cards to come", view.deck, None, "stack"),
        *(
            value_zone("sets", view.sets[seat % 2], seat, "score", "violet")
            for seat in range(view.players)
        ),
        *(
            card_zone("hand", view.hand, seat)
            if seat == view.seat
            else card_zone("hand", (), seat, view.hands[seat])
            for seat in range(view.players)
        ),
        card_zone("won", view.gone, style="pile"),
    )


def symbol(text: str) -> Symbol:
    """Return a card; a wild that was played as the card that it is then."""
    if text == "W":
        return Symbol("W", "wild", "violet", "wild")
    colour = _COLOURS[text[-2]]
    is_wild = text.startswith("W=")
    words = f"{'wild as ' if is_wild else ''}{colour} {text[-1]}"
    return Symbol(text[-1], words, colour, f"W={text[-2]}" if is_wild else text[-2])


def describe_event(event: Event) -> str:
    """Return what an event says its seat did."""
    what = str(event[1])
    if what.startswith("W="):
        return f"plays a wild as {what[2:]}"
    return _PHRASES.get(what, f"plays {what}")


def split_decision(decision: str) -> tuple[str, ...]:
    """Return what a person chooses: a card; of a wild its number, then its colour."""
    wild, _, card = decision.partition("=")
    return (wild, card[1], str(_COLOURS[card[0]])) if card else (wild,)


def describe_round(
    event: Event, rounds: Sequence[Mapping[str, Any]], names: Sequence[str], options: Any
) -> list[tuple[int, str]] | None:
    """Return who wins a set, and by what."""
    if len(event) == 2:
        return None
    seat, last = int(str(event[0])), rounds[-1]
    kind, side, count = last["kind"], last["side"], last["count"]
    winner = side if kind == "bust" else seat
    partner = f" with {names[(winner + 2) % 4]}" if len(names) > 2 else ""
    wins = f"wins {'the set' if count == 1 else f'{count} sets'}{partner}"
    if kind == "bust":
        return [(seat, f"goes over 16: the pile makes {last['total']}"), (winner, wins)]
    alike = "three alike in a row"
    if kind == "sixteen":
        return [(seat, f"{wins}: the pile makes 16" + f" with {alike}" * (count > 1))]
    return [(seat, f"{wins}: {alike}" + ", in number and in colour" * (count > 1))]
