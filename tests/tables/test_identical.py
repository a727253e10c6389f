"""Bots that were entered twice are pointed out."""

from arena.model import Bot
from arena.tables import formats, layout, terminal
from arena.tables.identical import identical, in_words
from arena.tables.standings import standings
from tests.tables.test_standings import THREE, outcome, pool_of

SAME = (("a", "c"), ("b", "d", "e"))


def test_bots_of_one_hash_are_found_whatever_their_order() -> None:
    bots = [("e", "2"), ("c", "1"), ("b", "2"), ("f", "3"), ("a", "1"), ("d", "2")]
    assert identical(bots) == identical(bots[::-1]) == SAME
    assert identical(bots[3:4]) == ()


def test_they_are_named_in_one_line() -> None:
    assert in_words(SAME[0]).startswith("a and c have the same files: ")
    assert in_words(SAME[1]).startswith("b, d and e have the same files: ")


def test_every_format_for_readers_says_so_under_its_tables() -> None:
    bots = [Bot(name, hash) for name, hash in zip("abcd", "1213", strict=True)]
    games = pool_of(THREE, outcome("abc", (1, 2, 3)), outcome("bcd", (1, 2, 3)))
    doc = standings("cup", True, "walls", bots, [games])
    assert doc.identical == (("a", "c"),)
    told = in_words(("a", "c"))
    assert f"{told}." in layout.legend(doc)
    forms = (formats.markdown, formats.html, formats.latex, terminal.plain)
    for form in forms:
        assert " ".join(form(doc).split()).count(told) == 1, form
    others = standings("cup", True, "walls", bots[:2] + bots[3:], [games])
    assert others.identical == ()
    assert not any("same files" in form(others) for form in forms)


def test_of_one_game_those_are_named_that_entered_it() -> None:
    bots = [Bot(name, "1") for name in "abcdef"]
    games = pool_of(THREE, outcome("abc", (1, 2, 3)))
    doc = standings("cup", True, "walls", bots, [games])
    assert doc.identical == (tuple("abcdef"),)
    assert formats.select(doc, "no_thanks").identical == (tuple("abcd"),)
