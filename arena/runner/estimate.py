"""How long play will take, from samples of it: pure, the samples are `arena.runner.dry_run`'s.

A session takes so long to start its bots and drain its last batches, and then so much a game. Both
depend on its size: with few games a message carries few questions, and its price, some 60 to 95 us,
is charged to few. So the time of a session is read from samples of rising size, piece by piece, and
beyond the largest goes on as between the last two. One line through the smallest and the largest
said twice to four times what play took. Samples are played by all workers at once, as games will
be: four at work on four cores are each slower than one alone.
"""

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

TABLES_S = 60e-6  # a game, for ratings and tables in the end; four cores, two to ten bots a pool


class Sample(NamedTuple):
    """Sessions that were played to see how long they take."""

    sessions: int
    games: int  # in all of them
    seconds: float  # of workers, added up


class Cost:
    """What sessions of a pool take of a worker, by their size."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        """Take samples of rising size.

        Where a larger one took no longer, the clock says nothing of the games between, and the
        smaller is left out. Twice the games take at most twice as long: one that took more was
        held up by the machine, and once made 12 minutes of 40 seconds.
        """
        self._points = list[tuple[float, float]]()  # games and seconds of a session, both rising
        for each in samples:
            games, seconds = each.games / each.sessions, each.seconds / each.sessions
            if self._points and games > self._points[-1][0]:
                seconds = min(seconds, self._points[-1][1] * games / self._points[-1][0])
            while self._points and self._points[-1][1] >= seconds:
                self._points.pop()
            if not self._points or games > self._points[-1][0]:
                self._points.append((games, seconds))

    def of(self, games: float) -> float:
        """Return the seconds that a session of so many games takes."""
        points = self._points
        if len(points) == 1 or games <= points[0][0]:
            return points[0][1] * games / points[0][0]
        above = next((at for at in range(1, len(points)) if points[at][0] >= games), -1)
        (few, soon), (many, late) = points[above - 1], points[above]
        return soon + (late - soon) * (games - few) / (many - few)


def makespan(seconds: Iterable[float], workers: int) -> float:
    """Return when the last session ends, each being given, in this order, to the first worker that
    is free.
    """
    free = [0.0] * workers
    for each in seconds:
        heapq.heapreplace(free, free[0] + each)
    return max(free)
