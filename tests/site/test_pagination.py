"""arena.site.pagination: however many games there are to watch, no page lists too many."""

from collections.abc import Sequence

import pytest

from arena.site import pagination
from arena.site.games_to_watch import Watched
from arena.site.pagination import Shelf, lists_of, shelves_of, viewers_of
from arena.site.stats_games import Told

IDS = {"sixteen 2p": "pool-1", "sixteen 3p": "pool-2", "sixteen 4p": "pool-3"}


def games(pool: str, count: int, why: str = "all games are here") -> list[Watched]:
    ids = [f"{list(IDS).index(pool)}{number:019x}" for number in range(count)]
    told = (Told(id, ("ann", "bob"), (1, 2), (7, 3), ("", "")) for id in ids)
    return [Watched(pool, "all", each, (why,)) for each in told]


def split(watched: Sequence[Watched], a_page: int, monkeypatch: pytest.MonkeyPatch) -> list[Shelf]:
    """Return the shelves of games that are alike, with room for so many on a page."""
    monkeypatch.setattr(pagination, "ROOM", a_page * pagination.room_of(watched[0]))
    return list(shelves_of(watched, IDS))


def test_few_games_are_on_one_page_by_pool() -> None:
    (one,) = shelves_of([*games("sixteen 2p", 3), *games("sixteen 3p", 2)], IDS)
    assert (one.list_file, one.viewer_file) == ("games.html", "watch.html")
    assert [(each.pool, each.id, len(each.games)) for each in one.sections] == [
        ("sixteen 2p", "pool-1", 3),
        ("sixteen 3p", "pool-2", 2),
    ]
    assert not any(each.is_part for each in one.sections)


def test_many_are_on_numbered_pages_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = [*games("sixteen 2p", 7), *games("sixteen 3p", 1), *games("sixteen 4p", 2)]
    found = split(watched, 3, monkeypatch)
    assert [each.game for shelf in found for each in shelf.games] == [each.game for each in watched]
    assert [(each.list_file, each.viewer_file, len(each.games)) for each in found] == [
        ("games.html", "watch.html", 3),
        ("games-2.html", "watch-2.html", 3),
        ("games-3.html", "watch-3.html", 3),
        ("games-4.html", "watch-4.html", 1),
    ]
    of_first = [each for shelf in found for each in shelf.sections if each.pool == "sixteen 2p"]
    assert [(each.first, each.last, each.of, each.is_part) for each in of_first] == [
        (1, 3, 7, True),
        (4, 6, 7, True),
        (7, 7, 7, True),
    ]


def test_every_game_has_its_viewer_and_every_pool_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = [*games("sixteen 2p", 4), *games("sixteen 3p", 1)]
    found = split(watched, 2, monkeypatch)
    assert viewers_of(found) == dict(
        zip(
            [each.game.id for each in watched],
            ["watch.html", "watch.html", "watch-2.html", "watch-2.html", "watch-3.html"],
            strict=True,
        )
    )
    assert lists_of(found) == {
        "sixteen 2p": "games.html#pool-1",
        "sixteen 3p": "games-3.html#pool-2",
    }


def test_a_game_of_many_words_takes_more_room_and_one_too_long_is_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = games("sixteen 2p", 4)
    watched[1] = watched[1]._replace(why=("<" * 100_000,))  # four bytes each, on a page
    assert pagination.room_of(watched[1]) > 400_000
    assert [len(each.games) for each in split(watched, 3, monkeypatch)] == [1, 1, 2]


def test_without_games_there_is_no_page() -> None:
    assert shelves_of([], IDS) == ()
