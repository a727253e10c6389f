"""Sixteen: add cards to one pile; who makes it 16, or the third alike in a row, gets the set.

Four colours B, G, O, R with one 0 and two of each of 1 to 6, and two wilds. Who goes over 16 gives
the set away. Most sets win; four play in two teams. S01 to S23 are those of `rules.md`.
"""

from bisect import insort
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate, chain
from typing import Any, Self, cast

from games import Actions, BaseState, Event, IllegalAction, Rng, shuffled
from games.sixteen.cards import (
    COLOURS,
    DEALT,
    DRAW,
    GOAL,
    HELD,
    SKIP,
    WILD,
    WILDS,
    Dump,
    Fields,
    Options,
    Setup,
    View,
    deal,
    decisions,
    may_skip,
    pack,
    parse_setup,
)
from games.sixteen.features import features, move_classes
from games.sixteen.table import (
    LEGEND,
    describe_event,
    describe_round,
    split_decision,
    symbol,
    zones,
)

NAME = "sixteen"
TITLE = "Sixteen"
VERSION = 1
KEEPS_ROUNDS = True
LOW_WINS = False
ROUND_NAME = "set"
SCORE_UNIT = "set", "sets"

__all__ = [
    "COLOURS", "DEALT", "DRAW", "GOAL", "HELD", "KEEPS_ROUNDS", "LEGEND", "LOW_WINS", "NAME",
    "ROUND_NAME", "SCORE_UNIT", "SHARED_DECKS", "SKIP", "TITLE", "VERSION", "WILD", "WILDS",
    "Dump", "Fields", "Options", "Setup", "State", "View", "count_pieces", "deal", "decisions",
    "describe_event", "describe_round", "determinize", "features", "may_skip", "move_classes",
    "pack", "parse_setup", "resample", "seat_counts", "side", "split_decision", "summarize",
    "symbol", "zones",
]  # fmt: skip

SHARED_DECKS = True
"""Among the house bots the variance of results with shared decks, as a multiple of that without, is
0.83 to 0.94 (`python -m tests.benchmarks.variance`); in 17 it is 0.94 to 1.09, by the number of
players, and in No Thanks! 1.8 to 2.9."""

_PLAYS = [
    {
        play: ((seat, play), held, (play[-2:], seat, held == WILD), int(play[-1]))
        for play, held in HELD.items()
    }
    for seat in range(4)
]
"""Plays by seat: event, card of the hand, how it lies, value. Made once, not once a play."""


def seat_counts(options: Options) -> tuple[int, ...]:
    """Return how many may play, ascending (S01)."""
    return (2, 4)


def side(seat: int) -> int:
    """Return the team: with two players the seat itself."""
    return seat % 2


class State(BaseState[View]):
    """A game in progress. Only `apply`, `forfeit` and `replay` change it."""

    __slots__ = (
        "_asked", "_log", "_sets", "deck", "gone", "hands", "phase", "pile", "sets", "total",
    )  # fmt: skip
    VIEW = View
    side = staticmethod(side)

    def __init__(self, options: Options, seats: int, setup: Setup) -> None:
        super().__init__(options, seats, setup, setup.first)
        dealt = DEALT * seats
        self.deck = list(setup.deck[dealt:][::-1])  # the next card last
        self.hands = [sorted(setup.deck[seat:dealt:seats]) for seat in range(seats)]  # S20
        self.pile: tuple[tuple[str, int, bool], ...] = ()
        self.total = 0
        self.sets = [0, 0]
        self.gone: tuple[str, ...] = ()
        self.phase = "play"
        self._sets: list[tuple[int, str, int, int, int]] = []  # the checkpoints' values
        self._log: list[Event] = []  # an event an action, (seat, action), and one a set, of four
        self._asked = [0] * seats  # length of the log when the seat was last asked
        self._begin(setup.first)

    def has_choice(self) -> bool:
        """Return whether the seat whose turn it is has two or more legal decisions."""
        if self.to_act is None:
            return False
        hand = self.hands[self.to_act]
        if self.phase == DRAW:
            return may_skip(len(hand), self.options)
        return hand[0] != hand[-1] or hand[0] == WILD

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn; () when over."""
        if self.to_act is None:
            return ()
        return decisions(self.phase, tuple(self.hands[self.to_act]), self.options)

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, in the order of `Fields`."""
        hands = self.hands
        return (
            table, len(hands), seat, self.phase, tuple(self._log[self._asked[seat] :]),
            tuple(hands[seat]), self.pile, self.total, tuple(self.sets), len(self.deck),
            tuple(map(len, hands)), self.gone,
        )  # fmt: skip

    def apply(self, decision: str) -> None:
        """Carry out the turn's decision. Raises IllegalAction."""
        seat = self.to_act
        if seat is None:
            raise IllegalAction("the game is over")
        if self.phase == DRAW:
            return self._answer(seat, decision)
        hand, play = self.hands[seat], _PLAYS[seat].get(decision)
        if play is None or play[1] not in hand:
            raise self._illegal(seat, decision)
        event, held, placed, number = play
        if self.has_choice():
            self._asked[seat] = len(self._log)  # what is forced was no question
        self._log.append(event)
        hand.remove(held)
        self.pile += (placed,)
        self.total += number
        return self._check(seat)

    def _answer(self, seat: int, decision: str) -> None:
        """Carry out what `seat` decided about a draw. Raises IllegalAction."""
        choice = self.has_choice()
        if decision != DRAW and (decision != SKIP or not choice):
            raise self._illegal(seat, decision)
        if choice:
            self._asked[seat] = len(self._log)
        self._log.append((seat, decision))
        if decision == DRAW:
            self._draw(self.hands[seat])
        self.phase = "play"

    def _illegal(self, seat: int, decision: str) -> IllegalAction:
        legal = " or ".join(self.legal())
        return IllegalAction(f"seat {seat} played {decision!r}; legal is {legal}")

    def _begin(self, seat: int) -> None:
        """Start the turn of `seat`, or of the next that has a card; end where no seat has."""
        hands = self.hands
        self.to_act = seat
        if self.deck:
            if self.options.draw_rule == "auto":
                insort(hands[seat], self.deck.pop())
            else:
                self.phase = DRAW
            return
        if not any(hands):
            self.to_act = None
            self.over = "complete"
            return
        while not hands[seat]:  # S14, S15
            seat = (seat + 1) % len(hands)
        self.to_act = seat

    def _draw(self, hand: list[str]) -> None:
        """Draw a card; with loose rules as many as make the hand full (S19)."""
        wanted = DEALT + 1 - len(hand) if self.options.draw_rule == "loose" else 1
        for _ in range(min(wanted, len(self.deck))):
            insort(hand, self.deck.pop())

    def _check(self, seat: int) -> None:
        """Award the set that the last card, of `seat`, completes, and start the next turn."""
        options, pile, total, seats = self.options, self.pile, self.total, len(self.hands)
        alike = 0  # 1: in number or in colour, 2: in both
        if options.match and len(pile) > 2:
            (a, _, _), (b, _, _), (c, _, _) = pile[-3:]
            if a[1] == b[1] == c[1]:
                alike += 1
            if a[0] == b[0] == c[0]:
                alike += 1
        if total < GOAL and not alike:
            return self._begin((seat + 1) % seats)
        winner, count = side(seat), 1
        if total > GOAL and not (alike and options.bust_vs_match == "match"):
            kind, winner = "bust", 1 - winner  # S06, S12
        else:
            kind = "sixteen" if total == GOAL else "match"
            if options.bonus:
                ways = alike + 1 if total == GOAL else alike
                count = min(ways, 3 if options.bonus_triple else 2)
        self.sets[winner] += count
        end = len(self._log) - len(self._sets) - 1  # index in actions
        self._sets.append((end, kind, winner, count, total))
        self._log.append((seat, kind, winner, count))
        self.gone += tuple([WILD if wild else card for card, _, wild in pile])
        self.pile, self.total = (), 0
        return self._begin(winner if seats == 2 else (seat + 1) % seats)  # S04, S13

    @property
    def actions(self) -> list[tuple[int, str]]:
        """Every (seat, action) that took effect, as a record keeps them."""
        return cast(list[tuple[int, str]], [event for event in self._log if len(event) == 2])

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """One checkpoint a set."""
        return [
            {"end": end, "kind": kind, "side": winner, "count": count, "total": total}
            for end, kind, winner, count, total in self._sets
        ]

    def copy(self) -> Self:
        """Return another game like this one: what happens to one does not happen to the other."""
        other = super().copy()
        other.hands = [hand[:] for hand in self.hands]
        return other

    def result(self) -> dict[str, Any]:
        """Return the record's result: a team's sets for both (S21), a forfeit's side last (S22)."""
        scores = [self.sets[side(seat)] for seat in range(len(self.hands))]
        return self.make_result(scores, [-score for score in scores])

    def dump(self) -> dict[str, Any]:
        """Return the whole state, keys as the record format has them."""
        return super().dump() | {
            "pile": [card for card, _, _ in self.pile],
            "total": self.total,
            "hands": [list(hand) for hand in self.hands],
            "deck": len(self.deck),
            "sets": list(self.sets),
        }


def determinize(view: View, rng: Rng) -> State:
    """Return a game that the seat which is asked may be in, by this view alone.

    The closed pile and what the others hold are shuffled together. Of sets that `since` tells of,
    its `rounds` have a total of 0.
    """
    piled = [WILD if wild else card for card, _, wild in view.pile]
    known = Counter([*view.hand, *view.gone, *piled])
    hidden = shuffled([*(Counter(pack(view.options)) - known).elements()], rng)
    state = object.__new__(State)
    BaseState.__init__(state, view.options, view.players, Setup((), view.seat), view.seat)
    state.phase = view.phase
    state.pile, state.total, state.gone = view.pile, view.total, view.gone
    state.sets, state._log = list(view.sets), list(view.since)
    state._sets, state._asked = [], [0] * view.players
    for at, (who, what, *won) in enumerate(cast(Any, view.since)):
        if won:
            state._sets.append((at - len(state._sets) - 1, what, won[0], won[1], 0))
        elif who != view.seat:
            state._asked[who] = at
    ends = [*accumulate(0 if who == view.seat else n for who, n in enumerate(view.hands))]
    state.hands = [
        list(view.hand) if who == view.seat else sorted(hidden[end - view.hands[who] : end])
        for who, end in enumerate(ends)
    ]
    state.deck = hidden[ends[-1] :]
    return state


def summarize(dump: Mapping[str, Any]) -> str:
    """Return a dump in words: the pile with its total before it, sets by side, hands by seat."""
    hands = " | ".join(" ".join(hand) or "-" for hand in dump["hands"])
    sets = ":".join(map(str, dump["sets"]))
    return f"{dump['total']:>2} {' '.join(dump['pile']) or '-':<24} sets {sets}  hands {hands}"


def count_pieces(state: State) -> Counter[str]:
    """Return the cards of the pack (S02), in hand, in both piles and in completed sets."""
    played = [WILD if wild else card for card, _, wild in state.pile]
    return Counter([*state.deck, *chain(*state.hands), *played, *state.gone])


def resample(
    options: Options, seats: int, setup: Setup, actions: Actions, seat: int, rng: Rng
) -> tuple[Setup, list[tuple[int, str]]]:
    """Return another deal that `seat` cannot tell from this one after these actions, and them.

    The closed pile and what the others hold are shuffled together. Raises IllegalAction.
    """
    state = State(options, seats, setup)
    deck, top = list(setup.deck), DEALT * seats
    hands = [list(range(holder, top, seats)) for holder in range(seats)]  # places in the deck
    for entry in (None, *actions):  # None is the deal, after which a card may be drawn too
        if entry is not None:
            who, action = entry
            state.replay(who, action)
            if action in HELD:
                hands[who].remove(next(at for at in hands[who] if deck[at] == HELD[action]))
        for places, hand in zip(hands, state.hands, strict=True):  # one seat at most has drawn
            drawn = len(hand) - len(places)
            places += range(top, top + drawn)
            top += drawn
    hidden = [at for holder, places in enumerate(hands) if holder != seat for at in places]
    hidden += range(top, len(deck))
    mixed = shuffled([deck[at] for at in hidden], rng)
    for at, card in zip(hidden, mixed, strict=True):
        deck[at] = card
    return Setup(tuple(deck), setup.first), list(actions)
