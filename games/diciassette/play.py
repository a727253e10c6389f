"""The rules of 17: a game in progress, from the first card to the last call.

What there is to play with is in `cards.py`, what calls cost and earn in
`tokens.py`. D01 to D40 are the rulings of `rules.md`.
"""

from bisect import insort
from collections.abc import Sequence
from operator import add
from typing import Any, Self

from games import FORFEIT, BaseState, Event, IllegalAction
from games.diciassette.cards import (
    BACK,
    CALL,
    DOWN,
    HAND,
    NUMBER,
    PASS,
    PLAY,
    PLAYS,
    REV,
    TRAP,
    TRASH,
    UNKNOWN,
    UP,
    WINDOW,
    X2,
    Options,
    Placed,
    Setup,
    backs_of,
    plays_of,
)
from games.diciassette.tokens import GOAL, V, award_tokens
from games.diciassette.view import View

_UNKNOWN_DOWN = f"{UNKNOWN}:{DOWN}"


class Play(BaseState[View]):
    """A game in progress. Only `apply` and `forfeit` change it, and `become`."""

    __slots__ = (
        "_last_play", "_obliging", "_rounds", "_stamps", "_x2s", "actions", "backs", "deck",
        "direction", "discard", "discards", "due", "hands", "hidden", "last", "logs", "need",
        "next", "phase", "played", "row", "rows", "tokens", "turns", "used", "window",
    )  # fmt: skip
    VIEW = View

    def __init__(self, options: Options, seats: int, setup: Setup) -> None:
        super().__init__(options, seats, setup, setup.first)
        dealt = HAND * seats
        self.deck = list(setup.deck[dealt:][::-1])  # the next card last
        self.hands = [tuple(sorted(setup.deck[seat:dealt:seats])) for seat in range(seats)]  # D08
        self.backs = [backs_of(hand) for hand in self.hands]
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
        self.actions: list[tuple[int, str]] = []
        self.logs: list[list[Event]] = [[] for _ in range(seats)]  # since its last question
        self._rounds: list[dict[str, Any]] = []
        self._last_play = -1  # index in actions
        self.window: Play | None = None  # as it was before what no record tells: see forfeit
        self.due, self.need = 1, 0
        self._x2s = 0  # played face up in this turn, and not cancelled
        self._obliging = 0  # the same of the turn before
        self.played = 0  # cards in this turn
        self._start_turn(setup.first)

    def has_choice(self) -> bool:
        """Return whether the game goes on: a card has two faces, a window two answers."""
        return self.to_act is not None

    def legal(self) -> tuple[str, ...]:
        """Return the legal decisions of the turn (D02); () when over."""
        if self.to_act is None:
            return ()
        if self.phase == WINDOW:
            return PASS, CALL
        return plays_of(self.hands[self.to_act])

    def fields(self, seat: int, table: int = 0) -> tuple[Any, ...]:
        """Return what `seat` may know, in the order of `Fields`."""
        deck = self.deck
        return (
            table, self.seats, seat, self.phase, tuple(self.logs[seat]), self.hands[seat],
            tuple(self.backs), self.rows[seat], self.discards[seat], len(deck),
            BACK[deck[-1]] if deck else None, self.tokens, self.direction, self.need, self.due,
            self.next, self.turns, self.last,
        )  # fmt: skip

    def apply(self, decision: str) -> None:
        """Carry out the turn's decision. Raises IllegalAction."""
        seat = self.to_act
        if seat is None:
            raise IllegalAction("the game is over")
        if self.phase == PLAY:
            self.check_play(seat, decision)
            self._play(seat, decision)
        elif decision == PASS:
            self.logs[seat].clear()
            self.to_act = (seat + self.direction) % self.seats
            if self.to_act == self.last:
                self._nobody_called()
        elif decision == CALL:
            self.window = None
            self.logs[seat].clear()
            self.actions.append((seat, CALL))
            self._showdown(seat, CALL, len(self.actions) - 1)
        else:
            raise IllegalAction(f"seat {seat} answered {decision!r}; legal is pass or 17")

    def check_play(self, seat: int, action: str) -> None:
        """Raise IllegalAction if `seat` cannot play that card."""
        play = PLAYS.get(action)
        if play is None or play[0] not in self.hands[seat]:
            hand = ", ".join(self.hands[seat])
            raise IllegalAction(f"seat {seat} played {action!r}; it holds {hand}, each :u or :d")

    def _play(self, seat: int, action: str) -> None:
        card, face = PLAYS[action]
        left = list(self.hands[seat])
        left.remove(card)
        event = (seat, action)
        self.window = None
        self.logs[seat].clear()
        self._last_play = len(self.actions)
        self.actions.append(event)
        self.need -= 1
        self.played += 1
        self.last = seat
        if card == TRASH and face == UP and (self.row or self.options.trash_empty == "discard"):
            self._tell(event)
            self._trash()
        else:
            self._place((card, face, seat), event)
        if self.options.x2_draw == "each":  # D14
            hand = self._draw(left, 1)
            ended = not self.need or not hand
        else:
            ended = not self.need or not left  # D13: fewer cards than owed
            hand = self._draw(left, self.played if ended else 0)
        self.hands[seat], self.backs[seat] = hand, backs_of(hand)
        if ended:
            self.need = 0
            self.turns += 1
            self._open_window(seat)
        elif self.options.mid_x2_call:  # D12
            self._open_window(seat)

    def _place(self, placed: Placed, event: Event) -> None:
        """Add a card to the row, as each seat may know it, with its effect if face up."""
        card, face, seat = known = placed
        public = event
        if face == DOWN and not BACK[card]:
            known, public = (UNKNOWN, DOWN, seat), (seat, _UNKNOWN_DOWN)
        self.row.append(placed)
        self._stamps.append(self.turns)
        players_row, last = self.rows[seat], (known,)
        self.rows = [row + last for row in self.rows]
        self._tell(public)
        if public is not event:  # its player knows it
            self.rows[seat] = (*players_row, placed)
            self.logs[seat][-1] = event
        if face == UP:
            if card == REV:
                self.direction = -self.direction  # D19
            elif card == X2:
                self._x2s += 1
                self.due = self.cards_due(self._x2s)

    def cards_due(self, x2s: int) -> int:
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
                    self.due = self.cards_due(self._x2s)
                elif stamp == self.turns - 1:  # it obliged this one
                    less = self.cards_due(self._obliging) - self.cards_due(self._obliging - 1)
                    self._obliging -= 1
                    self.need = max(0, self.need - less)
        self.discard.append(TRASH)
        self.discards = [(*known, TRASH) for known in self.discards]

    def _draw(self, hand: Sequence[str], count: int) -> tuple[str, ...]:
        """Return the hand with `count` cards more, or fewer if both piles run out (D37)."""
        drawn = list(hand)
        for _ in range(count):
            if not self.deck:
                if not self.discard:
                    break
                self._reshuffle()
            insort(drawn, self.deck.pop())
        return tuple(drawn)

    def _reshuffle(self) -> None:
        """Make the discard pile the draw pile (D36)."""
        pile = self.start.pile(len(self.used), self.discard)
        self.used.append(pile)
        self.deck = list(pile[::-1])
        self.discard = []
        self.hidden = []
        self.discards = [()] * self.seats
        self._tell((-1, "reshuffle"))

    def _tell(self, event: Event) -> None:
        for log in self.logs:
            log.append(event)

    def _open_window(self, seat: int) -> None:
        """Ask the others by priority (D11), after a card of `seat`."""
        self.phase = WINDOW
        self.to_act = (seat + self.direction) % self.seats
        self.next = seat if self.need else self.to_act
        if not self.may_be_called():
            self._nobody_called()
        elif not self.need and not self.hands[self.next] and self.turns < self.options.max_turns:
            self.window = self.copy()  # it may end with a deemed call

    def may_be_called(self) -> bool:
        """Return whether there is a row to call."""
        return bool(self.row) or self.options.empty_row_call  # D10

    def _nobody_called(self) -> None:
        if self.need:  # between two cards of a turn
            self.phase = PLAY
            self.to_act = self.next
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
            self._clear_row([tuple([card for card, _, _ in row]) for row in self.rows])
            self._start_round(self.next)

    def _start_turn(self, seat: int) -> None:
        self.phase = PLAY
        self.to_act = self.next = seat
        self.need, self._obliging = self.due, self._x2s  # D16
        self.due, self._x2s = 1, 0
        self.played = 0

    def _start_round(self, starter: int) -> None:
        self.last = None
        self.due, self._x2s = 1, 0  # D17
        if self.options.direction_reset:
            self.direction = 1  # D34
        if min(map(len, self.hands)) < HAND:  # D35, D37
            for step in range(self.seats):
                seat = (starter + step * self.direction) % self.seats
                hand = self.hands[seat]
                self.hands[seat] = hand = self._draw(hand, HAND - len(hand))
                self.backs[seat] = backs_of(hand)
        self._start_turn(starter)

    def _clear_row(self, known: Sequence[tuple[str, ...]]) -> None:
        """Discard the row; `known` are its cards as each seat knows them."""
        self.discard += [card for card, _, _ in self.row]
        self.discards = [*map(add, self.discards, known)]
        self.row = []
        self._stamps = []
        self.rows = [()] * self.seats

    def _showdown(self, caller: int, how: str, end: int) -> None:
        """Reveal the row, give the tokens, start the next round or end the game (D25 to D33)."""
        last = caller if self.last is None else self.last  # there is one whenever somebody calls
        total = self.total()
        traps = [owner for card, face, owner in self.row if card == TRAP and face == DOWN]
        self._tell((caller, how, total, tuple(self.row)))
        winner, loser = (caller, last) if total >= 17 else (last, caller)
        self.tokens = award_tokens(self.options, self.tokens, caller, traps, winner, loser)
        checkpoint: dict[str, Any] = {
            "end": end, "caller": caller, "last": last, "total": total, "traps": traps,
            "tokens": [*map(list, self.tokens)],
        }  # fmt: skip
        if how != CALL:
            checkpoint["forced"] = True
        self._rounds.append(checkpoint)
        self._clear_row([tuple([card for card, _, _ in self.row])] * self.seats)
        if max(self.tokens)[V] >= GOAL:
            self._end("complete")  # D31
        elif traps and self.options.next_starter == "trap":
            self._start_round(traps[0])
        else:
            self._start_round(winner)  # D33

    def total(self) -> int:
        """Return what the row comes to."""
        return sum([NUMBER[card] for card, _, _ in self.row])

    def _end(self, reason: str) -> None:
        self.to_act = None
        self.over = reason
        self.need = 0

    def _take_out(self, seat: int) -> None:
        """Take `seat` out; with one seat left the game ends (D40).

        One that ends the game right after a deemed call (D37) comes before it: a record, which
        tells neither of passes nor of deemed calls, could not say that it was the other way round.
        """
        if self.window is not None:
            before = self.window.copy()
            if len(self.forfeited) == self.seats - 2:
                self.become(before)
            else:  # or a second one would bring this seat back
                before.forfeit(seat)
                self.window = before
        self.forfeited.append(seat)
        self.actions.append((seat, FORFEIT))
        self._tell((seat, FORFEIT))
        if len(self.forfeited) == self.seats - 1:
            self._end("forfeit")

    def copy(self) -> Self:
        """Return another game like this one: what happens to one does not happen to the other."""
        other = super().copy()
        other.logs = [log[:] for log in self.logs]
        return other

    def become(self, other: "Play") -> None:
        """Take over all that `other` is, which nobody else has."""
        for name in self._slots:
            setattr(self, name, getattr(other, name))

    def asked_from(self, seat: int) -> list[int]:
        """Return who is asked in a window from `seat` on, by priority (D11)."""
        asked = []
        while seat != self.last:
            asked.append(seat)
            seat = (seat + self.direction) % self.seats
        return asked

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """One checkpoint a round ended."""
        return list(self._rounds)

    def result(self) -> dict[str, Any]:
        """Return the record's result: more victories, fewer penalties, forfeits last (D31, D40)."""
        places = [(-victories, penalties) for victories, penalties in self.tokens]
        victories, penalties = (list(counts) for counts in zip(*self.tokens, strict=True))
        return self.make_result(victories, places, penalties=penalties)

    def setup(self) -> dict[str, Any]:
        """Return the record's setup, with the reshuffles used so far."""
        piles = [list(pile) for pile in self.used]
        return {"deck": list(self.start.deck), "first": self.start.first, "reshuffles": piles}
