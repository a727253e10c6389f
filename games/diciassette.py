"""17 Diciassette: add a card to the row, open or hidden, and call "17" when you think it is there.

A right call earns the caller a victory and the last player a penalty; a wrong one, the other way
round. Three victories win. The numbers D01 to D40 are those of `diciassette.md`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple

from games import FORFEIT, Event, IllegalAction, OptionsError, bind, first_seat

NAME = "diciassette"
VERSION = 2
KEEPS_ROUNDS = True
LOW_WINS = False

PASS, CALL = "pass", "17"
PLAY, WINDOW = "play", "window"
UP, DOWN = "u", "d"
REV, X2, TRASH, TRAP = "rev", "x2", "trash", "trap"
UNKNOWN = "?"  # a blank-backed card the seat has not seen
HAND = 3
GOAL = 3  # victories
V, P = 0, 1  # places in a pair of tokens

NUMBER = {f"{kind}{number}": number for kind in "nN" for number in range(1, 6)}
NUMBER |= dict.fromkeys((REV, X2, TRASH, TRAP), 0)  # D18, D24
BACK = {card: number if card[0] == "N" else 0 for card, number in NUMBER.items()}  # 0 is blank
PLAYS = {f"{card}:{face}": (card, face) for card in NUMBER for face in (UP, DOWN)}

Placed = tuple[str, str, int]  # card, face, owner


@dataclass(frozen=True)
class Specials:
    """How many of each special there are (D03): 20 in all."""

    rev: int = 5
    x2: int = 5
    trash: int = 5
    trap: int = 5

    def __post_init__(self) -> None:
        wrong = [(name, count) for name, count in asdict(self).items() if count < 0]
        if wrong:
            raise OptionsError([(name, f"found {n}; it takes 0 or more") for name, n in wrong])


@dataclass(frozen=True)
class Options:
    """The rule options."""

    specials: Specials = Specials()
    """How many of each special (D03)."""
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
    """What becomes of a trash played on an empty row (D21)."""
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
            problems.append(("max_turns", f"found {self.max_turns}; it takes 1 to 100000"))
        if problems:
            raise OptionsError(problems)


class Setup(NamedTuple):
    """All that chance decided."""

    deck: tuple[str, ...]  # top first, before dealing
    first: int
    reshuffles: tuple[tuple[str, ...], ...] = ()  # new draw piles, top first; used before the seed
    shuffle_seed: int | None = None  # None in a replay; it never goes into a record


class Fields(NamedTuple):
    """What the seat to decide may know."""

    table: int  # a name of the game within this process
    players: int
    seat: int
    phase: str  # "play"; "window": call or not
    since: tuple[Event, ...]  # all that happened since this seat's last question
    hand: tuple[str, ...]  # own, sorted
    backs: tuple[tuple[int, ...], ...]  # by seat: the backs of its hand, sorted; 0 is blank
    row: tuple[Placed, ...]  # left to right: card as this seat knows it, "u" or "d", owner
    discard: tuple[str, ...]  # oldest first, as this seat knows them
    deck: int  # cards in the draw pile
    top_back: int | None  # of the draw pile; None without one
    tokens: tuple[tuple[int, int], ...]  # by seat: victories, penalties
    direction: int  # 1 clockwise, -1
    need: int  # cards the player of the turn still owes
    due: int  # cards the next turn owes as things stand
    next: int  # seat that plays the next card if nobody calls
    turns: int  # completed
    last: int | None  # seat that played last in this round


class View(Fields):
    """What the seat to decide may know, and what it may do."""

    __slots__ = ()
    game: ClassVar[str] = NAME
    options: ClassVar[Options] = Options()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions; the first is the stand-in's."""
        if self.phase == WINDOW:
            return PASS, CALL
        return tuple([f"{card}:{face}" for card in dict.fromkeys(self.hand) for face in (UP, DOWN)])


def seat_counts(options: Options) -> tuple[int, ...]:
    """Return how many may play, ascending (D01)."""
    return 2, 3, 4, 5, 6


def side(seat: int) -> int:
    """Return the seat: everybody plays alone."""
    return seat


@lru_cache(64)
def cards(options: Options) -> tuple[str, ...]:
    """Return all 70 cards (D03, D04)."""
    counts = {**asdict(options.specials), **{f"n{i}": 3 for i in range(1, 6)}}
    return tuple(Counter({**counts, **{f"N{i}": 7 for i in range(1, 6)}}).elements())


def deal(options: Options, seats: int, rng: Random) -> Setup:
    """Return a setup. All the chance in the game is here."""
    draw = rng.random
    deck = sorted(cards(options), key=lambda _: draw())
    return Setup(tuple(deck), int(draw() * seats), (), int(draw() * 2**53))


def setup_from(options: Options, seats: int, record: Mapping[str, Any]) -> Setup:
    """Return the setup a record describes. Raises ValueError, naming the key."""
    deck = _pile("setup.deck", record.get("deck"))
    wrong = Counter(deck)
    wrong.subtract(cards(options))
    for card, more in sorted(wrong.items()):
        if more:
            raise ValueError(f"setup.deck: {abs(more)} {card} too {'many' if more > 0 else 'few'}")
    piles = record.get("reshuffles", [])
    if not isinstance(piles, list):
        raise ValueError(f"setup.reshuffles: found {piles!r}; it takes a list of lists of cards")
    reshuffles = [_pile(f"setup.reshuffles[{number}]", pile) for number, pile in enumerate(piles)]
    return Setup(deck, first_seat(record, seats), tuple(reshuffles))


def _pile(key: str, value: object) -> tuple[str, ...]:
    """Return the cards of a list. Raises ValueError, naming the key."""
    if not isinstance(value, list):
        raise ValueError(f"{key}: found {value!r}; it takes a list of cards")
    for card in value:
        if type(card) is not str or card not in NUMBER:
            raise ValueError(f"{key}: found {card!r}; cards are {', '.join(NUMBER)}")
    return tuple(value)


def _pay(tokens: list[int]) -> None:
    """Give both penalties and a victory, if there is one, back for each second penalty (D29)."""
    while tokens[P] >= 2:
        tokens[P] -= 2
        tokens[V] = max(0, tokens[V] - 1)


class MissingPile(IllegalAction):
    """A reshuffle that the record does not give."""


class State:
    """A game in progress. Only `apply`, `forfeit` and `replay` change it."""

    __slots__ = (
        "_last_play", "_logs", "_obliging", "_played", "_rounds", "_stamps", "_window", "_x2s",
        "actions", "backs", "deck", "direction", "discard", "discards", "due", "hands", "hidden",
        "last", "need", "next", "options", "out", "over", "phase", "row", "rows", "seats", "start",
        "tokens", "turn", "turns", "used",
    )  # fmt: skip

    def __init__(self, options: Options, seats: int, setup: Setup) -> None:
        self.options = options
        self.start = setup
        self.seats = seats
        self.deck = list(setup.deck[::-1])  # the next card last
        dealt = [self.deck.pop() for _ in range(HAND * seats)]
        self.hands = [tuple(sorted(dealt[seat::seats])) for seat in range(seats)]  # D08
        self.backs = tuple(tuple(sorted(BACK[c] for c in hand)) for hand in self.hands)
        self.used: list[tuple[str, ...]] = []  # new piles so far, top first
        self.row: list[Placed] = []
        self._stamps: list[int] = []  # by card in the row: turns completed before its own
        self.discard: list[str] = []  # oldest first
        self.hidden: list[str] = []  # those that went there face down
        self.rows: list[tuple[Placed, ...]] = [()] * seats  # as each seat knows it
        self.discards: list[tuple[str, ...]] = [()] * seats  # as each seat knows them
        self.tokens: tuple[tuple[int, int], ...] = ((0, 0),) * seats
        self.direction = 1
        self.turns = 0
        self.last: int | None = None
        self.out: list[int] = []
        self.over: str | None = None  # the reason, once the game is over
        self.actions: list[tuple[int, str]] = []
        self._logs: list[list[Event]] = [[] for _ in range(seats)]  # since its last question
        self._rounds: list[dict[str, Any]] = []
        self._last_play = -1  # index in actions
        self._window: dict[str, Any] | None = None  # see _settle
        self.due, self.need = 1, 0
        self._x2s = 0  # played face up in this turn, and not cancelled
        self._obliging = 0  # the same of the turn before
        self._played = 0  # cards in this turn
        self.turn: int | None = setup.first
        self._start_turn(setup.first)

    def choice(self) -> bool:
        """Return whether the game goes on: a card has two faces, a window two answers."""
        return self.turn is not None

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn (D02); () when over."""
        if self.turn is None:
            return ()
        if self.phase == WINDOW:
            return PASS, CALL
        cards = sorted(set(self.hands[self.turn]))
        return tuple(card + face for card in cards for face in (":u", ":d"))

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, in the order of `Fields`."""
        deck = self.deck
        return (
            table, self.seats, seat, self.phase, tuple(self._logs[seat]), self.hands[seat],
            self.backs, self.rows[seat], self.discards[seat], len(deck),
            BACK[deck[-1]] if deck else None, self.tokens, self.direction, self.need, self.due,
            self.next, self.turns, self.last,
        )  # fmt: skip

    def view(self, seat: int, table: int = 0) -> View:
        """Return what `seat` may know."""
        return bind(View, self.options)._make(self.fields(seat, table))

    def apply(self, decision: str) -> None:
        """Carry out the turn's decision. Raises IllegalAction."""
        seat = self.turn
        if seat is None:
            raise IllegalAction("the game is over")
        if self.phase == PLAY:
            self._check_play(seat, decision)
            self._play(seat, decision)
        elif decision == PASS:
            self._pass(seat)
        elif decision == CALL:
            self._window = None
            self._logs[seat].clear()
            self.actions.append((seat, CALL))
            self._showdown(seat, CALL, len(self.actions) - 1)
        else:
            raise IllegalAction(f"seat {seat} answered {decision!r}; legal is pass or 17")

    def _check_play(self, seat: int, action: str) -> None:
        """Raise IllegalAction if `seat` cannot play that card."""
        play = PLAYS.get(action)
        if play is None or play[0] not in self.hands[seat]:
            hand = ", ".join(self.hands[seat])
            raise IllegalAction(f"seat {seat} played {action!r}; it holds {hand}, each :u or :d")

    def _play(self, seat: int, action: str) -> None:
        card, face = PLAYS[action]
        hand = self.hands[seat]
        at = hand.index(card)
        hand = hand[:at] + hand[at + 1 :]
        self._window = None
        self._logs[seat].clear()
        self._last_play = len(self.actions)
        self.actions.append((seat, action))
        self.need -= 1
        self._played += 1
        self.last = seat
        if card == TRASH and face == UP and (self.row or self.options.trash_empty == "discard"):
            self._tell((seat, action))
            self._trash()
        else:
            self._place(seat, card, face, action)
        if self.options.x2_draw == "each":  # D14
            hand = self._draw(hand, 1)
            ended = not self.need or not hand
        else:
            ended = not self.need or not hand  # D13: fewer cards than owed
            if ended:
                hand = self._draw(hand, self._played)
        self._hold(seat, hand)
        if ended:
            self.need = 0
            self.turns += 1
            self._open_window(seat)
        elif self.options.mid_x2_call:  # D12
            self._open_window(seat)

    def _place(self, seat: int, card: str, face: str, action: str) -> None:
        """Add the card to the row, as each seat may know it, with its effect if face up."""
        rows = self.rows
        placed = (card, face, seat)
        self.row.append(placed)
        self._stamps.append(self.turns)
        if face == DOWN and not BACK[card]:
            known, event = (UNKNOWN, DOWN, seat), (seat, f"{UNKNOWN}:{DOWN}")
            for other, log in enumerate(self._logs):
                if other != seat:
                    rows[other] += (known,)
                    log.append(event)
            rows[seat] += (placed,)
            self._logs[seat].append((seat, action))
            return
        self._tell((seat, action))
        for other in range(self.seats):
            rows[other] += (placed,)
        if face == UP:
            if card == REV:
                self.direction = -self.direction  # D19
            elif card == X2:
                self._x2s += 1
                self.due = self._owed(self._x2s)

    def _owed(self, x2s: int) -> int:
        """Return how many cards a turn owes after one with so many x2 (D15)."""
        return 1 + (x2s if self.options.x2_stack else min(x2s, 1))

    def _trash(self) -> None:
        """Discard the rightmost card, as it lies (D23), and then the trash itself (D22)."""
        if self.row:
            card, face, _ = self.row.pop()
            stamp = self._stamps.pop()
            self.discard.append(card)
            if face == DOWN:
                self.hidden.append(card)
            for seat, row in enumerate(self.rows):
                self.rows[seat] = row[:-1]
                self.discards[seat] += (row[-1][0],)
            if card == X2 and face == UP and self.options.trash_cancels_x2:  # D20
                if stamp == self.turns:  # it obliged the next turn
                    self._x2s -= 1
                    self.due = self._owed(self._x2s)
                elif stamp == self.turns - 1:  # it obliged this one
                    less = self._owed(self._obliging) - self._owed(self._obliging - 1)
                    self._obliging -= 1
                    self.need = max(0, self.need - less)
        self.discard.append(TRASH)
        self.discards = [(*known, TRASH) for known in self.discards]

    def _draw(self, hand: tuple[str, ...], count: int) -> tuple[str, ...]:
        """Return the hand with `count` cards more, or fewer if both piles run out (D37)."""
        drawn = list(hand)
        for _ in range(count):
            if not self.deck:
                if not self.discard:
                    break
                self._reshuffle()
            drawn.append(self.deck.pop())
        drawn.sort()
        return tuple(drawn)

    def _reshuffle(self) -> None:
        """Make the discard pile the draw pile (D36), as given or else by the seed."""
        number = len(self.used)
        if number < len(self.start.reshuffles):
            pile = self.start.reshuffles[number]
            if sorted(pile) != sorted(self.discard):
                raise IllegalAction(f"setup.reshuffles[{number}] is no order of the discard pile")
        elif self.start.shuffle_seed is not None:
            draw = Random(self.start.shuffle_seed + (number << 53)).random
            pile = tuple(sorted(self.discard, key=lambda _: draw()))
        else:
            raise MissingPile(
                f"missing reshuffle: setup.reshuffles has {number}, and play needs more"
            )
        self.used.append(pile)
        self.deck = list(pile[::-1])
        self.discard = []
        self.hidden = []
        self.discards = [()] * self.seats
        self._tell((-1, "reshuffle"))

    def _hold(self, seat: int, hand: tuple[str, ...]) -> None:
        self.hands[seat] = hand
        backs = tuple(sorted([BACK[card] for card in hand]))
        self.backs = (*self.backs[:seat], backs, *self.backs[seat + 1 :])

    def _tell(self, event: Event) -> None:
        """Let every seat know."""
        for log in self._logs:
            log.append(event)

    def _open_window(self, seat: int) -> None:
        """Ask the others by priority (D11), after a card of `seat`."""
        self.phase = WINDOW
        self.turn = (seat + self.direction) % self.seats
        self.next = seat if self.need else self.turn
        if not self._callable():
            self._nobody_called()
        elif not self.need and not self.hands[self.next] and self.turns < self.options.max_turns:
            self._window = self._snapshot()  # it may end with a deemed call: see forfeit

    def _callable(self) -> bool:
        return bool(self.row) or self.options.empty_row_call  # D10

    def _pass(self, seat: int) -> None:
        self._logs[seat].clear()
        self.turn = (seat + self.direction) % self.seats
        if self.turn == self.last:
            self._nobody_called()

    def _nobody_called(self) -> None:
        if self.need:  # between two cards of a turn
            self.phase = PLAY
            self.turn = self.next
        elif self.turns >= self.options.max_turns:
            self._end("turn_limit")  # D38
        elif self.hands[self.next]:
            self._start_turn(self.next)
        elif self.options.exhaust == "showdown":  # D37
            self._showdown(self.next, "exhausted", self._last_play)
        else:
            self._tell((-1, "void"))
            self._rounds.append({"end": self._last_play, "void": True})
            self.hidden += [card for card, face, _ in self.row if face == DOWN]
            self._clear_row([[card for card, _, _ in row] for row in self.rows])
            self._start_round(self.next)

    def _start_turn(self, seat: int) -> None:
        self.phase = PLAY
        self.turn = self.next = seat
        self.need, self._obliging = self.due, self._x2s  # D16
        self.due, self._x2s = 1, 0
        self._played = 0

    def _start_round(self, starter: int) -> None:
        self.last = None
        self.due, self._x2s = 1, 0  # D17
        if self.options.direction_reset:
            self.direction = 1  # D34
        for step in range(self.seats):
            seat = (starter + step * self.direction) % self.seats
            if len(self.hands[seat]) < HAND:  # D35, D37
                self._hold(seat, self._draw(self.hands[seat], HAND - len(self.hands[seat])))
        self._start_turn(starter)

    def _clear_row(self, known: Sequence[Sequence[str]]) -> None:
        """Discard the row; `known` are its cards as each seat knows them."""
        self.discard += [card for card, _, _ in self.row]
        self.discards = [(*old, *new) for old, new in zip(self.discards, known, strict=True)]
        self.row = []
        self._stamps = []
        self.rows = [()] * self.seats

    def _showdown(self, caller: int, how: str, end: int) -> None:
        """Reveal the row, give the tokens, start the next round or end the game (D25 to D33)."""
        last = caller if self.last is None else self.last  # there is one whenever somebody calls
        total = self._total()
        traps = [owner for card, face, owner in self.row if card == TRAP and face == DOWN]
        self._tell((caller, how, total, tuple(self.row)))
        winner, loser = (caller, last) if total >= 17 else (last, caller)
        self._award(caller, traps, winner, loser)
        checkpoint: dict[str, Any] = {
            "end": end, "caller": caller, "last": last, "total": total, "traps": traps,
            "tokens": [list(pair) for pair in self.tokens],
        }  # fmt: skip
        if how != CALL:
            checkpoint["forced"] = True
        self._rounds.append(checkpoint)
        self._clear_row([[card for card, _, _ in self.row]] * self.seats)
        if any(pair[V] >= GOAL for pair in self.tokens):
            self._end("complete")  # D31
        elif traps and self.options.next_starter == "trap":
            self._start_round(traps[0])
        else:
            self._start_round(winner)  # D33

    def _award(self, caller: int, traps: list[int], winner: int, loser: int) -> None:
        """Give the tokens of a round, in order, and take back what second penalties cost."""
        options = self.options
        grants: list[tuple[int, int]] = []
        for owner in traps:
            grants.append((owner, V))
            spared = owner == caller and not options.own_trap_penalty  # D27
            if not spared and (options.trap_penalty == "each" or (caller, P) not in grants):  # D28
                grants.append((caller, P))
        grants += [(winner, V), (loser, P)]
        tokens = [list(pair) for pair in self.tokens]
        paid = set()  # who has the victory of this round (D26)
        for seat, kind in grants:
            if kind == P:
                tokens[seat][P] += 1
                if options.penalty_timing == "sequential":  # D30
                    _pay(tokens[seat])
            elif seat not in paid:
                paid.add(seat)
                tokens[seat][V] += 1
        for pair in tokens:
            _pay(pair)
        self.tokens = tuple((victories, penalties) for victories, penalties in tokens)

    def _total(self) -> int:
        return sum([NUMBER[card] for card, _, _ in self.row])

    def _end(self, reason: str) -> None:
        self.turn = None
        self.over = reason
        self.need = 0

    def forfeit(self, seat: int) -> None:
        """Take `seat` out; with one seat left the game ends (D40). Raises IllegalAction.

        One that ends the game right after a deemed call (D37) comes before it: a record, which
        tells neither of passes nor of deemed calls, could not say that it was the other way round.
        """
        if self.turn is None:
            raise IllegalAction("the game is over")
        if not 0 <= seat < self.seats:
            raise IllegalAction(f"there is no seat {seat}")
        if seat in self.out:
            raise IllegalAction(f"seat {seat} is out already")
        if self._window is not None and len(self.out) == self.seats - 2:
            self._restore(self._window)
        self.out.append(seat)
        self.actions.append((seat, FORFEIT))
        self._tell((seat, FORFEIT))
        if len(self.out) == self.seats - 1:
            self._end("forfeit")

    def replay(self, seat: int, action: str, also: Sequence[int] = ()) -> None:
        """Carry out an action of a record, with the passes it implies. Raises IllegalAction."""
        before = self._snapshot()
        try:
            if action not in (CALL, FORFEIT):
                self._settle()
            elif self._window is not None:
                self._restore(self._window)
            self._window = None
            if also and action != CALL:
                raise IllegalAction("only a call of 17 names other seats")
            if action == FORFEIT:
                self.forfeit(seat)
            elif action == CALL:
                self._replay_call(seat, also)
            else:
                self._replay_play(seat, action)
            self._settle()
        except IllegalAction:
            self._restore(before)
            raise

    def _replay_play(self, seat: int, action: str) -> None:
        if self.turn is None:
            raise IllegalAction("the game is over")
        if seat != self.next:
            raise IllegalAction(f"it is the turn of seat {self.next}, not {seat}")
        self._check_play(seat, action)
        stand_in = f"{self.hands[seat][0]}:{UP}"
        if seat in self.out and action != stand_in:
            raise IllegalAction(f"the stand-in of seat {seat} plays {stand_in!r} here (D40)")
        while self.phase == WINDOW and self.turn is not None:
            self._pass(self.turn)
        self._play(seat, action)

    def _replay_call(self, seat: int, also: Sequence[int]) -> None:
        if self.turn is None:
            raise IllegalAction("the game is over")
        callers = self._callers(self.turn) if self.phase == WINDOW else []
        for one in (seat, *also):
            if one not in callers:
                may = ", ".join(map(str, callers)) or "nobody"
                raise IllegalAction(f"seat {one} cannot call here; {may} can")
        order = [callers.index(one) for one in (seat, *also)]
        if order[0] != min(order) or len(set(order)) < len(order):
            raise IllegalAction(f"seat {callers[min(order)]} has priority over {seat} (D11)")
        while self.turn is not None and self.turn != seat:
            self._pass(self.turn)
        self.apply(CALL)

    def _callers(self, first: int) -> list[int]:
        """Return who may call, by priority, from `first` on (D11); a stand-in never does."""
        asked = []
        while first != self.last:
            asked.append(first)
            first = (first + self.direction) % self.seats
        return [seat for seat in asked if seat not in self.out]

    def _settle(self) -> None:
        """Pass for all in a window after which the game goes on by itself (D37, D38).

        No action of a record would tell that nobody called there. The window is kept: a call or
        a forfeit that comes after all is played in it.
        """
        if self.turn is None or self.phase == PLAY or self.need:
            return
        if self.turns < self.options.max_turns and self.hands[self.next]:
            return
        window = self._snapshot()
        try:
            while self.turn is not None and self.phase == WINDOW:
                self._pass(self.turn)
            self._window = window
        except MissingPile:  # then a prefix ends here; whatever comes next says what is missing
            self._restore(window)

    def _snapshot(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: _copied(v) if type(v) is list else v for name, v in values.items()}

    def _restore(self, snapshot: dict[str, Any]) -> None:
        for name, value in snapshot.items():
            setattr(self, name, _copied(value) if type(value) is list else value)

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """One checkpoint a round ended."""
        return list(self._rounds)

    def result(self) -> dict[str, Any]:
        """Return the record's result: more victories, fewer penalties, forfeits last (D31, D40)."""
        order = [
            (True, 0, 0) if seat in self.out else (False, -victories, penalties)
            for seat, (victories, penalties) in enumerate(self.tokens)
        ]
        result: dict[str, Any] = {
            "ranks": [1 + sum(other < own for other in order) for own in order],
            "scores": [pair[V] for pair in self.tokens],
            "penalties": [pair[P] for pair in self.tokens],
            "reason": self.over,
        }
        if self.out:
            result["forfeits"] = sorted(self.out)
        return result

    def setup(self) -> dict[str, Any]:
        """Return the record's setup, with the reshuffles used so far."""
        piles = [list(pile) for pile in self.used]
        return {"deck": list(self.start.deck), "first": self.start.first, "reshuffles": piles}

    def dump(self) -> dict[str, Any]:
        """Return the whole state as the actions so far tell it: they do not tell of passes."""
        state = State.__new__(State)
        state._restore(self._snapshot())
        state._settle()
        return state._dump()

    def _dump(self) -> dict[str, Any]:
        last, options = self.last, self.options
        after_turn = last is not None and not self._played
        between = self._played and options.mid_x2_call
        window = self.turn is not None and (self.phase == WINDOW or after_turn or between)
        callers = []
        if window and last is not None and self._callable():
            callers = self._callers((last + self.direction) % self.seats)
        return {
            "phase": "over" if self.turn is None else WINDOW if window else PLAY,
            "to_act": None if self.turn is None else self.next,
            "over": self.over,
            "need": 0 if self.turn is None else self.need or self.due,
            "dir": self.direction,
            "row": [list(placed) for placed in self.row],
            "last": last,
            "callers": callers,
            "tokens": [list(pair) for pair in self.tokens],
            "hands": [list(hand) for hand in self.hands],
            "deck": len(self.deck),
            "deck_top_back": BACK[self.deck[-1]] if self.deck else None,
            "discard": list(self.discard),
            "discard_hidden": list(self.hidden),
            "total": self._total(),
            "turns": self.turns,
        }


def _copied(values: list[Any]) -> list[Any]:
    """Return the list, with the lists in it copied."""
    return [list(value) if type(value) is list else value for value in values]


def told(dump: Mapping[str, Any]) -> str:
    """Return a dump in words: total, row (face down with a star), tokens and hands by seat."""
    row = " ".join(f"{card}{'' if face == UP else '*'}" for card, face, _ in dump["row"]) or "-"
    tokens = " ".join(f"{victories}/{penalties}" for victories, penalties in dump["tokens"])
    hands = " | ".join(" ".join(hand) or "-" for hand in dump["hands"])
    return f"{dump['total']:>2} {row:<24} tokens {tokens}  hands {hands}"


def asked(dump: Mapping[str, Any]) -> Sequence[int]:
    """Return who may call, in the order in which they are asked (D11)."""
    callers: Sequence[int] = dump["callers"]
    return callers


def dealt(setup: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record's setup without the reshuffles, which come as they are played (D36)."""
    return {key: setup[key] for key in ("deck", "first")}


def pieces(state: State) -> Counter[str]:
    """Return the cards (D03, D04), in hand, in the row and in both piles."""
    row = [card for card, _, _ in state.row]
    return Counter([*state.deck, *chain(*state.hands), *row, *state.discard])


def redealt(
    options: Options,
    seats: int,
    setup: Setup,
    actions: Sequence[tuple[int, str]],
    seat: int,
    rng: Random,
) -> tuple[Setup, list[tuple[int, str]]]:
    """Return another deal and course of a record's actions that `seat` cannot tell apart.

    What it does not know is shuffled: the pile but for the back of its top, and the blank backs in
    other hands, or face down in the row and the discard; so others played other cards face down.
    Two things are left as they are: what a reshuffle brought back is where it was before that, and
    so is what a stand-in held beside a blank back that it played. The seat is taken to be in the
    window after the last action, in which nobody has passed yet. Raises IllegalAction.
    """
    from games import _diciassette_redealt  # which imports the rules

    return _diciassette_redealt.redealt(options, seats, setup, actions, seat, rng)
