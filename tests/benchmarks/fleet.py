"""`python -m tests.benchmarks.fleet [--sessions N] [--bots N]`: what a cluster's coordinator bears.

A league of 1,000 bots on a Dask cluster whose hosts play nothing (`tests.benchmarks.fleet_hosts`):
its scheduler, its worker and arena, from the config to games in the store, are real. Prints the CPU
time of the coordinator a session, and of Dask's scheduler: 1 / that is how many sessions a second a
core bears. CPU times are larger where a machine is busy; compare runs that take turns.

In November 2026, on two cores at a load of 7, in turns, 400 bots: 18.9 ms (5.5 storing) where each
chunk was unpacked and one game in fifty of it judged; 10.7 ms (4.1) where one chunk in fifty is.
That is 1.77 times the sessions a second (1.71 and 1.85).
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from arena.audit import game_check
from arena.cluster import coordinator
from arena.cluster.executor import ClusterExecutor
from arena.cluster.scheduler import Cluster
from arena.plan.plan import plan_tournament
from arena.runner import run, tournament
from arena.runner.executor import Finished
from arena.runner.run import Collector
from arena.store.store import Store
from arena.system.signals import stop_in_order
from tests.benchmarks.accounting import DISK, one_minute, own_s
from tests.clusters import cluster
from tests.crews import Unshown
from tests.leagues import NOW, make
from tests.places import ROOT

SESSIONS, BOTS, THREADS = 500, 1000, 4
POOL = """\
seed = 1
[[games]]
game = "sixteen"
players = 2
deals = 1
"""


class Measured(NamedTuple):
    """What a cluster took to play sessions."""

    sessions: int
    games: int
    stored: int  # games, as the store counts them
    coordinator_s: float  # CPU time of the whole process while it played
    storing_s: float  # of that in the store
    scheduler_s: float


class Regular(Random):
    """Has every fiftieth chunk judged, so that runs compare."""

    asked = 0

    def randrange(self, start: int, *_: Any) -> int:
        self.asked += 1
        return self.asked % start


class Timed(Collector):
    """Takes what was played into the store, and knows what that takes."""

    sessions = 0
    cpu_s = 0.0

    def take(self, finished: Finished) -> None:
        before_s = time.thread_time()
        super().take(finished)
        self.cpu_s += time.thread_time() - before_s
        self.sessions += finished.tallies is not None


def league(folder: Path, bots: int) -> Path:
    """Write a league of copies of the house bots that are one file; return its config's path.

    No two are one bot, and none has much of another: packed, all take a third, as bots do.
    """
    texts = [file.read_text() for file in sorted((ROOT / "bots").glob("*.py"))]
    rng, named = Random(1), dict[str, str]()
    for number, text in enumerate(islice(cycle(texts), bots)):
        named[f"bot{number:04}"] = f"{text}# {rng.randbytes(len(text) // 3).hex()}\n"
    return make(folder, POOL, named)


def measured(folder: Path, sessions: int, bots: int) -> Measured:
    """Play the first sessions of a league on a cluster, and return what that took."""
    plan, progress = (
        plan_tournament(league(folder / "league", bots), NOW, folder / "results", 1),
        Unshown(),
    )
    with (
        cluster(folder) as there,
        closing(Store.create_or_open(plan.folder, progress.say)) as store,
    ):
        there.worker("idle", "--preload", "tests.benchmarks.fleet_hosts", threads=THREADS)
        there.wait_for_workers(1)
        scheduler = there.processes["scheduler"].pid
        unheard = lambda _: None  # noqa: E731
        secret, stored = tournament.begin(plan, store, progress, unheard)
        stage = next(run.stages_left(stored, store, progress))
        crew = ClusterExecutor(plan, Cluster(there.address), progress.say)
        with stop_in_order(crew.stop), crew:
            crew.wait_until_ready()
            jobs = run.jobs_of(plan, stage, secret, {}, crew.size)
            collector = Timed(plan, store, progress)
            before_s, scheduler_s = time.process_time(), own_s(scheduler)
            run.play_stage(crew, jobs[:sessions], collector, progress, more=False)
            spent_s, scheduler_s = time.process_time() - before_s, own_s(scheduler) - scheduler_s
        return Measured(
            collector.sessions, collector.played, store.count(), spent_s, collector.cpu_s,
            scheduler_s,
        )  # fmt: skip


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="fleet", description="What a cluster's coordinator bears")
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--bots", type=int, default=BOTS)
    given = parser.parse_args(words)
    vars(game_check)["is_dealt"] = lambda *_: True  # what hosts return here is of other decks
    vars(coordinator)["_CHANCE"] = Regular()
    with tempfile.TemporaryDirectory(prefix="arena-fleet-", dir=DISK) as folder:
        (Path(folder) / "league").mkdir()
        found = measured(Path(folder), given.sessions, given.bots)
    spent = {
        "coordinator": found.coordinator_s, "- storing": found.storing_s,
        "scheduler": found.scheduler_s,
    }  # fmt: skip
    print(f"{found.sessions:,} sessions of {found.games / found.sessions:.0f} games; "
          f"load {one_minute():.1f}")  # fmt: skip
    for name, seconds in spent.items():
        print(f"{name}: {1e3 * seconds / found.sessions:.1f} CPU-ms a session")
    print(f"sessions a second that take a core: {found.sessions / found.coordinator_s:.0f}")


if __name__ == "__main__":
    main(sys.argv[1:])
