"""What lies on a table, as a game's own file describes it, for whoever draws one.

A zone is a place with cards or a number in it; who draws knows no game, and a game nothing of
drawing. Imports the standard library alone.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Piece(NamedTuple):
    """A card, or whatever else is drawn as one thing."""

    text: str  # what its visible side says; "" for a blank back
    back: bool = False  # whether its face is hidden from who looks


class Zone(NamedTuple):
    """A place on the table, and what lies there in order."""

    name: str  # in a word or three: `hand`, `on offer`
    pieces: tuple[Piece, ...]
    seat: int | None = None  # whose it is; None where it is the table's
    cards: bool = True  # whether pieces are cards; else there is one, a number or a word


BACK = Piece("", True)


def cards(name: str, faces: Iterable[object], seat: int | None = None, backs: int = 0) -> Zone:
    """Return a zone of cards that can be seen, then so many backs."""
    return Zone(name, (*(Piece(str(face)) for face in faces), *[BACK] * backs), seat)


def amount(name: str, value: object, seat: int | None = None) -> Zone:
    """Return a zone that is a number or a word; None is hidden."""
    return Zone(name, (BACK if value is None else Piece(str(value)),), seat, False)


def merged(seen: Iterable[tuple[Zone, ...]]) -> tuple[Zone, ...]:
    """Return the zones with all that any seat knows of them; by seat, the zones as it sees them.

    Each is as whoever sees fewest backs in it sees it. Where that leaves some, and cards lie where
    they lay, another seat may know them.
    """
    zones = []
    for same in zip(*seen, strict=True):
        best = min(same, key=lambda zone: sum(piece.back for piece in zone.pieces))
        lying = zip(best.pieces, *(zone.pieces for zone in same), strict=True)
        pieces = [
            next((other for other in (own, *others) if not other.back), own)
            for own, *others in lying
        ]
        zones.append(best._replace(pieces=tuple(pieces)))
    return tuple(zones)
