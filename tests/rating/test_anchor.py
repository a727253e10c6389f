"""Ratings measured from one bot: nothing between bots changes, only where they stand. And moves:
who stayed is seldom said to have moved, who got better is.
"""

from math import nan

import numpy as np
import pytest

from arena.rating import anchor
from arena.rating.anchor import (
    RatingMove,
    average_leagues,
    choose_reference,
    find_anchor_objection,
    find_moves,
    measure_leagues,
    measure_ratings_from,
)
from arena.rating.outcomes import CountedGames
from arena.rating.rate import Ratings, combine_ratings, find_rating_bounds
from tests.simulated import World, league, limit, make_ratings, rate

FOUR = World((28.0, 25.0, 24.0, 23.0), seats=3, deals=6)
FIVE = World((27.0, 26.0, 25.0, 24.0, 23.0), seats=2, deals=20, suits=1.0)


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
    moved = measure_ratings_from(plain, ["bot2"], 30.0)
    assert moved.mu[2] == 30.0
    assert half_width(moved, 2) == 0.0
    assert np.diff(moved.mu) == pytest.approx(np.diff(plain.mu), abs=1e-12)
    assert anchor.find_rating_offset(plain, moved) == pytest.approx(30 - plain.mu[2])


def test_an_interval_is_that_of_the_difference_to_the_anchor() -> None:
    """The variance of a difference, by hand; and no difference between two bots is another."""
    plain = ratings_of(FOUR, np.random.default_rng(2))
    moved = measure_ratings_from(plain, ["bot0"], 25.0)
    by_hand = [
        plain.covariance[bot, bot] + plain.covariance[0, 0] - 2 * plain.covariance[bot, 0]
        for bot in range(4)
    ]
    assert np.diag(moved.covariance) == pytest.approx(by_hand, abs=1e-12)
    assert errors(moved) == pytest.approx(errors(plain), abs=1e-12)
    assert half_width(moved, 1) > half_width(plain, 1)  # two bots' luck, not one's


def test_the_mean_of_anchored_pools_is_anchored() -> None:
    plain = [ratings_of(FOUR, np.random.default_rng(seed)) for seed in (3, 4)]
    moved = combine_ratings([measure_ratings_from(each, ["bot1"], 25.0) for each in plain])
    assert moved.mu[1] == 25.0
    assert half_width(moved, 1) == 0.0
    assert np.diff(moved.mu) == pytest.approx(np.diff(combine_ratings(plain).mu), abs=1e-12)


@pytest.mark.whole
def test_anchored_intervals_cover_the_difference() -> None:
    """As seldom wrong as they say: 95 % of 100 leagues, within three of its Monte-Carlo errors."""
    seed, leagues = 5, 100
    rng = np.random.default_rng(seed)
    world = World((27.0, 25.0, 23.0), seats=2, deals=20, suits=2.0)
    true = limit(world, np.random.default_rng(seed + 1), leagues=300)
    covered = np.zeros(3)
    for _ in range(leagues):
        moved = measure_ratings_from(ratings_of(world, rng), ["bot0"], 25.0)
        widths = np.array([half_width(moved, bot) for bot in range(3)])
        covered += np.abs(moved.mu - 25.0 - (true - true[0])) <= widths + 1e-9
    assert covered[0] == leagues
    print(f"seed {seed}: covered {covered[1:] / leagues}")
    assert covered[1:] / leagues == pytest.approx(0.95, abs=3 * (0.95 * 0.05 / leagues) ** 0.5)


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


def test_leagues_with_a_common_anchor_agree_where_their_means_do_not() -> None:
    """Two fields round the same two bots: means differ by 2; measured from bot0 they agree."""
    seed = 6
    weak = World((25.0, 23.0, 22.0, 20.0), seats=2, deals=300)
    strong = World((25.0, 23.0, 28.0, 30.0), seats=2, deals=300)
    rng = np.random.default_rng(seed)
    plain = [ratings_of(world, rng) for world in (weak, strong)]
    moved = [measure_ratings_from(each, ["bot0"], 25.0) for each in plain]
    assert abs(plain[0].mu[1] - plain[1].mu[1]) > 2
    difference = abs(moved[0].mu[1] - moved[1].mu[1])
    assert difference < sum(half_width(each, 1) for each in moved), f"seed {seed}"


@pytest.mark.whole
def test_bots_that_stayed_are_seldom_said_to_have_moved() -> None:
    """In at most 5 of 100 pairs of leagues anybody is, within three Monte-Carlo errors."""
    seed, pairs = 11, 80
    rng = np.random.default_rng(seed)
    wrong = 0
    for _ in range(pairs):
        then, now = ratings_of(FIVE, rng), ratings_of(FIVE, rng)
        found = find_moves(measure_leagues(then, now, then.names))
        ends = [move.interval for move in found.values()]
        assert None not in ends
        wrong += any(end and not end[0] <= 0 <= end[1] for end in ends)
    print(f"seed {seed}: somebody moved in {wrong} of {pairs}")
    assert wrong / pairs <= 0.05 + 3 * (0.05 * 0.95 / pairs) ** 0.5


def test_a_bot_that_got_better_is_told_from_those_that_it_left_behind() -> None:
    """By 6 mu, while the mean moves by 1.2 against the others: measured from them they stay."""
    seed = 12
    rng = np.random.default_rng(seed)
    better = FIVE._replace(skills=(27.0, 26.0, 25.0, 24.0, 29.0))
    then, now = ratings_of(FIVE, rng), ratings_of(better, rng)
    others = then.names[:-1]
    found = find_moves(measure_leagues(then, now, choose_reference(then, now, others)))
    lows, highs = zip(*(found[bot].interval or (nan, nan) for bot in then.names), strict=True)
    assert lows[4] > 0, f"seed {seed}"
    assert max(lows[:4]) <= 0 <= min(highs[:4]), f"seed {seed}"


def test_a_move_is_a_difference_of_two_with_the_variances_of_both() -> None:
    """By hand: from one bot, variances 0.5 + 0.5 then, as much now; t of 80 degrees of freedom at
    1 - 0.05 / 1 is 1.990, so +-2.814.
    """
    then, now = (
        make_ratings({"a": 20.0, "b": 24.0}, 0.5**0.5),
        make_ratings({"a": 30.0, "b": 31.0}, 0.5**0.5),
    )
    found = find_moves(measure_leagues(then, now, ["a"]))
    assert found["a"] == RatingMove(0.0, (0.0, 0.0))
    assert found["b"].difference == pytest.approx(-3.0)
    assert found["b"].interval == pytest.approx((-3 - 2.814, -3 + 2.814), abs=1e-3)


def test_more_bots_make_wider_intervals() -> None:
    """Each of five bots, measured from a sixth, has a fifth of the error: t 2.64, not 1.99."""
    then, now = (dict.fromkeys("abcdef", 25.0) for _ in range(2))
    found = find_moves(
        measure_leagues(make_ratings(then, 0.5**0.5), make_ratings(now, 0.5**0.5), ["f"])
    )
    ends = found["a"].interval
    assert ends
    assert ends[1] == pytest.approx(2.639 * 2**0.5, abs=2e-3)


def test_the_reference_are_those_that_stayed_and_have_decks_enough() -> None:
    then, now = make_ratings({"a": 1, "b": 2, "c": 3}), make_ratings({"b": 2, "c": 3, "d": 4})
    assert choose_reference(then, now, ["a", "c", "b"]) == ("b", "c")
    assert choose_reference(then, now, ["c"]) == ("c",)
    assert choose_reference(then, now, []) == ("b", "c")  # no better is to be had
    few = now._replace(freedom=np.array([40, 0, 40]))
    assert choose_reference(then, few, ["b", "c"]) == ("b",)
    assert choose_reference(then, few, ["c"]) == ("b",)
    nothing = make_ratings({"b": 2, "c": 3}, freedom=0)
    assert choose_reference(nothing, now, ["c"]) == ("c",)
    assert choose_reference(make_ratings({"x": 0.0}), now, []) == ()


def test_of_several_pools_the_means_are_compared() -> None:
    one = measure_leagues(make_ratings({"a": 1, "b": 2}), make_ratings({"a": 1, "b": 4}), ["a"])
    two = measure_leagues(make_ratings({"a": 1, "b": 2}), make_ratings({"a": 3, "b": 8}), ["a"])
    both = average_leagues([one, two])
    assert both.reference == ("a",)
    assert find_moves(both)["b"].difference == pytest.approx((2 + 4) / 2)


def test_a_bot_without_games_or_with_few_has_no_move_or_no_interval() -> None:
    then, now = make_ratings({"a": 1, "b": 2, "c": 2}), make_ratings({"a": 1, "b": 3, "c": 3})
    now = now._replace(freedom=np.array([40, 0, 0]), clusters=np.array([41, 7, 0]))
    found = find_moves(measure_leagues(then, now, ["a"]))
    assert found["b"].difference == pytest.approx(1.0)
    assert found["b"].interval is None
    assert "c" not in found
