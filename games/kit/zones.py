"""A table as a game describes it, for whoever draws one.

A zone is a place with cards or a number in it; who draws knows no game, and a game nothing of
drawing. Imports the standard library alone.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

Colour = Literal["", "blue", "green", "orange", "red", "violet"]
"""Colours to draw with, in light and in dark; "" is the colour of paper."""

ZoneStyle = Literal["", "pile", "stack", "tokens", "score", "next"]
"""Ways to draw a zone where there is room. Cards: side by side, a "pile", small and overlapping,
for what is done with, or the top of a "stack". Numbers: in words, a "stack" of so many backs, as
many "tokens", the "score" of its seat as the game stands, or what is "next", which a game that is
over does not have.
"""


class Piece(NamedTuple):
    """A card, or whatever else is drawn as one thing."""

    text: str  # what its visible side says; "" for a blank back
    is_hidden: bool = False  # whether its face is hidden from who looks
    played_by: int | None = None  # the seat that laid it there, where that matters


class Zone(NamedTuple):
    """A place on the table, and what lies there in order."""

    name: str  # in a word or three: `hand`, `on offer`
    pieces: tuple[Piece, ...]
    seat: int | None = None  # whose it is; None where it is the table's
    is_cards: bool = True  # whether pieces are cards; else there is one, a number or a word
    style: ZoneStyle = ""
    colour: Colour = ""  # of tokens


class Symbol(NamedTuple):
    """The look of a card that shows a piece's text."""

    value: str  # what stands on it, in a sign or a few
    label: str  # the same for who hears it: `green 5`
    colour: Colour = ""
    caption: str = ""  # below the value, small: what its colour alone would say
    is_face_down: bool = False  # lies face down, and who looks knows what it is


BACK = Piece("", True)


def card_zone(
    name: str,
    texts: Iterable[object],
    seat: int | None = None,
    backs: int = 0,
    style: ZoneStyle = "",
) -> Zone:
    """Return a zone of cards that can be seen, then so many backs."""
    return _zone_of(name, tuple(map(str, texts)), seat, backs, style)


def value_zone(
    name: str, value: object, seat: int | None = None, style: ZoneStyle = "", colour: Colour = ""
) -> Zone:
    """Return a zone that is a number or a word; None is hidden."""
    return _zone_of(name, None if value is None else str(value), seat, 0, style, colour)


@lru_cache(1 << 12)  # step after step, and to all who look, most zones are what they were
def _zone_of(
    name: str, texts: tuple[str, ...] | str | None, seat: int | None, backs: int, style: ZoneStyle,
    colour: Colour = "",
) -> Zone:  # fmt: skip
    if isinstance(texts, tuple):
        return Zone(name, (*map(Piece, texts), *[BACK] * backs), seat, style=style)
    return Zone(name, (BACK if texts is None else Piece(texts),), seat, False, style, colour)


def number_in(zone: Zone) -> int | None:
    """Return the number that a `value_zone` is; None where it is hidden."""
    (piece,) = zone.pieces
    return None if piece.is_hidden else int(piece.text)


def merge_zones(seen: Iterable[tuple[Zone, ...]]) -> tuple[Zone, ...]:
    """Return the zones with all that any seat knows of them; by seat, the zones as it sees them.

    Each is as whoever sees fewest backs in it sees it. Where that leaves some, and cards lie where
    they lay, another seat may know them.
    """
    zones = []
    for same in zip(*seen, strict=True):
        alike = same.count(same[0]) == len(same)
        best = same[0] if alike else min(same, key=_count_backs)
        if not alike and _count_backs(best):
            places = zip(best.pieces, *(zone.pieces for zone in same), strict=True)
            pieces = [min(pieces, key=lambda piece: piece.is_hidden) for pieces in places]
            best = best._replace(pieces=tuple(pieces))
        zones.append(best)
    return tuple(zones)


def _count_backs(zone: Zone) -> int:
    return sum([piece.is_hidden for piece in zone.pieces])
