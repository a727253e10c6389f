"""Fair clocks: limits of time as much longer on another machine as it is slower, so that they mean
the same work everywhere; and times that bots took there as this machine would have had them.

A machine's clock is the CPU time that a fixed piece of work takes there (`system.speed`), to what
it takes on the machine that the limits are meant for: the organiser's, or the one that planned.
"""

import socket
from collections.abc import Sequence
from typing import NamedTuple

from arena.errors import UsageError
from arena.model import Limits, Tally
from arena.runner.executor import Machine
from arena.system import speed

SLOW = 2.0  # times as slow: no work without --slow-hosts


class Reference(NamedTuple):
    """The machine that limits are meant for."""

    name: str  # what it calls itself
    work_s: float  # what a fixed piece of work takes there


class Clock(NamedTuple):
    """What is to be known of a clock where limits are meant for another machine."""

    work_s: float | None = None  # what the fixed piece of work takes there; None: it is this one
    machine: Machine | None = None  # this one, if it plays and is another


OURS = Clock()


def here() -> Reference:
    """Return this machine."""
    return Reference(socket.gethostname(), speed.work_s())


def clock_to(work_s: float) -> float:
    """Return this machine's clock, in hundredths, to a machine where the work takes so long."""
    return max(0.01, round(speed.work_s() / work_s, 2))


def beside(reference: Reference | None, plays: bool, slow_hosts: bool) -> Clock:
    """Return the clock of this machine, which itself `plays` or has a cluster do that. Raises
    UsageError if it is far slower than the other, unless `slow_hosts` are to play.
    """
    name = socket.gethostname()
    if reference is None or name == reference.name:
        return OURS
    if not plays:
        return Clock(reference.work_s)
    clock = clock_to(reference.work_s)
    if clock > SLOW and not slow_hosts:
        raise UsageError(
            f"this machine is {clock:.1f} times as slow as {reference.name}, which planned; "
            "--slow-hosts has it play, with limits of time as much longer"
        )
    return Clock(reference.work_s, Machine(name, clock))


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
