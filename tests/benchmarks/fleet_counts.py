"""What a scheduler is told and tells, counted in its own process: `dask scheduler --preload` this.

Nothing of Dask's is changed but for the counting. It is asked for as other things are, over the
network: `rpc(address).arena_counts()`.
"""

import os
import time
from typing import Any, NamedTuple

from distributed import Scheduler, rpc
from distributed.comm import tcp

from arena.sandbox.walls import die_with

PARENT = "ARENA_FLEET_PARENT"  # in the environment: whose end is the scheduler's
ASKED = 20  # times, for a mean


class Counts(NamedTuple):
    """What a scheduler did so far."""

    messages: float  # read and written; one may hold many of Dask's
    sent: float  # bytes
    received: float
    heartbeats: float  # of workers
    cpu_s: float
    tasks: float  # that it knows now


class Look(NamedTuple):
    """What it takes to ask a scheduler once which hosts there are, in the mean."""

    theirs_s: float  # CPU time of the scheduler
    ours_s: float  # and of who asks
    size: float  # bytes of the answer


async def counts(address: str) -> Counts:
    """Return what a scheduler did, by its own account."""
    async with rpc(address) as scheduler:
        return Counts(*await scheduler.arena_counts())


async def workers_of(address: str) -> int:
    """Return how many workers a scheduler has."""
    async with rpc(address) as scheduler:
        return int((await scheduler.identity(n_workers=0))["n_workers"])


async def look(address: str) -> Look:
    """Ask a scheduler which hosts there are as `arena.cluster.hosts` does, and return what that
    takes; nothing else should be asked of it meanwhile.
    """
    async with rpc(address) as scheduler:
        before, ours_s = Counts(*await scheduler.arena_counts()), time.process_time()
        for _ in range(ASKED):
            await scheduler.identity(n_workers=-1)
        ours_s = time.process_time() - ours_s
        after = Counts(*await scheduler.arena_counts())
    used = (after.cpu_s - before.cpu_s, ours_s, after.sent - before.sent)
    return Look(*(each / ASKED for each in used))


def dask_setup(scheduler: Scheduler) -> None:
    """Begin to count. Dask calls this before the scheduler begins."""
    die_with(int(os.environ[PARENT]))
    made = dict.fromkeys(("messages", "sent", "received", "heartbeats"), 0)
    read, write, read_part = tcp.TCP.read, tcp.TCP.write, tcp.read_bytes_rw

    async def reading(comm: Any, *words: Any, **named: Any) -> Any:
        message = await read(comm, *words, **named)
        made["messages"] += 1
        return message

    async def reading_part(stream: Any, size: int) -> Any:
        made["received"] += size
        return await read_part(stream, size)

    async def writing(comm: Any, *words: Any, **named: Any) -> Any:
        size = await write(comm, *words, **named)
        made["messages"] += 1
        made["sent"] += size
        return size

    tcp.TCP.read, tcp.TCP.write, tcp.read_bytes_rw = reading, writing, reading_part
    beat = scheduler.handlers["heartbeat_worker"]

    def beating(*words: Any, **named: Any) -> Any:
        made["heartbeats"] += 1
        return beat(*words, **named)

    scheduler.handlers["heartbeat_worker"] = beating
    scheduler.handlers["arena_counts"] = lambda: [
        *made.values(), time.process_time(), len(scheduler.tasks),
    ]  # fmt: skip
