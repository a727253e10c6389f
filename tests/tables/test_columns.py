"""The list of columns: what holds of every column, so that a new one cannot be half there."""

from msgspec.structs import replace

from arena.tables.columns import COLUMNS, COLUMNS_OF_PAGES, COLUMNS_SHOWN
from tests.documents import example

FIRST = example().pools[0].table[0]


def test_people_first_see_who_won_and_how_sure_that_is() -> None:
    first = ["#", "bot", "strength", "beats", "likely places", "ladder"]
    for shown in (COLUMNS_SHOWN, COLUMNS_OF_PAGES):
        assert [column.title for column in shown][:7] == [*first, "rating"]
    assert {column.title for column in COLUMNS if column.leads} == {*first}


def test_what_is_not_known_is_a_dash_in_texts_and_empty_on_pages_and_in_csv() -> None:
    row = replace(
        FIRST, place_range=None, interval=None, beats=None, better_than_next=None,
        best_probability=None, wins=None, score=None,
    )  # fmt: skip
    unknown = {"likely places", "±", "beats", "next", "first", "wins", "score", "ladder"}
    for column in COLUMNS:
        if column.cell:
            assert (column.text(row) == "-") == (column.title in unknown), column.title
            assert (column.page_text(row) == "") == (column.title in unknown), column.title
        if column.title in unknown or column.drawn:
            assert {*column.csv_cells(row)} <= {""}, column.title


def test_ranges_of_places_are_sorted_by_their_first_place_then_by_their_last() -> None:
    (order,) = (column.order for column in COLUMNS if column.title == "likely places")
    assert order
    ranges = [(1, 1), (2, 3), (2, 10), (3, 3), (10, 12)]
    assert [*map(order, ranges)] == sorted(map(order, ranges))
    assert len({*map(order, ranges)}) == len(ranges)


def test_numbers_with_their_thousands_apart_are_sorted_by_their_value() -> None:
    row = replace(FIRST, games=12_345, faults_total=1_234)
    apart = {column.title: column.order for column in COLUMNS if "," in column.text(row)}
    found = {title: order and order(1_234) for title, order in apart.items()}
    assert found == {"games": 1_234, "faults": 1_234}
