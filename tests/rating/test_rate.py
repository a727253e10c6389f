"""Ratings of pools, their means, duel chances, the order by majority: by hand, and by formula."""

from typing import Any

import numpy as np
import pytest
from trueskill import SIGMA

from arena.model import Pool
from arena.rating.comparisons import compare_bots
from arena.rating.outcomes import GameColumns, Weights
from arena.rating.rate import (
    Ratings,
    Standing,
    combine_ratings,
    duel_chances,
    find_rating_bounds,
    rank_by_majority,
    win_chance,
)
from tests.simulated import make_ratings, play, rate

DUEL = Pool("sixteen", 2, "{}", "")
THREE = Pool("no_thanks", 3, "{}", "")


def rated(pool: Pool, names: str, *games: tuple[str, tuple[int, ...]]) -> Ratings:
    """Games of bots of one letter each, in the order of the seats, each with a deck of its own."""
    return rate(play(pool, names, *((*game, deal) for deal, game in enumerate(games))), False)


def ratings(names: str, mu: list[float], sd: Any, freedom: Any) -> Ratings:
    return make_ratings(dict(zip(names, mu, strict=True)), sd, freedom)


def test_a_bot_without_games_stands_at_the_mean_and_leaves_it_to_the_others() -> None:
    rates = rated(THREE, "abcd", ("abc", (1, 2, 3)))
    assert (rates.mu[3], rates.sigma[3]) == (pytest.approx(25), pytest.approx(SIGMA))
    assert rates.mu[:3].mean() == pytest.approx(25)
    nothing = rated(THREE, "ab")
    assert nothing.mu.tolist() == [25, 25]
    assert nothing.freedom.tolist() == [0, 0]


def test_under_8_decks_nothing_is_said_of_a_bot() -> None:
    for decks, freedom in ((7, 0), (8, 7)):
        rates = rated(DUEL, "abc", *[("ab", (1, 2))] * decks, *[("bc", (1, 2))] * 3)
        assert rates.clusters.tolist() == [decks, decks + 3, 3]
        assert rates.freedom.tolist() == [freedom, decks + 2, 0]


def test_under_8_drawn_line_ups_nothing_is_said_whatever_their_decks() -> None:
    for rivals, freedom in (("bcdefgh", 0), ("bcdefghi", 7)):
        games = [(("a", bot), (1, 2), deal) for deal in range(3) for bot in rivals]
        drawn: Weights = {("a", bot): 1.0 for bot in rivals}
        rates = rate(play(DUEL, "a" + rivals, *games), False, drawn)
        assert rates.clusters.tolist() == [len(rivals), *[1] * len(rivals)]
        assert rates.freedom.tolist() == [freedom, *[0] * len(rivals)]


def test_a_game_that_weighs_three_times_as_much_counts_for_three() -> None:
    def league(*often: int) -> GameColumns:
        ends = (("ab", (1, 2)), ("ab", (2, 1)), ("bc", (1, 2)), ("bc", (2, 1)))
        games = [end for end, times in zip(ends, often, strict=True) for _ in range(times)]
        return play(DUEL, "abc", *((*game, deal) for deal, game in enumerate(games)))

    weighed = rate(league(8, 2, 6, 4), False, {("a", "b"): 3.0, ("b", "c"): 1.0})
    assert weighed.mu == pytest.approx(rate(league(12, 3, 3, 2), False).mu, abs=1e-5)


def test_means_are_those_of_independent_ratings() -> None:
    means = combine_ratings(
        [ratings("ab", [30, 1], [3, 1], [9, 9]), ratings("ac", [20, 1], [4, 1], [99, 9])]
    )
    # By hand: sqrt(9 + 16) / 2; Welch: (9 + 16)^2 / (81 / 9 + 256 / 99) = 53.9.
    assert (means.names, means.mu.tolist(), means.sigma.tolist()) == (("a",), [25], [2.5])
    assert means.covariance.tolist() == [[6.25]]
    assert (means.freedom.tolist(), means.clusters.tolist()) == ([53], [10])


def test_an_interval_is_student_s() -> None:
    (ends,) = find_rating_bounds(ratings("a", [25], 2, 10), [25.0])
    # The tables: 2.228 with 10 degrees of freedom.
    assert ends == pytest.approx((25 - 4.456, 25 + 4.456), abs=0.001)
    assert find_rating_bounds(ratings("a", [25], 2, 0), [25.0]) == [None]
    unknown = combine_ratings([ratings("a", [30], 3, 0), ratings("a", [20], 4, 99)])
    assert unknown.freedom.tolist() == [0]


def test_what_is_open_in_several_pools_does_not_average_out() -> None:
    """How far a bot is ahead that never loses is too little in all of its pools, if in one."""
    gap = 9 * np.array([[1, -1], [-1, 1]])
    plain = ratings("ab", [30, 20], 2, 10)
    far, further = plain._replace(excess=gap), plain._replace(excess=4 * gap)
    for pools in ([far, far, far], [far, plain, further]):  # (1 + 0 + 2)^2 / 9
        mean = combine_ratings(pools)
        assert (mean.spread - mean.covariance).tolist() == pytest.approx(gap)


def test_who_won_or_lost_all_has_one_end() -> None:
    rates = ratings("abc", [30, 25, 20], 2, 10)
    rates = rates._replace(won_all=frozenset("a"), lost_all=frozenset("c"))
    published = [ends and [end and round(end, 3) for end in ends] for ends in
                 find_rating_bounds(rates, [30.0, 25, 20])]  # fmt: skip
    assert published == [[25.544, None], [20.544, 29.456], [None, 24.456]]


def test_a_mean_is_as_open_as_its_parts() -> None:
    one, other = ratings("ab", [30, 20], 2, 10), ratings("ac", [20, 1], 2, 10)
    one = one._replace(excess=np.eye(2) * 12, won_all=frozenset("a"), lost_all=frozenset("b"))
    means = combine_ratings([one, other])
    assert (*means.won_all,) == ("a",)
    assert not means.lost_all
    # By hand: (4 + 12 + 4) / 4 for the interval, (4 + 4) / 4 for tests.
    assert (means.spread.tolist(), means.covariance.tolist()) == ([[5]], [[2]])


def test_who_won_all_is_surely_behind_nobody_and_who_lost_all_ahead_of_nobody() -> None:
    two = ratings("abc", [30, 25, 10], 0.1, 50)
    assert np.isfinite(two.errors).all()
    open_above = two._replace(won_all=frozenset("b"))  # in a pool; its mean may be any above
    assert np.argwhere(np.isinf(open_above.errors)).tolist() == [[0, 1], [1, 0]]
    open_below = two._replace(lost_all=frozenset("b"))
    assert np.argwhere(np.isinf(open_below.errors)).tolist() == [[1, 2], [2, 1]]
    placed = compare_bots(two.mu.tolist(), two.covariance, open_above.errors, two.freedom).places
    assert placed == [(1, 2), (1, 2), (3, 3)]


def field(mu: list[float], games: list[int], draws: float = 0.1) -> Ratings:
    """Of bots a, b, c ... with so many decks each."""
    made = make_ratings(dict(zip("abcdef", mu, strict=False)))
    return made._replace(clusters=np.array(games), draw_probability=draws)


def test_a_lead_of_one_beta_wins_as_often_as_the_table_of_the_normal_says() -> None:
    # Phi(1 / root 2) = 0.7602, where performances vary by beta each and nothing ties.
    lead = np.array([25 / 6])
    assert win_chance(lead, 0.0, 1) == pytest.approx(0.7602, abs=1e-4)
    # Two against two: Phi(1 / 2) = 0.6915.
    assert win_chance(lead, 0.0, 2) == pytest.approx(0.6915, abs=1e-4)
    even, ahead, behind, sure = win_chance(np.array([0.0, 3.0, -3.0, 200.0]), 0.5, 1)
    assert (even, sure, ahead + behind) == (0.5, 1.0, pytest.approx(1))  # a tie is half of each
    assert 0.5 < ahead < 1


def test_the_chance_is_the_mean_over_the_others() -> None:
    # By hand, with hardly a tie: leads of 25/6 and 50/6 are .7602 and .9214.
    found = duel_chances(field([25 + 25 / 6, 25, 25 - 25 / 6], [9, 9, 9], 0.001), 1)
    assert [round(each, 3) for each in found.values()] == [0.841, 0.5, 0.159]
    found = duel_chances(field([30, 20, 25], [9, 9, 0]), 1)  # who did not play is no opponent
    assert [*found] == ["a", "b"]
    assert sum(found.values()) == pytest.approx(1)
    assert duel_chances(field([25, 25], [9, 0]), 1) == {}
    assert duel_chances(field([25, 25], [0, 0])._replace(draw_probability=None), 1) == {}


def test_a_pool_s_vote_does_not_say_by_how_much() -> None:
    ratings = [(60, 20, 10), (19, 20, 21), (1, 3, 2)]
    pools = [[dict(zip("abc", mu, strict=True))] for mu in ratings]
    # By hand: b before a two to one, c before a two to one, b before c two to one.
    found = rank_by_majority(pools, "abc")
    assert [found[bot].place for bot in "abc"] == [3, 1, 2]
    assert [found[bot].majorities for bot in "abc"] == [0, 2, 1]
    places = [round(3 * found[bot].mean_place) for bot in "abc"]
    assert places == [1 + 3 + 3, 2 + 2 + 1, 3 + 1 + 2]


def test_games_weigh_the_same_however_many_pools_they_have() -> None:
    first, second = {"a": 2, "b": 1}, {"a": 1, "b": 2}
    even = Standing(1, 0.5, 1.5)
    assert rank_by_majority([[first], [second, second, second]], "ab") == {"a": even, "b": even}
    won = rank_by_majority([[first], [second, first, second]], "ab")
    assert (won["a"].place, won["b"].place) == (1, 2)
    thirds = rank_by_majority([[first] * 7, [second] * 3], "ab")  # as floats they do not add up
    assert thirds["a"] == thirds["b"]


def test_equal_ratings_are_no_vote_and_a_circle_is_shared() -> None:
    assert rank_by_majority([[{"a": 1, "b": 1}]], "ab")["a"] == Standing(1, 0.5, 1.5)
    circle = [[{"a": 3, "b": 2, "c": 1}], [{"a": 1, "b": 3, "c": 2}], [{"a": 2, "b": 1, "c": 3}]]
    assert {*rank_by_majority(circle, "abc").values()} == {Standing(1, 1.0, 2.0)}
