"""TrueSkill's update for many games at once: from finishing orders, evidence on the players.

The messages and formulas of the `trueskill` package, passed along the same graph in the same
order, with an array over games where the package has a number (a test holds the two together).
The dynamic factor is 0: fixed bots learn nothing between games. Arrays have places first, best
first, and games last.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.rating import gaussian
from arena.rating.gaussian import Array

Flags = npt.NDArray[np.bool_]

SWEEPS = 10  # along the finishing order: the package's limit
_LEAST = 1e-9  # of the variance left: rounding may take the rest, tens of thousands of sigma out


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal distributions, or messages, in natural parameters; 0 and 0 say nothing.

    Messages multiply, and in natural parameters that is adding.
    """

    precision: Array  # 1 / sigma^2
    shift: Array  # mu times precision

    @property
    def mu(self) -> Array:
        """The means."""
        return self.shift / self.precision

    @property
    def sigma(self) -> Array:
        """The standard deviations."""
        sigma: Array = self.precision**-0.5
        return sigma

    def __mul__(self, other: "Normal") -> "Normal":
        return Normal(self.precision + other.precision, self.shift + other.shift)

    def __truediv__(self, other: "Normal") -> "Normal":
        return Normal(self.precision - other.precision, self.shift - other.shift)

    def __getitem__(self, index: Any) -> "Normal":
        return Normal(self.precision[index], self.shift[index])

    def __setitem__(self, index: int, new: "Normal") -> None:
        self.precision[index], self.shift[index] = new.precision, new.shift

    def copy(self) -> "Normal":
        """Return the same, to be changed."""
        return Normal(self.precision.copy(), self.shift.copy())


def empty_messages(*shape: int) -> Normal:
    """Return messages that say nothing."""
    return Normal(np.zeros(shape), np.zeros(shape))


class Chain(NamedTuple):
    """The messages to each place, from its comparisons with the place above and the place below.

    Kept from one update to the next, it lets one sweep do where a first update takes ten.
    """

    above: Normal  # (places, games)
    below: Normal

    def copy(self) -> "Chain":
        """Return the same, to be changed."""
        return Chain(self.above.copy(), self.below.copy())


def new_chain(places: int, games: int) -> Chain:
    """Return the chain of games not yet looked at."""
    return Chain(empty_messages(places, games), empty_messages(places, games))


def update_beliefs(
    cavity: Normal, ties: Flags, margin: float, beta: float, chain: Chain, sweeps: int = SWEEPS
) -> Normal:
    """Return each game's messages to its players; `cavity` is the belief in them without the game.

    `cavity` is (places, members of a side, games); `ties`, (places - 1, games), says whether a
    place is shared with the next. Performances vary by `beta`; sides whose performances differ by
    less than `margin` tie. The sweeps go on from `chain`, and bring it up to date in place.
    """
    mean, variance = cavity.mu, 1 / cavity.precision + beta**2
    precision = 1 / variance.sum(axis=1)
    told = _told(Normal(precision, precision * mean.sum(axis=1)), ties, margin, chain, sweeps)
    side, shift = told.precision[:, None], told.shift[:, None]
    partners = mean.sum(axis=1, keepdims=True) - mean
    others = variance.sum(axis=1, keepdims=True) - variance
    left = 1 / (1 + side * (others + beta**2))
    return Normal(left * side, left * (shift - side * partners))


def _told(seen: Normal, ties: Flags, margin: float, chain: Chain, sweeps: int) -> Normal:
    """Return the results' messages to the sides' performances; `seen` are their players'."""
    last = len(ties) - 1
    above, below = chain

    def compare(place: int) -> tuple[Normal, Normal]:
        """Return the messages of a place's comparison with the next: to it, and to the next."""
        upper = seen[place] * above[place]
        lower = seen[place + 1] * below[place + 1]
        return _compared(upper, lower, ties[place], margin)

    for _ in range(sweeps if last else 0):
        for place in range(last):
            above[place + 1] = compare(place)[1]
        for place in range(last, 0, -1):
            below[place] = compare(place)[0]
    # The two ends, which no sweep has told.
    first = compare(0)
    below[0] = first[0]
    above[last + 1] = compare(last)[1] if last else first[1]
    return above * below


def _compared(upper: Normal, lower: Normal, tied: Flags, margin: float) -> tuple[Normal, Normal]:
    """Return the messages to two performances of the result: the first won, or they tied."""
    p, s = upper.precision, upper.shift
    q, t = lower.precision, lower.shift
    precision = p * q / (p + q)
    shift = (q * s - p * t) / (p + q)
    root = np.sqrt(precision)
    v, w = _moved(shift / root, margin * root, tied)
    left = np.maximum(1 - w, _LEAST)
    d, e = precision * w / left, (shift * w + root * v) / left
    return (
        Normal(d * q / (d + q), (q * e + d * t) / (d + q)),
        Normal(d * p / (d + p), (d * s - p * e) / (d + p)),
    )


def _moved(gap: Array, margin: Array, tied: Flags) -> tuple[Array, Array]:
    """Return v and w of differences, won or tied."""
    if not tied.any():
        return gaussian.correct_for_win(gap, margin)
    v, w = np.empty_like(gap), np.empty_like(gap)
    for some, moved in ((tied, gaussian.correct_for_tie), (~tied, gaussian.correct_for_win)):
        v[some], w[some] = moved(gap[some], margin[some])
    return v, w
