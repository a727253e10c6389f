"""One session, its bots started in it: all that a worker does, nothing stored."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena import ids
from arena.model import Bot, Entry, Limits, Played, Pool
from arena.process.zygote_client import ZygoteClient
from arena.schedule.order import Schedule
from arena.session import player, session
from arena.session.session import Job, Session

LIMITS = Limits()


class Took(NamedTuple):
    """What a session took."""

    games: int
    decisions: int  # asked, in all of them
    messages: int  # batches of questions
    parent_s: float  # CPU time of the session itself
    bots_s: float  # and of its bots' processes

    @property
    def cpu_s(self) -> float:
        """The CPU time of both."""
        return self.parent_s + self.bots_s


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process, and what it starts, to the last of its cores, as a worker keeps to one."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def play(
    zygote: ZygoteClient, pool: Pool, source: str, count: int, limits: Limits = LIMITS
) -> Took:
    """Play so many games of one line-up, of bots with this text.

    Raises RuntimeError if one of them has a fault.
    """
    played: list[Played] = []
    messages = -pool.players  # a process a seat is started, with a pulse before it

    def pulse() -> None:
        nonlocal messages
        messages += 1

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(source)
        bots = tuple(Bot(f"bot{number}", "") for number in range(pool.entrants))
        entry = Entry(pool, bots, count, 1, False)
        fixtures = tuple(Schedule(entry, ids.Identity(pool, 1, limits, "walls", False)))
        paths = {each.name: folder for each in bots}
        job = Job(pool, limits, False, fixtures, bytes(16), {})
        began_s = time.process_time()
        tallies = Session(job, paths, zygote, played.append, pulse).play()
        used_s = time.process_time() - began_s
    for game in played:
        if game.faults:
            raise RuntimeError(f"a bot had a fault: {game.faults[0]}")
    bots_s = sum(tally.cpu_s for tally in tallies)
    decisions = sum(tally.decisions for tally in tallies)
    return Took(len(played), decisions, messages, used_s, bots_s)


@contextmanager
def batches_of(size: int) -> Iterator[None]:
    """Have sessions ask at most `size` questions in a message, and keep as many games open."""
    constants = [vars(module) for module in (player, session)]
    before = [own["BATCH"] for own in constants]
    for own in constants:
        own["BATCH"] = size
    try:
        yield
    finally:
        for own, kept in zip(constants, before, strict=True):
            own["BATCH"] = kept
