"""Bots' processes without walls: `multiprocess` starts each, on any system.

An answer that is waited for is limited by the wall clock. CPU time is what the process says of
itself, and memory has no limit. Views, generators and the order of sets are those behind the walls,
so that a bot decides the same.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import multiprocess

from arena.errors import UsageError
from arena.model import Limits, Place, Reason
from arena.process.bot_process import Allowance, BotProcess, Ended, Kind, check_snapshot
from arena.process.death import HungUp, Misbehaved
from arena.sandbox import wire
from arena.sandbox.unwalled import run
from arena.system.signals import shield_children

DYING_S = 1.0  # from the end of a dying process's pipe to its death
ENVIRONMENT = {
    "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}  # fmt: skip
"""Settings that decisions could depend on, as in a zygote's environment; no bytecode is written."""


class SpawnClient:
    """Starts bots' processes; stands in for a `ZygoteClient` where there are no walls. Raises
    UsageError where Python hands on a flag by which they would not take `ENVIRONMENT`.
    """

    def __init__(self) -> None:
        if sys.flags.ignore_environment:
            raise UsageError("python -E, -I: bots would decide otherwise; start Arena without it")

    def start(self, path: Path, limits: Limits, kind: Kind = BotProcess) -> BotProcess:
        """Start a fresh process of a `kind` for the bot whose snapshot is the folder `path`.

        Raises ArenaError where that is gone.
        """
        check_snapshot(path)
        return kind(Spawned(path, limits), limits)

    def close(self) -> None:
        """Do nothing: a process is ended by who asked for it."""


class Spawned:
    """The body of a process that was spawned (`bot_process.Body`)."""

    def __init__(self, path: Path, limits: Limits) -> None:
        spawn = multiprocess.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._shared = spawn.RawArray("I", 2)
        self.word = memoryview(self._shared).cast("B").cast("I")
        # with the snapshots, which are swept up after an arena that was killed
        self._output, self._file = tempfile.mkstemp(prefix="output-", dir=path.parent)
        given = (theirs, self._shared, str(path), self._file, limits.max_output_kib << 10)
        self._process = spawn.Process(target=run, args=given, daemon=True)
        with _surroundings(), shield_children(), theirs:
            self._process.start()
        self.pid = self._process.pid

    def send(self, frame: bytes | bytearray) -> None:
        """Send a frame. Raises HungUp."""
        try:
            self._pipe.send_bytes(frame[wire.HEAD.size :])
        except OSError:
            raise HungUp from None

    def receive(self, cap: int, wait_ms: int) -> bytes | None:
        """Receive a frame's body, None if it is not there within `wait_ms`."""
        try:
            return self._pipe.recv_bytes(cap) if self._pipe.poll(wait_ms / 1000) else None
        except (EOFError, ConnectionError):
            raise HungUp from None
        except OSError:
            problem = f"its answer is longer than the {cap} bytes that are read"
            raise Misbehaved(Reason("protocol", problem)) from None

    def end_loading(self) -> None:
        """Do nothing: it may do whatever its user may."""

    def used_s(self) -> float:
        """The CPU time up to its last answer, by its own word."""
        return int(self._shared[1]) / 1000

    def queued_s(self) -> float:
        """Nothing that is known."""
        return 0.0

    def peak_mib(self, limit_mib: int) -> float | None:
        """None: that is not known."""
        return None

    def watch(self, allowance: Allowance, question: int) -> "WallClock":
        """Begin to charge an answer."""
        return WallClock(allowance, question)

    def places(self) -> tuple[tuple[Place, ...], int | None]:
        """None: it cannot be asked."""
        return (), None

    def is_dying(self) -> bool:
        """True if it is dead within `DYING_S`."""
        self._process.join(DYING_S)
        return not self._process.is_alive()

    def read_output(self, start: int, end: int) -> bytes:
        """Read these bytes of what it printed, as many as there are."""
        os.lseek(self._output, start, os.SEEK_SET)
        return os.read(self._output, max(end - start, 0))

    def end(self) -> Ended:
        """Kill it, if it still lives, and free all it held but its output."""
        self._process.kill()
        self._process.join()
        self._pipe.close()
        self.word.release()
        ended = Ended(self._process.exitcode or 0, self.used_s())
        self._process.close()
        return ended

    def close(self) -> None:
        """Free its output."""
        os.close(self._output)
        os.unlink(self._file)


class WallClock:
    """Charges an answer by the wall clock: each question, since its number was seen first."""

    def __init__(self, allowance: Allowance, question: int) -> None:
        self._most_s = max(allowance.wall_s, allowance.each_s)  # of `decide_many`: all its games
        self._purpose, self._question, self._since_s = allowance.purpose, question, time.monotonic()

    def is_due(self) -> bool:
        """Always True."""
        return True

    def sample(self, question: int) -> str:
        """Look; return why the process, at `question`, is over its limit, "" if it is not."""
        now_s = time.monotonic()
        if question != self._question:
            self._question, self._since_s = question, now_s
        if now_s - self._since_s <= self._most_s:
            return ""
        return f"over the time limit: {self._most_s * 1000:.0f} ms of wall time {self._purpose}"


@contextmanager
def _surroundings() -> Iterator[None]:
    """Have what is started see `ENVIRONMENT`, and not run the program's main module again: a script
    without a guard would start it all over.
    """
    before, main = dict(os.environ), sys.modules["__main__"]
    os.environ.update(ENVIRONMENT)
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        for name in ENVIRONMENT:
            os.environ.pop(name)
        os.environ.update(before)
