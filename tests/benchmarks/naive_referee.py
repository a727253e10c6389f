"""`python -m tests.benchmarks.naive_referee GAME PLAYERS BOT GAMES HOW`: one process a bot.

What most people write first: the referee sends each question as a line of JSON through a text
pipe and reads a line back. HOW is "kept", where the processes play all games, or "fresh", where
each game has new processes. Nothing is confined, limited or kept; the rules are those of the bare
loop.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from games import load
from tests.benchmarks.bare import BOTS

BOT = Path(__file__).with_name("naive_bot.py")


class BotProcess:
    """A bot in a process of its own."""

    def __init__(self, bot: str, names: list[str]) -> None:
        self._names = names
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(BOT), str(BOTS / f"{bot}.py")],  # as fast as it starts
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    def decide(self, view: Any) -> str:
        shown = {name: getattr(view, name) for name in self._names}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(shown) + "\n")
        return self._process.stdout.readline().rstrip("\n")

    def close(self) -> None:
        self._process.communicate()


def main(game: str, players: int, bot: str, games: int, how: str) -> None:
    play = import_module(f"tests.benchmarks.bare_{game}").play
    names = ["game", "legal", *load(game).View._fields]
    rng = Random()
    per_start = 1 if how == "fresh" else games
    for _ in range(games // per_start):
        bots = [BotProcess(bot, names) for _ in range(players)]
        decides: list[Callable[[Any], str]] = [process.decide for process in bots]
        for _ in range(per_start):
            play(decides, rng)
        for process in bots:
            process.close()


if __name__ == "__main__":
    name, seats, player, count, way = sys.argv[1:]
    main(name, int(seats), player, int(count), way)
