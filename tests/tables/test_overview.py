"""What is sure of a table in a sentence, by cases; and which tables there are."""

import pytest
from msgspec.structs import replace

from arena.tables.columns import Row
from arena.tables.overview import (
    headline,
    list_tables,
    summarize_places,
)
from tests.tables.test_formats import example

Places = tuple[int, int] | None


def lines(*places: Places, broken: str = "") -> tuple[list[Row], list[Row]]:
    """Lines of bots a, b, c .. with these likely places: those ranked, and the broken ones."""
    first = example().pools[0].table[0]
    rows = [
        replace(first, bot="abcdefghijkl"[at], place=at + 1, places=each,
                broken="abcdefghijkl"[at] in broken)
        for at, each in enumerate(places)
    ]  # fmt: skip
    return [row for row in rows if not row.broken], [row for row in rows if row.broken]


TWO_UP = (1, 3), (1, 3), (1, 3)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (
            [(1, 1), (2, 4), (2, 4), (2, 4)],
            "a is clearly first. Places 2 to 4 are not decided yet.",
        ),
        (
            [(1, 1), (2, 2), (3, 4), (3, 4)],
            "a is clearly first and b clearly second. Places 3 to 4 are not decided yet.",
        ),
        (
            [(1, 2), (1, 2), (3, 4), (3, 4), (5, 5)],
            "a and b share the lead: neither is clearly better. Places 3 to 4 are not decided yet.",
        ),
        (
            [(1, 1), (2, 3), (2, 3), (4, 5), (4, 5)],
            "a is clearly first. Places 2 to 3 and 4 to 5 are not decided yet.",
        ),
        (
            [(1, 1), *[(at, at + 1) for at in (2, 4, 6, 8) for _ in "xy"]],
            "a is clearly first. Places within 4 groups of bots are not decided yet.",
        ),
        # A chain: only the ends of the first four are told apart.
        (
            [(1, 3), (1, 4), (1, 4), (2, 4)],
            "a, b and c share the lead: none is clearly better.",
        ),
        ([(1, 3), (1, 4), (1, 5), (2, 5), (3, 5)],
         "a, b and c share the lead: none is clearly better. Places 4 to 5 are not decided yet."),
        ([(1, 5)] * 5 + [(6, 6)], "5 bots share the lead: none is clearly better."),
        ([(1, 3)] * 3, "No order is certain yet: any of 3 bots may be the best."),
        ([(1, 2)] * 2, "a and b share the lead: neither is clearly better."),
        ([(1, 1), (2, 2)], "a is clearly first."),
        (
            [(1, 1), (2, 2), (3, 3)],
            "a is clearly first and b clearly second. Every place is certain.",
        ),
        ([None] * 3, "Too few games to tell who is better: each bot needs at least 8 decks."),
        (
            [(1, 1), (2, 3), (2, 3), None],
            "a is clearly first. Places 2 to 3 are not decided yet. Too few games to place d.",
        ),
        ([(1, 1)], "a is the only bot ranked."),
        ([], "No bot is ranked: none entered every game."),
    ],
)  # fmt: skip
def test_a_table_comes_to_this_sentence(places: list[Places], said: str) -> None:
    assert summarize_places(*lines(*places)) == said


@pytest.mark.parametrize(
    ("places", "broken", "said"),
    [
        ([(1, 1), (2, 3), (2, 3), (4, 5), (4, 5)], "de",
         "a is clearly first. Places 2 to 3 are not decided yet."),
        # A broken bot among those that are open is no longer one of them.
        ([(1, 1), (2, 4), (2, 4), (2, 4)], "d",
         "a is clearly first. Places 2 to 3 are not decided yet."),
        ([(1, 1), (2, 3), (2, 3)], "c", "a is clearly first."),
        ([(1, 2), (1, 2)], "ab", "No bot is ranked: all forfeited half of their games."),
        ([(1, 1), (2, 2), (3, 3)], "b", "a is clearly first. Every place is certain."),
    ],
)  # fmt: skip
def test_broken_bots_are_not_spoken_of(places: list[Places], broken: str, said: str) -> None:
    assert summarize_places(*lines(*places, broken=broken)) == said


def test_the_sentence_is_of_the_first_table() -> None:
    doc = example()
    assert headline(doc) == summarize_places(doc.overall)
    one = replace(doc, overall=(), games=doc.games[:1], pools=doc.pools[:1])
    assert headline(one) == summarize_places(doc.pools[0].table)
    assert headline(replace(doc, pools=())) == "No games yet."


def test_the_first_table_has_the_places_in_each_game_and_those_of_games_in_each_pool() -> None:
    doc = example()
    overall, *games = [table for table in list_tables(doc) if table.parts]
    assert [part.title for part in overall.parts] == ["No Thanks!", "Sixteen"]
    assert [table.title for table in games] == [
        part.title for part, game in zip(overall.parts, doc.games, strict=True) if game.pools > 1
    ]
    for part, game in zip(overall.parts, doc.games, strict=True):
        assert part.places == {row.bot: str(row.place) for row in game.table}


def test_a_broken_bot_has_no_place_and_where_it_is_told() -> None:
    doc = example()
    rows = tuple(replace(row, broken=row.bot == "bold") for row in doc.overall)
    table = list_tables(replace(doc, overall=rows))[0]
    assert [row.bot for row in table.broken] == ["bold"]
    assert "bold" not in [row.bot for row in table.ranked]
    assert table.notes.plain[0].startswith("Not ranked (-)")
