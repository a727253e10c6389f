"""The core that a process runs on, with all that it started: together on one, while nothing else
wants it.

They take turns, so more than one core is of no use to them. Pinned to one, such a group needs a
fifth less CPU time than where the kernel wakes each process on whichever core is idle: no turn pays
a wake-up across cores and cold caches. So a pinned group that waits for less than a fifth of the
time is as fast as a free one that never waits, and stays. One that waits for longer is let go for a
moment: if a core is idle, the kernel puts it there at the next turn. How long it waits then shows
whether that gained anything. On a machine that is full everywhere it does not, and the group goes
back to its core and stays for longer before it tries again; where only being free helps, it is free
for longer and longer.

`Watch` decides, from figures alone; `Group` reads them and moves the processes.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from arena.process.clock import COUNTS_WAITS, state_and_core, used_and_waited_s

LOOK_S = 0.25  # how often it is looked how long they waited
EACH_S = 0.004  # and at least so long for each of them: 8 to 12 us a look, 0.3 % of the time

_TOPOLOGY = Path("/sys/devices/system/cpu")

SAVED = 0.2  # of the CPU time, by being pinned: 18 % on a quiet machine, up to 34 % on others
SAVED_AT_LEAST = 0.1  # with no core idle: 0 to 10 %, for then the kernel moves them less too
LEAST_FREE_S, MOST_FREE_S = 0.25, 8.0
LEAST_STAY_S, MOST_STAY_S = 1.0, 8.0  # on a core where it waits, while others are no better
TRYING = 8  # it then stays so many times as long as it tries others


class Span(NamedTuple):
    """The time that a group used and waited in a stretch of time; all of it in s."""

    wall_s: float = 0.0
    cpu_s: float = 0.0  # of all its processes together
    waited_s: float = 0.0  # for a core: by each of them, added up

    @property
    def share(self) -> float:
        """The share of the time, 0.0 to 1.0, in which the group had no core though a process wanted
        one.

        Two of a group wait for each other too, whichever has the core: half the time where they
        take turns quickly. So waiting counts only up to the time in which none of them computed.
        """
        lost_s = min(self.waited_s, self.wall_s - self.cpu_s)
        return max(0.0, lost_s) / self.wall_s if self.wall_s else 0.0


class Move(Enum):
    """A decision about a group."""

    STAY = "nothing"
    LET_GO = "to all the cores it may use"
    PIN_HERE = "to the core where it is now"
    PIN_BACK = "to the core where it was pinned before"


class Watch:
    """Decides after each stretch of time what to do with a group, which begins pinned."""

    def __init__(self) -> None:
        self._pinned = True
        self._since_s = 0.0  # it was pinned, or let go
        self._waited = 0.0  # the share when it was let go
        self._free_s, self._stay_s = LEAST_FREE_S, 0.0

    def look(self, span: Span) -> Move:
        """The move after this stretch, which the caller carries out."""
        self._since_s += span.wall_s
        move = self._of_pinned(span) if self._pinned else self._of_free(span)
        if move != Move.STAY:
            self._pinned = move != Move.LET_GO
            self._since_s = 0.0
        return move

    def _of_pinned(self, span: Span) -> Move:
        if span.share <= SAVED:
            if self._since_s >= MOST_STAY_S:  # a good place, for the time being
                self._free_s, self._stay_s = LEAST_FREE_S, 0.0
            return Move.STAY
        if self._since_s < self._stay_s:
            return Move.STAY
        self._waited = span.share
        return Move.LET_GO

    def _of_free(self, span: Span) -> Move:
        if self._since_s < self._free_s:
            return Move.STAY
        if (1 - span.share) * (1 - SAVED_AT_LEAST) > 1 - self._waited:
            self._free_s, self._stay_s = min(2 * self._free_s, MOST_FREE_S), 0.0
            return Move.PIN_HERE
        self._stay_s = min(max(LEAST_STAY_S, 2 * self._stay_s), MOST_STAY_S)
        self._free_s = max(LEAST_FREE_S, self._stay_s / TRYING)
        return Move.PIN_BACK


def order_cores(allowed: Iterable[int], topology: Path = _TOPOLOGY) -> list[int]:
    """The cores in the order in which to use them: a first hardware thread of each, then the second
    ones, and so on; by number where the kernel does not say which threads share a core.
    """
    numbers = sorted(allowed)
    cores = {number: _threads(topology / f"cpu{number}" / "topology") for number in numbers}
    before = {number: len(cores[number].intersection(range(number), numbers)) for number in numbers}
    return sorted(numbers, key=before.__getitem__)


def _threads(folder: Path) -> set[int]:
    """The hardware threads of one core, by its folder; empty where that is missing."""
    for name in ("core_cpus_list", "thread_siblings_list"):  # the latter before Linux 5.3
        with suppress(OSError, ValueError):  # ValueError: it is there, and empty
            return set(_parse_list((folder / name).read_text()))
    return set()


def _parse_list(text: str) -> Iterator[int]:
    """Yield the numbers of a list like `0-3,8`."""
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class Group:
    """This process and all it starts from here on, pinned to one core while they need not wait.

    `place` numbers groups: cores are counted round and round, so the groups of one arena begin on
    different cores as far as there are any. Nothing is pinned where `place` is None, the machine
    cannot pin or does not count waiting, or something else (`taskset`, a cpuset, a core taken away)
    changes the cores of this process.
    """

    def __init__(self, place: int | None) -> None:
        self._allowed = set[int]()
        with suppress(OSError):  # refused: then so are its changes
            self._allowed = os.sched_getaffinity(0)
        self._now = self._allowed  # the cores they are on, by our doing
        self._watch: Watch | None = None  # None: no more is done
        self._due_s = 0.0
        self._seen: dict[int, tuple[float, float]] = {}
        self._seen_s = time.monotonic()
        if place is None or len(self._allowed) < 2 or not COUNTS_WAITS:
            return
        self._watch = Watch()
        self._own = os.open("/proc/self/schedstat", os.O_RDONLY)
        in_turn = order_cores(self._allowed)
        self._core = in_turn[place % len(in_turn)]
        self._put({self._core}, ())

    def look(self, started: Callable[[], Mapping[int, int]]) -> None:
        """Move the group, if it is time to look and it had to wait. `started` returns the pids of
        all processes that were started and are not reaped, each with its open schedstat.
        """
        now_s = time.monotonic()
        if self._watch is None or now_s < self._due_s:
            return
        others = started()
        first = not self._due_s  # before, they were not at work
        self._due_s = now_s + max(LOOK_S, EACH_S * len(others))
        if (cores := os.sched_getaffinity(0)) != self._now:
            self._watch = None
            _follow(cores, others)
            return
        span = self._span(now_s, others)
        move = Move.STAY if first else self._watch.look(span)
        if move == Move.LET_GO:
            self._put(self._allowed, others)
        elif move != Move.STAY:
            if move == Move.PIN_HERE:
                with open("/proc/self/stat", "rb") as stat:
                    _, self._core = state_and_core(stat.fileno())
            self._put({self._core}, others)

    def _span(self, now_s: float, others: Mapping[int, int]) -> Span:
        seen: dict[int, tuple[float, float]] = {}
        cpu_s = waited_s = 0.0
        for pid, schedstat in {os.getpid(): self._own, **others}.items():
            with suppress(OSError):  # it has ended
                seen[pid] = cpu, waited = used_and_waited_s(schedstat)
                cpu_before, waited_before = self._seen.get(pid, (0.0, 0.0))
                cpu_s += cpu - cpu_before
                waited_s += waited - waited_before
        span = Span(now_s - self._seen_s, cpu_s, waited_s)
        self._seen, self._seen_s = seen, now_s
        return span

    def _put(self, cores: set[int], others: Iterable[int]) -> None:
        """Set the cores of the group; where that is refused, it may use all cores from then on."""
        try:
            os.sched_setaffinity(0, cores)
        except OSError:  # EINVAL: none of the cores is left to us; EPERM: not for us to say
            self._watch = None
            cores = self._allowed
        _follow(cores, others)
        self._now = cores


def _follow(cores: set[int], others: Iterable[int]) -> None:
    """Set the cores of the others, as far as they still run and the kernel allows it."""
    for pid in others:
        with suppress(OSError):
            os.sched_setaffinity(pid, cores)
