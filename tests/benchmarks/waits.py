"""`make bench`, or `python -m tests.benchmarks.waits [--rounds R] [--before DIR] [--only WORD]`.

Measures what people wait for: commands on a finished tournament of 40,968 games, the check of a
bot, a tournament of one deal. Each is a multiple of `python -c pass`, measured in the same round,
so that it is seen when one grows. With `--before`, another clone with a `.venv` of its own, made by
`make`, has its turn in each round too. All figures are medians.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tabulate import tabulate

from tests.benchmarks.accounting import DISK, MOST_LOAD, ROOT, Cost, cost_of, wait_for_load
from tests.benchmarks.bench import say

ROUNDS = 3
PASS = "python -c pass"
ONE = """\
bots = ["bots/champion.py", "bots/ledger.py"]
games = [{ game = "sixteen", players = 2, deals = 1 }]
"""


class Wait(NamedTuple):
    """A command, in the folder of a league."""

    name: str
    words: tuple[str, ...]
    at_most_s: float | None = None  # CPU time, by issue 32
    forget: tuple[str, ...] = ()  # folders removed before, relative to the league's


RESULTS = "results/quick"
WAITS = (
    Wait("--help", ("--help",), 0.12),
    Wait("standings, rated", ("standings", RESULTS), None, ("cache",)),
    Wait("standings", ("standings", RESULTS), 0.5),
    Wait("tournament, nothing to play", ("tournament", "tournaments/quick.toml"), 1.2),
    Wait("--dry-run", ("tournament", "tournaments/quick.toml", "--dry-run")),
    Wait("tournament of one deal", ("tournament", "tournaments/one.toml"), 0.6, ("results/one",)),
    Wait("check of a house bot", ("check", "ledger"), 3.0),
    Wait("publish, first", ("publish", RESULTS), None, ("cache",)),
    Wait("publish", ("publish", RESULTS), 5.0),
    Wait("faults", ("faults", RESULTS)),
    Wait("audit", ("audit", RESULTS)),
    Wait("verify", ("verify", RESULTS), 25.0),
)


class League(NamedTuple):
    """A league that a clone's arena has played, in a folder of its own."""

    arena: str  # the program
    folder: Path

    def run(self, *words: str) -> Cost:
        """Run a command there. Raises RuntimeError if it fails."""
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")
        return cost_of([self.arena, *words], self.folder)


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="waits", description="Measure what people wait for.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R")
    parser.add_argument("--before", type=Path, metavar="DIR", help="a clone to compare with")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD")
    given = parser.parse_args(words)
    waits = [wait for wait in WAITS if not given.only or any(w in wait.name for w in given.only)]
    clones = [each.resolve() for each in (given.before, ROOT) if each]
    with tempfile.TemporaryDirectory(prefix="arena-waits-", dir=DISK) as folder:
        leagues = [begin(clone, Path(folder, str(at))) for at, clone in enumerate(clones)]
        measured = measure(waits, leagues, given.rounds)
    print(tabulate(*rows(waits, measured), disable_numparse=True))


def begin(clone: Path, folder: Path) -> League:
    """Make a league of a clone's house bots, and play its tournament."""
    shutil.copytree(clone / "bots", folder / "bots")
    (folder / "tournaments").mkdir()
    shutil.copy(Path(__file__).with_name("quick.toml"), folder / "tournaments")
    (folder / "tournaments" / "one.toml").write_text(ONE)
    league = League(str(clone / ".venv" / "bin" / "arena"), folder)
    cost = league.run("tournament", "tournaments/quick.toml", "-q")
    say(f"{clone}: played in {cost.cpu_s:.1f} CPU-s, {cost.wall_s:.1f} s")
    return league


def measure(
    waits: Sequence[Wait], leagues: Sequence[League], rounds: int
) -> dict[str, list[list[Cost]]]:
    """Measure all waits in turn, round after round: costs by name, league and round."""
    measured: dict[str, list[list[Cost]]] = {
        name: [[] for _ in leagues] for name in (PASS, *(wait.name for wait in waits))
    }
    for number in range(1, rounds + 1):
        say(f"round {number} of {rounds}: load {wait_for_load(MOST_LOAD, say):.2f}")
        for at in range(len(leagues)):
            measured[PASS][at].append(cost_of([sys.executable, "-c", "pass"]))
        for wait in waits:
            for at, league in enumerate(leagues):
                for name in wait.forget:
                    shutil.rmtree(league.folder / name, ignore_errors=True)
                cost = league.run(*wait.words)
                measured[wait.name][at].append(cost)
                say(f"  {wait.name}: {cost.cpu_s:.2f} CPU-s, {cost.wall_s:.2f} s")
    return measured


def rows(
    waits: Sequence[Wait], measured: dict[str, list[list[Cost]]]
) -> tuple[list[list[str]], list[str]]:
    """The table: a row for each wait, the clones in turn, the last of them judged."""
    clones = len(measured[PASS])
    heads = ["", *["CPU s", "wall s"] * clones, f"x {PASS}", "at most"]
    heads += ["after / before"] if clones > 1 else []
    table = []
    for name in measured:
        cpu_s = [median(cost.cpu_s for cost in costs) for costs in measured[name]]
        wall_s = [median(cost.wall_s for cost in costs) for costs in measured[name]]
        row = [name]
        for cpu, wall in zip(cpu_s, wall_s, strict=True):
            row += [f"{cpu:.2f}", f"{wall:.2f}"]
        pairs = zip(measured[name][-1], measured[PASS][-1], strict=True)
        row.append(f"{median(cost.cpu_s / least.cpu_s for cost, least in pairs):.0f}")
        most = next((wait.at_most_s for wait in waits if wait.name == name), None)
        row.append("" if most is None else f"{most:g}")
        if clones > 1:
            both = zip(*measured[name], strict=True)
            row.append(f"{median(after.cpu_s / before.cpu_s for before, after in both):.2f}")
        table.append(row)
    return table, heads


if __name__ == "__main__":
    main(sys.argv[1:])
