"""What is sure of a table in a sentence, by cases; and which tables there are."""

import pytest
from msgspec.structs import replace

from arena.tables.columns import Row
from arena.tables.overview import (
    headline,
    summarize_places,
)
from tests.documents import example, without_place

Places = tuple[int, int] | None


def lines(*places: Places) -> list[Row]:
    """Lines of ranked bots a, b, c .. with these likely places."""
    first = example().pools[0].table[0]
    return [
        replace(first, bot="abcdefghijkl"[at], place=at + 1, place_range=each,
                best_probability=None, better_than_next=None)
        for at, each in enumerate(places)
    ]  # fmt: skip


def undecided(places: str) -> str:
    return f"The order of places {places} is not decided yet."


SECOND = "a is clearly first and b clearly second."


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([(1, 1), (2, 4), (2, 4), (2, 4)], f"a is clearly first. {undecided('2 to 4')}"),
        ([(1, 1), (2, 2), (3, 4), (3, 4)], f"{SECOND} {undecided('3 to 4')}"),
        ([(1, 2), (1, 2), (3, 4), (3, 4), (5, 5)],
         f"a and b share the lead: neither is clearly better. {undecided('3 to 4')}"),
        ([(1, 1), (2, 3), (2, 3), (4, 5), (4, 5)],
         f"a is clearly first. {undecided('2 to 3 and 4 to 5')}"),
        ([(1, 1), *[(at, at + 1) for at in (2, 4, 6, 8) for _ in "xy"]],
         "a is clearly first. The order within 4 groups of bots is not decided yet."),
        # A chain: only the ends of the first four are told apart.
        ([(1, 3), (1, 4), (1, 4), (2, 4)],
         f"a, b and c share the lead: none is clearly better. {undecided('1 to 4')}"),
        ([(1, 5)] * 5 + [(6, 6)], "5 bots share the lead: none is clearly better."),
        ([(1, 3)] * 3, "No order is certain yet: any of 3 bots may be the best."),
        ([(1, 2)] * 2, "a and b share the lead: neither is clearly better."),
        ([(1, 1), (2, 2)], "a is clearly first."),
        ([(1, 1), (2, 2), (3, 3)], f"{SECOND} Every place is certain."),
        ([None] * 3, "Too few games to tell who is better: each bot needs at least 8 decks "
         "(deals of the cards), or line-ups where these are drawn."),
        ([(1, 1), (2, 3), (2, 3), None],
         f"a is clearly first. {undecided('2 to 3')} Too few games to place d."),
        ([(1, 1)], "a is the only bot ranked."),
    ],
)  # fmt: skip
def test_a_table_comes_to_this_sentence(places: list[Places], said: str) -> None:
    assert summarize_places(lines(*places)) == said


def test_bots_that_are_not_ranked_are_not_spoken_of() -> None:
    ranked = lines((1, 1), (2, 3), (2, 3))
    below = [without_place(row, "broken") for row in ranked[:2]]
    said = f"a is clearly first. {undecided('2 to 3')}"
    assert summarize_places([*ranked, *below]) == said
    none = "No bot is ranked yet (forfeited at least half of their games; guests: "
    assert summarize_places([*below, without_place(ranked[2], "guest")]).startswith(none)


@pytest.mark.parametrize(
    ("first", "better", "said"),
    [
        ((0.5, 0.3, 0.2, 0.0), (0.5, 0.6, 0.9),
         f"a, b and c share the lead: none is clearly better. {undecided('1 to 4')}"),
        ((0.97, 0.01, 0.01, 0.01), (0.97, 0.5, 0.5),
         f"a is very likely first. {undecided('2 to 4')}"),
    ],
)  # fmt: skip
def test_leaders_have_a_chance_to_be_first(
    first: tuple[float, ...], better: tuple[float, ...], said: str
) -> None:
    ranked = lines(*[(1, 4)] * 4)
    columns = zip(ranked, first, (*better, None), strict=True)
    rows = [replace(row, best_probability=one, better_than_next=next) for row, one, next in columns]
    assert summarize_places(rows) == said


def test_the_sentence_is_of_the_first_table() -> None:
    doc = example()
    assert headline(doc) == summarize_places([row for row in doc.overall if row.ranked])
    none = replace(doc, overall=(without_place(doc.overall[-1], "partial"),))
    assert headline(none) == "No bot is ranked yet (without a game in some pool)."
    one = replace(doc, overall=(), games=doc.games[:1], pools=doc.pools[:1])
    assert headline(one) == summarize_places(doc.pools[0].table)
    assert headline(replace(doc, pools=())) == "No games yet."
