"""The normal distribution in arrays, and TrueSkill's corrections v and w.

numpy has no error function. `erfcx` decays as 1 / x where the distribution itself runs out of
digits. So every quotient below is finite, and no bot is too far ahead to be rated. Pure; the names
v and w are the paper's (Herbrich, Minka and Graepel 2007).
"""

from math import pi, sqrt

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_ROOT_HALF = sqrt(0.5)
_ROOT_PI = sqrt(pi)
_ROOT_2_PI = sqrt(2 / pi)
_MOST = 26.0  # exp(26 ** 2) is about as much as a float holds

# W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969):
# numerators and denominators, highest power first, of the three ranges.
_NEAR = (
    (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2,
     3.77485237685302021e2, 3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3,
     2.84423683343917062e3),
)  # fmt: skip
_MIDDLE = (
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
     6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2,
     1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3),
    (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
     1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3,
     3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip
_FAR = (
    (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
     1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4),
    (1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1,
     6.05183413124413191e-2, 2.33520497626869185e-3),
)  # fmt: skip


def erfcx(x: Array) -> Array:
    """exp(x^2) erfc(x), to 15 digits; below -26 that of -26."""
    size = np.abs(x)
    above = np.empty_like(size)
    near, far = size <= 0.46875, size > 4
    for here, value in ((near, _near), (far, _far), (~(near | far), _middle)):
        if here.any():
            above[here] = value(size[here])
    return np.where(x < 0, 2 * np.exp(np.minimum(size, _MOST) ** 2) - above, above)


def normal_cdf(x: Array) -> Array:
    """The probability that a standard normal variable is below `x`."""
    size = np.abs(x) * _ROOT_HALF
    tail = 0.5 * np.exp(-(size**2)) * erfcx(size)
    return np.where(x < 0, tail, 1 - tail)


def correct_for_win(gap: Array, margin: Array) -> tuple[Array, Array]:
    """TrueSkill's v and w of a difference that was more than the margin, where `gap` was expected.

    Both in units of the difference's deviation. v is how far the expectation moves, in the same
    units; w the part of the variance that is gone, from 0 to 1.
    """
    beyond = gap - margin
    v = _ROOT_2_PI / erfcx(-beyond * _ROOT_HALF)
    return v, v * (v + beyond)


def correct_for_tie(gap: Array, margin: Array) -> tuple[Array, Array]:
    """TrueSkill's v and w of a difference that was within the margin, where `gap` was expected."""
    size = np.abs(gap)
    inner, outer = margin - size, margin + size
    # The density at the further end of the tie, over that at the nearer end.
    fall = np.exp(-2 * margin * size)
    near, far = erfcx(np.array((-inner, outer)) * _ROOT_HALF)
    within = near - far * fall
    v = _ROOT_2_PI * np.expm1(-2 * margin * size) / within
    w = v * v + _ROOT_2_PI * (inner + outer * fall) / within
    return np.copysign(v, -gap), w


def _near(x: Array) -> Array:
    square = x * x
    return np.asarray(np.exp(square) * (1 - x * _ratio(square, _NEAR)))


def _middle(x: Array) -> Array:
    return _ratio(x, _MIDDLE)


def _far(x: Array) -> Array:
    square = 1 / (x * x)
    return np.asarray((1 / _ROOT_PI - square * _ratio(square, _FAR)) / x)


def _ratio(x: Array, of: tuple[tuple[float, ...], tuple[float, ...]]) -> Array:
    return _polynomial(of[0], x) / _polynomial(of[1], x)


def _polynomial(coefficients: tuple[float, ...], x: Array) -> Array:
    """The polynomial's values, by Horner's rule: numpy's own function takes longer."""
    value = coefficients[0] * x
    for coefficient in coefficients[1:-1]:
        value += coefficient
        value *= x
    value += coefficients[-1]
    return value
