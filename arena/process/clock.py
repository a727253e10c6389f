"""The clocks of a bot's process, read from outside: what a decision is charged, when it is over.

A decision is charged its CPU and what it slept, never the wait for a core: a loaded machine must
not make losers. The kernel tells the three apart: the process's CPU clock, its schedstat (time
waited for a core), and wall time. Time that a hypervisor took from the machine looks like sleep to
all of them, so it is looked up and taken off. So is time without observation: while the arena
itself was stopped or frozen, and where its clock was set, the bot may have been so too.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import takewhile
from typing import NamedTuple

from arena.process.bot_process import SAMPLE_MS, Allowance, over_all

WATCHED_S = 2 * SAMPLE_MS / 1000  # of the time between two looks, the most that counts as sleep

HELD, STOPPED = b"D", b"Tt"
"""States of a process (proc_pid_stat(5)) that are not its own doing: it waits for a disk; somebody
has stopped it, for a confined bot cannot send itself such a signal."""

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """The CPU time a process has used, in s; also of one that is dead and not reaped."""
    return time.clock_gettime((~pid << 3) | 2)  # the kernel's number of that clock


class ProcFiles(NamedTuple):
    """Descriptors of a process's own files in /proc, which it opened itself (proc(5)): by path they
    may be hidden from others (`hidepid`), and belong to another process once its pid is free.
    """

    stat: int
    schedstat: int
    status: int


def used_and_waited_s(schedstat: int) -> tuple[float, float]:
    """The CPU time of a process and how long it waited for a core, in s. Raises OSError where it
    has ended.
    """
    used_ns, waited_ns, _ = os.pread(schedstat, 1 << 10, 0).split()
    return int(used_ns) / 1e9, int(waited_ns) / 1e9


def _counts_waits() -> bool:
    with suppress(OSError), open("/proc/self/schedstat", "rb") as file:
        return used_and_waited_s(file.fileno())[0] > 0
    return False


COUNTS_WAITS = _counts_waits()
"""True if the kernel reports waits for a core; it may have the file, and zeros in it."""


def core_wait_s(schedstat: int) -> float:
    """Seconds a process has waited for a core; 0.0 where the kernel does not report them."""
    return used_and_waited_s(schedstat)[1] if COUNTS_WAITS else 0.0


def stolen_s() -> dict[int, float]:
    """Seconds the hypervisor kept a core from running, by the core's number.

    From the lines `cpuN` of /proc/stat (proc(5)), in ticks; 0.0 on a machine without a hypervisor,
    and no core at all where /proc does not show the machine (`subset=pid`).
    """
    lines: list[list[bytes]] = []
    with suppress(FileNotFoundError, PermissionError), open("/proc/stat", "rb") as file:
        lines = [line.split() for line in takewhile(lambda line: line.startswith(b"cpu"), file)]
    return {int(core[3:]): int(times[7]) / _TICKS for core, *times in lines if core != b"cpu"}


class Sample(NamedTuple):
    """A look at a process, from `began_s` to `ended_s`. Beside busy programs on the bot's own core
    that may be long: the bot runs and waits meanwhile, and must not seem to have slept.
    """

    began_s: float
    cpu_s: float
    waited_s: float  # for a core, as far as the kernel has counted it
    state: bytes  # before the two above were read, so they hold all that came before its sleep
    ended_s: float
    core: int  # that it runs on, or ran on last
    stolen_s: Mapping[int, float]  # by core, by the hypervisor

    @property
    def is_asleep(self) -> bool:
        """True if it does not run, by the kernel; never where that reports no waits for a core."""
        return COUNTS_WAITS and self.state != b"R"


def state_and_core(stat: int) -> tuple[bytes, int]:
    """The state of a process, and the core that it runs on, or ran on last."""
    fields = os.pread(stat, 1 << 12, 0).rpartition(b")")[2].split()  # from the third on
    return fields[0], int(fields[36])


def take_sample(pid: int, files: ProcFiles) -> Sample:
    """Look at a process."""
    began_s, (state, core) = time.monotonic(), state_and_core(files.stat)
    waited_s, used_s, ended_s = core_wait_s(files.schedstat), cpu_s(pid), time.monotonic()
    return Sample(
        began_s=began_s,
        cpu_s=used_s,
        waited_s=waited_s,
        state=state,
        ended_s=ended_s,
        core=core,
        stolen_s=stolen_s(),
    )


class Meter:
    """Charges an answer that takes long: its CPU and what it slept, never the wait for a core.

    Made when an answer is not there within `SAMPLE_MS`, with its first sample, so that a batch
    answered before costs nothing. All decisions together have one allowance of sleep: computing is
    a bot's right in each of them, while sleep is of no use to it and holds up all other games.
    """

    def __init__(
        self,
        look: Callable[[], Sample],
        allowance: Allowance,
        question: int,
        confined: bool,
        watched_s: float = WATCHED_S,
    ) -> None:
        self._look, self._allowance, self._watched_s = look, allowance, watched_s
        self._held = HELD + STOPPED if confined else HELD
        self._question = question  # the one being charged
        self._start = self._before = look()  # the first sample, and the last
        self._seen_s = self._start.ended_s  # up to there it was watched
        self._excused_s = 0.0  # when it did not run and need not have slept
        self._slept_s = 0.0
        self._question_s = self._question_wall_s = 0.0  # charged, and by the clock, when that began
        self._due_s = self._start.ended_s + SAMPLE_MS / 1000

    def is_due(self) -> bool:
        """True if it is time for a sample, or the clock was set back, in a namespace."""
        return not 0 < self._due_s - time.monotonic() <= SAMPLE_MS / 1000

    def sample(self, question: int) -> str:
        """Take a sample; return why the process, at `question`, is over the limit, "" if it is not.

        Called when due.
        """
        now = self._look()
        self._due_s = now.ended_s + SAMPLE_MS / 1000
        wall_s, cpu_s = now.began_s - self._start.ended_s, now.cpu_s - self._start.cpu_s
        waited_s = now.waited_s - self._start.waited_s
        self._excuse(now)
        if now.is_asleep:  # else it waits for a core, and the kernel has not counted that wait yet
            away_s = wall_s - cpu_s - waited_s
            self._slept_s = max(self._slept_s, away_s - self._excused_s)
        wall_s -= self._excused_s
        charged_s = cpu_s + self._slept_s
        if question != self._question:
            self._question = question
            self._question_s, self._question_wall_s = charged_s, wall_s
        return self._excess(charged_s, wall_s)

    def _excuse(self, now: Sample) -> None:
        """Excuse what kept the bot from running since the last sample, and was not its own doing.

        That is what a hypervisor took from the core it was on, from both if it moved: time taken
        from other cores delays no bot here. And it is the time in which the bot was held, or not
        observed.
        """
        before, self._before = self._before, now
        taken_s = sum(
            now.stolen_s.get(core, 0.0) - before.stolen_s.get(core, 0.0)
            for core in {before.core, now.core}
        )
        passed_s = now.began_s - self._seen_s
        ran_s = now.cpu_s - before.cpu_s + now.waited_s - before.waited_s
        away_s = passed_s - ran_s - taken_s
        unseen_s = away_s if now.state in self._held else passed_s - self._watched_s
        self._excused_s += taken_s + max(0.0, min(away_s, unseen_s)) + min(0.0, passed_s)
        self._seen_s = now.began_s

    def _excess(self, charged_s: float, wall_s: float) -> str:
        purpose, each_s, all_s, sleep_s, net_s = self._allowance
        if charged_s - self._question_s > each_s:
            return f"over the time limit: {each_s * 1000:.0f} ms {purpose}"
        if charged_s > all_s:
            return over_all(all_s)
        if self._slept_s > sleep_s:
            return f"over the time limit: {sleep_s * 1000:.0f} ms asleep in this batch"
        if not COUNTS_WAITS and wall_s - self._question_wall_s > net_s:
            return f"over the time limit: {net_s * 1000:.0f} ms of wall time for a decision"
        return ""
