"""The clocks of a bot's process, read from outside: what a decision is charged, when it is over.

A decision is charged its CPU and what it slept, never the wait for a core: a loaded machine must
not make losers. The kernel tells the three apart: the process's CPU clock, its schedstat (time
waited for a core), and wall time. What a hypervisor took from the machine looks like sleep to all
of them, so it is looked up and taken off.
"""

import os
import time
from itertools import takewhile
from typing import NamedTuple

SAMPLE_MS = 5  # how often a bot that has not answered is looked at

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Return the CPU time a process has used, in s; also of one that is dead and not reaped."""
    return time.clock_gettime((~pid << 3) | 2)  # the kernel's number of that clock


def _counted_ns(pid: int | str) -> tuple[int, int]:
    """Return the CPU time of a process and how long it waited for a core, in ns."""
    with open(f"/proc/{pid}/schedstat", "rb") as file:
        used_ns, waited_ns, _ = file.read().split()
    return int(used_ns), int(waited_ns)


def _counts_waits() -> bool:
    try:
        return _counted_ns("self")[0] > 0
    except FileNotFoundError:
        return False


COUNTS_WAITS = _counts_waits()
"""Whether the kernel says how long processes wait for a core; it may have the file, and zeros."""


def stolen_s() -> dict[int, float]:
    """Return how long the hypervisor kept each core from running, in s, by the core's number.

    From the lines `cpuN` of /proc/stat (proc(5)), in ticks; 0.0 on a machine of its own.
    """
    with open("/proc/stat", "rb") as file:
        lines = [line.split() for line in takewhile(lambda line: line.startswith(b"cpu"), file)]
    return {int(core[3:]): int(times[7]) / _TICKS for core, *times in lines if core != b"cpu"}


class Allowance(NamedTuple):
    """What the answer to one message may take."""

    purpose: str  # of `each_s`, as the fault's text words it
    each_s: float  # charged to one decision
    all_s: float  # charged to all of them
    sleep_s: float  # of that slept
    wall_s: float  # of one decision, where the kernel does not say who waits for a core


def over_all(all_s: float) -> str:
    """Return the fault's text where all decisions of a message are over their limit."""
    return f"over the time limit: {all_s * 1000:.0f} ms for this batch"


class Meter:
    """Charges an answer that takes long: its CPU and what it slept, never the wait for a core.

    Made when an answer is not there within `SAMPLE_MS`, with its first sample, so that a batch
    answered before costs nothing. All decisions together have one allowance of sleep: computing is
    a bot's right in each of them, while sleep is of no use to it and holds up everybody else.
    """

    def __init__(self, pid: int, allowance: Allowance, question: int) -> None:
        self._pid, self._allowance = pid, allowance
        self._question = question  # the one being charged
        self._start = _sample(pid)
        self._before, self._stolen = self._start, stolen_s()  # as of the last sample
        self._stolen_s = 0.0  # of the cores that it was on, while it was there
        self._slept_s = 0.0
        self._question_s = self._question_wall_s = 0.0  # charged, and by the clock, when that began
        self._due_s = self._start.ended_s + SAMPLE_MS / 1000

    def is_due(self) -> bool:
        """Return whether it is time for a sample."""
        return time.monotonic() >= self._due_s

    def sample(self, question: int) -> str:
        """Take a sample; return why the process, at `question`, is over the limit, "" if it is not.

        Called when due.
        """
        now = _sample(self._pid)
        self._due_s = now.ended_s + SAMPLE_MS / 1000
        wall_s, cpu_s = now.began_s - self._start.ended_s, now.cpu_s - self._start.cpu_s
        waited_s = now.waited_s - self._start.waited_s
        self._add_stolen(now)
        if now.asleep:  # else it waits for a core, and the kernel has not counted that wait yet
            away_s = wall_s - cpu_s - waited_s
            self._slept_s = max(self._slept_s, away_s - self._stolen_s)
        charged_s = cpu_s + self._slept_s
        if question != self._question:
            self._question = question
            self._question_s, self._question_wall_s = charged_s, wall_s
        return self._excess(charged_s, wall_s)

    def _add_stolen(self, now: "_Sample") -> None:
        """Add what was taken since the last sample from the core it was on, from both if it moved:
        what is taken from the others keeps nobody here from running.
        """
        stolen = stolen_s()
        for core in {self._before.core, now.core}:
            self._stolen_s += stolen.get(core, 0.0) - self._stolen.get(core, 0.0)
        self._before, self._stolen = now, stolen

    def _excess(self, charged_s: float, wall_s: float) -> str:
        purpose, each_s, all_s, sleep_s, net_s = self._allowance
        if charged_s - self._question_s > each_s:
            return f"over the time limit: {each_s * 1000:.0f} ms {purpose}"
        if charged_s > all_s:
            return over_all(all_s)
        if self._slept_s > sleep_s:
            return f"over the time limit: {sleep_s * 1000:.0f} ms asleep in this batch"
        if not COUNTS_WAITS and wall_s - self._question_wall_s > net_s:
            return f"over the time limit: {net_s * 1000:.0f} ms by the clock for a decision"
        return ""


class _Sample(NamedTuple):
    """Taken from `began_s` to `ended_s`. Beside busy programs on the bot's own core that may be
    long: the bot runs and waits meanwhile, and must not seem to have slept.
    """

    began_s: float
    cpu_s: float
    waited_s: float  # for a core, as far as the kernel has counted it
    asleep: bool  # before the two above were read, so they hold all that came before its sleep
    ended_s: float
    core: int  # that it runs on, or ran on last


def _sample(pid: int) -> _Sample:
    began_s = time.monotonic()
    with open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()  # from the third on: proc_pid_stat(5)
    asleep, waited_s = False, 0.0
    if COUNTS_WAITS:
        asleep, waited_s = fields[0] != b"R", _counted_ns(pid)[1] / 1e9
    return _Sample(began_s, cpu_s(pid), waited_s, asleep, time.monotonic(), int(fields[36]))
