"""`python -m tests.benchmarks.fleet [--hosts N ...] [--threads T] [--sessions N] [--speed X]`.

A league of 1,000 bots on a cluster of hosts that play nothing: what breaks first, and at what size.
A real `dask scheduler`, Dask's own workers, many in a process, and arena from its config to its
store; only what a host does is replaced by sleep, for as long as recorded sessions took
(`tests.benchmarks.fleet_hosts`, `...fleet_sessions`). After a column for each of `--hosts`, there
is one of the most in which half of them join late, and a process of 50 is killed. Takes three
minutes.

Figures are counts, bytes and CPU time, which hold on a busy machine; those by its clock, marked, do
not.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tabulate import tabulate

from arena.cluster.address import WITHOUT_HTTP
from tests import loops
from tests.benchmarks import load
from tests.benchmarks.fleet_counts import PARENT, Counts, counts, look, workers_of
from tests.benchmarks.fleet_figures import HEADS, Row, figures
from tests.benchmarks.fleet_hosts import Span
from tests.benchmarks.fleet_organiser import Measured, mib
from tests.benchmarks.fleet_sessions import league
from tests.benchmarks.tournaments import DISK
from tests.places import ROOT

HOSTS, THREADS, BOTS = (10, 100, 250, 500), 1, 1000
SESSIONS_A_THREAD, FEWEST = 2, 100  # of a row, where nothing else is asked for
PER_PROCESS = 50  # hosts
START_S = 120.0  # for hosts to join, on a machine however loaded
LOOK_S = 0.2
IDLE_S = 3.0
POOL = """\
seed = 1
[[games]]
game = "sixteen"
players = 2
deals = 1
"""


class Machines:
    """A scheduler and hosts."""

    def __init__(self, folder: Path, threads: int, speed: float, opened: ExitStack) -> None:
        self.folder, self.threads, self._speed, self._opened = folder, threads, speed, opened
        self.groups = list[tuple[int, "subprocess.Popen[bytes]"]]()  # hosts of a process
        said = folder / "scheduler.json"
        said.unlink(missing_ok=True)
        words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                 *WITHOUT_HTTP.split(), "--preload", "tests.benchmarks.fleet_counts",
                 "--scheduler-file", str(said)]  # fmt: skip
        self.scheduler = self._started("scheduler", words)
        until(said.exists)
        self.address = json.loads(said.read_text())["address"]

    def hosts(self) -> int:
        """Return how many hosts were started, and not killed."""
        return sum(count for count, _ in self.groups)

    def grow(self, size: int) -> None:
        """Start hosts until there are so many; they join in time."""
        while (lacking := size - self.hosts()) > 0:
            count = min(PER_PROCESS, lacking)
            words = ["-m", "tests.benchmarks.fleet_hosts", self.address, "--hosts", str(count),
                     "--threads", str(self.threads), "--speed", str(self._speed),
                     "--folder", str(self.folder), "--parent", str(os.getpid())]  # fmt: skip
            self.groups.append((count, self._started(f"hosts-{len(self.groups)}", words)))

    def all_joined(self) -> bool:
        """Return whether the scheduler knows as many hosts as there should be."""
        return loops.run(workers_of(self.address)) == self.hosts()

    def kill(self) -> int:
        """Kill a process of hosts; return how many those were."""
        count, process = self.groups.pop(0)
        process.kill()
        process.wait()
        return count

    def counts(self) -> Counts:
        """Return what the scheduler did so far."""
        return loops.run(counts(self.address))

    def spans(self) -> list[Span]:
        """Return the sessions that were played since this was asked last, and forget them."""
        found = list[Span]()
        for file in sorted(self.folder.glob("spans-*.txt")):
            lines = file.read_text().splitlines()
            os.truncate(file, 0)
            for line in lines:
                host, began_s, ended_s, games = line.split()
                found.append(Span(int(host), float(began_s), float(ended_s), int(games)))
        return found

    def _started(self, name: str, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        log = self._opened.enter_context((self.folder / f"{name}.log").open("wb"))
        process = subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env={**os.environ, PARENT: str(os.getpid())}, start_new_session=True,
        )  # fmt: skip
        self._opened.callback(process.wait)
        self._opened.callback(process.kill)
        return process


def until(done: Callable[[], bool]) -> None:
    """Return when it is so. Raises TimeoutError."""
    late_s = time.monotonic() + START_S
    while not done():
        if time.monotonic() > late_s:
            raise TimeoutError(f"not within {START_S:.0f} s")
        time.sleep(LOOK_S)


def less(after: Counts, before: Counts, seconds: float = 1.0) -> Counts:
    """Return what came between, a second of so many."""
    return Counts(*((new - old) / seconds for new, old in zip(after, before, strict=True)))


def row(machines: Machines, config: Path, sessions: int, late: int = 0) -> Row:
    """Play so many sessions on the hosts that are there, and return what was measured.

    With `late`, more join while it plays until there are so many, and then some are killed.
    """
    before, hosts = machines.counts(), machines.hosts()
    time.sleep(IDLE_S)
    idle = less(machines.counts(), before, IDLE_S)
    asked = loops.run(look(machines.address))
    machines.spans()
    words = ["-m", "tests.benchmarks.fleet_organiser", machines.address, str(config),
             "--sessions", str(sessions), "--parent", str(os.getpid())]  # fmt: skip
    before = machines.counts()
    with subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE
    ) as organiser, watched(machines.scheduler.pid) as scheduler:  # fmt: skip
        try:
            assert organiser.stdout is not None
            organiser.stdout.readline()
            begun = machines.counts()
            if late:
                machines.grow(late)
                until(machines.all_joined)
                machines.kill()
            told = organiser.stdout.readline()
            played = machines.counts()
        finally:
            organiser.kill()
    if not told:
        raise RuntimeError("the organiser failed; what it said stands above")
    return Row(
        f"{hosts} + {late - hosts} late - {late - machines.hosts()}" if late else str(hosts),
        machines.threads, load.one_minute(), Measured(**json.loads(told)), idle, asked,
        less(begun, before), less(played, begun), scheduler, machines.spans(),
    )  # fmt: skip


@contextmanager
def watched(pid: int) -> Iterator[list[float]]:
    """Give a list to which is added, from time to time, how much of a process is resident, in
    MiB.
    """
    found, over = [mib(pid)], threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_S):
            found.append(mib(pid))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def rows(given: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Yield what was measured at each size, and with trouble at the largest."""
    (folder / "league").mkdir()
    config = league(folder / "league", given.bots, POOL)
    with ExitStack() as opened:
        machines = Machines(folder, given.threads, given.speed, opened)
        for hosts in sorted(given.hosts):
            machines.grow(hosts)
            until(machines.all_joined)
            yield row(machines, config, _sessions(given, hosts))
    most = max(given.hosts)
    with ExitStack() as opened:
        machines = Machines(folder, given.threads, given.speed, opened)
        machines.grow((most + 1) // 2)
        until(machines.all_joined)
        yield row(machines, config, _sessions(given, most), late=most)


def _sessions(given: argparse.Namespace, hosts: int) -> int:
    asked: int | None = given.sessions
    return asked or max(FEWEST, SESSIONS_A_THREAD * hosts * given.threads)


def main(words: Sequence[str]) -> None:
    """Measure, and print."""
    given, measured = _arguments(words), list[Row]()
    with tempfile.TemporaryDirectory(prefix="arena-fleet-", dir=DISK) as folder:
        for each in rows(given, Path(folder)):
            print(f"{each.hosts} hosts: load {each.load:.1f}", file=sys.stderr, flush=True)
            measured.append(each)
    table = zip(HEADS, *map(figures, measured), strict=True)
    print(tabulate(table, disable_numparse=True, colalign=("left", *["right"] * len(measured))))


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fleet", description="Simulate a cluster.")
    most = f"{SESSIONS_A_THREAD} a thread, {FEWEST} at least"
    parser.add_argument("--hosts", type=int, nargs="+", default=HOSTS, metavar="N",
                        help="how many, row by row")  # fmt: skip
    parser.add_argument("--threads", type=int, default=THREADS, metavar="T", help="of each (1)")
    parser.add_argument("--sessions", type=int, metavar="N", help=f"of a row ({most})")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X",
                        help="times as fast as sessions that were recorded (1)")  # fmt: skip
    parser.add_argument("--bots", type=int, default=BOTS, metavar="N", help=f"({BOTS:,})")
    return parser.parse_args(words)


if __name__ == "__main__":
    main(sys.argv[1:])
