"""Student's t: how likely a mean lies so far out by chance, when its spread is estimated too.

Exact for any number of degrees of freedom, and far into the tails, where the first looks
of a sequential test lie. Pure.
"""

from functools import lru_cache
from math import inf

from arena.rating.incomplete_beta import regularised


def tail(t: float, df: float) -> float:
    """Return P(|T| >= |t|), from 0 to 1, with a relative error below 1e-8.

    `df` is above 0. DLMF 8.17 and 26.2: it is the regularised incomplete beta function of
    df / (df + t^2) at (df / 2, 1/2).
    """
    t, df = float(t), float(df)  # of numpy's, it would go on with numpy's
    square = t * t
    if square == inf:
        return 0.0
    return regularised(df / (df + square), square / (df + square), df / 2, 0.5)


def above(t: float, df: float) -> float:
    """Return P(T >= t), from 0 to 1."""
    half = tail(t, df) / 2
    return half if t > 0 else 1 - half


def two_sided(level: float, df: float) -> float:
    """Return the t that is exceeded, in either direction, with a probability of 1 - `level`."""
    return critical(1 - level, df)


@lru_cache(1 << 10)
def critical(error: float, df: float) -> float:
    """Return the t, 0 or more, with tail(t, df) = error, above 0 and at most 1."""
    low, high = 0.0, 1.0
    while tail(high, df) > error:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if tail(middle, df) > error else (low, middle)
    return high
