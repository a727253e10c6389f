"""arena.site.crosstables: heatmaps of who beat whom."""

import pytest
from msgspec import structs

from arena.site.crosstables import CELLS, MOST, heat, heatmaps, most_for
from tests.site.documents import kept


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
