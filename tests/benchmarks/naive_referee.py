"""`python -m tests.benchmarks.naive_referee PLAYERS BOT GAMES HOW`: one process a bot.

What most people write first: the referee sends each question as a line of JSON through a text
pipe and reads a line back. HOW is "kept", where the processes play all games, or "fresh", where
each game has new processes. Nothing is confined, limited or kept; the rules are those of the bare
loop.
"""

import json
import subprocess
import sys
from random import Random
from typing import Any

from games import no_thanks
from tests.benchmarks.bare import BOTS, play

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


def main(players: int, bot: str, games: int, how: str) -> None:
    rng = Random()
    per_start = 1 if how == "fresh" else games
    for _ in range(games // per_start):
        bots = [BotProcess(bot) for _ in range(players)]
        for _ in range(per_start):
            play([process.decide for process in bots], rng)
        for process in bots:
            process.close()


if __name__ == "__main__":
    seats, player, count, way = sys.argv[1:]
    main(int(seats), player, int(count), way)
