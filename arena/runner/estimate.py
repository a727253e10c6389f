"""How long play will take, from samples of it: pure, the samples are `arena.runner.dry_run`'s.

A session takes so long to start its bots and drain its last batches, and then so much a game: that
is a line through samples of two sizes. One sample alone would charge its start to every game: on
quick that gave ten times what play took. Samples are played by all workers at once, as games will
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


class Cost(NamedTuple):
    """What sessions of a pool take of a worker, in seconds."""

    session: float  # beside its games
    game: float

    def of(self, games: int) -> float:
        """Return the seconds that a session of so many games takes."""
        return self.session + self.game * games


def cost(samples: Sequence[Sample]) -> Cost:
    """Return the cost that samples of rising size tell of; of one alone, all of it is its games'.

    Where the larger took no longer, the clock says nothing of games: its mean is taken.
    """
    small, large = samples[0], samples[-1]
    more = large.games / large.sessions - small.games / small.sessions
    longer = large.seconds / large.sessions - small.seconds / small.sessions
    if more <= 0 or longer <= 0:
        return Cost(0.0, large.seconds / large.games)
    game = longer / more
    return Cost(max(0.0, (small.seconds - game * small.games) / small.sessions), game)


def makespan(seconds: Iterable[float], workers: int) -> float:
    """Return when the last session ends, each being given, in this order, to the first worker that
    is free.
    """
    free = [0.0] * workers
    for each in seconds:
        heapq.heapreplace(free, free[0] + each)
    return max(free)
