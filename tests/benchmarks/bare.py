"""`python -m tests.benchmarks.bare PLAYERS BOT GAMES [HOW]`: No Thanks! in a loop without walls.

A plain engine as a user would write it to have bots play at once: changed in place, bots called as
functions, in one process; no walls, no limits, no records, no options. Bots see what they see in
the arena, under the same names, and are asked where they are asked there; the lists in a view go on
changing with the game. Prints one JSON object: games, decisions asked a game, CPU and wall seconds
of the loop alone, without starting Python.

HOW has it played by what most people write first, one process a bot: the referee sends each
question as a line of JSON through a text pipe and reads a line back. "kept": the processes play all
games; "fresh": each game has new processes.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any, NamedTuple

from games import no_thanks

BOTS = Path(__file__).parent / "bots"
WARM_UP = 200  # games
TAKE, PASS = "take", "pass"
CARDS = range(3, 36)
PLAYED = 24
CHIPS = 11

Bot = Callable[[Any], str]


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


def play(bots: Sequence[Bot], rng: Random) -> tuple[Game, list[int]]:
    game = Game(len(bots), rng)
    while (seat := game.to_act) is not None:
        game.apply(seat, bots[seat](game.view(seat)) if game.chips[seat] else TAKE)
    return game, game.scores()


def decide_of(bot: str) -> Bot:
    decide: Bot = run_path(str(BOTS / f"{bot}.py"))["decide"]
    return decide


def measure(players: int, bot: str, games: int) -> dict[str, float]:
    """What games of copies of one bot take; a few are played before, to count decisions."""
    decide, rng, asked = decide_of(bot), Random(), 0

    def counted(view: Any) -> str:
        nonlocal asked
        asked += 1
        return decide(view)

    for _ in range(WARM_UP):
        play([counted] * players, rng)
    wall_s, cpu_s = time.monotonic(), time.process_time()
    for _ in range(games):
        play([decide] * players, rng)
    return {
        "games": games,
        "decisions": asked / WARM_UP,
        "cpu_s": time.process_time() - cpu_s,
        "wall_s": time.monotonic() - wall_s,
    }


NAMES = ["game", "legal", *no_thanks.View._fields]
CHILD = """\
import json, sys
from types import SimpleNamespace

space = {}
exec(open(sys.argv[1]).read(), space)
for line in sys.stdin:
    print(space["decide"](SimpleNamespace(**json.loads(line))), flush=True)
"""


class BotProcess:
    """A bot in a process of its own."""

    def __init__(self, bot: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", CHILD, str(BOTS / f"{bot}.py")],  # starts fastest
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    def decide(self, view: Any) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({name: getattr(view, name) for name in NAMES}) + "\n")
        return self._process.stdout.readline().rstrip("\n")

    def close(self) -> None:
        self._process.communicate()


def referee(players: int, bot: str, games: int, how: str) -> None:
    """Play games by one process a bot."""
    rng = Random()
    per_start = 1 if how == "fresh" else games
    for _ in range(games // per_start):
        bots = [BotProcess(bot) for _ in range(players)]
        for _ in range(per_start):
            play([process.decide for process in bots], rng)
        for process in bots:
            process.close()


if __name__ == "__main__":
    seats, player, count, *how = sys.argv[1:]
    if how:
        referee(int(seats), player, int(count), how[0])
    else:
        print(json.dumps(measure(int(seats), player, int(count))))
