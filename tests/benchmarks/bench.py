"""`make bench`, or `python -m tests.benchmarks.bench [--games N] [--rounds R] [--only WORD ...]`.

Measures the arena and what it is compared with in one run: all lines in turn, round after round,
so that whatever else the machine does befalls all of them. A round begins when the load is under
`--load`. A ratio is taken round by round, and its median is judged. Absolute figures are of this
machine and hour; ratios hold elsewhere. Numbers of games are chosen so that no line takes much
longer than the others.

A tournament is played through the command line, as a user runs it: walls on, records kept, the
store as durable as ever, rated, tables published, starting included.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import comb
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from tabulate import tabulate

from arena.model import Pool
from arena.schedule.seatings import count_seatings
from tests.benchmarks.accounting import DISK, MOST_LOAD, cost_of, wait_for_load
from tests.benchmarks.bare import BOTS
from tests.leagues import make

GAMES, ROUNDS = 60_000, 5
LITTLE_S = 0.05
LEAST = 1000  # games of a bare loop: they are cheap
CPU, WALL = "cpu_s", "wall_s"
START_UP = "start-up: a tournament of one deal"
LEAGUE, ONE_LINE_UP = "tournament, 4 players, league of 20", "tournament, 4 players, one line-up"
NAIVE = {"kept": (50, 60), "fresh": (10, 1000)}
"""A naive referee: so many games at least, and one for so many of `games`."""


class Figures(NamedTuple):
    """What a line came to in one round."""

    games: int
    cpu_s: float
    wall_s: float
    decisions: float | None = None  # asked a game, where they are counted


class Ratio(NamedTuple):
    """Games a second of one line over those of another, and what they should come to."""

    over: str
    under: str
    per: str  # CPU or WALL
    floor: float
    aim: float


RATIOS = (
    Ratio("tournament random_choice", "bare loop random_choice", CPU, 0.2, 0.35),
    Ratio("tournament reader", "bare loop reader", CPU, 0.4, 0.55),
    Ratio("tournament random_choice", "naive referee kept", CPU, 15, 40),
    Ratio("tournament random_choice", "naive referee fresh", CPU, 300, 700),
    Ratio(LEAGUE, ONE_LINE_UP, CPU, 0.8, 0.95),
    Ratio("tournament reader, 2 workers", "tournament reader", WALL, 1.8, 1.95),
)

Measured = dict[str, list[Figures]]  # by line, one a round
Rows = list[list[str]]


class Tournament(NamedTuple):
    """No Thanks! played by so many copies of one bot, in all their line-ups."""

    bot: str
    deals: int
    players: int = 3
    copies: int = 3
    seatings: int | str = "auto"
    workers: int = 1

    @property
    def games(self) -> int:
        pool = Pool("no_thanks", self.players, "{}", "")
        return comb(self.copies, self.players) * count_seatings(pool, self.seatings) * self.deals

    def measure(self) -> Figures:
        """Raises RuntimeError if it ends badly or not all is played, or if a bot has a fault."""
        source = (BOTS / f"{self.bot}.py").read_text()
        bots = {f"{self.bot}{number:02}": source for number in range(self.copies)}
        config = (
            f'[[games]]\ngame = "no_thanks"\nplayers = {self.players}\ndeals = {self.deals}\n'
            f"seatings = {json.dumps(self.seatings)}\n"
        )
        with tempfile.TemporaryDirectory(prefix="arena-bench-", dir=DISK) as folder:
            words = ["tournament", str(make(Path(folder), config, bots)), "--json"]
            words += ["--max-faults", "0", "--workers", str(self.workers)]
            cost = cost_of([sys.executable, "-m", "arena", *words])
        played = json.loads(cost.stdout)["pools"][0]["games"]
        if played != self.games:
            raise RuntimeError(f"{played:,} games were played, not {self.games:,}")
        return Figures(played, cost.cpu_s, cost.wall_s)


def lines(games: int) -> Iterator[tuple[str, Callable[[], Figures]]]:
    """Yield all lines, those that are compared one after the other.

    `games` is for the longest tournaments; the other lines' numbers go with it.
    """
    yield START_UP, Tournament("random_choice", 1).measure
    for bot, count in (("random_choice", games), ("reader", games // 2)):
        deals = -(-count // 6)
        yield f"bare loop {bot}", partial(_bare, bot, max(LEAST, count // 2))
        yield f"tournament {bot}", Tournament(bot, deals).measure
        if bot == "reader":
            yield f"tournament {bot}, 2 workers", Tournament(bot, deals, workers=2).measure
    for how, (least, part) in NAIVE.items():
        yield f"naive referee {how}", partial(_naive, how, max(least, games // part))
    ways, line_ups = min(24, max(1, games // 4845)), 4845  # 20 over 4
    yield LEAGUE, Tournament("random_choice", 1, 4, 20, ways).measure
    yield ONE_LINE_UP, Tournament("random_choice", line_ups, 4, 4, ways).measure


def _bare(bot: str, games: int) -> Figures:
    command = [sys.executable, "-m", "tests.benchmarks.bare", "3", bot, str(games)]
    return Figures(**json.loads(cost_of(command).stdout))


def _naive(how: str, games: int) -> Figures:
    words = ["tests.benchmarks.bare", "3", "random_choice", str(games), how]
    cost = cost_of([sys.executable, "-m", *words])
    return Figures(games, cost.cpu_s, cost.wall_s)


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench", description="Measure the arena's speed.")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N",
                        help=f"games of the longest tournaments ({GAMES:,})")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R",
                        help=f"how often each line is measured ({ROUNDS})")  # fmt: skip
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD",
                        help="only lines with one of these in their name")  # fmt: skip
    parser.add_argument("--load", type=float, default=MOST_LOAD, metavar="L",
                        help=f"the load to begin a round under ({MOST_LOAD:g})")  # fmt: skip
    given = parser.parse_args(words)
    measured: Measured = {}
    for number in range(1, given.rounds + 1):
        load = wait_for_load(given.load, say)
        say(f"round {number} of {given.rounds}: load {load:.2f}")
        for name, measure in lines(given.games):
            if name == START_UP or any(word in name for word in given.only):
                figures = measure()
                measured.setdefault(name, []).append(figures)
                say(f"  {name}: {figures.games / figures.cpu_s:,.1f} games/CPU-s")
    for rows, heads in (rates(measured), ratios(measured)):
        columns = ("left", *["right"] * (len(heads) - 1))
        print(tabulate(rows, heads, disable_numparse=True, colalign=columns), "\n")


def speeds(measured: Measured, name: str, per: str, less_start_up: bool = False) -> list[float]:
    """Games a second of a line, round by round; [] if it was not measured.

    Less start-up, what a tournament of one deal took in the same round is first taken off each
    tournament; 0 where too little is left to speak of.
    """
    found = []
    for figures, start in zip(measured.get(name, []), measured[START_UP], strict=False):
        took: float = getattr(figures, per)
        if less_start_up and name.startswith("tournament"):
            took -= getattr(start, per)
        found.append(figures.games / took if took > LITTLE_S else 0.0)
    return found


def by_round(ratio: Ratio, measured: Measured, less_start_up: bool = False) -> list[float]:
    """A ratio round by round, without rounds in which a speed is 0."""
    over, under = (
        speeds(measured, name, ratio.per, less_start_up) for name in (ratio.over, ratio.under)
    )
    return [a / b for a, b in zip(over, under, strict=False) if a and b]


def rates(measured: Measured) -> tuple[Rows, list[str]]:
    """The rows and heads of the table of all lines."""
    rows = []
    for name, rounds in measured.items():
        cpu, wall = (speeds(measured, name, per) for per in (CPU, WALL))
        net = speeds(measured, name, CPU, less_start_up=True)
        decisions = [figures.decisions for figures in rounds if figures.decisions]
        rows.append([
            name, f"{rounds[0].games:,}", *_middle(cpu), "" if net == cpu else _middle(net)[0],
            _middle(wall)[0], f"{mean(decisions):.1f}" if decisions else "",
        ])  # fmt: skip
    heads = ["line", "games", "a CPU-s", "min..max", "less start-up", "a wall-s", "decisions"]
    return rows, heads


def ratios(measured: Measured) -> tuple[Rows, list[str]]:
    """The rows and heads of the table of ratios, those that could be taken."""
    rows = []
    for ratio in RATIOS:
        if values := by_round(ratio, measured):
            net = by_round(ratio, measured, less_start_up=True)
            middle = median(values)
            verdict = "aim" if middle >= ratio.aim else "floor"
            rows.append([
                f"{ratio.over} / {ratio.under} ({ratio.per.removesuffix('_s')})",
                *_middle(values), *(_middle(net) if net else ("", "")), f"{ratio.floor:g}",
                f"{ratio.aim:g}", verdict if middle >= ratio.floor else "BELOW",
            ])  # fmt: skip
    heads = ["ratio", "median", "min..max", "less start-up", "min..max", "floor", "aim", "verdict"]
    return rows, heads


def _middle(values: Sequence[float]) -> tuple[str, str]:
    """A median, least and most."""
    shown = [
        f"{each:,.0f}" if each >= 100 else f"{each:.3g}"
        for each in (median(values), min(values), max(values))
    ]
    return shown[0], "..".join(shown[1:])


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
