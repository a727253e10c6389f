"""O'Brien and Fleming's limits, as published: those that plans were begun with end with them."""

import random
from math import sqrt

import numpy as np
import pytest

from arena.rating.obrien_fleming import crossing, least_error, limits
from arena.schedule.stages import evenly

SEED = random.randrange(2**32)

# Jennison and Turnbull (2000), table 2.3: the constants C_B of O'Brien and Fleming's test
PUBLISHED = {
    0.01: {1: 2.576, 2: 2.580, 3: 2.595, 4: 2.609, 5: 2.621, 10: 2.660, 20: 2.695},
    0.05: {1: 1.960, 2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087, 20: 2.126},
    0.10: {1: 1.645, 2: 1.678, 3: 1.710, 4: 1.733, 5: 1.751, 10: 1.801, 20: 1.842},
}


@pytest.mark.parametrize("error", PUBLISHED)
def test_the_limits_are_the_published_ones(error: float) -> None:
    for looks, constant in PUBLISHED[error].items():
        bounds = limits(evenly(100 * looks, looks), error)
        assert bounds[-1] == pytest.approx(constant, abs=6e-4)
        assert bounds[0] == pytest.approx(bounds[-1] * sqrt(looks))


def test_the_limits_are_to_the_digit_those_of_before_there_were_others() -> None:
    """Of `sequential.limits` at commit df2c0ef."""
    found = [limits(evenly(1000, 10), error)[-1] for error in (0.01, 0.05, 0.1)]
    assert found == [2.659902, 2.086502, 1.801211]


@pytest.mark.parametrize("planned", [(8, 16, 24, 32, 40), (1, 2, 3, 5, 8, 13, 21, 34)], ids=str)
def test_a_brownian_motion_passes_the_limits_as_often_as_planned(planned: tuple[int, ...]) -> None:
    runs = 100_000
    rng = np.random.default_rng(SEED)
    steps = np.diff([0, *planned])
    course = np.cumsum(rng.standard_normal((runs, len(planned))) * np.sqrt(steps), axis=1)
    z = np.abs(course) / np.sqrt(planned)
    passed = (z >= limits(planned, 0.05)).any(axis=1).mean()
    assert abs(passed - 0.05) < 5 * sqrt(0.05 * 0.95 / runs), f"seed {SEED}: {passed}"


def test_fifty_looks_at_the_least_uneven_deals_have_limits() -> None:
    planned = evenly(51, 50)
    assert planned[0] == 2
    assert crossing(planned, limits(planned, 0.05)[-1]) == pytest.approx(0.05, abs=1e-7)


def test_the_least_error_is_that_of_a_design_whose_limit_is_just_met() -> None:
    planned = evenly(100_000, 5)
    for error in (0.2, 0.05, 0.001):
        assert least_error(planned, 2, limits(planned, error)[2]) == pytest.approx(error, rel=1e-4)
