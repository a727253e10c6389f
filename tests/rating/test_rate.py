"""Ratings of pools, and their means."""

from itertools import permutations

import numpy as np
import pytest
from trueskill import SIGMA

from arena.model import Pool
from arena.rating.comparisons import compare_bots
from arena.rating.overall import combine_ratings
from arena.rating.rate import Ratings, find_bounds
from tests.simulated import make_ratings, play, rate

DUEL = Pool("sixteen", 2, "{}", "")
THREE = Pool("no_thanks", 3, "{}", "")


def rated(pool: Pool, names: str, *games: tuple[str, tuple[int, ...]]) -> Ratings:
    """Games of bots of one letter each, in the order of the seats, each with a deck of its own."""
    return rate(play(pool, names, *((*game, deal) for deal, game in enumerate(games))), False)


def ratings(names: str, mu: list[float], sd: list[float], freedom: list[int]) -> Ratings:
    return make_ratings(dict(zip(names, mu, strict=True)), sd, freedom)


def test_a_bot_without_games_stands_at_the_mean_and_leaves_it_to_the_others() -> None:
    rates = rated(THREE, "abcd", ("abc", (1, 2, 3)))
    assert (rates.mu[3], rates.sigma[3]) == (pytest.approx(25), pytest.approx(SIGMA))
    assert rates.mu[:3].mean() == pytest.approx(25)
    nothing = rated(THREE, "ab")
    assert nothing.mu.tolist() == [25, 25]
    assert nothing.freedom.tolist() == [0, 0]


def test_who_wins_more_is_rated_higher_from_every_seat() -> None:
    games = [
        ("".join(seats), tuple(1 + "abc".index(bot) for bot in seats))
        for seats in permutations("abc")
    ]
    rates = rated(THREE, "abc", *games)
    assert rates.mu[0] > rates.mu[1] > rates.mu[2]


@pytest.mark.parametrize(("decks", "known"), [(7, False), (8, True)])
def test_under_8_decks_nothing_is_said_of_a_bot(decks: int, known: bool) -> None:
    games = [("ab", (1, 2)), ("ba", (1, 2))] * 4
    rates = rated(DUEL, "abc", *games[:decks], *[("bc", (1, 2))] * 3)
    assert rates.clusters.tolist() == [decks, decks + 3, 3]
    assert rates.freedom.tolist() == [decks - 1 if known else 0, decks + 2, 0]


def test_means_are_those_of_independent_ratings() -> None:
    means = combine_ratings(
        [ratings("ab", [30, 1], [3, 1], [9, 9]), ratings("ac", [20, 1], [4, 1], [99, 9])]
    )
    # By hand: sqrt(9 + 16) / 2; Welch: (9 + 16)^2 / (81 / 9 + 256 / 99) = 53.9.
    assert (means.names, means.mu.tolist(), means.sigma.tolist()) == (("a",), [25], [2.5])
    assert means.covariance.tolist() == [[6.25]]
    assert (means.freedom.tolist(), means.clusters.tolist()) == ([53], [10])


def test_a_mean_with_a_part_of_too_little_evidence_has_too_little() -> None:
    means = combine_ratings([ratings("a", [30], [3], [0]), ratings("a", [20], [4], [99])])
    assert means.freedom.tolist() == [0]


def test_an_interval_is_student_s() -> None:
    (ends,) = find_bounds(ratings("a", [25], [2], [10]), [25.0])
    # The tables: 2.228 with 10 degrees of freedom.
    assert ends == pytest.approx((25 - 4.456, 25 + 4.456), abs=0.001)
    assert find_bounds(ratings("a", [25], [2], [0]), [25.0]) == [None]


def test_who_won_or_lost_all_has_one_end() -> None:
    rates = ratings("abc", [30, 25, 20], [2, 2, 2], [10] * 3)
    rates = rates._replace(won_all=frozenset("a"), lost_all=frozenset("c"))
    published = [ends and [end and round(end, 3) for end in ends] for ends in
                 find_bounds(rates, [30.0, 25, 20])]  # fmt: skip
    assert published == [[25.544, None], [20.544, 29.456], [None, 24.456]]


def test_a_mean_is_as_open_as_its_parts() -> None:
    one, other = ratings("ab", [30, 20], [2, 2], [10, 10]), ratings("ac", [20, 1], [2, 2], [10, 10])
    one = one._replace(excess=np.eye(2) * 12, won_all=frozenset("a"), lost_all=frozenset("b"))
    means = combine_ratings([one, other])
    assert (*means.won_all,) == ("a",)
    assert not means.lost_all
    # By hand: (4 + 12 + 4) / 4 for the interval, (4 + 4) / 4 for tests.
    assert (means.spread.tolist(), means.covariance.tolist()) == ([[5]], [[2]])


def test_who_won_all_is_surely_behind_nobody_and_who_lost_all_ahead_of_nobody() -> None:
    two = ratings("abc", [30.0, 25.0, 10.0], [0.1, 0.1, 0.1], [50, 50, 50])
    assert np.isfinite(two.errors).all()
    open_above = two._replace(won_all=frozenset("b"))  # in a pool; its mean may be any above
    assert np.isinf(open_above.errors).tolist() == [
        [False, True, False], [True, False, False], [False] * 3,
    ]  # fmt: skip
    open_below = two._replace(lost_all=frozenset("b"))
    assert np.isinf(open_below.errors)[1].tolist() == [False, False, True]
    placed = compare_bots(two.mu.tolist(), two.covariance, open_above.errors, two.freedom).places
    assert placed == [(1, 2), (1, 2), (3, 3)]
