"""`make bench`, or `python -m tests.benchmarks.bench [--games N] [--rounds R] [--only WORD ...]`.

Measures the arena and what it is compared with in one run: all lines in turn, round after round,
so that whatever else the machine does befalls all of them. A ratio is taken round by round, and
its median is judged. Absolute figures are of this machine and hour; ratios hold elsewhere.

Prints the tables and writes `benchmarks.json`, with every figure of every round, to the current
folder.
"""

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tabulate import tabulate

from arena import __version__
from tests.benchmarks.lines import CPU, RATIOS, START_UP, WALL, Figures, Ratio, lines

FILE = "benchmarks.json"
GAMES, ROUNDS = 200_000, 5
LITTLE_S = 0.05
PACKAGES = ("msgspec", "multiprocess", "numpy", "pettingzoo", "trueskill")

Measured = dict[str, list[Figures]]  # by line, one a round


def main(words: Sequence[str]) -> None:
    """Measure, print, and write the file."""
    given = _arguments(words)
    chosen = [
        line
        for line in lines(given.games)
        if line.name == START_UP or not given.only or any(word in line.name for word in given.only)
    ]
    measured: Measured = {line.name: [] for line in chosen}
    for number in range(given.rounds):
        for line in chosen:
            found = line.measure()
            measured[line.name].append(found)
            rate = f"{found.games / found.cpu_s:,.1f} games/CPU-s"
            print(f"round {number + 1} of {given.rounds}: {line.name}: {rate}", file=sys.stderr)
        written = document(given.games, measured)
        Path(FILE).write_text(json.dumps(written, indent=1) + "\n")
    for rows, heads in (rates(measured), ratios(measured)):
        print(tabulate(rows, heads, disable_numparse=True, colalign=("left", *["right"] * 6)))
        print()
    if not find_spec("pettingzoo"):
        print("PettingZoo is not installed, so its line is left out: pip install '.[bench]'")
    print(f"every figure of every round is in {FILE}")


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measure the arena's speed.")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N",
                        help=f"games of the tournaments that count ({GAMES:,})")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R",
                        help=f"how often each line is measured ({ROUNDS})")  # fmt: skip
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD",
                        help="only lines with one of these in their name")  # fmt: skip
    given = parser.parse_args(words)
    for name in ("games", "rounds"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: found {getattr(given, name)}; it takes 1 or more")
    return given


def speeds(measured: Measured, name: str, per: str, less_start_up: bool = False) -> list[float]:
    """Return games a second of a line, round by round; [] if it was not measured.

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
    """Return a ratio round by round, without rounds in which a speed is 0."""
    over, under = (
        speeds(measured, name, ratio.per, less_start_up) for name in (ratio.over, ratio.under)
    )
    return [a / b for a, b in zip(over, under, strict=False) if a and b]


def verdict(ratio: Ratio, middle: float) -> str:
    """Return how a ratio's median stands to its floor and aim."""
    return "aim" if middle >= ratio.aim else "floor" if middle >= ratio.floor else "BELOW"


def rates(measured: Measured) -> tuple[list[list[str]], list[str]]:
    """Return the rows and heads of the table of all lines."""
    rows = []
    for name, rounds in measured.items():
        cpu = speeds(measured, name, CPU)
        net = speeds(measured, name, CPU, less_start_up=True)
        wall = speeds(measured, name, WALL)
        decisions = [figures.decisions for figures in rounds if figures.decisions]
        rows.append([
            name, f"{rounds[0].games:,}", _short(statistics.median(cpu)),
            f"{_short(min(cpu))}..{_short(max(cpu))}",
            "" if net == cpu else _short(statistics.median(net)),
            _short(statistics.median(wall)),
            f"{statistics.mean(decisions):.1f}" if decisions else "",
        ])  # fmt: skip
    heads = [
        "line", "games", "a CPU-s", "min..max", "less start-up", "a wall-s", "decisions a game",
    ]  # fmt: skip
    return rows, heads


def ratios(measured: Measured) -> tuple[list[list[str]], list[str]]:
    """Return the rows and heads of the table of ratios, those that could be taken."""
    rows = []
    for ratio in RATIOS:
        values = by_round(ratio, measured)
        if not values:
            continue
        middle = statistics.median(values)
        net = by_round(ratio, measured, less_start_up=True)
        per = {CPU: "games per CPU-second", WALL: "games per wall-second"}[ratio.per]
        rows.append([
            f"{ratio.name} ({per})", f"{middle:.3g}", f"{min(values):.3g}..{max(values):.3g}",
            f"{statistics.median(net):.3g}" if net else "", f"{ratio.floor:g}", f"{ratio.aim:g}",
            verdict(ratio, middle),
        ])  # fmt: skip
    heads = ["ratio", "median", "min..max", "less start-up", "floor", "aim", "verdict"]
    return rows, heads


def document(games: int, measured: Measured) -> dict[str, Any]:
    """Return what is written: the machine, every figure of every round, and the ratios."""
    found = []
    for ratio in RATIOS:
        values = by_round(ratio, measured)
        if values:
            middle = statistics.median(values)
            net = by_round(ratio, measured, less_start_up=True)
            found.append(ratio._asdict() | {
                "by_round": values, "by_round_less_start_up": net, "median": middle,
                "verdict": verdict(ratio, middle),
            })  # fmt: skip
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cpus": os.cpu_count(),
            "load": os.getloadavg(),
        },
        "versions": _versions(),
        "games": games,
        "rounds": {name: [f._asdict() for f in rounds] for name, rounds in measured.items()},
        "ratios": found,
    }


def _processor() -> str:
    named = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return named[0] if named else platform.machine()


def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {"python": platform.python_version(), "arena": __version__}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def _short(value: float) -> str:
    """Return a number in three or four digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main(sys.argv[1:])
