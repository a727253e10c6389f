"""`python -m tests.benchmarks.game_price [--games N] [--rounds R]`: the price of a game.

A game costs something beside its decisions: its deal, its generators, its record, its row. In
worker and bots: No Thanks! with three bots that take a card once in so many questions is played in
sessions; the bots differ in that number alone, and with it how long games are. CPU time a game
against decisions a game lies on a line: its slope is a decision's price, its height at no decision
at all the game's. `off` is how far the points lie from it, the root of the mean square. Starting
the bots is taken off: a session of one game, measured beside.

In the main process: a tournament of N games and one of one deal; what the arena's first process
itself used more for the first, by N. Rating and tables are in it, as far as they grow with games.
`make bench` has this figure too, from its longest tournament.
"""

import argparse
import gc
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from tabulate import tabulate

from arena.process.zygote_client import ZygoteClient
from arena.runner.worker import GARBAGE
from tests.benchmarks import load, sessions, tournaments

TAKES = (0.9, 0.6, 0.4, 0.25, 0.15)  # the share of questions answered so: 27 to 70 a game
BOT = """\
import random
def decide(view):
    return "take" if random.random() < {takes} else "pass"
"""
POOL = tournaments.pool_of("no_thanks", 3)
GAMES, ROUNDS = 20_000, 5
PART = 10  # of these games a session plays one, as there are several


class Found(NamedTuple):
    """What a round found, in us."""

    game: float  # in worker and bots, beside its decisions
    decision: float
    off: float  # a game, of the points from the line
    main: float  # in the main process, a game with all it has


def in_sessions(zygote: ZygoteClient, count: int) -> tuple[float, float, float]:
    """Return in us a game beside its decisions, a decision, and how far off the points are."""
    lengths, costs = [], []
    for takes in TAKES:
        source = BOT.format(takes=takes)
        start_s = sessions.play(zygote, POOL, source, 1).cpu_s
        took = sessions.play(zygote, POOL, source, count)
        lengths.append(took.decisions / took.games)
        costs.append((took.cpu_s - start_s) / took.games * 1e6)
    slope, start = statistics.linear_regression(lengths, costs)
    off = [cost - start - slope * each for each, cost in zip(lengths, costs, strict=True)]
    return start, slope, statistics.fmean(each * each for each in off) ** 0.5


def in_main(count: int) -> float:
    """Return in us what a game costs the main process."""
    few, many = (
        tournaments.of_one_line_up("no_thanks", 3, "random_choice", 1, games)
        for games in (1, count)
    )
    more_s = tournaments.cost(many).main_s - tournaments.cost(few).main_s
    return more_s / (many.games - few.games) * 1e6


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="game_price", description="Measure a game's price.")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R")
    parser.add_argument("--load", type=float, default=load.MOST, metavar="L",
                        help="begin a round when the 1-minute load is under this")  # fmt: skip
    given = parser.parse_args(words)
    gc.freeze()
    gc.set_threshold(GARBAGE)  # as in a worker
    rounds = []
    with sessions.on_one_core():
        zygote = ZygoteClient()
    for _ in load.rounds(given.rounds, given.load):
        with sessions.on_one_core():
            found = in_sessions(zygote, max(1, given.games // PART))
        rounds.append(Found(*found, in_main(given.games)))
    zygote.close()
    names = (
        "us a game in worker and bots, beside decisions", "us a decision beside its game",
        "us a game off the line", "us a game in the main process",
    )  # fmt: skip
    told = dict(zip(names, map(list, zip(*rounds, strict=True)), strict=True))
    rows = [
        [name, f"{statistics.median(own):.1f}", f"{min(own):.1f}..{max(own):.1f}"]
        for name, own in told.items()
    ]
    print(tabulate(rows, ["", "median", "min..max"], disable_numparse=True))


if __name__ == "__main__":
    main()
