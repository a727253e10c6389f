"""`python -m tests.benchmarks.message [GAME PLAYERS BOT] [--games N] [--rounds R]`: its price.

Plays the same games in sessions with at most 16, 32, 64, 128, 256 and 512 questions a message, in
turn, round after round. CPU time a decision against messages a decision lies on a line: its slope
is the price of a message, both ways and all that is done once for it; its height at no message at
all is the price of a decision, with its share of games and of starting the bots. `off` is how far
the sizes lie from the line, the root of the mean square. Parent and bots are told apart: who saves
in one may have moved the work to the other.

`--instructions` counts the parent's machine instructions with valgrind instead, which other work on
the machine cannot change: each size with N games and with 2 N, so that all that is done once drops
out. The kernel's part is not counted, and bots are not: valgrind can start no process with a pidfd,
so it follows the parent alone.
`--json` prints what `make bench` reads.
"""

import argparse
import gc
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from arena.process.zygote_client import ZygoteClient
from arena.runner.worker import GARBAGE
from tests.benchmarks import bare, load, sessions, tournaments
from tests.benchmarks.accounting import ROOT

SIZES = (16, 32, 64, 128, 256, 512)
GAMES, ROUNDS = 3000, 5
COUNTED = 1000  # games where instructions are, at about a fortieth of the speed
WHO = ("parent", "bots", "both")


class Point(NamedTuple):
    """What a decision took at one size of batches."""

    messages: float  # a decision
    parent: float  # us or instructions
    bots: float


class Price(NamedTuple):
    """A line through points."""

    message: float  # us or instructions
    decision: float  # where messages cost nothing
    off: float  # of the points, a decision


def price(points: Sequence[Point], who: str) -> Price:
    """Return the prices of `who`: "parent", "bots", or "both" together."""
    messages = [point.messages for point in points]
    costs = [_cost(point, who) for point in points]
    slope, start = statistics.linear_regression(messages, costs)
    off = [cost - start - slope * each for each, cost in zip(messages, costs, strict=True)]
    return Price(slope, start, statistics.fmean(each * each for each in off) ** 0.5)


def _cost(point: Point, who: str) -> float:
    return {"parent": point.parent, "bots": point.bots, "both": point.parent + point.bots}[who]


def points(zygote: ZygoteClient, pool: tuple[str, int, str], count: int) -> list[Point]:
    """Return what a decision took in us at every size, in the order of `SIZES`."""
    found = []
    for size in SIZES:
        took = _session(zygote, pool, size, count)
        each_us = 1e6 / took.decisions
        each = took.messages / took.decisions
        found.append(Point(each, took.parent_s * each_us, took.bots_s * each_us))
    return found


def _session(
    zygote: ZygoteClient, pool: tuple[str, int, str], size: int, count: int
) -> sessions.Took:
    game, players, bot = pool
    with sessions.batches_of(size):
        own = tournaments.pool_of(game, players)
        return sessions.play(zygote, own, bare.source_of(bot), count)


def counted(pool: tuple[str, int, str], count: int) -> list[Point]:
    """Return the parent's instructions a decision at every size, in the order of `SIZES`."""
    runs = [(size, games) for size in SIZES for games in (count, 2 * count)]
    with ThreadPoolExecutor(os.cpu_count()) as pool_of_runs:
        done = list(pool_of_runs.map(lambda run: _under_valgrind(pool, *run), runs))
    found = []
    for (refs, told), (more_refs, more_told) in zip(done[::2], done[1::2], strict=True):
        decisions = more_told["decisions"] - told["decisions"]
        messages = more_told["messages"] - told["messages"]
        found.append(Point(messages / decisions, (more_refs - refs) / decisions, 0.0))
    return found


def _under_valgrind(
    pool: tuple[str, int, str], size: int, count: int
) -> tuple[int, dict[str, int]]:
    """Return the instructions of one session's process, and what was played."""
    words = [*map(str, pool), "--games", str(count), "--one", str(size)]
    with tempfile.NamedTemporaryFile() as log:
        done = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             f"--log-file={log.name}", sys.executable, "-m", "tests.benchmarks.message", *words],
            cwd=ROOT, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        report = Path(log.name).read_text()
    refs = re.search(r"I\s+refs:\s+([\d,]+)", report)
    if done.returncode or not refs:
        raise RuntimeError(f"valgrind ended with {done.returncode}\n{done.stderr}{report}"[-4000:])
    return int(refs[1].replace(",", "")), json.loads(done.stdout)


def one(pool: tuple[str, int, str], size: int, count: int) -> None:
    """Play one session, to be counted by whoever started this; print what was played.

    valgrind does not know pidfd_send_signal(2), so a bot's process is killed by its pid.
    """
    signal.pidfd_send_signal = _kill
    zygote = ZygoteClient()
    took = _session(zygote, pool, size, count)
    zygote.close()
    print(json.dumps({"decisions": took.decisions, "messages": took.messages}))


def _kill(pidfd: int, number: int, *_: object) -> None:
    told = Path(f"/proc/self/fdinfo/{pidfd}").read_text()
    os.kill(int(told.partition("Pid:")[2].split()[0]), number)


def table(rounds: Sequence[Sequence[Point]], who: Sequence[str], unit: str) -> str:
    """Return the prices, medians with minimum and maximum, and a decision's at each size."""
    rows = []
    for each in who:
        prices = [price(points, each) for points in rounds]
        rows.append([each, *(_spread(column) for column in zip(*prices, strict=True))])
    heads = [f"{unit}", "a message", "a decision beside", "off"]
    told = tabulate(rows, heads, disable_numparse=True, colalign=("left", *["right"] * 3))
    sizes = []
    for at, size in enumerate(SIZES):
        batch = statistics.fmean(1 / points[at].messages for points in rounds)
        costs = [[_cost(points[at], each) for points in rounds] for each in who]
        sizes.append([str(size), f"{batch:.1f}", *map(_spread, costs)])
    heads = ["at most", "in a message", *(f"{each}, {unit} a decision" for each in who)]
    return told + "\n\n" + tabulate(sizes, heads, disable_numparse=True, stralign="right")


def _spread(values: Sequence[float]) -> str:
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:,.4g} ({least:,.4g}..{most:,.4g})" if least < most else f"{middle:,.4g}"


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="message", description="Measure a message's price.")
    parser.add_argument("game", nargs="?", default="no_thanks", metavar="GAME")
    parser.add_argument("players", nargs="?", type=int, default=3, metavar="PLAYERS")
    parser.add_argument("bot", nargs="?", default="random_choice", metavar="BOT")
    parser.add_argument("--games", type=int, metavar="N",
                        help=f"a size and round ({GAMES:,}; {COUNTED:,} if counted)")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R")
    parser.add_argument("--load", type=float, default=load.MOST, metavar="L",
                        help="begin a round when the 1-minute load is under this")  # fmt: skip
    parser.add_argument("--instructions", action="store_true", help="count them, once")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", type=int, metavar="SIZE", help="play one session and say so")
    given = parser.parse_args(words)
    gc.freeze()
    gc.set_threshold(GARBAGE)  # as in a worker
    pool = (given.game, given.players, given.bot)
    count = given.games or (COUNTED if given.instructions else GAMES)
    if given.one:
        one(pool, given.one, count)
        return
    if given.instructions:
        print(table([counted(pool, count)], ["parent"], "instructions"))
        return
    rounds = []
    with sessions.on_one_core():
        zygote = ZygoteClient()
        for _ in load.rounds(given.rounds, given.load):
            rounds.append(points(zygote, pool, count))
        zygote.close()
    if given.json:
        told = [price(each, "both") for each in rounds]
        print(json.dumps({"us a message": [each.message for each in told],
                          "us a decision beside its message": [each.decision for each in told],
                          "us a decision off the line": [each.off for each in told]}))  # fmt: skip
    else:
        print(table(rounds, WHO, "us"))


if __name__ == "__main__":
    main()
