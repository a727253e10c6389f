"""`python -m tests.benchmarks.cluster [--games N] [--rounds N] [--load L]`: what a cluster costs.

The same tournament of house bots, played in turn by two workers of this machine and by a Dask
cluster of a scheduler and two workers, each a process of its own on the loopback address, with
walls, store and tables as always. Prints the CPU time of all processes together (scheduler, Dask's
workers, arena's, zygotes and bots), start-up apart: that is what the same costs with hardly a game.
The standings of all runs have to be equal to the byte. Exits 1 where games per CPU-second are not
within a tenth of each other.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks import load
from tests.benchmarks.accounting import ROOT, cost_of
from tests.clusters import cluster
from tests.leagues import make

BOTS = ("first_legal", "random_choice", "haggler", "trapper", "ledger")
POOLS = (("no_thanks", 3), ("diciassette", 3), ("sixteen", 2))
A_DEAL = 10 * 6 + 10 * 6 + 10 * 2  # games, of five bots in all seatings
WORKERS = 2
WITHIN = 0.1
DISK = "/var/tmp"  # /tmp may be memory, where nothing is durable


def main(words: Sequence[str]) -> int:
    """Measure and print; return 1 where a cluster costs more than it may, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cluster")
    parser.add_argument("--games", type=int, default=200_000, help="of each side, in all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--load", type=float, default=load.MOST)
    parser.add_argument("--play-on", type=Path, metavar="CONFIG", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if given.play_on:
        return on_cluster(given.play_on)
    deals = 1 + -(-given.games // (given.rounds * A_DEAL))  # one of which is start-up
    spent = {False: 0.0, True: 0.0}
    begun = {far: min(cost(far, 1)[0] for _ in range(given.rounds)) for far in spent}
    print(f"start-up, with {A_DEAL} games: {begun[False]:.1f} CPU-s here, {begun[True]:.1f} there")
    tables = set[bytes]()
    for number in load.rounds(given.rounds, given.load):
        for far in (number % 2 == 0, number % 2 == 1):
            cpu_s, standings = cost(far, deals)
            spent[far] += cpu_s - begun[far]
            tables.add(standings)
            where = "a cluster" if far else "this machine"
            print(f"{deals * A_DEAL:,} games by {where}: {cpu_s - begun[far]:.1f} CPU-s")
    assert len(tables) == 1, "standings differ"
    games = given.rounds * (deals - 1) * A_DEAL
    here, there = games / spent[False], games / spent[True]
    print(
        f"{games:,} games of each: {here:,.0f} a CPU-s by this machine, {there:,.0f} by a cluster: "
        f"{there / here:.3f} of it"
    )
    return int(not 1 - WITHIN <= there / here <= 1 + WITHIN)


def cost(far: bool, deals: int) -> tuple[float, bytes]:
    """Return the CPU time in s of a tournament of so many deals, and its standings."""
    bots = {name: (ROOT / "bots" / f"{name}.py").read_text() for name in BOTS}
    config = "seed = 18\n" + "".join(
        f'[[games]]\ngame = "{game}"\nplayers = {players}\ndeals = {deals}\nseatings = "all"\n'
        for game, players in POOLS
    )
    with tempfile.TemporaryDirectory(prefix="arena-bench-", dir=DISK) as folder:
        path = make(Path(folder), config, bots)
        here = ["arena", "tournament", str(path), "-q", "--workers", str(WORKERS)]
        there = ["tests.benchmarks.cluster", "--play-on", str(path)]
        found = cost_of([sys.executable, "-m", *(there if far else here)])
        return found.cpu_s, Path(folder, "results", "cup", "standings.json").read_bytes()


def on_cluster(config: Path) -> int:
    """Play a tournament on a cluster that is begun for it; return the exit code."""
    with cluster(Path(tempfile.mkdtemp(dir=config.parent))) as hosts:
        for number in range(WORKERS):
            hosts.worker(f"host{number}")
        hosts.wait_for_workers(WORKERS)
        command = ["arena", "tournament", str(config), "-q", "--cluster", hosts.address]
        done = subprocess.run(
            [sys.executable, "-m", *command, "--slow-hosts"], cwd=ROOT, check=False
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
