"""O'Brien and Fleming's limits: wide at first, and at the end close to the limit of a single look.

Tests that were begun with them end with them; new ones have those of `arena.rating.spending`, which
allow for early ends.

Sources: O'Brien and Fleming, Biometrics 35 (1979) 549; Jennison and Turnbull, Group Sequential
Methods (2000), 2.4.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

from arena.rating.brownian import FAR, carried, leaving, start


@lru_cache(256)
def limits(stages: tuple[int, ...], error: float) -> tuple[float, ...]:
    """Return the limit of |z| at each look; some look of an equal pair exceeds it with `error`.

    That is c sqrt(N / n) after n of N deals. `error` is above 0 and below 1.
    """
    low, high = 0.0, NormalDist().inv_cdf(1 - error / 2 / len(stages))  # Bonferroni's is too wide
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if crossing(stages, middle) > error else (low, middle)
    c = round(high, 6)  # the same on every machine
    return tuple(c * sqrt(stages[-1] / stage) for stage in stages)


def least_error(stages: tuple[int, ...], look: int, z: float) -> float:
    """Return the error of the test whose limit at this look (0 the first) is just |z|."""
    return crossing(stages, z * sqrt(stages[look] / stages[-1]))


def crossing(stages: Sequence[int], c: float) -> float:
    """Return how likely a standard Brownian motion is to leave (-c, c) at some look.

    The looks are at stage / last stage of its course.
    """
    if not 0 < c < FAR:
        return 1.0 if c <= 0 else 0.0
    steps = [(after - before) / stages[-1] for before, after in pairwise((0, *stages))]
    inside, finest, left = start(), min(steps), 0.0
    for step in steps:
        left += leaving(inside, step, c)
        inside = carried(inside, step, c, finest)
    return min(left, 1.0)
