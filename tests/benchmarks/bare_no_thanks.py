"""No Thanks! as a user would write it to have bots play at once: the yardstick of the arena.

A plain engine, changed in place, and bots called as functions, in one process: no walls, no
limits, no records, no options. Bots see what they see in the arena, under the same names, and are
asked where they are asked there; the lists in a view go on changing with the game.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

TAKE, PASS = "take", "pass"
CARDS = range(3, 36)
PLAYED = 24
CHIPS = 11


class Fields(NamedTuple):
    """What the seat to decide may know."""

    table: int
    players: int
    seat: int
    phase: str
    log: list[tuple[Any, ...]]  # all events of the game
    heard: int  # how many of them the seat knew when it was last asked
    card: int
    pot: int
    chips: int
    taken: list[list[int]]
    cards_left: int
    all_chips: None


class View(Fields):
    __slots__ = ()
    game = "no_thanks"

    @property
    def since(self) -> list[tuple[Any, ...]]:
        return self.log[self.heard :]

    @property
    def legal(self) -> tuple[str, ...]:
        return (PASS, TAKE) if self.chips else (TAKE,)


class Game:
    __slots__ = ("asked", "card", "chips", "deck", "log", "players", "pot", "taken", "to_act")

    def __init__(self, players: int, rng: Random) -> None:
        draw = rng.random
        self.deck = sorted(CARDS, key=lambda _: draw())[:PLAYED]
        self.players = players
        self.card = self.deck.pop()
        self.pot = 0
        self.to_act: int | None = int(draw() * players)
        self.chips = [CHIPS] * players
        self.taken: list[list[int]] = [[] for _ in range(players)]
        self.log: list[tuple[Any, ...]] = []
        self.asked = [0] * players

    def view(self, seat: int) -> View:
        heard = self.asked[seat]
        self.asked[seat] = len(self.log)
        return View(
            0, self.players, seat, "play", self.log, heard, self.card, self.pot, self.chips[seat],
            self.taken, len(self.deck), None,
        )  # fmt: skip

    def apply(self, seat: int, decision: str) -> None:
        if decision == PASS:
            self.log.append((seat, PASS))
            self.chips[seat] -= 1
            self.pot += 1
            self.to_act = (seat + 1) % self.players
            return
        self.log.append((seat, TAKE, self.card, self.pot))
        self.taken[seat].append(self.card)
        self.chips[seat] += self.pot
        self.pot = 0
        if self.deck:
            self.card = self.deck.pop()
        else:
            self.to_act = None

    def scores(self) -> list[int]:
        return [
            sum([card for card in cards if card - 1 not in cards]) - chips
            for cards, chips in zip(self.taken, self.chips, strict=True)
        ]


def play(bots: Sequence[Callable[[Any], str]], rng: Random) -> tuple[Game, list[int]]:
    game = Game(len(bots), rng)
    while (seat := game.to_act) is not None:
        game.apply(seat, bots[seat](game.view(seat)) if game.chips[seat] else TAKE)
    return game, game.scores()


def record(game: Game) -> dict[str, Any]:
    deck = [event[2] for event in game.log if event[1] == TAKE]
    removed = [card for card in CARDS if card not in deck]
    scores = game.scores()
    return {
        "v": 1,
        "game": "no_thanks",
        "players": game.players,
        "options": {},
        "setup": {"deck": deck, "removed": removed, "first": game.log[0][0]},
        "actions": [[event[0], event[1]] for event in game.log],
        "result": {
            "ranks": [1 + sum(other < own for other in scores) for own in scores],
            "scores": scores,
            "reason": "complete",
        },
    }
