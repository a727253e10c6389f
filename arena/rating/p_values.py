"""P-values: Student's t, Fisher's F, many tests at once, and what is judged by them.

They are exact for any number of degrees of freedom, and far into the tails, where the first looks
of a sequential test lie (scipy has them too, in 143 MB; tests compare with it). Pure, and without
numpy, which takes its time to load.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, sqrt
from statistics import fmean, stdev

BAND_MU = 0.5  # differences of mu within are none in practice


def t_tail(t: float, df: float) -> float:
    """P(|T| >= |t|), from 0 to 1, with a relative error below 1e-8.

    `df` is above 0. DLMF 8.17 and 26.2: it is the regularised incomplete beta function of df / (df
    + t^2) at (df / 2, 1/2).
    """
    t, df = float(t), float(df)  # of numpy's, it would go on with numpy's
    square = t * t
    if square == inf:
        return 0.0
    return incomplete_beta(df / (df + square), square / (df + square), df / 2, 0.5)


def t_above(t: float, df: float) -> float:
    """P(T >= t), from 0 to 1."""
    half = t_tail(t, df) / 2
    return half if t > 0 else 1 - half


@lru_cache(1 << 10)
def t_critical(error: float, df: float) -> float:
    """The t, 0 or more, that is exceeded in either direction with a probability of `error`, above 0
    and at most 1.
    """
    low, high = 0.0, 1.0
    while t_tail(high, df) > error:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_tail(middle, df) > error else (low, middle)
    return high


def f_tail(x: float, one: float, other: float) -> float:
    """The probability that a variable of Fisher's F distribution exceeds x, 0 or more.

    `one` and `other` are its degrees of freedom, above and below.
    """
    part = other + one * x
    return incomplete_beta(other / part, one * x / part, other / 2, one / 2)


_STEPS = 1000  # of the continued fraction; it takes some sqrt(max(a, b)) of them
_CLOSE = 1e-15


def incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularised incomplete beta function of x, from 0 to 1, at (a, b), each above 0.

    `rest` is 1 - x, not rounded off. By the continued fraction of DLMF 8.17.22.
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(rest, x, b, a)
    if x <= 0:
        return 0.0
    log_rest = log1p(-x) if x < 0.5 else log(rest)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log_rest)
    return front / a * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, _STEPS):
        half, odd = divmod(step, 2)
        top = -(a + half) * (a + b + half) if odd else half * (b - half)
        term = top * x / ((a + step - 1) * (a + step))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        value *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return 1 / value


def adjust_by_holm(many: Sequence[float]) -> list[float]:
    """Adjust p-values for being many, by Holm's method, in the order given.

    An adjusted p is how likely chance alone brings any of them so low. Compare it with the level
    that is to hold for all.
    """
    out = [0.0] * len(many)
    least = 0.0
    for before, at in enumerate(sorted(range(len(many)), key=many.__getitem__)):
        least = out[at] = max(least, min(1.0, (len(many) - before) * many[at]))
    return out


def estimate_mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error, which is infinite for fewer than two values."""
    if len(values) < 2:
        return (fmean(values) if values else 0.0), inf
    return fmean(values), stdev(values) / sqrt(len(values))


def judge_means(many: Sequence[Sequence[float]], level: float) -> list[tuple[float, float, float]]:
    """Compare the means of some samples, each of two values or more, with 0, together by Holm's
    method: of each the mean, half its interval, which holds 0 unless p is below the level, and p.
    """
    estimates = [estimate_mean(values) for values in many]
    tails = [
        t_tail(mean / error, len(values) - 1) if error else float(not mean)
        for (mean, error), values in zip(estimates, many, strict=True)
    ]
    adjusted = adjust_by_holm(tails)
    held, surest = sum(p < level for p in adjusted), sorted(tails)
    judged = []
    for (mean, error), tail, p, values in zip(estimates, tails, adjusted, many, strict=True):
        place = min(surest.index(tail), held)  # those that follow have the level where it stopped
        half = t_critical(level / (len(many) - place), len(values) - 1) * error
        judged.append((mean, half, p))
    return judged


def is_negligible(difference: float, reach: float) -> bool:
    """True if a difference of mu, estimated to within `reach`, is too small to matter in practice.

    It is, if the estimate lies in the band and its interval is no wider than from 0 to the band's
    edge: a wider one that leaves out 0 may reach far beyond the band.
    """
    return abs(difference) <= BAND_MU and 2 * reach <= BAND_MU
