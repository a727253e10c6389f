"""The practical band: what is too small to be a difference."""

import pytest

from arena.rating import band


@pytest.mark.parametrize(
    ("difference", "reach", "inside"),
    [
        (0.015, 0.005, True),
        (-0.015, 0.005, True),
        (0.495, 0.02, True),  # surely near the edge, on whichever side
        (0.505, 0.02, False),
        (0.3, 0.25, True),
        (0.3, 0.26, False),  # to 0.56, and may be more than the band
        (0.1, 0.4, False),  # says nothing of being better, nor of the band
    ],
)
def test_a_difference_is_within_the_band_where_that_is_known(
    difference: float, reach: float, inside: bool
) -> None:
    assert band.within(difference, reach, 0.5) == inside


def test_what_leaves_out_nothing_and_lies_in_the_band_is_within() -> None:
    for percent in range(51):
        for width in range(percent):
            if percent + width <= 50:
                assert band.within(percent / 100, width / 100, 0.5)
