"""P-values: by hand, and as scipy and R have them."""

from math import inf, sqrt
from random import Random

import pytest
import scipy.special

from arena.rating import p_values
from arena.rating.p_values import adjust_by_holm, estimate_mean, judge_means


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 30, 199, 1000, 1_000_000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_what_is_exceeded_so_rarely_is_what_scipy_says(level: float, freedom: int) -> None:
    theirs = scipy.special.stdtrit(freedom, (1 + level) / 2)
    assert p_values.t_critical(1 - level, freedom) == pytest.approx(theirs, rel=1e-5)


@pytest.mark.parametrize("freedom", [1, 7, 20, 99, 1000, 1_000_000])
@pytest.mark.parametrize("t", [0.01, 0.5, 2.0, 10.0, 30.0])
def test_tails_are_right_however_far_out(t: float, freedom: int) -> None:
    theirs = 2 * scipy.special.stdtr(freedom, -t)
    assert p_values.t_tail(t, freedom) == pytest.approx(theirs, rel=1e-8, abs=1e-290)
    assert p_values.t_tail(-t, freedom) == p_values.t_tail(t, freedom)
    assert p_values.t_above(t, freedom) == pytest.approx(theirs / 2, rel=1e-8, abs=1e-290)
    assert p_values.t_above(-t, freedom) == pytest.approx(1 - theirs / 2)


@pytest.mark.parametrize("x", [0.0, 0.3, 1.0, 4.7, 90.0])
@pytest.mark.parametrize(("one", "other"), [(1.0, 7), (17.3, 40), (35.5, 100_000)])
def test_fisher_s_f_is_scipy_s(x: float, one: float, other: float) -> None:
    assert p_values.f_tail(x, one, other) == pytest.approx(
        scipy.special.fdtrc(one, other, x), rel=1e-7, abs=1e-300
    )


def test_it_is_the_correction_of_r() -> None:
    """p.adjust(c(.01, .02, .03, .04, .5), "holm")."""
    given = [0.01, 0.02, 0.03, 0.04, 0.5]
    assert adjust_by_holm(given) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.5])
    assert [adjust_by_holm(each) for each in ([0.7, 0.6], [0.2], [])] == [[1.0, 1.0], [0.2], []]


def test_by_chance_alone_five_runs_in_a_hundred_find_something_at_most() -> None:
    """Of 200 runs with four rules each: 10 expected; 20 are three standard errors more."""
    rng, found = Random(31), 0
    for _ in range(200):
        common = [rng.gauss(0, 0.3) for _ in range(200)]
        gains = [[own + rng.gauss(0, 0.2) for own in common] for _ in range(4)]
        judged = judge_means(gains, 0.05)
        found += any(p < 0.05 for _, _, p in judged)
        assert all((abs(mean) > half) == (p < 0.05) for mean, half, p in judged)
    assert 1 < found < 20


def test_means_without_an_error_are_0_or_surely_not_and_of_one_value_it_is_unknown() -> None:
    surely, nothing = judge_means([[1.0] * 9, [0.0] * 9], 0.05)
    assert (surely, nothing) == ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert [estimate_mean([]), estimate_mean([0.5])] == [(0.0, inf), (0.5, inf)]
    mean, error = estimate_mean([1, 2, 3])
    assert (mean, round(error, 9)) == (2, round(1 / sqrt(3), 9))
