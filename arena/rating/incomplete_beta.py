"""The incomplete beta function, from which Student's t and Fisher's F have their tails. Pure."""

from math import exp, lgamma, log, log1p

STEPS = 1000  # of the continued fraction; it takes some sqrt(max(a, b)) of them
CLOSE = 1e-15


def regularised(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function of x, from 0 to 1, at (a, b), each above 0.

    `rest` is 1 - x, not rounded off. By the continued fraction of DLMF 8.17.22.
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - regularised(rest, x, b, a)
    if x <= 0:
        return 0.0
    log_rest = log1p(-x) if x < 0.5 else log(rest)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log_rest)
    return front / a * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, STEPS):
        half, odd = divmod(step, 2)
        top = -(a + half) * (a + b + half) if odd else half * (b - half)
        term = top * x / ((a + step - 1) * (a + step))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        value *= c * d
        if abs(c * d - 1) < CLOSE:
            break
    return 1 / value
