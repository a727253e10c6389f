"""The organiser's side of a simulated cluster, for `tests.benchmarks.fleet`: arena, measured.

Plays the first sessions of a tournament on a cluster, as `arena tournament --cluster` does: from
the config to games in the store. Prints what that took as JSON.
"""

import argparse
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.cluster import inspection
from arena.cluster.address import Cluster
from arena.cluster.executor import THREAD, ClusterExecutor
from arena.cluster.host import packed, packed_kit
from arena.plan.plan import Plan, plan_of
from arena.runner import loads, run, tournament
from arena.runner.collector import Collector
from arena.runner.executor import Finished
from arena.runner.local_executor import hire_here
from arena.sandbox.walls import die_with
from arena.store.store import Store
from arena.system.signals import in_order
from tests.benchmarks.tournaments import DISK
from tests.crews import Unshown

SAMPLE = 50  # sessions whose size is taken


class Measured(NamedTuple):
    """What playing took of the organiser."""

    sessions: int
    games: int
    stored: int  # games, as the store counts them
    all_sessions: int  # that the league has
    all_games: int
    kit: int  # bytes, as they are sent to a host
    job: int  # bytes of a session, as they are sent, in the mean
    ready_s: float  # by the clock: until hosts are checked
    loaded_s: float  # and until bots are
    wall_s: float  # from the first session's order to the last one's result
    begun_cpu_s: float  # of the whole process, until hosts are checked and bots loaded
    main_cpu_s: float  # while it played: of the main thread
    storing_cpu_s: float  # of that in the store
    loop_cpu_s: float  # of the thread in which Dask's client is
    plan_mib: float  # resident: with the plan read
    least_mib: float  # and with all sessions made, before the first is played
    most_mib: float  # at any time
    said: list[str]  # to people


class Counted(Collector):
    """Takes what was played into the store, and knows what that takes."""

    sessions = 0
    cpu_s = 0.0

    def take(self, finished: Finished) -> None:
        """Store, and count."""
        before_s = time.thread_time()
        super().take(finished)
        self.cpu_s += time.thread_time() - before_s
        self.sessions += finished.tallies is not None


def mib(pid: int | str = "self") -> float:
    """Return how much of a process is resident, in MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def thread_s(name: str) -> float:
    """Return the CPU time of the thread of that name, in s."""
    (ident,) = (each.ident for each in threading.enumerate() if each.name == name)
    assert ident is not None, "it is there, so it has begun"
    return time.clock_gettime(time.pthread_getcpuclockid(ident))


def measured(plan: Plan, cluster: Cluster, sessions: int, progress: Unshown) -> Measured:
    """Play so many sessions, and return what that took."""
    with closing(Store.create_or_open(plan.folder, progress.say)) as store:
        secret, stored = tournament.begun(
            plan, store, progress, progress.say, lambda _: None, hire_here
        )
        plan_mib = mib()
        stage = next(run.stages_left(stored, store, progress))
        crew = ClusterExecutor(plan, cluster, progress.say)
        began_s = time.monotonic()
        with in_order(crew.stop), crew:
            crew.wait_until_ready()
            ready_s = time.monotonic() - began_s
            unloaded = loads.unloadable(plan, None, crew, progress)
            loaded_s = time.monotonic() - began_s - ready_s
            jobs = run.jobs_of(plan, stage, secret, unloaded, crew.size)
            least_mib, begun_s = mib(), time.process_time()
            sizes = [len(packed(job)) for job in jobs[:: max(1, len(jobs) // SAMPLE)]]
            print("plays", flush=True)
            intake = Counted(plan, store, progress)
            wall_s, main_s, loop_s = time.monotonic(), time.thread_time(), thread_s(THREAD)
            run.play_stage(crew, jobs[:sessions], intake, progress)
            wall_s = time.monotonic() - wall_s
            main_s, loop_s = time.thread_time() - main_s, thread_s(THREAD) - loop_s
        return Measured(
            intake.sessions, intake.played, store.count(), len(jobs), stage.left,
            len(packed_kit(crew.kit)), sum(sizes) // len(sizes), ready_s, loaded_s, wall_s, begun_s,
            main_s, intake.cpu_s, loop_s, plan_mib, least_mib, most_mib(), progress.said,
        )  # fmt: skip


def most_mib() -> float:
    """Return how much of this process was resident at most, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(words: Sequence[str]) -> None:
    """Play, and print what that took."""
    parser = argparse.ArgumentParser(prog="fleet_organiser", description="Play on a cluster.")
    parser.add_argument("address")
    parser.add_argument("config", type=Path)
    parser.add_argument("--sessions", type=int, required=True)
    parser.add_argument("--parent", type=int, required=True)
    given = parser.parse_args(words)
    die_with(given.parent)
    vars(inspection)["wrong_game"] = lambda *_: ""  # what simulated hosts return is of other decks
    with tempfile.TemporaryDirectory(prefix="arena-fleet-", dir=DISK) as folder:
        plan = plan_of(given.config, Path(folder, "results"), workers=1)
        cluster = Cluster(given.address, slow_hosts=True)
        print(json.dumps(measured(plan, cluster, given.sessions, Unshown())._asdict()))


if __name__ == "__main__":
    main(sys.argv[1:])
