"""Limits of a sequential test: how much of the planned error it may have used up at each look.

README.md beside this file says how they spend the error, and how `GAMMA` was chosen. Right to 1e-9.
Pure; it loads numpy, so import it where it is used.

Sources: Lan and DeMets, Biometrika 70 (1983) 659; Hwang, Shih and DeCani, Stat. Med. 9 (1990) 1439;
Jennison and Turnbull, Group Sequential Methods (2000), 7.2 the functions, 7.3 the limits, 9.3
repeated P-values.
"""

from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, expm1, log, pi, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating.gaussian import Array, normal_cdf

GAMMA = 3.5
LEAST, MOST = 1e-7, 0.999  # errors that are told from none, and from certainty


def spend(error: float, share: float) -> float:
    """The part of the error that is used up with this share of all deals, 0 to 1."""
    return error * expm1(-GAMMA * share) / expm1(-GAMMA)


@lru_cache(1024)
def find_limits(
    stages: tuple[int, ...], error: float, looks: int | None = None
) -> tuple[float, ...]:
    """The limit of |z| at each look, or at the first `looks`: those of later ones take time, and
    change none. In the whole test an equal pair exceeds some limit as often as `error`.

    `stages` are the deals at each look, growing. `error` is above 0 and below 1.
    """
    shares = [0.0, *(stage / stages[-1] for stage in stages[:looks])]
    steps = [after - before for before, after in pairwise(shares)]
    inside = Inside(np.zeros(1), np.ones(1))  # all paths, before the first look
    limits_so_far: list[float] = []
    before = 0.0
    for at, (share, step) in enumerate(zip(shares[1:], steps, strict=True)):
        now = spend(error, share)
        z = round(find_limit(inside, step, now - before, share) / sqrt(share), 6)
        limits_so_far.append(z)  # the same on every machine
        inside = carry(inside, step, z * sqrt(share), min(steps[at : at + 2]))
        before = now
    return tuple(limits_so_far)


def find_repeated_p(stages: tuple[int, ...], look: int, z: float) -> float:
    """The error of the test whose limit at this look (0 the first) is just |z|: the repeated
    P-value.

    From 0 (below 1e-7) to 1, right to 5 digits. By regula falsi (the Illinois rule), in the
    deviations that a single look would take: there, the limit is close to a straight line.
    """
    low, high = (-NormalDist().inv_cdf(error / 2) for error in (MOST, LEAST))
    under = find_limits(stages, MOST, look + 1)[look] - z
    over = find_limits(stages, LEAST, look + 1)[look] - z
    if under >= 0:
        return 1.0
    if over <= 0:
        return 0.0
    side = 0
    while True:
        middle = (low * over - high * under) / (over - under)
        error = erfc(middle / sqrt(2))
        off = find_limits(stages, error, look + 1)[look] - z
        if abs(off) < 1.5e-6 or high - low < 1e-6:
            return error
        if off < 0:
            low, under = middle, off
            over, side = (over / 2 if side < 0 else over), -1
        else:
            high, over = middle, off
            under, side = (under / 2 if side > 0 else under), 1


CLOSE = 1e-12  # of a limit, where the search for it ends


class Inside(NamedTuple):
    """The paths that were inside the limits at every look so far: half of them on either side."""

    places: Array  # (nodes,)
    mass: Array  # (nodes,): of the paths near each, in sum the share that is inside


def chance_outside(inside: Inside, step: float, limit: float) -> float:
    """The chance that a path, inside so far, is outside (-limit, limit) after another `step`."""
    above = normal_cdf((inside.places - limit) / sqrt(step))
    return 2 * float((inside.mass * above).sum())


def carry(inside: Inside, step: float, limit: float, finest: float) -> Inside:
    """The paths that are still inside after another `step`.

    They have as many places as a step of `finest` takes, here or next.
    """
    nodes, weights = _rule(20 * ceil(1 + limit / sqrt(finest) / 3))  # some 4 in each deviation
    places = limit * nodes
    density = np.exp(-((places[:, None] - inside.places) ** 2) / (2 * step))
    reached = density @ inside.mass
    return Inside(places, reached * weights * (limit / sqrt(2 * pi * step)))


def find_limit(inside: Inside, step: float, share: float, variance: float) -> float:
    """The limit that leaves just this share of all paths outside for the first time, a `step`
    later.

    `variance` is the motion's by then. By Newton's rule for the logarithm of the share: that is
    concave, so that it goes down to the limit from any above, as from that of a first look.
    """
    limit = -NormalDist().inv_cdf(share / 2) * sqrt(variance)
    while True:
        outside = chance_outside(inside, step, limit)
        arriving = np.exp(-((limit - inside.places) ** 2) / (2 * step)) / sqrt(2 * pi * step)
        down = outside / (2 * float((inside.mass * arriving).sum())) * log(share / outside)
        limit -= down
        if down <= CLOSE * limit:
            return limit


@lru_cache(32)
def _rule(nodes: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre's rule on (-1, 1)."""
    return np.polynomial.legendre.leggauss(nodes)
