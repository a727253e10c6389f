"""A bot's process that a zygote forked behind its walls: measuring it, ending it.

The parent alone measures: CPU by the child's clock, waiting for a core by schedstat, death by
pidfd.
"""

import mmap
import os
import re
import resource
import select
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from arena.model import Place
from arena.process.bot_process import Allowance, Ended
from arena.process.clock import Meter, ProcFiles, core_wait_s, cpu_s, take_sample
from arena.process.pipe import Pipe
from arena.process.refusal import insist
from arena.sandbox import wire

MIB = 1 << 20
DYING_MS = 1000  # from the end of a dying process's pipes to its death
RUN_S = 0.005  # of CPU: a handler in C answers within microseconds of running
PATIENCE_S, LOOK_S = 0.25, 0.001  # by the clock: on a loaded machine it waits for a core first
FRAME = re.compile(rb'  File "([^"\n]{1,500})", line (\d{1,7}) in ([\w<>]{1,80})')
FRAMES = 3  # innermost, of the bot's own


class Handles(NamedTuple):
    """Pid and descriptors of a new process; their owner closes them.

    The pipes' ends do not block.
    """

    pid: int
    pidfd: int
    to_bot: int
    from_bot: int
    output: int  # where its prints go
    word: int  # the page in which it says at which question it is
    files: ProcFiles
    gate: int  # of what it may do while it loads; -1: nothing confines it


class Forked:
    """The body of a process that was forked (`bot_process.Body`).

    `reap` gives the wait status of a dead child and the CPU it used in s, and frees its pid;
    `folder` is the bot's snapshot.
    """

    def __init__(
        self, handles: Handles, reap: Callable[[int], tuple[int, float]], folder: str
    ) -> None:
        self.pid, self._pidfd, self._output = handles.pid, handles.pidfd, handles.output
        self.files, self._reap, self._folder = handles.files, reap, folder
        self._pipe = Pipe(handles.to_bot, handles.from_bot, handles.gate)
        self.send, self.receive, self.end_loading = (
            self._pipe.send, self._pipe.receive, self._pipe.close_gate,
        )  # fmt: skip
        self._confined = handles.gate >= 0
        self._page = insist("mmap", mmap.mmap, handles.word, mmap.PAGESIZE)
        os.close(handles.word)
        self.word = memoryview(self._page).cast("I")

    def used_s(self) -> float:
        """The CPU time that it has used."""
        return cpu_s(self.pid)

    def queued_s(self) -> float:
        """The time that it waited for a core; 0.0 where the kernel does not report it."""
        return core_wait_s(self.files.schedstat)

    def peak_mib(self, limit_mib: int) -> float | None:
        """The most memory that it has had beside the zygote's; None where the kernel does not
        tell.
        """
        try:
            status = os.pread(self.files.status, 1 << 14, 0).decode()
            cap, _ = resource.prlimit(self.pid, resource.RLIMIT_AS)
        except OSError:  # it is gone
            return None
        peak = next(
            (int(line.split()[1]) for line in status.splitlines() if "VmPeak" in line), None
        )
        if peak is None or cap == resource.RLIM_INFINITY:
            return None
        return max(0.0, limit_mib - (cap - (peak << 10)) / MIB)

    def watch(self, allowance: Allowance, question: int) -> Meter:
        """Begin to charge an answer."""
        return Meter(
            partial(take_sample, self.pid, self.files), allowance, question, self._confined
        )

    def places(self) -> tuple[tuple[Place, ...], int]:
        """See `probe_stack`."""
        return probe_stack(self.pid, self._pidfd, self._output, self._folder)

    def is_dying(self) -> bool:
        """True if it is dead within `DYING_MS`."""
        death = select.poll()
        death.register(self._pidfd, select.POLLIN)
        return bool(death.poll(DYING_MS))

    def read_output(self, start: int, end: int) -> bytes:
        """Read these bytes of what it printed, as many as there are."""
        size = min(os.fstat(self._output).st_size, end)
        return os.pread(self._output, max(size - start, 0), start)

    def end(self) -> Ended:
        """Kill it, if it still lives, and free all it held but its output."""
        insist("pidfd_send_signal", signal.pidfd_send_signal, self._pidfd, signal.SIGKILL)
        status, used_s = self._reap(self.pid)
        self._pipe.close()
        self.word.release()
        self._page.close()
        for fd in (self._pidfd, *self.files):
            os.close(fd)
        return Ended(os.waitstatus_to_exitcode(status), used_s)

    def close(self) -> None:
        """Free its output."""
        os.close(self._output)


def probe_stack(pid: int, pidfd: int, output: int, folder: str) -> tuple[tuple[Place, ...], int]:
    """Ask a process which lines of its own it is at, innermost first, none if it does not answer.
    Returned with them: how long its output was before it was asked.

    `folder` is its snapshot's. It is asked by the signal that `arena.sandbox.line` answers, and
    has until it has run for `RUN_S`, and no longer than `PATIENCE_S`.
    """
    before = os.fstat(output).st_size
    try:
        signal.pidfd_send_signal(pidfd, wire.WHERE)
    except ProcessLookupError:  # it has just ended
        return (), before
    deadline, ran_s, size, grown = time.monotonic() + PATIENCE_S, cpu_s(pid) + RUN_S, -1, before
    while (grown == before or grown != size) and time.monotonic() < deadline and cpu_s(pid) < ran_s:
        time.sleep(LOOK_S)
        size, grown = grown, os.fstat(output).st_size
    dump = os.pread(output, 1 << 16, before)
    inside = os.fsencode(folder) + b"/"
    places = [
        Place(file.removeprefix(inside).decode("utf-8", "replace"), int(line), name.decode())
        for file, line, name in FRAME.findall(dump)
        if file.startswith(inside)
    ]
    return tuple(places[:FRAMES]), before
