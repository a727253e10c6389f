"""Sequential tests: looking several times while playing, and being wrong no more often for it.

A test is designed before the first game: after which deals it looks, how often it may be wrong, and
how large a difference is none in practice. O'Brien and Fleming's limits are wide at first, and at
the end close to the limit of a single look. They are computed, for any number of looks, so that two
equal bots are told apart at some look exactly as often as was planned. Pure; differences and their
standard errors come from the rating.

Sources: O'Brien and Fleming, Biometrics 35 (1979) 549; Armitage, McPherson and Rowe, J. R. Stat.
Soc. A 132 (1969) 235, the recursion; Jennison and Turnbull, Group Sequential Methods (2000), 2.4
the limits, 4.4 Student's t, 9.2 repeated confidence intervals.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, expm1, inf, log1p, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from arena.rating.student_t import critical, tail

if TYPE_CHECKING:
    import numpy as np

LEAST_CLUSTERS = 20
"""A look at fewer says nothing. Of 8 games, one of two equals wins all in one test of 128, and a
spread of nothing passes every limit; of 20, even 19 or more come once in 24,000 tests."""
BAND_MU = 0.5
FAR = 8.0  # deviations; a Brownian motion gets so far less often than once in 10^14

Answer = Literal["better", "worse", "equal", "open"]
"""Of two bots: the first is better than the second, worse, equal within the band, or not known."""

BETTER: Final = "better"
WORSE: Final = "worse"
EQUAL: Final = "equal"
OPEN: Final = "open"


class Design(NamedTuple):
    """A sequential test, as planned."""

    stages: tuple[int, ...]  # deals at each look, growing
    error: float  # how often two equal bots may be told apart, at any look
    band_mu: float = BAND_MU  # differences within are none in practice


class Verdict(NamedTuple):
    """The answer of a look at two bots, and the evidence for it."""

    answer: Answer
    low: float  # of the interval that holds the difference at all looks at once, mu
    high: float
    error: float  # the least planned error with which the two would be told apart here


def judge(
    design: Design, look: int, difference: float, se: float, clusters: int, pairs: int = 1
) -> Verdict:
    """Return the verdict of a look (0 the first) on a difference in mu with standard error `se`.

    It rests on so many independent clusters of games. Where it is one of several `pairs`, the
    planned error is that of all together (Sidak's inequality: whatever their correlation).
    Student's t takes the place of the normal distribution, at equal probability.
    """
    if clusters < LEAST_CLUSTERS:
        return Verdict(OPEN, -inf, inf, 1.0)
    one_pairs = -expm1(log1p(-design.error) / pairs)
    limit = limits(design.stages, one_pairs)[look]
    reach = critical(erfc(limit / sqrt(2)), clusters - 1) * se
    low, high = difference - reach, difference + reach
    answer: Answer = BETTER if low > 0 else WORSE if high < 0 else OPEN
    if answer == OPEN and -design.band_mu <= low and high <= design.band_mu:
        answer = EQUAL
    if se:
        chance = tail(difference / se, clusters - 1)
    else:
        chance = 0.0 if difference else 1.0
    z = -NormalDist().inv_cdf(chance / 2) if chance else inf
    least = crossing(design.stages, z * sqrt(design.stages[look] / design.stages[-1]))
    return Verdict(answer, low, high, -expm1(pairs * log1p(-min(least, 1 - 1e-12))))


@lru_cache(256)
def limits(stages: tuple[int, ...], error: float) -> tuple[float, ...]:
    """Return the limit of |z| at each look; some look of an equal pair exceeds it with `error`.

    That is O'Brien and Fleming's c sqrt(N / n) after n of N deals. `error` is above 0 and below 1.
    """
    low, high = 0.0, NormalDist().inv_cdf(1 - error / 2 / len(stages))  # Bonferroni's is too wide
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if crossing(stages, middle) > error else (low, middle)
    c = round(high, 6)  # the same on every machine
    return tuple(c * sqrt(stages[-1] / stage) for stage in stages)


def crossing(stages: Sequence[int], c: float) -> float:
    """Return how likely a standard Brownian motion is to leave (-c, c) at some look.

    The looks are at stage / last stage of its course. By Armitage, McPherson and Rowe's recursion:
    the density of the paths still inside is carried from look to look, by Gauss-Legendre. Right to
    1e-9.
    """
    import numpy as np

    if not 0 < c < FAR:
        return 1.0 if c <= 0 else 0.0
    steps = [(after - before) / stages[-1] for before, after in pairwise((0, *stages))]
    nodes, weights = _rule(20 * ceil(1 + c / sqrt(min(steps)) / 3))  # some 7 in each deviation
    between = c * (nodes[:, None] - nodes)
    carry = {
        step: np.exp(-(between**2) / 2 / step) / sqrt(2 * pi * step) * c * weights
        for step in set(steps[1:])
    }
    inside = np.exp(-((c * nodes) ** 2) / 2 / steps[0]) / sqrt(2 * pi * steps[0])
    for step in steps[1:]:
        inside = carry[step] @ inside
    return max(0.0, 1.0 - c * float(weights @ inside))


@lru_cache(32)
def _rule(nodes: int) -> "tuple[np.ndarray, np.ndarray]":
    """Return nodes and weights of Gauss and Legendre's rule on (-1, 1)."""
    import numpy as np

    return np.polynomial.legendre.leggauss(nodes)
