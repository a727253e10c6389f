"""`python -m tests.benchmarks.fleet_sessions`: what sessions take, for clusters that are simulated.

Plays sessions as a league of 1,000 bots has them, of 32 bots each, with the house bots and their
walls, and writes to `fleet_sessions.json` how long each took and how large its result was. A worker
and its bots take turns on one core, so a session is as long as the CPU time of all of them, and a
busy machine does not matter. Takes some minutes.
"""

import json
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from arena.league.snapshots import snapshots
from arena.model import Played, Pool
from arena.plan.plan import Plan, plan_of
from arena.process.asker import unloadable
from arena.process.zygote_client import ZygoteClient
from arena.runner.host import Returned
from arena.schedule.order import schedule_for
from arena.schedule.sessions import BOTS_PER_SESSION, sessions_of
from arena.session.session import Job, Session
from arena.store.chunk import chunk_of, parts
from tests.benchmarks.accounting import own_and_waited_s
from tests.leagues import make
from tests.places import ROOT

FILE = Path(__file__).with_suffix(".json")
SIZES = (500, 2000, 8000)  # games of a session
EACH = 4  # sessions of a pool and a size
POOLS = """\
[[games]]
game = "no_thanks"
players = 3
deals = 2
[[games]]
game = "sixteen"
players = 2
deals = 60
[[games]]
game = "diciassette"
players = 4
deals = 1
seatings = 4
"""


class Recorded(NamedTuple):
    """A session that was played."""

    pool: Pool
    games: int
    bots: int
    seconds: float  # of CPU, of the worker and all its bots
    result: int  # bytes, as a host returns it
    chunks: int  # of the store, in the result


class Recording(NamedTuple):
    """All that was recorded."""

    date: str
    command: str
    load_s: float  # to load a bot, once and alone
    sessions: tuple[Recorded, ...]


@cache
def recorded() -> Recording:
    """Return what is in the file."""
    told = json.loads(FILE.read_text())
    sessions = tuple(Recorded(Pool(*pool), *rest) for pool, *rest in told.pop("sessions"))
    return Recording(sessions=sessions, **told)


def session_like(pool: Pool, games: int, rng: Random) -> Recorded:
    """Return a session of so many games of a pool: one that was played, chosen by chance from those
    of the nearest size, and its numbers as for that many games.
    """
    own = [each for each in recorded().sessions if each.pool == pool]
    nearest = min((each.games for each in own), key=lambda size: abs(size - games))
    chosen = rng.choice([each for each in own if each.games == nearest])
    part = games / chosen.games
    return chosen._replace(
        games=games, seconds=chosen.seconds * part, result=round(chosen.result * part)
    )


def league(folder: Path, bots: int, config: str = POOLS) -> Path:
    """Write a league of copies of the house bots that are one file; return its config's path.

    No two are one bot, and none has much of another: packed, all take a third, as bots do.
    """
    texts = [file.read_text() for file in sorted((ROOT / "bots").glob("*.py"))]
    rng, named = Random(1), dict[str, str]()
    for number, text in enumerate(islice(cycle(texts), bots)):
        named[f"bot{number:04}"] = f"{text}# {rng.randbytes(len(text) // 3).hex()}\n"
    return make(folder, config, named)


def played(plan: Plan, paths: dict[str, str], zygote: ZygoteClient) -> Iterator[Recorded]:
    """Play sessions of every pool and size."""
    for wanted in plan.wanted:
        entry = wanted.entry
        schedule = schedule_for(plan.stored((entry,)), entry)
        for size in SIZES:
            numbers = range(min(len(schedule), EACH * size))
            for games in sessions_of(schedule, numbers, size)[:EACH]:
                job = Job(entry.pool, plan.limits, entry.duplicate, tuple(games), bytes(16),
                          {})  # fmt: skip
                yield _played(job, paths, zygote)


def _played(job: Job, paths: dict[str, str], zygote: ZygoteClient) -> Recorded:
    before_s = _cpu_s(zygote)
    finished = list[Played]()
    tallies = Session(job, paths, zygote, finished.append, lambda: None).play()
    chunks = [chunk_of(job.pool, part) for part in parts(finished)]
    result = pickle.dumps(Returned(chunks, tallies, ""), pickle.HIGHEST_PROTOCOL)
    seconds = round(_cpu_s(zygote) - before_s, 2)
    bots = len({bot for game in job.fixtures for bot in game.line_up})
    return Recorded(job.pool, len(finished), bots, seconds, len(result), len(chunks))


def _cpu_s(zygote: ZygoteClient) -> float:
    """Return what this process, the zygotes and all bots that have ended have used."""
    return time.process_time() + sum(map(own_and_waited_s, zygote.pids()))


def main(words: Sequence[str]) -> None:
    """Play, and write the file."""
    if words:
        sys.exit("fleet_sessions takes no arguments")
    with tempfile.TemporaryDirectory(prefix="arena-fleet-") as folder:
        plan = plan_of(league(Path(folder), BOTS_PER_SESSION))
        with snapshots(plan.sources, plan.bots) as paths:
            zygote, sessions = ZygoteClient(plan.confined), list[Recorded]()
            before_s = _cpu_s(zygote)
            if unloaded := unloadable(paths, plan.limits, zygote):
                sys.exit(f"bots cannot be loaded: {unloaded}")
            load_s = round((_cpu_s(zygote) - before_s) / len(paths), 4)
            for each in played(plan, paths, zygote):
                sessions.append(each)
                print(f"{each.pool.title}: {each.games:,} games, {each.seconds:.1f} s, "
                      f"{each.result:,} bytes", file=sys.stderr)  # fmt: skip
            zygote.close()
    date = datetime.now(UTC).date().isoformat()
    head = {"date": date, "command": "python -m tests.benchmarks.fleet_sessions", "load_s": load_s}
    lines = ",\n".join(json.dumps(each) for each in sessions)
    FILE.write_text(f'{json.dumps(head)[:-1]}, "sessions": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main(sys.argv[1:])
