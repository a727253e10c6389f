"""TrueSkill's update for one free-for-all, on plain floats.

The same messages in the same order, with the same stopping rule, as `trueskill.TrueSkill.rate`
passes through its graph of objects, and the same numbers to 1e-9 (a test says so), 8 to 18 times
faster. Every player is alone, and the dynamic factor is 0: fixed bots learn nothing between games.

A normal distribution is kept in natural parameters: precision (1 / sigma^2) and `shift` (mu times
precision), because messages multiply, and there multiplying is adding.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import erfc, exp, pi, sqrt
from statistics import NormalDist
from typing import Any

from trueskill import TrueSkill, calc_draw_margin

_SWEEPS = 10  # the package's limit
_ENOUGH = 1e-4  # the package's `min_delta`
_ROOT_HALF = sqrt(0.5)
_PEAK = 1 / sqrt(2 * pi)


def environment(draw_probability: float) -> Any:
    """Return the package's environment: its defaults, tau 0, and a normal distribution of full
    precision.

    The package's own is good to seven digits; below a draw probability of 0.01 that makes the
    variance after a tie negative.
    """
    normal = (_below, _density, NormalDist().inv_cdf)
    return TrueSkill(tau=0, draw_probability=draw_probability, backend=normal)


def _below(x: float) -> float:
    return 0.5 * erfc(-x * _ROOT_HALF)


def _density(x: float) -> float:
    return _PEAK * exp(-0.5 * x * x)


class Update:
    """The update under one environment, whose draw margin is worked out once."""

    __slots__ = ("_env", "_margin", "_noise")

    def __init__(self, env: Any) -> None:
        self._env = env
        self._margin: float = calc_draw_margin(env.draw_probability, 2, env)
        self._noise: float = env.beta**2

    def __call__(
        self, players: Sequence[tuple[float, float]], ranks: Sequence[int]
    ) -> list[tuple[float, float]]:
        """Return the players' (precision, shift) after a game in which they finished so.

        In the order given; two players or more, equal ranks are ties.
        """
        order = sorted(range(len(players)), key=ranks.__getitem__)
        noise = self._noise
        # Performances as the prior has them, best place first.
        seen = []
        for player in order:
            precision, shift = players[player]
            a = 1 / (1 + noise * precision)
            seen.append((a * precision, a * shift))
        ties = [ranks[a] == ranks[b] for a, b in pairwise(order)]
        told = self._two(seen, ties[0]) if len(seen) == 2 else self._many(seen, ties)
        out = list(players)
        for player, (precision, shift) in zip(order, told, strict=True):
            a = 1 / (1 + noise * precision)
            own = players[player]
            out[player] = (own[0] + a * precision, own[1] + a * shift)
        return out

    def _two(
        self, seen: Sequence[tuple[float, float]], tie: bool
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return what the result says of the performances of first and second."""
        (p, s), (q, t) = seen
        d, e = self._result(p, s, q, t, tie)
        return (d * q / (d + q), (q * e + d * t) / (d + q)), (
            d * p / (d + p), (d * s - p * e) / (d + p)
        )  # fmt: skip

    def _many(
        self, seen: Sequence[tuple[float, float]], ties: Sequence[bool]
    ) -> list[tuple[float, float]]:
        """Return what the result says of the performances, place by place."""
        last = len(ties) - 1
        # By place: what the comparison with the place above says of it, and that with the one
        # below; by comparison: what the result says of the difference.
        above, below = [(0.0, 0.0)] * len(seen), [(0.0, 0.0)] * len(seen)
        results = [(0.0, 0.0)] * len(ties)
        result = self._result
        downwards = [(x, True) for x in range(last)]
        upwards = [(x, False) for x in range(last, 0, -1)]
        for _ in range(_SWEEPS):
            change = 0.0
            for x, down in downwards + upwards:
                p, s = seen[x]
                p, s = p + above[x][0], s + above[x][1]
                q, t = seen[x + 1]
                q, t = q + below[x + 1][0], t + below[x + 1][1]
                d, e = result(p, s, q, t, ties[x])
                old = results[x]
                change = max(change, abs(e - old[1]), sqrt(abs(d - old[0])))
                results[x] = (d, e)
                if down:
                    above[x + 1] = (d * p / (d + p), (d * s - p * e) / (d + p))
                else:
                    below[x] = (d * q / (d + q), (q * e + d * t) / (d + q))
            if change <= _ENOUGH:
                break
        # The two ends, which no sweep has told.
        (d, e), (q, t) = results[0], seen[1]
        q, t = q + below[1][0], t + below[1][1]
        below[0] = (d * q / (d + q), (q * e + d * t) / (d + q))
        (d, e), (p, s) = results[last], seen[last]
        p, s = p + above[last][0], s + above[last][1]
        above[last + 1] = (d * p / (d + p), (d * s - p * e) / (d + p))
        return [(a[0] + b[0], a[1] + b[1]) for a, b in zip(above, below, strict=True)]

    def _result(self, p: float, s: float, q: float, t: float, tie: bool) -> tuple[float, float]:
        """Return what it says of the difference between (p, s) and (q, t) that the first
        finished ahead, or that they tied, as (precision, shift).
        """
        precision = p * q / (p + q)
        shift = (q * s - p * t) / (p + q)
        root = sqrt(precision)
        gap, margin = shift / root, self._margin * root
        if tie:
            v = self._env.v_draw(gap, margin)
            beyond = abs(gap) - margin
            # Further out than floats reach, the variance left is that of the tail.
            w = self._env.w_draw(gap, margin) if beyond < 35 else 1 - beyond**-2
        else:
            v = self._env.v_win(gap, margin)
            beyond = gap - margin
            w = v * (v + beyond) if beyond > -35 else 1 - beyond**-2
        left = 1 - w
        return precision * w / left, (shift * w + root * v) / left
