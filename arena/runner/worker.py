"""A worker: plays one session at a time in a process of its own. `Worker` is its other end, in the
process that hired it: the arena's, or that of a cluster's host.

Workers are arena's own code and trusted: they know the secret, and what they send is unpickled.
Bots are started otherwise, and nothing of theirs is ever unpickled (`arena.sandbox.zygote`).
"""

import ctypes
import errno
import gc
import mmap
import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from typing import Any, NamedTuple

import multiprocess
from multiprocess.connection import Connection

from arena.errors import TOO_FEW_FILES, ArenaError
from arena.model import Limits, Played, Pool
from arena.process import Group, ZygoteClient, find_unloadable
from arena.sandbox import walls
from arena.session import Job, Session
from arena.store import GAMES, make_chunks
from arena.system import SIGNALS, shield_children

PULSE_S = 0.02  # between looks at what the arena says: 10 us each, a tenth of a message
FLUSH_S = 0.5  # finished games are sent on at least this often, or when a chunk is full

GARBAGE = 1_000_000
"""Objects: a session makes and drops millions, and no cycle among them. Its games in progress are
hundreds of thousands, and to look through them took 40 ms."""

# What a worker is sent: a LoadCheck, answered by (LOADED, Reasons by name); a Task to play,
# answered by (PLAYED, Chunk) again and again, then (DONE, [Tally]); STOP to leave as soon as it
# can, its finished games sent. Or it says (FAILED, traceback).
STOP, LOADED, PLAYED, DONE, FAILED = "stop", "loaded", "played", "done", "failed"


def send(connection: Any, message: Any) -> None:
    """Send a message. By pickle itself: multiprocess's own is dill, in Python, and cost more than
    the store.
    """
    connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(connection: Any) -> Any:
    """Wait for the next message. Raises EOFError where the other side has hung up."""
    return pickle.loads(connection.recv_bytes())


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


_BOOT = (
    "import sys\n"
    "sys.path[:] = {path!r}\n"
    "from arena.runner.worker import main\n"
    "main({connection}, {page}, {parent}, {confined}, {core})\n"
)


class Worker:
    """A worker, from outside. multiprocess's `wait` takes it as its connection."""

    def __init__(self, confined: bool, pinned: bool, place: int) -> None:
        """Start it: not by multiprocess, which would load our own program in it anew. Its `place`
        is its number among ours; `asked` says whom it asks.
        """
        self.place = place
        self.connection, theirs = multiprocess.Pipe()
        page = os.memfd_create("asked")
        os.ftruncate(page, mmap.PAGESIZE)
        self.asked = Asked.from_buffer(mmap.mmap(page, mmap.PAGESIZE))
        boot = _BOOT.format(
            path=sys.path, connection=theirs.fileno(), page=page, parent=os.getpid(),
            confined=confined,
            # by our pid, for another arena on this machine begins on other cores then
            core=os.getpid() + place if pinned else None,
        )  # fmt: skip
        with shield_children():
            self.process = subprocess.Popen(
                [sys.executable, "-c", boot],
                stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno(), page],
            )  # fmt: skip
        theirs.close()
        os.close(page)

    def fileno(self) -> int:
        """The connection's."""
        return int(self.connection.fileno())

    def send(self, message: object) -> None:
        """Send a message. A worker that is gone gets none; `receive` reports that it is."""
        with suppress(OSError):
            send(self.connection, message)

    def receive(self) -> tuple[str, Any]:
        """Wait for the worker's next message; of one that is gone that is `FAILED`."""
        try:
            return receive(self.connection)  # type: ignore[no-any-return]
        except (EOFError, OSError):
            return FAILED, "its process died"

    def end(self) -> None:
        """End it, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


class _Stopped(Exception):
    """The arena wants no more games."""


def main(pipe: int, page: int, parent: int, confined: bool, place: int | None) -> None:
    """Carry out all orders that come by the pipe until `STOP`, or until `parent` is gone, which may
    read on the page who is asked. `pipe` and `page` are descriptors.

    `place` is where among the workers' cores this one begins; None leaves that to the kernel.
    """
    connection, asked = Connection(pipe), Asked.from_buffer(mmap.mmap(page, mmap.PAGESIZE))
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # the arena decides what Ctrl-C means
    walls.die_with(parent)
    group = Group(place)  # before the zygote, so that it and the bots inherit the core
    zygote: ZygoteClient | None = None
    gc.freeze()
    gc.set_threshold(GARBAGE)
    try:
        zygote = ZygoteClient(confined)
        while (sent := receive(connection)) != STOP:
            if isinstance(sent, LoadCheck):
                send(connection, (LOADED, find_unloadable(*sent, zygote)))
            else:
                _play(sent, zygote, connection, asked, group)
    except (_Stopped, EOFError):
        pass  # told to, or the arena has hung up
    except ArenaError as error:
        send(connection, (FAILED, str(error)))
    except BaseException as error:
        few = isinstance(error, OSError) and error.errno == errno.EMFILE
        send(connection, (FAILED, TOO_FEW_FILES if few else traceback.format_exc()))
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
    send(connection, (DONE, tallies))


def _send_finished(connection: Any, pool: Pool, finished: list[Played]) -> None:
    """Send games in chunks: all games of a session may end at once, and the size of a chunk is
    bounded.
    """
    for chunk in make_chunks(pool, finished):
        send(connection, (PLAYED, chunk))
