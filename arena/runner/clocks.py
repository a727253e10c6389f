"""Fair clocks: limits of time as much longer on another machine as it is slower, so that they mean
the same work everywhere; and times that bots took there as this machine would have had them.

A machine's clock is the CPU time that a fixed piece of work takes there (`system.speed`), to what
it takes on the coordinator's machine, for which the limits are meant.
"""

from collections.abc import Sequence

from arena.model import Limits, Tally
from arena.system import speed

SLOW = 2.0  # times as slow: no work without --slow-hosts


def clock_to(work_s: float) -> float:
    """Return this machine's clock, in hundredths, to a machine where the work takes so long."""
    return max(0.01, round(speed.work_s() / work_s, 2))


def scaled(limits: Limits, clock: float) -> Limits:
    """Return limits of time as long as the same work takes by that clock: in whole ms, at least
    one.
    """
    times = {
        name: max(1, round(getattr(limits, name) * clock))
        for name in ("cpu_ms", "wall_ms", "load_ms")
    }
    return limits._replace(**times)


def by_the_clock(tallies: Sequence[Tally], clock: float) -> list[Tally]:
    """Return times as the machine would have them that the limits are meant for."""
    return [
        each._replace(cpu_s=each.cpu_s / clock, worst_s=each.worst_s / clock) for each in tallies
    ]
