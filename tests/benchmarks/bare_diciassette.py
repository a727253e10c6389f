"""17 Diciassette as a user would write it to have bots play at once: the arena's yardstick.

A plain engine, changed in place, and bots called as functions, in one process: no walls, no
limits, no records, no options. Bots see what they see in the arena, under the same names, and are
asked where they are asked there. What another seat laid face down is masked when a bot looks;
the lists in a view go on changing with the game.
"""

from bisect import insort
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

PASS, CALL = "pass", "17"
PLAY, WINDOW = "play", "window"
UP, DOWN, UNKNOWN = "u", "d", "?"
REV, X2, TRASH, TRAP = "rev", "x2", "trash", "trap"
HAND, VICTORIES, TURNS = 3, 3, 1000
V, P = 0, 1  # places in a pair of tokens
EVERYBODY = -1

NUMBER = {f"{kind}{number}": number for kind in "nN" for number in range(1, 6)}
NUMBER |= dict.fromkeys((REV, X2, TRASH, TRAP), 0)
BACK = {card: number if card[0] == "N" else 0 for card, number in NUMBER.items()}
PLAYS = {f"{card}:{face}": (card, face) for card in NUMBER for face in (UP, DOWN)}
SHOWN = {play: play if face == UP or BACK[c] else "?:d" for play, (c, face) in PLAYS.items()}
BOTH = {card: (f"{card}:{UP}", f"{card}:{DOWN}") for card in NUMBER}
PACK = [
    *[f"n{number}" for number in range(1, 6)] * 3,
    *[f"N{number}" for number in range(1, 6)] * 7,
    *[REV, X2, TRASH, TRAP] * 5,
]


class Fields(NamedTuple):
    """What is on the table, hidden cards too; a bot reads what `View` lets it."""

    table: int
    players: int
    seat: int
    phase: str
    log: list[tuple[Any, ...]]  # all events of the game
    heard: int  # how many of them the seat knew when it was last asked
    all_hands: list[list[str]]
    laid: list[tuple[str, str, int]]
    thrown: list[tuple[str, int]]
    pile: list[str]
    tokens: list[list[int]]
    direction: int
    need: int
    due: int
    next: int
    turns: int
    last: int | None


class View(Fields):
    __slots__ = ()
    game = "diciassette"

    @property
    def since(self) -> list[tuple[Any, ...]]:
        own = self.seat
        return [
            event if event[0] == own else (event[0], SHOWN.get(event[1], event[1]), *event[2:])
            for event in self.log[self.heard :]
        ]

    @property
    def hand(self) -> list[str]:
        return self.all_hands[self.seat]

    @property
    def backs(self) -> list[list[int]]:
        return [sorted([BACK[card] for card in hand]) for hand in self.all_hands]

    @property
    def row(self) -> list[tuple[str, str, int]]:
        """The cards in the row, as this seat knows them."""
        own = self.seat
        return [
            placed
            if placed[1] == UP or placed[2] == own or BACK[placed[0]]
            else (UNKNOWN, DOWN, placed[2])
            for placed in self.laid
        ]

    @property
    def discard(self) -> list[str]:
        """The cards thrown away, as this seat knows them."""
        own = self.seat
        return [card if who in (EVERYBODY, own) else UNKNOWN for card, who in self.thrown]

    @property
    def deck(self) -> int:
        return len(self.pile)

    @property
    def top_back(self) -> int | None:
        """The back of the next card."""
        return BACK[self.pile[-1]] if self.pile else None

    @property
    def legal(self) -> tuple[str, ...]:
        if self.phase == WINDOW:
            return PASS, CALL
        cards = dict.fromkeys(self.all_hands[self.seat])
        return tuple([play for card in cards for play in BOTH[card]])


class Game:
    __slots__ = (
        "asked", "deck", "direction", "draw", "due", "hands", "last", "log", "need", "next",
        "phase", "played", "players", "reshuffles", "row", "start", "thrown", "to_act", "tokens",
        "turns",
    )  # fmt: skip

    def __init__(self, players: int, rng: Random) -> None:
        draw = self.draw = rng.random
        self.start = sorted(PACK, key=lambda _: draw())  # the first three times round are dealt
        dealt = HAND * players
        self.deck = self.start[: dealt - 1 : -1]  # the next card last
        self.hands = [sorted(self.start[seat:dealt:players]) for seat in range(players)]
        self.players = players
        self.row: list[tuple[str, str, int]] = []  # card, face, owner
        self.thrown: list[tuple[str, int]] = []  # card, and who knows it
        self.reshuffles: list[list[str]] = []
        self.tokens = [[0, 0] for _ in range(players)]
        self.direction = 1
        self.to_act: int | None  # set, as the other five, as the round starts
        self.last: int | None
        self.phase: str
        self.next: int
        self.need: int
        self.played: int
        self.turns = 0
        self.log: list[tuple[Any, ...]] = []
        self.asked = [0] * players
        self.due = 1
        self.start_round(int(draw() * players))

    def view(self, seat: int) -> View:
        heard = self.asked[seat]
        self.asked[seat] = len(self.log)
        return View(
            0, self.players, seat, self.phase, self.log, heard, self.hands, self.row, self.thrown,
            self.deck, self.tokens, self.direction, self.need, self.due, self.next, self.turns,
            self.last,
        )  # fmt: skip

    def apply(self, seat: int, decision: str) -> None:
        if self.phase == PLAY:
            self.play(seat, decision)
        elif decision == CALL:
            self.showdown(seat, CALL)
        else:
            self.to_act = (seat + self.direction) % self.players
            if self.to_act == self.last:
                self.nobody_called()

    def play(self, seat: int, decision: str) -> None:
        """Lay a card, and draw and open the window if it was the turn's last."""
        self.log.append((seat, decision))
        card, face = PLAYS[decision]
        hand = self.hands[seat]
        hand.remove(card)
        self.need -= 1
        self.played += 1
        self.last = seat
        if face == UP and card == TRASH:
            self.trash()
        else:
            self.row.append((card, face, seat))
            if face == UP:
                if card == REV:
                    self.direction = -self.direction
                elif card == X2:
                    self.due = 2
        if self.need and hand:
            return
        self.take(hand, self.played)
        self.need = 0
        self.turns += 1
        self.phase = WINDOW
        self.to_act = self.next = (seat + self.direction) % self.players

    def trash(self) -> None:
        """Throw away the last card, as it lies, and the trash itself."""
        if self.row:
            card, face, owner = self.row.pop()
            self.thrown.append((card, EVERYBODY if face == UP or BACK[card] else owner))
        self.thrown.append((TRASH, EVERYBODY))

    def take(self, hand: list[str], count: int) -> None:
        """Draw so many cards, or fewer if both piles run out."""
        for _ in range(count):
            if not self.deck:
                if not self.thrown:
                    return
                cards = sorted([card for card, _ in self.thrown], key=lambda _: self.draw())
                self.reshuffles.append(cards)
                self.deck = cards[::-1]
                self.thrown = []
                self.log.append((-1, "reshuffle"))
            insort(hand, self.deck.pop())

    def nobody_called(self) -> None:
        if self.turns >= TURNS:
            self.to_act = None
        elif self.hands[self.next]:
            self.start_turn(self.next)
        else:
            self.showdown(self.next, "exhausted")

    def start_turn(self, seat: int) -> None:
        self.phase = PLAY
        self.to_act = self.next = seat
        self.need, self.due = self.due, 1
        self.played = 0

    def start_round(self, starter: int) -> None:
        """Fill the hands and have `starter` play."""
        self.last = None
        self.due = 1
        for step in range(self.players):
            hand = self.hands[(starter + step * self.direction) % self.players]
            if len(hand) < HAND:
                self.take(hand, HAND - len(hand))
        self.start_turn(starter)

    def showdown(self, caller: int, how: str) -> None:
        """Reveal the row, give the tokens, start the next round or end the game."""
        last, tokens = self.last, self.tokens
        assert last is not None
        total = sum([NUMBER[card] for card, _, _ in self.row])
        traps = [owner for card, face, owner in self.row if card == TRAP and face == DOWN]
        self.log.append((caller, how, total, tuple(self.row)))
        winner, loser = (caller, last) if total >= 17 else (last, caller)
        for owner in {winner, *traps}:
            tokens[owner][V] += 1
        tokens[caller][P] += len(traps)
        tokens[loser][P] += 1
        for pair in tokens:
            while pair[P] >= 2:
                pair[P] -= 2
                pair[V] = max(0, pair[V] - 1)
        self.thrown += [(card, EVERYBODY) for card, _, _ in self.row]
        self.row = []
        if any(pair[V] >= VICTORIES for pair in tokens):
            self.to_act = None
        else:
            self.start_round(winner)

    def scores(self) -> list[int]:
        """The victories by seat; most win."""
        return [pair[V] for pair in self.tokens]


def play(bots: Sequence[Callable[[Any], str]], rng: Random) -> tuple[Game, list[int]]:
    game = Game(len(bots), rng)
    while (seat := game.to_act) is not None:
        game.apply(seat, bots[seat](game.view(seat)))
    return game, game.scores()


def record(game: Game) -> dict[str, Any]:
    order = [(-victories, penalties) for victories, penalties in game.tokens]
    over = max(game.scores()) >= VICTORIES
    return {
        "v": 1,
        "game": "diciassette",
        "players": game.players,
        "options": {},
        "setup": {"deck": game.start, "first": game.log[0][0], "reshuffles": game.reshuffles},
        "actions": [[e[0], e[1]] for e in game.log if e[1] in PLAYS or e[1] == CALL],
        "result": {
            "ranks": [1 + sum(other < own for other in order) for own in order],
            "scores": game.scores(),
            "penalties": [pair[P] for pair in game.tokens],
            "reason": "complete" if over else "turn_limit",
        },
    }
