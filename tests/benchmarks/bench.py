"""`make bench`, or `python -m tests.benchmarks.bench [--games N] [--rounds R] [--only WORD ...]`.

Measures the arena and what it is compared with in one run: all lines in turn, round after round,
so that whatever else the machine does befalls all of them. A round begins when the load is under
`--load`. A ratio is taken round by round, and its median is judged. Absolute figures are of this
machine and hour; ratios hold elsewhere.

Prints the tables and writes `benchmarks.json`, with every figure of every round and the loads
beside them, to the current folder.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from tabulate import tabulate

from tests.benchmarks import load, tables
from tests.benchmarks.lines import START_UP, Line, lines

FILE = "benchmarks.json"
GAMES, ROUNDS = 60_000, 5


def main(words: Sequence[str]) -> None:
    given = _arguments(words)
    chosen = [line for line in lines(given.games) if _is_chosen(line, given.only)]
    measured: tables.Measured = {name: [] for line in chosen for name in line.names}
    rounds: list[tables.Round] = []
    for number in range(1, given.rounds + 1):
        rounds.append(tables.Round(load.wait(given.load, _say), {}))
        _say(f"round {number} of {given.rounds}: load {rounds[-1].load:.2f}")
        for line in chosen:
            _measure(line, measured, rounds[-1])
        written = {"date": datetime.now(UTC).isoformat(timespec="seconds")} | tables.machine()
        written |= tables.document(given.games, measured, rounds)
        Path(FILE).write_text(json.dumps(written, indent=1) + "\n")
    for rows, heads in (tables.rates(measured), tables.loads(rounds), tables.ratios(measured)):
        columns = ("left", *["right"] * (len(heads) - 1))
        print(tabulate(rows, heads, disable_numparse=True, colalign=columns))
        print()
    if not find_spec("pettingzoo"):
        print("PettingZoo is not installed, so its lines are left out: pip install '.[bench]'")
    print(f"every figure of every round is in {FILE}")


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measure the arena's speed.")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N",
                        help=f"games of the longest tournaments ({GAMES:,})")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R",
                        help=f"how often each line is measured ({ROUNDS})")  # fmt: skip
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD",
                        help="only lines with one of these in their name")  # fmt: skip
    parser.add_argument("--load", type=float, default=load.MOST, metavar="L",
                        help=f"begin a round when the 1-minute load is under this ({load.MOST:g}), "
                        f"or after {load.PATIENCE_S:.0f} s of waiting")  # fmt: skip
    given = parser.parse_args(words)
    for name in ("games", "rounds"):
        if getattr(given, name) < 1:
            parser.error(f"--{name}: found {getattr(given, name)}; expected 1 or more")
    return given


def _is_chosen(line: Line, only: Sequence[str]) -> bool:
    return START_UP in line.names or not only or any(w in n for w in only for n in line.names)


def _measure(line: Line, measured: tables.Measured, beside: tables.Round) -> None:
    others = load.Beside()
    figures = line.measure()
    cores = others.cores()
    for name, own in zip(line.names, figures, strict=True):
        measured[name].append(own)
        beside.others[name] = round(cores, 3)
        rate = f"{own.games / own.cpu_s:,.1f} games/CPU-s"
        _say(f"  {name}: {rate}, {own.wall_s:.0f} s; others {cores:.2f} cores")


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
