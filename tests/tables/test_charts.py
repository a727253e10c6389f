"""What is drawn in cells: where a value lies on a scale, and heatmaps of who beat whom."""

from random import Random

import pytest
from msgspec import structs

from arena.tables.charts import (
    CELLS,
    MARGIN,
    MOST,
    TICKS,
    heat,
    heatmaps,
    most_for,
    scale_of,
)
from tests.site.documents import kept


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


@pytest.mark.parametrize(
    ("share", "even", "found"),
    [(0, 0.5, 0), (0.5, 0.5, 10), (1, 0.5, 20), (0.26, 0.5, 5), (0.25, 0.25, 10), (0.5, 0.25, 20),
     (1, 0.25, 20), (0, 0.25, 0)],
)  # fmt: skip
def test_a_cell_is_of_the_class_of_its_distance_from_even(
    share: float, even: float, found: int
) -> None:
    assert heat(share, even) == found


def test_two_sides_have_one_table_and_more_have_three() -> None:
    for pool in kept().pools:
        sides = 2 if pool.partners else pool.players
        assert len(heatmaps(pool, "x")) == (1 if sides == 2 else 3)


def test_each_cell_has_its_share_and_its_games() -> None:
    for pool in kept().pools:
        table, cross = heatmaps(pool, "x")[0], pool.crosstable
        assert table.bots == cross.bots
        for row, cells in enumerate(table.rows):
            for column, cell in enumerate(cells):
                if row == column:
                    assert cell is None
                else:
                    assert cell is not None
                    assert cell[1:] == (cross.ahead[row][column], cross.games[row][column])


def test_of_many_bots_the_first_are_shown_and_the_rest_counted() -> None:
    (pool,) = (each for each in kept().pools if each.title == "sixteen 2p")
    many = tuple(f"b{number}" for number in range(MOST + 5))
    square = tuple((0.5,) * len(many) for _ in many)
    counts = tuple((1,) * len(many) for _ in many)
    cross = structs.replace(pool.crosstable, bots=many, ahead=square, games=counts)
    table = heatmaps(structs.replace(pool, crosstable=cross), "x")[0]
    assert table.bots == many[:MOST]
    assert {len(row) for row in table.rows} == {len(table.rows)} == {MOST}
    assert table.left_out == 5


def test_a_page_of_many_tables_has_smaller_ones() -> None:
    assert most_for(1) == most_for(3) == MOST
    assert all(tables * most_for(tables) ** 2 <= CELLS for tables in range(4, 50))
