"""A tournament of the house bots, for `make bench`: bots' own decisions beside all else.

The whole tournament's CPU time is the kernel's account of all its processes. The bots' own part of
it is not what arena charged them, which holds the reading of messages and much else that is arena's
price: `tests.benchmarks.own_decisions` says how it is measured. All else is the difference.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from arena.store import usage
from arena.store.store import Store
from tests.benchmarks.accounting import ROOT, cost_of
from tests.benchmarks.tournaments import DISK

QUICK = ROOT / "tournaments" / "quick.toml"
ONE_IN = 4  # games are played again: 10,000 of quick.toml, a hundredth's uncertainty
APART = 0.02  # share that the two numbers of decisions may be apart, beside what chance does


class House(NamedTuple):
    """A tournament's cost, taken in two."""

    games: int
    own_s: float  # CPU time of the bots' own decisions
    else_s: float  # and of all else
    wall_s: float  # of the whole


def cost(config: Path = QUICK, one_in: int = ONE_IN) -> House:
    """Play a tournament of the bots of `bots/`, and return its cost.

    Raises RuntimeError if it ends badly, or if the games played again are of another kind: with
    more or fewer decisions.
    """
    with tempfile.TemporaryDirectory(prefix="arena-bench-", dir=DISK) as name:
        folder = Path(name)
        shutil.copytree(ROOT / "bots", folder / "bots")
        shutil.copy(config, folder / "cup.toml")
        results, records = folder / "results", folder / "records.jsonl"
        arena = [sys.executable, "-m", "arena"]
        played = cost_of([*arena, "tournament", str(folder / "cup.toml"), "--json",
                          "--max-faults", "0", "--results", str(results)])  # fmt: skip
        games = sum(pool["games"] for pool in json.loads(played.stdout)["pools"])
        subprocess.run(
            [*arena, "records", str(results), "--output", str(records)],
            cwd=ROOT, check=True, capture_output=True,
        )  # fmt: skip
        module = "tests.benchmarks.own_decisions"
        told = cost_of([sys.executable, "-m", module, str(records), str(one_in)]).stdout
        store = Store.open(results)
        decisions = sum(timing.decisions for timing in usage.read_timings(store))
        store.close()
    again = json.loads(told)
    share = again["games"] / games
    most = decisions * share * APART + 10 * again["games"] ** 0.5 * decisions / games
    if abs(again["decisions"] - decisions * share) > most:
        raise RuntimeError(f"{decisions:,} decisions in {games:,} games; played again {again}")
    own_s = again["own_s"] * decisions / again["decisions"]
    return House(games, own_s, played.cpu_s - own_s, played.wall_s)
