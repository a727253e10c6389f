"""Ratings measured from one bot: nothing between bots changes, only where they stand."""

import numpy as np
import pytest

from arena.rating import anchor
from arena.rating.anchor import find_anchor_objection, measure_ratings_from
from arena.rating.outcomes import CountedGames
from arena.rating.rate import Ratings, combine_ratings, find_rating_bounds
from tests.simulated import World, league, make_ratings, rate

FOUR = World((28.0, 25.0, 24.0, 23.0), seats=3, deals=6)


def ratings_of(world: World, rng: np.random.Generator) -> Ratings:
    return rate(league(world, rng), world.shared)


def half_width(ratings: Ratings, bot: int) -> float:
    low, high = find_rating_bounds(ratings, ratings.mu.tolist())[bot] or (None, None)
    assert low is not None
    assert high is not None
    return (high - low) / 2


def errors(ratings: Ratings) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    own = np.diag(ratings.covariance)
    return own[:, None] + own - 2 * ratings.covariance


def test_the_anchor_stands_where_it_was_put_and_is_sure() -> None:
    plain = ratings_of(FOUR, np.random.default_rng(1))
    moved = measure_ratings_from(plain, "bot2", 30.0)
    assert moved.mu[2] == 30.0
    assert half_width(moved, 2) == 0.0
    assert np.diff(moved.mu) == pytest.approx(np.diff(plain.mu), abs=1e-12)
    assert anchor.find_rating_offset(plain, moved) == pytest.approx(30 - plain.mu[2])


def test_an_interval_is_that_of_the_difference_to_the_anchor() -> None:
    """The variance of a difference, by hand; and no difference between two bots is another."""
    plain = ratings_of(FOUR, np.random.default_rng(2))
    moved = measure_ratings_from(plain, "bot0", 25.0)
    by_hand = [
        plain.covariance[bot, bot] + plain.covariance[0, 0] - 2 * plain.covariance[bot, 0]
        for bot in range(4)
    ]
    assert np.diag(moved.covariance) == pytest.approx(by_hand, abs=1e-12)
    assert errors(moved) == pytest.approx(errors(plain), abs=1e-12)
    assert half_width(moved, 1) > half_width(plain, 1)  # two bots' luck, not one's


def test_the_mean_of_anchored_pools_is_anchored() -> None:
    plain = [ratings_of(FOUR, np.random.default_rng(seed)) for seed in (3, 4)]
    moved = combine_ratings([measure_ratings_from(each, "bot1", 25.0) for each in plain])
    assert moved.mu[1] == 25.0
    assert half_width(moved, 1) == 0.0
    assert np.diff(moved.mu) == pytest.approx(np.diff(combine_ratings(plain).mu), abs=1e-12)


def games_of(bots: list[list[int]], ranks: list[list[int]]) -> CountedGames:
    """Games of two or more sides of a bot each."""
    seats = np.arange(len(ranks[0]))[:, None]
    return CountedGames(np.arange(len(ranks)), seats, np.array(bots)[:, :, None], np.array(ranks))


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
    nine = games_of([[0, 1, 2]] * 9, ranks)
    ratings = make_ratings(dict.fromkeys("abcd", 25.0), freedom=[8, 8, 8, -1])
    assert find_anchor_objection(nine, ratings, "a") == first
    assert find_anchor_objection(nine, ratings, "c") == last
    assert find_anchor_objection(nine, ratings, "d") == "played no rated game"
    few = ratings._replace(clusters=np.array([7, 9, 9, 0]))
    assert find_anchor_objection(nine, few, "a") == (first or "played on 7 decks, fewer than 8")
