"""A worker: plays one session at a time in a process of its own. `Worker` is its other end, in the
process that hired it: the arena's, or that of a cluster's host.

Workers are arena's own code and trusted: they know the secret, and what they send is unpickled.
Bots are started otherwise, and nothing of theirs is ever unpickled (`arena.sandbox.zygote`).
"""

import ctypes
import gc
import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from typing import Any, NamedTuple

import multiprocess
from multiprocess import heap, popen_spawn_posix, spawn, util
from multiprocess.context import SpawnProcess, reduction, set_spawning_popen

from arena.errors import ArenaError, Unconfinable
from arena.model import Limits, Played, Pool
from arena.process.affinity import Group
from arena.process.asker import find_unloadable
from arena.process.refusal import insist
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import walls
from arena.session.session import Job, Session
from arena.store.chunk import GAMES, make_chunk, split_games
from arena.system.signals import SIGNALS, shield_children

# Where it makes shared memory, even if it may not; without any, it makes a file in TMPDIR.
heap.Arena._dir_candidates = [folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)]

PULSE_S = 0.02  # between looks at what the arena says: 10 us each, a tenth of a message
FLUSH_S = 0.5  # finished games are sent on at least this often, or when a chunk is full

GARBAGE = 1_000_000
"""Objects: a session makes and drops millions, and no cycle among them. Its games in progress are
hundreds of thousands, and to look through them took 40 ms."""

# What a worker is sent: a LoadCheck, answered by (LOADED, Reasons by name); a Task to play,
# answered by (PLAYED, Chunk) again and again, then (DONE, [Tally]); STOP to leave as soon as it
# can, its finished games sent. Or it says (FAILED, traceback or Unconfinable).
STOP, LOADED, PLAYED, DONE, FAILED = "stop", "loaded", "played", "done", "failed"


class LoadCheck(NamedTuple):
    """Bots to be loaded, each once, alone."""

    paths: dict[str, str]  # a bot's name: the folder of its snapshot
    limits: Limits


class Task(NamedTuple):
    """A session to be played, and where its bots are on this machine."""

    job: Job
    paths: dict[str, str]  # a bot's name: the folder of its snapshot


class Asked(ctypes.Structure):
    """The bot that a worker asks, in memory that the arena reads: a worker that waits cannot report
    it.
    """

    _fields_ = (("since_s", ctypes.c_double), ("bot", ctypes.c_char * 256))  # 0.0: none

    def note(self, bot: str) -> None:
        """Note that a bot is asked from now on; "" for none."""
        self.since_s = 0.0  # the arena may read at any moment: never a name with another's time
        self.bot = bot.encode()
        self.since_s = time.monotonic() if bot else 0.0


class _Popen(popen_spawn_posix.Popen):  # type: ignore[misc]
    """Starts a process as `spawn` does, but its preparation data do not name the caller's main
    module: a script without a guard would be run again by each worker. No resource tracker is
    started either: nothing that is shared has a name that could be left behind.
    """

    terminate = popen_spawn_posix.Popen.kill  # at exit: workers ignore SIGTERM, which it would send

    def _launch(self, process: Any) -> None:
        with os.fdopen(insist("memfd_create", os.memfd_create, "worker"), "w+b") as data:
            set_spawning_popen(self)
            try:
                reduction.dump({"sys_path": sys.path}, data)
                reduction.dump(process, data)
            finally:
                set_spawning_popen(None)
            data.seek(0)
            words = spawn.get_command_line(pipe_handle=data.fileno())
            words.insert(1, "-P")  # a file of the current folder is no module of ours
            fds = [*self._fds, data.fileno()]
            self.pid = insist("fork or execve", util.spawnv_passfds, words[0], words, fds)
        self.sentinel = None  # a worker has ended when its connection has


class _Process(SpawnProcess):  # type: ignore[misc]
    _Popen = _Popen


class Worker:
    """A worker, from outside. multiprocess's `wait` takes it as its connection."""

    def __init__(self, confined: bool, pinned: bool, place: int) -> None:
        """Start it. Its `place` is its number among ours; `asked` says whom it asks."""
        self.place = place
        self.connection, theirs = insist("socketpair", multiprocess.Pipe)
        self.asked = multiprocess.RawValue(Asked)
        # by our pid, for another arena on this machine begins on other cores then
        core = os.getpid() + place if pinned else None
        self.process = _Process(target=main, args=(theirs, self.asked, confined, core), daemon=True)
        with theirs, shield_children():
            self.process.start()

    def fileno(self) -> int:
        """The connection's."""
        return int(self.connection.fileno())

    def send(self, message: object) -> None:
        """Send a message. A worker that is gone gets none; `receive` reports that it is."""
        with suppress(OSError):
            self.connection.send(message)

    def receive(self) -> tuple[str, Any]:
        """Wait for its next message, `FAILED` from one that is gone. Raises Unconfinable."""
        try:
            what, content = self.connection.recv()
        except (EOFError, OSError):
            return FAILED, "its process died"
        if isinstance(content, Unconfinable):
            raise content
        return what, content

    def end(self) -> None:
        """End it, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.join()


class _Stopped(Exception):
    """The arena wants no more games."""


def main(connection: Any, asked: Asked, confined: bool, place: int | None) -> None:
    """Carry out all orders that come until `STOP`, or until the arena is gone, which may read who
    is `asked`.

    `place` is where among the workers' cores this one begins; None leaves that to the kernel.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # the arena decides what Ctrl-C means
    group = Group(place)  # before the zygote, so that it and the bots inherit the core
    zygote: ZygoteClient | None = None
    gc.freeze()
    gc.set_threshold(GARBAGE)
    try:
        zygote = ZygoteClient(confined)
        walls.die_with(multiprocess.parent_process().pid)
        while (sent := connection.recv()) != STOP:
            if isinstance(sent, LoadCheck):
                connection.send((LOADED, find_unloadable(*sent, zygote)))
            else:
                _play(sent, zygote, connection, asked, group)
    except (_Stopped, EOFError):
        pass  # told to, or the arena has hung up
    except ArenaError as error:
        refused = isinstance(error, Unconfinable)
        connection.send((FAILED, Unconfinable(*error.args) if refused else str(error)))
    except BaseException:
        connection.send((FAILED, traceback.format_exc()))
    finally:
        if zygote:
            zygote.close()


def _play(task: Task, zygote: ZygoteClient, connection: Any, asked: Asked, group: Group) -> None:
    job, paths = task
    finished: list[Played] = []
    sent = 0.0  # the first that is finished is sent at once: somebody is waiting to see it
    due = 0.0

    def pulse() -> None:
        nonlocal sent, due
        now = time.monotonic()
        if now < due:
            return
        due = now + PULSE_S
        group.look(zygote.pids)
        if finished and (len(finished) >= GAMES or now - sent > FLUSH_S):
            _send_finished(connection, job.pool, finished)
            finished.clear()
            sent = now
        if connection.poll():
            _send_finished(connection, job.pool, finished)
            raise _Stopped

    tallies = Session(job, paths, zygote, finished.append, pulse, asked.note).play()
    asked.note("")
    _send_finished(connection, job.pool, finished)
    connection.send((DONE, tallies))


def _send_finished(connection: Any, pool: Pool, finished: list[Played]) -> None:
    """Send games in chunks: all games of a session may end at once, and the size of a chunk is
    bounded.
    """
    for part in split_games(finished):
        connection.send((PLAYED, make_chunk(pool, part)))
