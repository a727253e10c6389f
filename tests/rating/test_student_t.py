"""Student's t: as printed in tables, and as scipy has it."""

import numpy as np
import pytest
import scipy.stats

from arena.rating import student_t

FREEDOM = [1, 2, 3, 7, 29, 30, 199, 998, 999, 1000, 1001, 5000, 1_000_000]


@pytest.mark.parametrize(
    ("t", "freedom", "above"),
    [  # as printed in tables of Student's t
        (12.706, 1, 0.025), (4.303, 2, 0.025), (10.215, 3, 0.001), (2.571, 5, 0.025),
        (1.895, 7, 0.05), (2.228, 10, 0.025), (3.090, 27, 0.0023), (2.042, 30, 0.025),
        (1.980, 120, 0.025), (0.0, 9, 0.5), (-2.228, 10, 0.975),
    ],
)  # fmt: skip
def test_student_s_t_is_that_of_the_tables(t: float, freedom: int, above: float) -> None:
    assert abs(student_t.above(t, freedom) - above) < 0.0005 * max(1, above)


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("t", [-3.0, -0.5, 0.0, 0.1, 1.0, 1.96, 5.0])
def test_student_s_t_is_that_of_scipy(t: float, freedom: int) -> None:
    assert abs(student_t.above(t, freedom) - scipy.stats.t.sf(t, freedom)) < 1e-6


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_what_is_exceeded_so_rarely_is_what_scipy_says(level: float, freedom: int) -> None:
    theirs = scipy.stats.t.ppf((1 + level) / 2, freedom)
    assert student_t.two_sided(level, freedom) == pytest.approx(theirs, rel=1e-5)


@pytest.mark.parametrize("freedom", [1, 7, 20, 99, 1000, 1_000_000])
@pytest.mark.parametrize("t", [0.01, 0.5, 2.0, 10.0, 30.0])
def test_tails_are_right_however_far_out(t: float, freedom: int) -> None:
    theirs = 2 * scipy.stats.t.sf(t, freedom)
    assert student_t.tail(t, freedom) == pytest.approx(theirs, rel=1e-8, abs=1e-290)
    assert student_t.tail(-t, freedom) == student_t.tail(t, freedom)


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("error", [0.5, 0.05, 1e-10, 1e-50])
def test_a_critical_value_is_exceeded_as_often_as_asked(error: float, freedom: int) -> None:
    assert student_t.tail(student_t.critical(error, freedom), freedom) == pytest.approx(
        error, rel=1e-8
    )


def test_the_ends_of_the_distribution() -> None:
    assert student_t.tail(0.0, 5) == 1.0
    assert student_t.tail(1e200, 5) == 0.0
    assert student_t.critical(1.0, 5) < 1e-6


def test_of_numpys_numbers_comes_a_plain_one() -> None:
    assert type(student_t.above(np.float64(2.0), np.float64(7.0))) is float
