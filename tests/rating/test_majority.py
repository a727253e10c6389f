"""The order by majority of pools: by hand, as Copeland counts."""

from arena.rating.majority import Standing, by_majority


def test_a_pool_s_vote_does_not_say_by_how_much() -> None:
    ratings = [(60, 20, 10), (19, 20, 21), (1, 3, 2)]
    pools = [[dict(zip("abc", mu, strict=True))] for mu in ratings]
    # By hand: b before a two to one, c before a two to one, b before c two to one.
    found = by_majority(pools, "abc")
    assert [found[bot].place for bot in "abc"] == [3, 1, 2]
    assert [found[bot].majorities for bot in "abc"] == [0, 2, 1]
    places = [round(3 * found[bot].mean_place) for bot in "abc"]
    assert places == [1 + 3 + 3, 2 + 2 + 1, 3 + 1 + 2]


def test_games_weigh_the_same_however_many_pools_they_have() -> None:
    first, second = {"a": 2, "b": 1}, {"a": 1, "b": 2}
    even = Standing(1, 0.5, 1.5)
    assert by_majority([[first], [second, second, second]], "ab") == {"a": even, "b": even}
    won = by_majority([[first], [second, first, second]], "ab")
    assert (won["a"].place, won["b"].place) == (1, 2)


def test_thirds_of_a_game_add_up_to_it() -> None:
    """As floats they would not, and an even vote would be won."""
    first, second = {"a": 2, "b": 1}, {"a": 1, "b": 2}
    found = by_majority([[first] * 7, [second] * 3], "ab")
    assert found["a"] == found["b"]


def test_equal_ratings_are_no_vote_and_a_circle_is_shared() -> None:
    assert by_majority([[{"a": 1, "b": 1}]], "ab")["a"] == Standing(1, 0.5, 1.5)
    circle = [[{"a": 3, "b": 2, "c": 1}], [{"a": 1, "b": 3, "c": 2}], [{"a": 2, "b": 1, "c": 3}]]
    assert {*by_majority(circle, "abc").values()} == {Standing(1, 1.0, 2.0)}


def test_one_bot_is_first() -> None:
    assert by_majority([[{"a": 25.0}]], "a") == {"a": Standing(1, 0.0, 1.0)}
