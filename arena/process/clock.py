"""The clocks of a bot's process, read from outside: what a decision is charged, when it is over.

A decision is charged its CPU and what it slept, never the wait for a core: a loaded machine must
not make losers. The kernel tells the three apart: the process's CPU clock, its schedstat (time
waited for a core), and wall time. What a hypervisor took from the machine looks like sleep to all
of them, so it is looked up and taken off.
"""

import os
import time
from pathlib import Path
from typing import NamedTuple

SAMPLE_MS = 5  # how often a bot that has not answered is looked at

_TICKS = os.sysconf("SC_CLK_TCK")
_HAS_SCHEDSTAT = Path("/proc/self/schedstat").exists()


def cpu_s(pid: int) -> float:
    """Return the CPU time a process has used, in s; also of one that is dead and not reaped."""
    return time.clock_gettime((~pid << 3) | 2)  # the kernel's number of that clock


def stolen_s() -> float:
    """Return how long the hypervisor kept this machine from running, all cores together, in s.

    From the `cpu` line of /proc/stat (proc(5)), in ticks; 0.0 on a machine of its own.
    """
    with open("/proc/stat", "rb") as file:
        return int(file.readline().split()[8]) / _TICKS


class Watch:
    """Charges a decision that takes long: its CPU and what it slept, never the wait for a core.

    Begins to look after the first `SAMPLE_MS`, so that a batch answered before costs nothing.
    `sleep_s` is what all decisions together may sleep: computing is a bot's right in each of them,
    while sleep is of no use to it and holds up everybody else.
    """

    def __init__(
        self, pid: int, what: str, *, each_s: float, allowed_s: float, sleep_s: float, wall_s: float
    ) -> None:
        self._pid, self._what, self._sleep_s = pid, what, sleep_s
        self._each_s, self.allowed_s, self._net_s = each_s, allowed_s, wall_s
        self._at = -1  # the decision being charged
        self._start: _Sample | None = None
        self._stolen_s = 0.0  # when it began
        self._slept_s = self._since_s = self._since_wall_s = 0.0
        self._next_s = time.monotonic() + SAMPLE_MS / 1000

    def due(self) -> bool:
        """Return whether it is time for a sample."""
        return time.monotonic() >= self._next_s

    def over(self, at: int) -> str:
        """Return why decision `at` is over its time, or an empty string. Called when due."""
        now = _sample(self._pid)
        self._next_s = now.wall_s + SAMPLE_MS / 1000
        if self._start is None:
            self._start, self._stolen_s = now, stolen_s()
        wall_s, cpu_s = now.wall_s - self._start.wall_s, now.cpu_s - self._start.cpu_s
        waited_s = now.waited_s - self._start.waited_s
        if now.asleep:  # else it waits for a core, and the kernel has not counted that wait yet
            away_s = wall_s - cpu_s - waited_s
            self._slept_s = max(self._slept_s, away_s - (stolen_s() - self._stolen_s))
        charged_s = cpu_s + self._slept_s
        if at != self._at:
            self._at, self._since_s, self._since_wall_s = at, charged_s, wall_s
        if charged_s - self._since_s > self._each_s:
            return f"over its time: the limit is {self._each_s * 1000:.0f} ms {self._what}"
        if charged_s > self.allowed_s:
            return self.over_the_batch()
        if self._slept_s > self._sleep_s:
            return f"over its time: of this batch it may sleep {self._sleep_s * 1000:.0f} ms"
        if not _HAS_SCHEDSTAT and wall_s - self._since_wall_s > self._net_s:
            return f"over its time: the limit is {self._net_s * 1000:.0f} ms by the clock"
        return ""

    def over_the_batch(self) -> str:
        """Return the words for a batch that took more than all its decisions may."""
        return f"over its time: the limit of this batch is {self.allowed_s * 1000:.0f} ms"


class _Sample(NamedTuple):
    wall_s: float
    cpu_s: float
    waited_s: float  # for a core, as far as the kernel has counted it
    asleep: bool


def _sample(pid: int) -> _Sample:
    asleep, waited_ns = False, 0
    if _HAS_SCHEDSTAT:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            waited_ns = int(file.read().split()[1])
        with open(f"/proc/{pid}/stat", "rb") as file:
            asleep = file.read().rpartition(b")")[2].split()[0] != b"R"
    return _Sample(time.monotonic(), cpu_s(pid), waited_ns / 1e9, asleep)
