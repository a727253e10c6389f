"""Ratings measured from one bot: nothing between bots changes, only where they stand."""

import numpy as np
import pytest

from arena.rating import anchor
from arena.rating.anchor import find_anchor_objection, measure_ratings_from
from arena.rating.outcomes import CountedGames
from arena.rating.rate import Ratings, combine_ratings, find_rating_bounds
from tests.simulated import World, league, make_ratings, rate

FOUR = World((28.0, 25.0, 24.0, 23.0), seats=3, deals=6)


def rate_four(seed: int) -> Ratings:
    return rate(league(FOUR, np.random.default_rng(seed)), FOUR.shared)


def half_width(ratings: Ratings, bot: int) -> float:
    low, high = find_rating_bounds(ratings, ratings.mu.tolist())[bot] or (None, None)
    assert low is not None is not high
    return (high - low) / 2


def test_the_anchor_stands_where_it_was_put_and_is_sure() -> None:
    plain = rate_four(1)
    moved = measure_ratings_from(plain, "bot2", 30.0)
    assert moved.mu[2] == 30.0
    assert half_width(moved, 2) == 0.0
    assert np.diff(moved.mu) == pytest.approx(np.diff(plain.mu), abs=1e-12)
    assert anchor.find_rating_offset(plain, moved) == pytest.approx(30 - plain.mu[2])


def test_an_interval_is_that_of_the_difference_to_the_anchor() -> None:
    """The variance of a difference, by hand; and no difference between two bots is another."""
    plain = rate_four(2)
    moved = measure_ratings_from(plain, "bot0", 25.0)
    before, after = (
        np.diag(each.covariance)[:, None] + np.diag(each.covariance) - 2 * each.covariance
        for each in (plain, moved)
    )
    assert np.diag(moved.covariance) == pytest.approx(before[0], abs=1e-12)
    assert after == pytest.approx(before, abs=1e-12)
    assert half_width(moved, 1) > half_width(plain, 1)  # two bots' luck, not one's


def test_the_mean_of_anchored_pools_is_anchored() -> None:
    plain = [rate_four(seed) for seed in (3, 4)]
    moved = combine_ratings([measure_ratings_from(each, "bot1", 25.0) for each in plain])
    assert moved.mu[1] == 25.0
    assert half_width(moved, 1) == 0.0
    assert np.diff(moved.mu) == pytest.approx(np.diff(combine_ratings(plain).mu), abs=1e-12)


NEVER_AHEAD = "never finished ahead of another bot, nor tied"
NEVER_BEHIND = "never finished behind another bot, nor tied"


@pytest.mark.parametrize(
    ("ranks", "first", "last"),
    [
        ([[1, 2, 3]] * 9, NEVER_BEHIND, NEVER_AHEAD),
        ([[1, 2, 3]] * 8 + [[3, 1, 2]], None, None),
        ([[1, 2, 3]] * 8 + [[1, 1, 3]], None, NEVER_AHEAD),  # a tie is half of each
        ([[2, 1, 3]] * 9, None, NEVER_AHEAD),  # second of three is behind one, ahead of one
    ],
)
def test_a_bot_that_is_only_ever_above_or_below_is_no_anchor(
    ranks: list[list[int]], first: str | None, last: str | None
) -> None:
    bots = np.array([[0, 1, 2]] * 9)[:, :, None]
    nine = CountedGames(np.arange(9), np.arange(3)[:, None], bots, np.array(ranks))
    ratings = make_ratings(dict.fromkeys("abcd", 25.0), freedom=[8, 8, 8, -1])
    assert find_anchor_objection(nine, ratings, "a") == first
    assert find_anchor_objection(nine, ratings, "c") == last
    assert find_anchor_objection(nine, ratings, "d") == "played no rated game"
    few = ratings._replace(clusters=np.array([7, 9, 9, 0]))
    assert find_anchor_objection(nine, few, "a") == (first or "played on 7 decks, fewer than 8")
