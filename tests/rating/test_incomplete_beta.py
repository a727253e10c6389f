"""The incomplete beta function: as scipy has it."""

import pytest
import scipy.special

from arena.rating.incomplete_beta import regularised


@pytest.mark.parametrize("x", [0.0, 1e-9, 0.01, 0.3, 0.5, 0.77, 0.999, 1.0])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 3), (17.3, 0.5), (3.5, 400), (5e4, 8.9)])
def test_it_is_scipy_s(x: float, a: float, b: float) -> None:
    assert regularised(x, 1 - x, a, b) == pytest.approx(scipy.special.betainc(a, b, x), rel=1e-8)
