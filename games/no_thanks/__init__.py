"""No Thanks!: take the card on offer, or pay a chip to pass it on.

Cards 3 to 35, nine of them removed unseen. A run of cards counts only its lowest; a chip left
over counts -1. Fewest points win. The numbers N01 to N14 are those of `rules.md`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Literal, NamedTuple, cast

from games import Actions, OptionsError, Rng
from games.kit.state import FORFEIT, BaseDump, BaseState, Event, IllegalAction, first_seat, shuffled
from games.no_thanks.features import features as features
from games.no_thanks.features import points as points
from games.no_thanks.table import LEGEND as LEGEND
from games.no_thanks.table import PASS as PASS
from games.no_thanks.table import TAKE as TAKE
from games.no_thanks.table import derived_zones as derived_zones
from games.no_thanks.table import describe_event as describe_event
from games.no_thanks.table import describe_round as describe_round
from games.no_thanks.table import symbol as symbol
from games.no_thanks.table import zones as zones

NAME = "no_thanks"
TITLE = "No Thanks!"
VERSION = 1
KEEPS_ROUNDS = False
LOW_WINS = True
ROUND_NAME = "card taken"

CARDS = range(3, 36)
_CARDS = tuple(CARDS)  # quicker to take from
PLAYED = 24  # N03: the other nine are out of the game

EITHER, FORCED = (PASS, TAKE), (TAKE,)
"""The legal decisions, with a chip and without (N04). The first is the stand-in's."""

_PASSES = [(seat, PASS) for seat in range(7)]  # each made once, not once a pass


@dataclass(frozen=True)
class Options:
    """The rule options."""

    extended: bool = False
    """Six and seven may play (N01)."""
    chips: int | None = None
    """Chips each player starts with; None: 11, with six 9, with seven 7 (N01, N02)."""
    open_chips: bool = False
    """Views list every player's chips. Does not change play."""

    def __post_init__(self) -> None:
        if self.chips is not None and not 0 <= self.chips <= 100:
            raise OptionsError([("chips", f"found {self.chips}; expected 0 to 100")])


class Setup(NamedTuple):
    """All that chance decided."""

    deck: tuple[int, ...]  # in the order the cards are turned up
    removed: tuple[int, ...]  # ascending
    first: int


class Dump(BaseDump):
    """The whole state: the card on offer and the chips on it, the number of cards in the deck,
    and by seat the chips, cards taken and scores as if the game ended now.
    """

    legal: list[str]
    card: int | None
    pot: int
    deck: int
    chips: list[int]
    cards: list[list[int]]
    scores: list[int]


class Fields(NamedTuple):
    """The facts that the seat to decide may know."""

    table: int  # a name of the game within this process
    players: int  # how many play
    seat: int  # who is asked: this bot
    phase: str  # always "play"
    since: tuple[Event, ...]  # all that happened since this seat's last question
    card: int  # on offer
    pot: int  # chips lying on the card
    chips: int  # own; the others' are hidden
    taken: tuple[tuple[int, ...], ...]  # by seat, in the order taken
    cards_left: int  # in the pile
    all_chips: tuple[int, ...] | None  # by seat, with the option open_chips


class View(Fields):
    """The facts that the seat to decide may know, and its legal decisions."""

    __slots__ = ()
    game: ClassVar[Literal["no_thanks"]] = "no_thanks"
    options: ClassVar[Options] = Options()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions; the first is the stand-in's."""
        return EITHER if self.chips else FORCED


def seat_counts(options: Options) -> tuple[int, ...]:
    """Return how many may play, ascending (N01)."""
    return (3, 4, 5, 6, 7) if options.extended else (3, 4, 5)


def side(seat: int) -> int:
    """Return the seat: everybody plays alone."""
    return seat


def deal(options: Options, seats: int, rng: Rng) -> Setup:
    """Return a setup. All the chance in the game is here."""
    cards = shuffled(_CARDS, rng)
    return Setup(tuple(cards[:PLAYED]), tuple(sorted(cards[PLAYED:])), int(rng.random() * seats))


def parse_setup(options: Options, seats: int, record: Mapping[str, Any]) -> Setup:
    """Return the setup a record describes. Raises ValueError, naming the key."""
    deck, removed = record.get("deck"), record.get("removed")
    if not isinstance(deck, list) or len(deck) != PLAYED:
        raise ValueError(f"setup.deck: takes a list of {PLAYED} cards")
    if not isinstance(removed, list) or len(removed) != len(CARDS) - PLAYED:
        raise ValueError(f"setup.removed: takes a list of {len(CARDS) - PLAYED} cards")
    if any(type(c) is not int for c in deck + removed) or sorted(deck + removed) != list(CARDS):
        raise ValueError("setup.deck: with removed it must hold each card from 3 to 35 once")
    return Setup(tuple(deck), tuple(sorted(removed)), first_seat(record, seats))


def chips_each(options: Options, seats: int) -> int:
    """Return how many chips each player starts with (N01, N02)."""
    return {6: 9, 7: 7}.get(seats, 11) if options.chips is None else options.chips


class State(BaseState[View]):
    """A game in progress. Only `apply`, `forfeit` and `replay` change it."""

    __slots__ = ("_asked", "_log", "card", "chips", "deck", "pot", "taken")
    VIEW = View

    def __init__(self, options: Options, seats: int, setup: Setup) -> None:
        super().__init__(options, seats, setup, setup.first)
        self.deck = list(setup.deck[::-1])  # the next card last
        self.card: int | None = self.deck.pop()  # None once all are taken
        self.pot = 0
        self.chips = [chips_each(options, seats)] * seats
        self.taken: list[tuple[int, ...]] = [()] * seats
        self._log: list[Event] = []  # one event an action: (seat, action), and what a take brought
        self._asked = [0] * seats  # length of the log when the seat was last asked

    def has_choice(self) -> bool:
        """Return whether the seat whose turn it is has two legal decisions."""
        return self.to_act is not None and self.chips[self.to_act] > 0

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn (N04); () when over."""
        if self.to_act is None:
            return ()
        return EITHER if self.chips[self.to_act] else FORCED

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, in the order of `Fields`."""
        return (
            table, len(self.chips), seat, "play", tuple(self._log[self._asked[seat] :]),
            self.card, self.pot, self.chips[seat], tuple(self.taken), len(self.deck),
            tuple(self.chips) if self.options.open_chips else None,
        )  # fmt: skip

    def apply(self, decision: str) -> None:
        """Carry out the turn's decision. Raises IllegalAction."""
        seat, card = self.to_act, self.card
        if seat is None or card is None:
            raise IllegalAction("the game is over")
        if decision == PASS:
            if not self.chips[seat]:
                raise IllegalAction(f"seat {seat} has no chip left and must take the {card} (N04)")
            log, chips = self._log, self.chips
            self._asked[seat] = len(log)
            log.append(_PASSES[seat])
            chips[seat] -= 1
            self.pot += 1
            self.to_act = (seat + 1) % len(chips)
            return
        if decision != TAKE:
            legal = " or ".join(self.legal())
            raise IllegalAction(f"seat {seat} played {decision!r}; legal is {legal}")
        if self.chips[seat]:
            self._asked[seat] = len(self._log)  # a forced take was no question
        self._log.append((seat, TAKE, card, self.pot))
        self.taken[seat] += (card,)
        self.chips[seat] += self.pot
        self.pot = 0
        if self.deck:
            self.card = self.deck.pop()
        else:
            self.card = self.to_act = None
            self.over = "complete"

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """One checkpoint a card taken."""
        checkpoints = []
        for end, event in enumerate(self._log):
            if event[1] == TAKE:
                seat, _, card, pot = event
                checkpoints.append({"end": end, "card": card, "seat": seat, "pot": pot})
        return checkpoints

    def scores(self) -> list[int]:
        """Return the points by seat, as if the game ended now."""
        return [points(cards, chips) for cards, chips in zip(self.taken, self.chips, strict=True)]

    def result(self) -> dict[str, Any]:
        """Return the record's result: lower is better, equal shares (N08), forfeits last (N13)."""
        scores = self.scores()
        return self.make_result(scores, scores)

    def dump(self) -> dict[str, Any]:
        """Return the whole state, keys as the record format has them."""
        return super().dump() | {
            "card": self.card,
            "pot": self.pot,
            "deck": len(self.deck),
            "chips": list(self.chips),
            "cards": [sorted(cards) for cards in self.taken],
            "scores": self.scores(),
        }


def determinize(view: View, rng: Rng) -> State:
    """Return a game that the seat which is asked may be in, by this view alone.

    The pile and the removed cards are shuffled together. Of the other players' chips each lies
    with any of them, but for those that `since` tells of.
    """
    seats, seat, taken = view.players, view.seat, {*chain(*view.taken)}
    unseen = shuffled([card for card in CARDS if card != view.card and card not in taken], rng)
    state = object.__new__(State)
    BaseState.__init__(state, view.options, seats, Setup((), (), seat), seat)
    state.deck, state.card, state.pot = unseen[: view.cards_left], view.card, view.pot
    state.taken = list(view.taken)
    since = cast(Any, view.since)
    state.forfeited = [who for who, what, *_ in since if what == FORFEIT]
    state.chips, state._log, state._asked = [0] * seats, list(view.since), [0] * seats
    for at, (who, what, *took) in enumerate(since):
        if what != FORFEIT:
            state.chips[who] = max(0, state.chips[who] + (took[1] if took else -1))  # at least
            state._asked[who] = at
    state.chips[seat], state._asked[seat] = view.chips, 0
    others = [who for who in range(seats) if who != seat]
    hidden = chips_each(view.options, seats) * seats - view.pot - sum(state.chips)
    for _ in range(hidden):
        state.chips[others[int(rng.random() * len(others))]] += 1
    if view.all_chips is not None:
        state.chips = list(view.all_chips)
    return state


def summarize(dump: Mapping[str, Any]) -> str:
    """Return a dump in words: the offer, chips and cards by seat."""
    cards = " | ".join(" ".join(map(str, taken)) or "-" for taken in dump["cards"])
    offer = "" if dump["card"] is None else f"{dump['card']} with {dump['pot']}"
    return f"{offer:<10} chips {' '.join(map(str, dump['chips']))}  cards {cards}"


def count_pieces(state: State) -> Counter[int | str]:
    """Return the cards in play (N03), on offer, taken and to come, and the chips."""
    offer = [] if state.card is None else [state.card]
    counted = Counter[int | str]([*state.deck, *offer, *chain(*state.taken)])
    counted["chip"] = sum(state.chips) + state.pot
    return counted


def resample(
    options: Options, seats: int, setup: Setup, actions: Actions, seat: int, rng: Rng
) -> tuple[Setup, list[tuple[int, str]]]:
    """Return another deal that `seat` cannot tell from this one after these actions, and them.

    The pile and the removed cards are shuffled together. The others' chips are hidden in the hand,
    but follow from what was paid (N10).
    """
    turned_up = 1 + sum(action == TAKE for _, action in actions)
    unseen = [*setup.deck[turned_up:], *setup.removed]
    mixed = shuffled(unseen, rng)
    left = len(unseen) - len(setup.removed)
    deck = (*setup.deck[:turned_up], *mixed[:left])
    return Setup(deck, tuple(sorted(mixed[left:])), setup.first), list(actions)
