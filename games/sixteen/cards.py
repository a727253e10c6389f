"""The cards of Sixteen, the options of its rules, the deal, and what a seat may know of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

from games import BaseDump, Event, Rng, first_seat, shuffled

DRAW, SKIP, WILD = "draw", "skip", "W"
GOAL, DEALT = 16, 3
COLOURS = tuple(f"{colour}{number}" for colour in "BGOR" for number in range(7))
WILDS = tuple(f"{WILD}={card}" for card in COLOURS)
HELD = {card: card for card in COLOURS} | dict.fromkeys(WILDS, WILD)
"""Plays, with the card of the hand that they take (S11)."""


@dataclass(frozen=True)
class Options:
    """The rule options."""

    match: bool = True
    """Three alike in a row make a set; without it 16 and busts alone do (S16)."""
    wilds: bool = True
    """The two wilds are in the pack (S17)."""
    bonus: bool = False
    """A card that makes a set in two ways at once counts two (S10)."""
    bonus_triple: bool = False
    """With `bonus`: one that makes it in all three ways counts three (S10)."""
    bust_vs_match: Literal["bust", "match"] = "bust"
    """The kind of a card that is both (S09)."""
    draw_rule: Literal["auto", "strict", "loose"] = "auto"
    """Drawing is no decision; or it is, and a skipped draw is lost or made up later (S18, S19)."""
    strict_floor: Literal[1, 0] = 1
    """With `strict`: how many cards a hand may shrink to between turns (S18)."""


class Setup(NamedTuple):
    """All that chance decided."""

    deck: tuple[str, ...]  # from top to bottom, before dealing
    first: int


class Dump(BaseDump):
    """The whole state: the pile with wilds as declared, its total, the number of cards in the
    deck, hands by seat and sets by side.
    """

    legal: list[str]
    pile: list[str]
    total: int
    hands: list[list[str]]
    deck: int
    sets: list[int]


class Fields(NamedTuple):
    """The facts that the seat to decide may know."""

    table: int  # a name of the game within this process
    players: int  # how many play
    seat: int  # who is asked: this bot
    phase: str  # "play", or "draw" with a draw rule
    since: tuple[Event, ...]  # all that happened since this seat's last question
    hand: tuple[str, ...]  # own cards, sorted; the others' are hidden
    pile: tuple[tuple[str, int, bool], ...]  # oldest first: card as it counts, who played it, wild
    total: int  # of the pile
    sets: tuple[int, ...]  # of side 0, of side 1; side = seat mod 2
    deck: int  # cards left in the closed pile
    hands: tuple[int, ...]  # number of cards, by seat
    gone: tuple[str, ...]  # cards of completed sets, oldest first, a wild as "W"


class View(Fields):
    """The facts that the seat to decide may know, and its legal decisions."""

    __slots__ = ()
    game: ClassVar[Literal["sixteen"]] = "sixteen"
    options: ClassVar[Options] = Options()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions; the first is the stand-in's."""
        return decisions(self.phase, self.hand, self.options)


@lru_cache(64)
def pack(options: Options) -> tuple[str, ...]:
    """Return the cards of the game, sorted (S02, S17)."""
    twice = [card for card in COLOURS if card[1] != "0"]
    return tuple(sorted([*COLOURS, *twice, *([WILD] * 2 if options.wilds else [])]))


def deal(options: Options, seats: int, rng: Rng) -> Setup:
    """Return a setup. All the chance in the game is here."""
    return Setup(tuple(shuffled(pack(options), rng)), int(rng.random() * seats))


def parse_setup(options: Options, seats: int, record: Mapping[str, Any]) -> Setup:
    """Return the setup a record describes. Raises ValueError, naming the key."""
    deck, cards = record.get("deck"), pack(options)
    if not isinstance(deck, list) or len(deck) != len(cards):
        raise ValueError(f"setup.deck: takes a list of {len(cards)} cards")
    for card in deck:
        if deck.count(card) != cards.count(card):
            many = f"found {card!r} {deck.count(card)} times"
            raise ValueError(f"setup.deck: {many}; expected it {cards.count(card)} times")
    return Setup(tuple(deck), first_seat(record, seats))


def may_skip(held: int, options: Options) -> bool:
    """Return whether a draw may be left out with `held` cards in hand (S18, S19)."""
    return held > (options.strict_floor if options.draw_rule == "strict" else 0)


def decisions(phase: str, hand: tuple[str, ...], options: Options) -> tuple[str, ...]:
    """Return what may be done with a sorted hand: each card once, a wild as all it may be."""
    if phase == DRAW:
        return (DRAW, SKIP) if may_skip(len(hand), options) else (DRAW,)
    cards = hand if len({*hand}) == len(hand) else tuple(dict.fromkeys(hand))
    return cards[:-1] + WILDS if WILD in cards else cards
