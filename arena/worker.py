"""A worker: plays one session at a time in a process of its own, started by multiprocess.

Workers are arena's own code and trusted: they know the secret, and what they send is unpickled.
Bots are never started by multiprocess and nothing of theirs is ever unpickled (`arena.zygote`).
"""

import signal
import time
import traceback
from typing import Any

from arena import confine, stopping
from arena.process import Zygote
from arena.session import Job, Played, Session

FLUSH_S = 0.2  # finished games are sent on at least this often
BATCH = 128  # and in batches of at most about this many

# What a worker is sent: a Job to play; STOP to leave as soon as it can, its finished games sent.
# What it sends: (PLAYED, [Played]), then (DONE, [Tally]); or (FAILED, traceback).
STOP, PLAYED, DONE, FAILED = "stop", "played", "done", "failed"


class _Stopped(Exception):
    """The arena wants no more games."""


def main(connection: Any, parent: int) -> None:
    """Play every job received until told to stop, or until the arena is gone."""
    for number in stopping.SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # the arena decides what Ctrl-C means
    confine.die_with(parent)
    zygote: Zygote | None = None
    try:
        while (job := connection.recv()) != STOP:
            zygote = zygote or Zygote(job.confined)
            _play(job, zygote, connection)
    except (_Stopped, EOFError):
        pass  # told to, or the arena has hung up
    except BaseException:
        connection.send((FAILED, traceback.format_exc()))
    finally:
        if zygote:
            zygote.close()


def _play(job: Job, zygote: Zygote, connection: Any) -> None:
    finished: list[Played] = []
    sent = time.monotonic()

    def pulse() -> None:
        nonlocal sent
        now = time.monotonic()
        if finished and (len(finished) >= BATCH or now - sent > FLUSH_S):
            connection.send((PLAYED, finished))
            finished.clear()
            sent = now
        if connection.poll():
            if finished:
                connection.send((PLAYED, finished))
            raise _Stopped

    tallies = Session(job, zygote, finished.append, pulse).play()
    if finished:
        connection.send((PLAYED, finished))
    connection.send((DONE, tallies))
