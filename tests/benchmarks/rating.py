"""`python -m tests.benchmarks.rating [GAMES]`: rating and tables of 1,000,000 stored games.

Makes a store of 12 bots over the pools of `tournaments/quick.toml`, in its proportions: who wins
is made up (skill, luck, rounded, so that ties come up), ids and all else are what play would
store. Then lets `arena standings` make the tables, and prints wall time, CPU time, and the most
memory its processes together held, pages they share counted for each.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from arena.model import Bot, Entry, Fault, Played, Pool, Reason, StoredPlan
from arena.plan import config
from arena.plan.plan import wanted
from arena.schedule.order import Schedule, identity_of, schedules
from arena.store.chunk import chunk_of
from arena.store.plans import keep_plan
from arena.store.store import Store
from tests.benchmarks.accounting import ROOT, ended

GAMES = 1_000_000
BOTS = 12
BATCH = 512
BODY = bytes(740)  # as long as they come
EVERY_S = 0.05  # memory is read

Body = Callable[[bool], bytes]
"""The next record's body, of a game in which seat 0 forfeits at once, or nobody does."""
Bodies = Callable[[Pool], Body]


def as_long_as_they_come(_: Pool) -> Body:
    """Return bodies that nobody reads."""
    return lambda _: BODY


def made(folder: Path, games: int, bodies: Bodies = as_long_as_they_come) -> int:
    """Make the store; return how many games it holds."""
    read = config.load(ROOT / "tournaments" / "quick.toml")
    bots = [Bot(f"bot{number:02}", f"{number:064x}") for number in range(BOTS)]
    entries = [each.entry for each in wanted(read, bots)]
    identities = [identity_of(entry, read.limits, "none") for entry in entries]
    once = sum(map(len, map(Schedule, entries, identities)))
    plan = StoredPlan(
        "rated", True, "none", read.limits,
        tuple(entry._replace(deals=max(1, round(entry.deals * games / once))) for entry in entries),
    )  # fmt: skip
    store = Store.create_or_open(folder)
    for bot in bots:
        store.keep_bot(bot, ())
    keep_plan(store, plan)
    for entry in plan.entries:
        played = results(plan, entry, Random(entry.pool.title), bodies(entry.pool))
        while batch := list(islice(played, BATCH)):
            store.add(entry.pool, chunk_of(entry.pool, batch))
    count = store.count()
    store.close()
    return count


def results(plan: StoredPlan, entry: Entry, rng: Random, body: Body) -> Iterator[Played]:
    """Yield all games of an entry, with how they ended."""
    for fixture in schedules(plan)[entry.pool]:
        points = [
            round(int(bot.name[3:]) + 12 * rng.gauss(0, 1)) for bot in fixture.line_up
        ]  # fmt: skip
        scores = tuple(points[seat] for seat in fixture.seating)
        ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
        faults = (Fault(0, 0, Reason("error", "")),) if rng.random() < 0.001 else ()
        yield Played(fixture, body(bool(faults)), ranks, scores, faults)


def memory_kib(process: int) -> int:
    """Return the memory that all descendants of a process hold now."""
    total = 0
    try:
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            status = Path(f"/proc/{child}/status").read_text()
            total += int(status.partition("VmRSS:")[2].split()[0]) + memory_kib(int(child))
    except (OSError, IndexError):  # one of them has ended
        pass
    return total


def main(games: int) -> None:
    """Make the store, measure, and take it away again."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        count = made(Path(folder, "store"), games)
        print(f"{count:,} games stored")
        out = Path(folder, "out.json")
        spent = measured(["standings", f"{folder}/store", "--format", "json"], out)
        document = json.loads(out.read_text())
    assert sum(pool["games"] for pool in document["pools"]) == count
    print(f"rated and tabulated: {spent}")


class Spent(NamedTuple):
    """What a command used, all of its processes together."""

    wall_s: float
    cpu_s: float
    memory_mib: float  # at most at once

    def __str__(self) -> str:
        return f"{self.wall_s:.1f} s wall, {self.cpu_s:.1f} s CPU, {self.memory_mib:.0f} MiB"


def measured(words: Sequence[str], out: Path) -> Spent:
    """Return what a command of arena used; its standard output goes to a file. It ends well."""
    told = out.with_name(f"{out.name}.cost")
    watcher = [sys.executable, "-m", "tests.benchmarks.accounting", str(told)]
    with out.open("wb") as stream:
        command = [*watcher, sys.executable, "-m", "arena", *words]
        process = subprocess.Popen(command, cwd=ROOT, stdout=stream)
        most_kib = 0
        while not ended(process, EVERY_S):
            most_kib = max(most_kib, memory_kib(process.pid))
    code, cpu_s, wall_s, _ = json.loads(told.read_text())
    assert code == 0
    return Spent(wall_s, cpu_s, most_kib / 1024)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
