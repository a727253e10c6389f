"""`python -m tests.benchmarks.bare GAME PLAYERS BOT GAMES`: plays in the loop without walls.

One process, bots called as functions, nothing kept. Prints one JSON object: games, decisions asked
a game, CPU and wall seconds of the loop alone, without starting Python.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

BOTS = Path(__file__).parent / "bots"
WARM_UP = 200  # games


def decide_of(bot: str) -> Callable[[Any], str]:
    decide: Callable[[Any], str] = run_path(str(BOTS / f"{bot}.py"))["decide"]
    return decide


def source_of(bot: str) -> str:
    return (BOTS / f"{bot}.py").read_text()


def measure(
    play: Callable[[list[Callable[[Any], str]]], object], bot: str, players: int, games: int
) -> dict[str, float]:
    """What games of copies of one bot take; a few are played before, to count decisions."""
    decide, asked = decide_of(bot), 0
    random.seed()

    def counted(view: Any) -> str:
        nonlocal asked
        asked += 1
        return decide(view)

    for _ in range(WARM_UP):
        play([counted] * players)
    bots = [decide] * players
    wall_s, cpu_s = time.monotonic(), time.process_time()
    for _ in range(games):
        play(bots)
    return {
        "games": games,
        "decisions": asked / WARM_UP,
        "cpu_s": time.process_time() - cpu_s,
        "wall_s": time.monotonic() - wall_s,
    }


if __name__ == "__main__":
    name, seats, player, count = sys.argv[1:]
    loop = partial(import_module(f"tests.benchmarks.bare_{name}").play, rng=Random())
    print(json.dumps(measure(loop, player, int(seats), int(count))))
