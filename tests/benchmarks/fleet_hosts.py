"""Hosts that play nothing, for `tests.benchmarks.fleet`: many of Dask's own workers in one process.

All that arena has a host do (`arena.runner.host`) is replaced here, in the process that Dask's
workers run in: a host is always in order, a session is slept through for as long as a recorded one
took, and what is returned is as large: records of games that were played at random, under the ids
that were asked for. Whatever is between those and the store is arena's own and Dask's.
"""

import argparse
import asyncio
import json
import os
import pickle
import socket
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import dask
from distributed import Worker

import games
from arena.model import Fixture, Played, Pool, Tally
from arena.records.format import body_of
from arena.runner import host as far
from arena.runner.executor import Machine
from arena.sandbox.walls import die_with
from arena.session.session import Job
from arena.store.chunk import chunk_of, parts
from tests.benchmarks.fleet_sessions import recorded, session_like
from tests.games.playing import new, play

KINDS = 512  # of records of a pool, one for each game of a chunk
DECISIONS = 8  # of a bot a game, as a tally says


ALONE = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "10s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""What each of Dask's workers does by itself many times a second, and the scheduler never hears of:
of 500 on one machine it would take all cores."""


class Span(NamedTuple):
    """When a session was played, by the machine's monotonic clock."""

    host: int
    began_s: float
    ended_s: float
    games: int


class Sleeper:
    """A host that sleeps, in the place of `arena.runner.host.Host`."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.machine, self.stopping = Machine(socket.gethostname(), 1.0), threading.Event()


class Hosts:
    """What the hosts of this process have in common: `speed` times as fast as those recorded."""

    def __init__(self, speed: float, told: Path) -> None:
        self._speed, self._told = speed, told.open("a", buffering=1)
        self._number = iter(range(os.getpid() * 1000, sys.maxsize))
        self._making = threading.Lock()  # of records: once, not by each thread

    def prepare(self, wanted: dict[str, str], kit: bytes) -> Sleeper:
        """Return a host, whatever versions are wanted, once it has read the bots."""
        far.unpacked_kit(kit)
        return Sleeper(next(self._number))

    def machine(self, host: Sleeper) -> Machine:
        """Return what the host calls itself."""
        return host.machine

    def load(self, host: Sleeper, bots: Sequence[str]) -> dict[str, str]:
        """Sleep as long as loading bots takes, one after the other; none is broken."""
        host.stopping.wait(len(bots) * recorded().load_s / self._speed)
        return {}

    def play(self, host: Sleeper, job: bytes) -> bytes:
        """Sleep as long as a session takes, and return what might have come of it."""
        began_s = time.monotonic()
        asked: Job = pickle.loads(job)
        fixtures = list(asked.fixtures)
        rng = Random(fixtures[0].id)
        length_s = session_like(asked.pool, len(fixtures), rng).seconds / self._speed
        with self._making:
            bodies = bodies_of(asked.pool)
        result = pickle.dumps(returned(asked.pool, fixtures, bodies), pickle.HIGHEST_PROTOCOL)
        host.stopping.wait(max(0.0, began_s + length_s - time.monotonic()))
        span = Span(host.number, began_s, time.monotonic(), len(fixtures))
        self._told.write(" ".join(map(str, span)) + "\n")
        return result


def returned(pool: Pool, fixtures: Sequence[Fixture], bodies: Sequence[bytes]) -> far.Returned:
    """Return what may come of a session: other games, told as those that were asked for."""
    seats = tuple(range(1, pool.players + 1))
    played = [
        Played(fixture, body, seats, seats, ())
        for fixture, body in zip(fixtures, cycle(bodies), strict=False)
    ]
    bots = sorted({bot.name for fixture in fixtures for bot in fixture.line_up})
    each = DECISIONS * len(fixtures) * pool.entrants // len(bots)
    tallies = [Tally(bot, each, 0.1, 1e-5, (), "") for bot in bots]
    return far.Returned([chunk_of(pool, part) for part in parts(played)], tallies, "")


@cache
def bodies_of(pool: Pool) -> list[bytes]:
    """Return records of games that are played by the rules, at random."""
    rng = Random(pool.title)
    game = games.load(pool.game)
    options = games.options_from(game.Options, json.loads(pool.options))
    found = []
    for _ in range(KINDS):
        state = play(new(game, options, pool.players, rng), pool.players, rng)
        found.append(body_of(game, state, state.result()))
    return found


async def serve(address: str, hosts: int, threads: int, folder: Path) -> None:
    """Be so many workers until the scheduler is gone."""
    workers = [
        Worker(
            address, nthreads=threads, memory_limit=0, dashboard=False, name=f"{os.getpid()}-{own}",
            local_directory=str(folder), host="127.0.0.1", validate=False,
        )
        for own in range(hosts)
    ]  # fmt: skip
    for worker in workers:
        await worker
    await asyncio.gather(*(worker.finished() for worker in workers))


def main(words: Sequence[str]) -> None:
    """Replace what a host does, and serve."""
    parser = argparse.ArgumentParser(prog="fleet_hosts", description="Be hosts that play nothing.")
    parser.add_argument("address")
    parser.add_argument("--hosts", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--speed", type=float, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--parent", type=int, required=True)
    given = parser.parse_args(words)
    die_with(given.parent)
    ours = Hosts(given.speed, given.folder / f"spans-{os.getpid()}.txt")
    for name in ("prepare", "machine", "load", "play"):
        setattr(far, name, getattr(ours, name))
    dask.config.set(ALONE)
    import_module("arena.runner.no_http")
    asyncio.run(serve(given.address, given.hosts, given.threads, given.folder))


if __name__ == "__main__":
    main(sys.argv[1:])
