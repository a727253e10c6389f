"""What the machine does beside what is measured, and waiting until that is little.

The 1-minute load of /proc/loadavg counts our own processes too. It is waited for asleep, when none
of them runs, so what they left in it halves every 42 s, and the wait ends unless others are at
work. What others do while a line is measured it cannot tell from the line itself; the busy time of
all cores in /proc/stat, less what we used by our own account, can.
"""

import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

MOST = 2.0  # load to begin a round under
PATIENCE_S = 900.0
LOOK_S = 5.0
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_BUSY = (0, 1, 2, 5, 6, 7)  # of a line of /proc/stat: user, nice, system, irq, softirq, steal


def one_minute() -> float:
    """How many processes ran or wanted to, ours too, averaged over some minute."""
    return os.getloadavg()[0]


def wait(
    most: float,
    say: Callable[[str], None],
    patience_s: float = PATIENCE_S,
    load: Callable[[], float] = one_minute,
    sleep: Callable[[float], None] = time.sleep,
) -> float:
    """The load as soon as it is under `most`, or after `patience_s` as it is then.

    `say` is told of the wait, and of going on all the same: a figure with its load beside it is
    worth more than none.
    """
    waited_s = 0.0
    while (now := load()) >= most:
        if waited_s >= patience_s:
            say(f"load {now:.2f} after {patience_s:.0f} s of waiting: measured all the same")
            break
        if not waited_s:
            say(f"load {now:.2f}: waiting until it is under {most:g}, {patience_s:.0f} s at most")
        sleep(LOOK_S)
        waited_s += LOOK_S
    return now


class Beside:
    """What others use from now on; for a process that has waited for all that it started."""

    def __init__(self) -> None:
        self._began_s, self._busy_s, self._ours_s = time.monotonic(), busy_s(), ours_s()

    def cores(self) -> float:
        """How many cores others kept busy since, 0 or more, to a few hundredths."""
        others_s = busy_s() - self._busy_s - (ours_s() - self._ours_s)
        return max(0.0, others_s / (time.monotonic() - self._began_s))


def busy_s() -> float:
    """How long all cores together have been busy, or were taken by the host, in s."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    return sum(int(fields[at]) for at in _BUSY) * _TICK_S


def ours_s() -> float:
    """The CPU time of this process and of all it has waited for, in s."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
