"""A table of No Thanks! as a seat may know it, and what it hears."""

from collections.abc import Mapping, Sequence
from typing import Any

from games import Event, Symbol
from games.kit.zones import Piece, Zone, card_zone, number_in, value_zone
from games.no_thanks.features import points

TAKE, PASS = "take", "pass"
CHEAP, DEAR = 13, 25  # thirds of 3 to 35
LEGEND = {
    "3": f"Green: up to {CHEAP - 1} points.",
    "13": f"Brown: {CHEAP} to {DEAR - 1} points.",
    "25": f"Red: {DEAR} points or more.",
}


def zones(view: Any) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it."""
    chips = view.all_chips or [None] * view.players
    return (
        card_zone("on offer", () if view.card is None else (view.card,)),
        value_zone("chips on it", view.pot, None, "tokens", "red"),
        value_zone("cards to come", view.cards_left, None, "stack"),
        *(
            value_zone(
                "chips", view.chips if seat == view.seat else chips[seat], seat, "tokens", "red"
            )
            for seat in range(view.players)
        ),
        *(card_zone("cards", sorted(taken), seat) for seat, taken in enumerate(view.taken)),
    )


def derived_zones(shown: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """Return each seat's points as the game stands, where its chips are seen."""
    taken = {zone.seat: zone.pieces for zone in shown if zone.is_cards}
    chips = {zone.seat: number_in(zone) for zone in shown if zone.name == "chips"}
    return tuple(
        value_zone("points", None if left is None else _points(taken[seat], left), seat, "score")
        for seat, left in chips.items()
    )


def _points(taken: Sequence[Piece], chips: int) -> int:
    return points([int(piece.text) for piece in taken], chips)


def symbol(text: str) -> Symbol:
    """Return a card: the dearer, the redder."""
    number = int(text)
    return Symbol(text, text, "green" if number < CHEAP else "orange" if number < DEAR else "red")


def describe_event(event: Event) -> str:
    """Return what an event says its seat did."""
    return "passes" if event[1] == PASS else "takes the card"


def describe_round(
    event: Event, rounds: Sequence[Mapping[str, Any]], names: Sequence[str], options: Any
) -> list[tuple[int, str]] | None:
    """Return what a card taken brought, and what it does to the points of its seat (N07)."""
    if len(event) == 2:
        return None
    *before, last = rounds
    seat, card, pot = last["seat"], last["card"], last["pot"]
    taken = [take["card"] for take in before if take["seat"] == seat]
    more = points([*taken, card], pot) - points(taken, 0)
    chips = f" and {pot} chip{'s' * (pot > 1)}" if pot else ""
    run = " and ".join(str(other) for other in (card - 1, card + 1) if other in taken)
    joined = f", as it joins the {run}" if run else ""
    many = f"{abs(more)} {'more' if more > 0 else 'fewer'} point{'s' * (abs(more) != 1)}"
    return [(seat, f"takes the {card}{chips}: {many if more else 'the same points'}{joined}")]
