"""How likely a Brownian motion is to leave its limits, looked at some times on the way.

A test statistic that gathers evidence is such a motion: its time is the evidence, as a share of all
there may be. The density of the paths that were inside the limits at every look is carried from one
look to the next, by Gauss and Legendre's rule: the recursion of Armitage, McPherson and Rowe, J. R.
Stat. Soc. A 132 (1969) 235. Right to 1e-9. Pure; numpy takes its time to load, so import this where
it is used.
"""

from functools import lru_cache
from math import ceil, log, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating.gaussian import Array, below

FAR = 8.0  # deviations; a Brownian motion gets so far less often than once in 10^14
CLOSE = 1e-12  # of a limit, where the search for it ends


class Inside(NamedTuple):
    """The paths that were inside the limits at every look so far: half of them on either side."""

    places: Array  # (nodes,)
    mass: Array  # (nodes,): of the paths near each, in sum the share that is inside


def start() -> Inside:
    """Return all paths, before the first look."""
    return Inside(np.zeros(1), np.ones(1))


def leaving(inside: Inside, step: float, limit: float) -> float:
    """Return how likely a path, inside so far, is outside (-limit, limit) after another `step`."""
    above = below((inside.places - limit) / sqrt(step))
    return 2 * float((inside.mass * above).sum())


def carried(inside: Inside, step: float, limit: float, finest: float) -> Inside:
    """Return the paths that are still inside after another `step`, at as many places as a step of
    `finest` takes, here or next.
    """
    nodes, weights = _rule(20 * ceil(1 + limit / sqrt(finest) / 3))  # some 4 in each deviation
    places = limit * nodes
    density = np.exp(-((places[:, None] - inside.places) ** 2) / (2 * step))
    reached = density @ inside.mass
    return Inside(places, reached * weights * (limit / sqrt(2 * pi * step)))


def limit_of(inside: Inside, step: float, share: float, variance: float) -> float:
    """Return the limit outside of which just this share of all paths is for the first time, after
    another `step`. `variance` is the motion's by then.

    By Newton's rule for the logarithm of the share: that is concave, so that it goes down to
    the limit from any above, as from that of a first look.
    """
    limit = -NormalDist().inv_cdf(share / 2) * sqrt(variance)
    while True:
        outside = leaving(inside, step, limit)
        arriving = np.exp(-((limit - inside.places) ** 2) / (2 * step)) / sqrt(2 * pi * step)
        down = outside / (2 * float((inside.mass * arriving).sum())) * log(share / outside)
        limit -= down
        if down <= CLOSE * limit:
            return limit


@lru_cache(32)
def _rule(nodes: int) -> tuple[Array, Array]:
    """Return nodes and weights of Gauss and Legendre's rule on (-1, 1)."""
    return np.polynomial.legendre.leggauss(nodes)
