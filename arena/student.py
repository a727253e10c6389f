"""Student's t distribution, to more digits than anything here is printed with. Pure."""

from functools import lru_cache
from math import atan2, cos, pi, sin, sqrt
from statistics import NormalDist

_MANY = 1000  # degrees of freedom from which on an expansion is exact enough


def above(t: float, freedom: int) -> float:
    """Return the probability that t, of 1 or more degrees of freedom, is above `t`.

    By the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4; with many degrees of freedom
    by the normal distribution, 26.7.8.
    """
    if freedom >= _MANY:
        return NormalDist().cdf(-t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom)))
    angle = atan2(t, sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    within = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return min(1.0, max(0.0, (1 - within) / 2))


@lru_cache(1 << 10)
def two_sided(level: float, freedom: int) -> float:
    """Return the t that is exceeded, in either direction, with a probability of 1 - `level`."""
    low, high = 0.0, 1.0
    while above(high, freedom) > (1 - level) / 2:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle, freedom) > (1 - level) / 2 else (low, middle)
    return (low + high) / 2
