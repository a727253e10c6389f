"""How far bots moved between two leagues: who stayed is seldom said to have, who got better is."""

import numpy as np
import pytest

from arena.rating.moves import Move, choose_reference, find_moves, join_parts, measure_both
from arena.rating.outcomes import Ints, merge_games, select_counted
from arena.rating.rate import Ratings, rate_bots
from tests.simulated import World, league

WORLD = World((27.0, 26.0, 25.0, 24.0, 23.0), seats=2, deals=20, suits=1.0)


def ratings_of(world: World, rng: np.random.Generator) -> Ratings:
    table = league(world, rng)
    return rate_bots(table.names, merge_games(table, select_counted(table), world.shared))


def made(mu: dict[str, float], variance: float = 0.0, freedom: int = 40) -> Ratings:
    """Ratings by hand, of independent bots."""
    free: Ints = np.full(len(mu), freedom)
    numbers = np.array([*mu.values()])
    return Ratings(
        tuple(mu),
        numbers,
        numbers,
        variance * np.eye(len(mu)),
        free,
        free + 1,
        None,
        0 * free,
        0 * free,
        0 * numbers,
    )


@pytest.mark.whole
def test_bots_that_stayed_are_seldom_said_to_have_moved() -> None:
    """In at most 5 of 100 pairs of leagues anybody is, within three Monte-Carlo errors."""
    seed, pairs = 11, 80
    rng = np.random.default_rng(seed)
    wrong = 0
    for _ in range(pairs):
        then, now = ratings_of(WORLD, rng), ratings_of(WORLD, rng)
        found = find_moves(measure_both(then, now, then.names))
        ends = [move.interval for move in found.values()]
        assert None not in ends
        wrong += any(end and not end[0] <= 0 <= end[1] for end in ends)
    print(f"seed {seed}: somebody moved in {wrong} of {pairs}")
    assert wrong / pairs <= 0.05 + 3 * (0.05 * 0.95 / pairs) ** 0.5


def test_a_bot_that_got_better_is_told_from_those_that_it_left_behind() -> None:
    """By 6 mu, while the mean moves by 1.2 against the others: measured from them they stay."""
    seed = 12
    rng = np.random.default_rng(seed)
    better = WORLD._replace(skills=(27.0, 26.0, 25.0, 24.0, 29.0))
    then, now = ratings_of(WORLD, rng), ratings_of(better, rng)
    others = then.names[:-1]
    found = find_moves(measure_both(then, now, choose_reference(then, now, others)))
    low = found["bot4"].interval
    assert low
    assert low[0] > 0, f"seed {seed}"
    for bot in others:
        ends = found[bot].interval
        assert ends
        assert ends[0] <= 0 <= ends[1], f"seed {seed}: {bot}"


def test_a_move_is_a_difference_of_two_with_the_variances_of_both() -> None:
    """By hand: from one bot, variances 0.5 + 0.5 then, as much now; t of 80 degrees of freedom at
    1 - 0.05 / 1 is 1.990, so +-2.814.
    """
    then, now = made({"a": 20.0, "b": 24.0}, 0.5), made({"a": 30.0, "b": 31.0}, 0.5)
    found = find_moves(measure_both(then, now, ["a"]))
    assert found["a"] == Move(0.0, (0.0, 0.0))
    assert found["b"].difference == pytest.approx(-3.0)
    assert found["b"].interval == pytest.approx((-3 - 2.814, -3 + 2.814), abs=1e-3)


def test_more_bots_make_wider_intervals() -> None:
    """Each of five bots, measured from a sixth, has a fifth of the error: t 2.64, not 1.99."""
    then, now = (dict.fromkeys("abcdef", 25.0) for _ in range(2))
    found = find_moves(measure_both(made(then, 0.5), made(now, 0.5), ["f"]))
    ends = found["a"].interval
    assert ends
    assert ends[1] == pytest.approx(2.639 * 2**0.5, abs=2e-3)


def test_the_reference_are_those_that_stayed_and_have_decks_enough() -> None:
    then, now = made({"a": 1, "b": 2, "c": 3}), made({"b": 2, "c": 3, "d": 4})
    assert choose_reference(then, now, ["a", "c", "b"]) == ("b", "c")
    assert choose_reference(then, now, ["c"]) == ("c",)
    assert choose_reference(then, now, []) == ("b", "c")  # no better is to be had
    few = now._replace(freedom=np.array([40, 0, 40]))
    assert choose_reference(then, few, ["b", "c"]) == ("b",)
    assert choose_reference(then, few, ["c"]) == ("b",)
    nothing = made({"b": 2, "c": 3}, freedom=0)
    assert choose_reference(nothing, now, ["c"]) == ("c",)
    assert choose_reference(made({"x": 0.0}), now, []) == ()


def test_of_several_pools_the_means_are_compared() -> None:
    one = measure_both(made({"a": 1, "b": 2}), made({"a": 1, "b": 4}), ["a"])
    two = measure_both(made({"a": 1, "b": 2}), made({"a": 3, "b": 8}), ["a"])
    both = join_parts([one, two])
    assert both.reference == ("a",)
    assert find_moves(both)["b"].difference == pytest.approx((2 + 4) / 2)


def test_a_bot_without_games_or_with_few_has_no_move_or_no_interval() -> None:
    then, now = made({"a": 1, "b": 2, "c": 2}), made({"a": 1, "b": 3, "c": 3})
    now = now._replace(freedom=np.array([40, 0, 0]), clusters=np.array([41, 7, 0]))
    found = find_moves(measure_both(then, now, ["a"]))
    assert found["b"].difference == pytest.approx(1.0)
    assert found["b"].interval is None
    assert "c" not in found
