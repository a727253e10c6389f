"""Sixteen as a user would write it to have bots play at once: the yardstick of the arena.

A plain engine, changed in place, and bots called as functions, in one process: no walls, no
limits, no records, no options. Bots see what they see in the arena, under the same names, and are
asked where they are asked there; the lists in a view go on changing with the game.
"""

from bisect import insort
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

GOAL = 16
HAND = 3
WILD = "W"
COLOURS = [f"{colour}{number}" for colour in "BGOR" for number in range(7)]
WILDS = tuple(f"{WILD}={card}" for card in COLOURS)
PACK = [*COLOURS, *(card for card in COLOURS if card[1] != "0"), WILD, WILD]


class Fields(NamedTuple):
    """What the seat to decide may know."""

    table: int
    players: int
    seat: int
    phase: str
    log: list[tuple[Any, ...]]  # all events of the game
    heard: int  # how many of them the seat knew when it was last asked
    hand: list[str]
    pile: list[tuple[str, int, bool]]
    total: int
    sets: list[int]
    deck: int
    hands: list[int]
    gone: list[str]


class View(Fields):
    __slots__ = ()
    game = "sixteen"

    @property
    def since(self) -> list[tuple[Any, ...]]:
        return self.log[self.heard :]

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal decisions: each card once, a wild as all it may be."""
        cards = tuple(dict.fromkeys(self.hand))
        return cards[:-1] + WILDS if cards[-1] == WILD else cards


class Game:
    __slots__ = (
        "asked", "deck", "gone", "hands", "held", "log", "pile", "players", "sets", "start",
        "to_act", "total",
    )  # fmt: skip

    def __init__(self, players: int, rng: Random) -> None:
        draw = rng.random
        self.start = sorted(PACK, key=lambda _: draw())  # the first three times round are dealt
        dealt = HAND * players
        self.deck = self.start[: dealt - 1 : -1]  # the next card last
        self.hands = [sorted(self.start[seat:dealt:players]) for seat in range(players)]
        self.held = [HAND] * players
        self.players = players
        self.pile: list[tuple[str, int, bool]] = []
        self.total = 0
        self.sets = [0, 0]
        self.gone: list[str] = []
        self.log: list[tuple[Any, ...]] = []
        self.asked = [0] * players
        self.to_act: int | None = int(draw() * players)
        self.begin(self.to_act)

    def view(self, seat: int) -> View:
        heard = self.asked[seat]
        self.asked[seat] = len(self.log)
        return View(
            0, self.players, seat, "play", self.log, heard, self.hands[seat], self.pile,
            self.total, self.sets, len(self.deck), self.held, self.gone,
        )  # fmt: skip

    def begin(self, seat: int) -> None:
        """Start the turn of `seat`, or of the next that has a card; end where nobody has."""
        if self.deck:
            insort(self.hands[seat], self.deck.pop())
            self.held[seat] += 1
            self.to_act = seat
        elif any(self.held):
            while not self.held[seat]:
                seat = (seat + 1) % self.players
            self.to_act = seat
        else:
            self.to_act = None

    def apply(self, seat: int, decision: str) -> None:
        self.log.append((seat, decision))
        wild, card = decision[0] == WILD, decision[-2:]
        self.hands[seat].remove(WILD if wild else card)
        self.held[seat] -= 1
        pile = self.pile
        pile.append((card, seat, wild))
        self.total += int(card[1])
        alike = False
        if len(pile) > 2:
            a, b = pile[-3][0], pile[-2][0]
            alike = a[1] == b[1] == card[1] or a[0] == b[0] == card[0]
        if alike or self.total >= GOAL:
            self.complete(seat)
        else:
            self.begin((seat + 1) % self.players)

    def complete(self, seat: int) -> None:
        """Give the set that a card of `seat` completes to whom it belongs."""
        winner, kind = seat % 2, "match"
        if self.total > GOAL:
            winner, kind = 1 - winner, "bust"
        elif self.total == GOAL:
            kind = "sixteen"
        self.sets[winner] += 1
        self.log.append((seat, kind, winner, 1))
        self.gone += [WILD if wild else card for card, _, wild in self.pile]
        self.pile = []
        self.total = 0
        self.begin(winner if self.players == 2 else (seat + 1) % self.players)

    def scores(self) -> list[int]:
        """The sets by seat, those of a team for both; most win."""
        return [self.sets[seat % 2] for seat in range(self.players)]


def play(bots: Sequence[Callable[[Any], str]], rng: Random) -> tuple[Game, list[int]]:
    game = Game(len(bots), rng)
    while (seat := game.to_act) is not None:
        hand = game.hands[seat]
        choice = hand[0] != hand[-1] or hand[0] == WILD
        game.apply(seat, bots[seat](game.view(seat)) if choice else hand[0])
    return game, game.scores()


def record(game: Game) -> dict[str, Any]:
    scores = game.scores()
    return {
        "v": 1,
        "game": "sixteen",
        "players": game.players,
        "options": {},
        "setup": {"deck": game.start, "first": game.log[0][0]},
        "actions": [list(event) for event in game.log if len(event) == 2],
        "result": {
            "ranks": [1 + sum(other > own for other in scores) for own in scores],
            "scores": scores,
            "reason": "complete",
        },
    }
