"""Limits by error spending: how much of the planned error a test may have used up at each look.

O'Brien and Fleming's limits keep nearly all of it for the last look, so that even the plainest
difference waits. Here a constant times it is spent a deal at first, and less and less later on:
Hwang, Shih and DeCani's function. `GAMMA` is how fast that falls off. 0 spends evenly; the
higher, the sooner a plain difference ends the test, and the later a small one.

GAMMA is chosen by the games that two bots take (`python -m tests.benchmarks.sequential`). At 3.5 a
match of 5,000 games takes 1.27 times those of the chess engines' test where the better bot wins
55 %, and tells it in .93 of matches where it wins 53 %; at 2.5 these are 1.31 and .94.

Sources: Lan and DeMets, Biometrika 70 (1983) 659; Hwang, Shih and DeCani, Stat. Med. 9 (1990) 1439;
Jennison and Turnbull, Group Sequential Methods (2000), 7.2 the functions, 7.3 the limits, 9.3
repeated P-values.
"""

from functools import lru_cache
from itertools import pairwise
from math import erfc, expm1, sqrt
from statistics import NormalDist

from arena.rating.brownian import Inside, carried, limit_of, start

GAMMA = 3.5
LEAST, MOST = 1e-7, 0.999  # errors that are told from none, and from certainty


def spent(error: float, share: float) -> float:
    """Return how much of the error is used up with this share of all deals, 0 to 1."""
    return error * expm1(-GAMMA * share) / expm1(-GAMMA)


@lru_cache(1024)
def limits(stages: tuple[int, ...], error: float) -> tuple[float, ...]:
    """Return the limit of |z| at each look; some look of an equal pair exceeds it with `error`.

    `stages` are the deals at each look, growing. `error` is above 0 and below 1.
    """
    return _limits(stages, error, len(stages))


@lru_cache(1024)
def _limits(stages: tuple[int, ...], error: float, looks: int) -> tuple[float, ...]:
    """Return the limits of the first looks: those of later ones take time, and change none."""
    shares = [0.0, *(stage / stages[-1] for stage in stages[:looks])]
    steps = [after - before for before, after in pairwise(shares)]
    inside: Inside = start()
    found: list[float] = []
    before = 0.0
    for at, (share, step) in enumerate(zip(shares[1:], steps, strict=True)):
        now = spent(error, share)
        z = round(limit_of(inside, step, now - before, share) / sqrt(share), 6)
        found.append(z)  # the same on every machine
        inside = carried(inside, step, z * sqrt(share), min(steps[at : at + 2]))
        before = now
    return tuple(found)


def least_error(stages: tuple[int, ...], look: int, z: float) -> float:
    """Return the error of the test whose limit at this look (0 the first) is just |z|: the repeated
    P-value, from 0 (below 1e-7) to 1, right to 5 digits.

    By regula falsi (the Illinois rule), in the deviations that a single look would take: there, the
    limit is close to a straight line.
    """
    low, high = (-NormalDist().inv_cdf(error / 2) for error in (MOST, LEAST))
    under = _limits(stages, MOST, look + 1)[look] - z
    over = _limits(stages, LEAST, look + 1)[look] - z
    if under >= 0:
        return 1.0
    if over <= 0:
        return 0.0
    side = 0
    while True:
        middle = (low * over - high * under) / (over - under)
        error = erfc(middle / sqrt(2))
        off = _limits(stages, error, look + 1)[look] - z
        if abs(off) < 1.5e-6 or high - low < 1e-6:
            return error
        if off < 0:
            low, under = middle, off
            over, side = (over / 2 if side < 0 else over), -1
        else:
            high, over = middle, off
            under, side = (under / 2 if side > 0 else under), 1
