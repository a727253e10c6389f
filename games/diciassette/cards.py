"""The cards of 17, the options of its rules, and the deal: all that is there before play begins."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from random import Random
from sys import intern
from typing import Any, Literal, NamedTuple

from games import IllegalAction, OptionsError, Rng, first_seat, shuffled

PASS, CALL = "pass", "17"
PLAY, WINDOW = "play", "window"
UP, DOWN = "u", "d"
REV, X2, TRASH, TRAP = "rev", "x2", "trash", "trap"
UNKNOWN = "?"  # a blank-backed card the seat has not seen
HAND = 3

NUMBER = {f"{kind}{number}": number for kind in "nN" for number in range(1, 6)}
NUMBER |= dict.fromkeys((REV, X2, TRASH, TRAP), 0)  # D18, D24
BACK = {card: number if card[0] == "N" else 0 for card, number in NUMBER.items()}  # 0 is blank
PLAYS = {intern(f"{card}:{face}"): (card, face) for card in NUMBER for face in (UP, DOWN)}

Placed = tuple[str, str, int]  # card, face, owner


@dataclass(frozen=True)
class Specials:
    """The number of each special (D03): 20 in all."""

    rev: int = 5
    x2: int = 5
    trash: int = 5
    trap: int = 5

    def __post_init__(self) -> None:
        wrong = [(name, count) for name, count in asdict(self).items() if count < 0]
        if wrong:
            raise OptionsError([(name, f"found {n}; expected 0 or more") for name, n in wrong])


@dataclass(frozen=True)
class Options:
    """The rule options."""

    specials: Specials = Specials()
    """The number of each special (D03)."""
    empty_row_call: bool = True
    """A row emptied by trash may be called (D10)."""
    mid_x2_call: bool = False
    """The others may call between the cards of an x2 turn (D12)."""
    x2_draw: Literal["after", "each"] = "after"
    """Draw after the last card of the turn, or after each (D14)."""
    x2_stack: bool = False
    """Each further x2 in a turn adds one card to the next (D15)."""
    trash_cancels_x2: bool = False
    """A trashed x2 no longer obliges (D20)."""
    trash_empty: Literal["discard", "stay"] = "discard"
    """A trash on an empty row goes to the discard pile, or stays (D21)."""
    own_trap_penalty: bool = True
    """A caller pays for an own trap too (D27)."""
    trap_penalty: Literal["each", "once"] = "each"
    """The caller pays for each trap, or once (D28)."""
    penalty_timing: Literal["batch", "sequential"] = "batch"
    """Second penalties count when all tokens are given, or when received (D30)."""
    next_starter: Literal["base", "trap"] = "base"
    """The winner of the call starts, or the owner of the leftmost revealed trap (D33)."""
    direction_reset: bool = False
    """Each round starts clockwise (D34)."""
    exhaust: Literal["showdown", "void"] = "showdown"
    """A player without a card is deemed to call, or the round is void (D37)."""
    max_turns: int = 1000
    """After so many turns the game ends with the next window nobody calls in (D38)."""

    def __post_init__(self) -> None:
        problems = []
        total = sum(asdict(self.specials).values())
        if total != 20:
            problems.append(("specials", f"found {total} cards; rev, x2, trash, trap make 20"))
        if not 1 <= self.max_turns <= 100_000:
            problems.append(("max_turns", f"found {self.max_turns}; expected 1 to 100000"))
        if problems:
            raise OptionsError(problems)


class MissingPile(IllegalAction):
    """A reshuffle that the record does not give."""


class Setup(NamedTuple):
    """All that chance decided."""

    deck: tuple[str, ...]  # top first, before dealing
    first: int
    reshuffles: tuple[tuple[str, ...], ...] = ()  # new draw piles, top first; used before the seed
    shuffle_seed: int | None = None  # None in a replay; it never goes into a record

    def pile(self, number: int, discard: Sequence[str]) -> tuple[str, ...]:
        """Return the draw pile after so many others: as given, or else by the seed (D36)."""
        if number < len(self.reshuffles):
            pile = self.reshuffles[number]
            if sorted(pile) != sorted(discard):
                raise IllegalAction(
                    f"setup.reshuffles[{number}] is not an order of the discard pile"
                )
            return pile
        if self.shuffle_seed is None:
            why = f"missing reshuffle: setup.reshuffles has {number}; the game needs more"
            raise MissingPile(why)
        return tuple(shuffled(discard, Random(self.shuffle_seed + (number << 53))))


@lru_cache(64)
def pack(options: Options) -> tuple[str, ...]:
    """Return all 70 cards (D03, D04)."""
    numbers = {card: 7 if BACK[card] else 3 for card, number in NUMBER.items() if number}
    return tuple(Counter({**asdict(options.specials), **numbers}).elements())


@lru_cache(1024)  # there are some 700 hands of up to three cards
def backs_of(hand: tuple[str, ...]) -> tuple[int, ...]:
    """Return the backs of a hand, sorted."""
    return tuple(sorted([BACK[card] for card in hand]))


@lru_cache(1024)
def plays_of(hand: tuple[str, ...]) -> tuple[str, ...]:
    """Return what may be played of a sorted hand (D02): each card once, open and face down."""
    return tuple([intern(f"{card}:{face}") for card in dict.fromkeys(hand) for face in (UP, DOWN)])


def deal(options: Options, seats: int, rng: Rng) -> Setup:
    """Return a setup. All the chance in the game is here."""
    deck = shuffled(pack(options), rng)
    return Setup(tuple(deck), int(rng.random() * seats), (), int(rng.random() * 2**53))


def parse_setup(options: Options, seats: int, record: Mapping[str, Any]) -> Setup:
    """Return the setup a record describes. Raises ValueError, naming the key."""
    deck = _pile("setup.deck", record.get("deck"))
    wrong = Counter(deck)
    wrong.subtract(pack(options))
    for card, more in sorted(wrong.items()):
        if more:
            raise ValueError(f"setup.deck: {abs(more)} {card} too {'many' if more > 0 else 'few'}")
    piles = record.get("reshuffles", [])
    if not isinstance(piles, list):
        raise ValueError(f"setup.reshuffles: found {piles!r}; expected a list of lists of cards")
    reshuffles = [_pile(f"setup.reshuffles[{number}]", pile) for number, pile in enumerate(piles)]
    return Setup(deck, first_seat(record, seats), tuple(reshuffles))


def complete_setup(setup: Setup, rng: Rng) -> Setup:
    """Return the setup with the reshuffles that it lacks still to be drawn, from `rng`."""
    return setup._replace(shuffle_seed=int(rng.random() * 2**53))


def _pile(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{key}: found {value!r}; expected a list of cards")
    for card in value:
        if type(card) is not str or card not in NUMBER:
            raise ValueError(f"{key}: found {card!r}; cards are {', '.join(NUMBER)}")
    return tuple(value)
