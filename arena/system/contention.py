"""Decides when a group of processes that take turns leaves the core they are pinned to.

Decisions come from figures alone: `arena.system.affinity` reads them and carries the decisions out.

Pinned to one core a group needs a fifth less CPU time than where the kernel wakes each process on
whichever core is idle: no turn pays a wake-up across cores and cold caches. So a pinned group that
waits for less than a fifth of the time is as fast as a free one that never waits, and stays. One
that waits for longer is let go for a moment: if a core is idle, the kernel puts it there at the
next turn. How long it waits then shows whether that gained anything. On a machine that is full
everywhere it does not, and the group goes back to its core and stays for longer before it tries
again; where only being free helps, it is free for longer and longer.
"""

from enum import Enum
from typing import NamedTuple

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
    """What to do with a group."""

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
