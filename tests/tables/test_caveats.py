"""What notes warn of: two orders that part."""

import pytest
from msgspec.structs import replace

from arena.tables import caveats
from arena.tables.document import Standings
from arena.tables.document_ranking import Order
from tests.tables.test_formats import FORMATS, example


def with_orders(places: list[tuple[int, int]]) -> Standings:
    """The example, its bots a, b, c ... with a place by rating and one by majority."""
    return replace(
        example(),
        orders=tuple(
            Order(bot="abcdefghij"[at], place=place, majority_place=by_majority,
                  majorities=0.0, mean_place=1.0)
            for at, (place, by_majority) in enumerate(places)
        ),
    )  # fmt: skip


def test_a_bot_three_places_elsewhere_by_majority_is_named() -> None:
    doc = with_orders([(1, 1), (2, 5), (3, 2), (4, 3), (5, 4)])
    assert caveats.of_orders(doc) == ["b is 2nd by rating and 5th by majority of pools."]


def test_two_places_are_nothing_to_speak_of() -> None:
    assert caveats.of_orders(with_orders([(1, 3), (2, 1), (3, 2)])) == []
    assert caveats.of_orders(with_orders([])) == []


def test_whom_a_majority_lets_share_places_may_stand_in_any_of_them() -> None:
    # Four share the places 1 to 4: the last of them by rating is where it was.
    assert caveats.of_orders(with_orders([(1, 1), (2, 1), (3, 1), (4, 1)])) == []
    doc = with_orders([(1, 4), (2, 1), (3, 1), (4, 1), (5, 4)])
    assert caveats.of_orders(doc) == ["a is 1st by rating and 4th to 5th by majority of pools."]


def test_of_many_the_farthest_are_told_and_the_rest_counted() -> None:
    doc = with_orders([(place, 11 - place) for place in range(1, 11)])
    (note,) = caveats.of_orders(doc)
    assert note.startswith("a is 1st by rating and 10th by majority of pools; j is 10th by")
    assert note.endswith("; b is 2nd by rating and 9th by majority of pools; 5 more in the JSON's "
                         "`orders`.")  # fmt: skip


@pytest.mark.parametrize("name", [f"standings.{ending}" for ending in ("html", "md", "tex", "txt")])
def test_every_format_for_people_says_so_once(name: str) -> None:
    doc = with_orders([(1, 1), (2, 5), (3, 2), (4, 3), (5, 4)])
    said = "b is 2nd by rating and 5th by majority of pools."
    for shown in (doc, replace(doc, games=doc.games[:1], pools=doc.pools[:2])):
        assert " ".join(FORMATS[name](shown).split()).count(said) == 1


@pytest.mark.parametrize(
    ("number", "place"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (21, "21st"),
     (112, "112th")],
)  # fmt: skip
def test_places_are_said_as_people_do(number: int, place: str) -> None:
    assert caveats.ordinal(number) == place
