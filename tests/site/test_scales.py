"""arena.site.scales: where a value lies in its cell."""

from random import Random

import pytest

from arena.site.scales import MARGIN, TICKS, scale_of


def test_the_least_and_the_greatest_lie_a_margin_from_the_ends() -> None:
    scale = scale_of([20.0, None, 30.0])
    assert (scale.at(20.0), scale.at(25.0), scale.at(30.0)) == (MARGIN, 50.0, 100 - MARGIN)


def test_an_open_end_is_the_end_of_the_cell() -> None:
    scale = scale_of([20.0, 30.0])
    assert (scale.at(None, 0.0), scale.at(None, 100.0)) == (0.0, 100.0)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([20.0, 30.0], ["20", "25", "30"]),
        ([-0.3, 0.4], ["-0.2", "0.0", "0.2", "0.4"]),
        ([3.0, 97.0], ["20", "40", "60", "80"]),
        ([7.0], ["6.5", "7.0", "7.5"]),
        ([], ["0.0", "0.5", "1.0"]),
    ],
)
def test_ticks_are_round_numbers(values: list[float], labels: list[str]) -> None:
    scale = scale_of(values)
    assert [scale.label(tick) for tick in scale.ticks] == labels


def test_any_scale_has_a_few_ticks_and_all_lie_on_it(seed: int) -> None:
    rng = Random(seed)
    for _ in range(500):
        least = rng.uniform(-1000, 1000)
        scale = scale_of([least, least + 10 ** rng.uniform(-4, 4)])
        assert 1 <= len(scale.ticks) <= TICKS
        assert all(MARGIN - 0.1 <= scale.at(tick) <= 100.1 - MARGIN for tick in scale.ticks)
        labels = [scale.label(tick) for tick in scale.ticks]
        assert len(set(labels)) == len(labels)


def test_what_others_are_compared_with_is_drawn_where_it_is_on_the_scale() -> None:
    assert scale_of([20.0, 30.0], middle=25.0).middle == 25.0
    assert scale_of([26.0, 30.0], middle=25.0).middle is None
