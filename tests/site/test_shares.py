"""Shares, and how sure they are: against numbers worked out by hand, and by simulation."""

import numpy as np
import pytest

from arena.site.shares import Share, add_up, together

DECKS, GAMES = 60, 4  # of a case, and on each deck


def share(results: list[list[float]]) -> Share:
    """Return the share of one case: its results, by deck."""
    values = [value for deck in results for value in deck]
    decks = [number for number, deck in enumerate(results) for _ in deck]
    found = add_up(np.zeros(len(values), dtype=int), np.array(values), np.array(decks), (1,))
    return found.at(0)


def test_independent_games_have_wilson_s_interval() -> None:
    """15 of 20, each on its own deck. By hand: the variance of a mean of 20 has 19 in it, t of 19
    degrees is 2.0930, and 0.7032 +- 0.1932 comes of that.
    """
    ends = share([[1.0]] * 15 + [[0.0]] * 5).interval()
    assert ends == pytest.approx((0.5100, 0.8964), abs=1e-4)


def test_games_that_share_a_deck_say_less() -> None:
    alone = share([[1.0], [0.0]] * 40).interval()
    shared = share([[1.0] * 4, [0.0] * 4] * 10).interval()
    assert alone is not None
    assert shared is not None
    assert shared[1] - shared[0] > 1.8 * (alone[1] - alone[0])


def test_decks_played_from_both_sides_say_more() -> None:
    """What a deck gives to one side it takes from the other: the spread by deck is the luck."""
    alone = share([[1.0], [0.0]] * 40).interval()
    both = share([[1.0, 0.0]] * 37 + [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]).interval()
    assert alone is not None
    assert both is not None
    assert both[1] - both[0] < 0.5 * (alone[1] - alone[0])


def test_who_won_all_is_not_sure_to_win_all() -> None:
    low, high = share([[1.0, 1.0]] * 20).interval() or (0, 0)
    assert high == pytest.approx(1.0)
    assert 0.80 < low < 0.87  # Wilson's 20 of 20: 0.839; t is a little wider


def test_on_few_decks_nothing_is_sure() -> None:
    assert share([[1.0] * 100] * 7).interval() is None
    assert together([]).mean is None
    assert together([]).interval() is None


def test_two_pools_together_are_one_of_all_decks() -> None:
    one, other = [[1.0, 0.5]] * 9 + [[0.0]], [[0.0, 0.0]] * 5 + [[1.0, 0.5, 0.0]] * 6
    assert together([share(one), share(other)]) == share(one + other)


def test_an_interval_for_many_at_once_is_wider() -> None:
    given = share([[1.0], [0.0]] * 20)
    once, often = given.interval() or (0, 0), given.interval(11) or (0, 0)
    assert often[0] < once[0] < once[1] < often[1]


@pytest.mark.parametrize("mean", [0.5, 0.9, 0.97])
def test_intervals_hold_as_often_as_they_say(mean: float, seed: int) -> None:
    """Of 2,000 cases with correlated decks: 95 % +- 2.5, five standard errors of 2,000 draws; at
    0.97 they may hold more often.
    """
    rng = np.random.default_rng(seed)
    cases, concentration = 2000, 4.0
    chance = rng.beta(mean * concentration, (1 - mean) * concentration, (cases, DECKS))
    won = rng.random((cases, DECKS, GAMES)) < chance[:, :, None]
    at = np.repeat(np.arange(cases), DECKS * GAMES)
    deck = np.tile(np.repeat(np.arange(DECKS), GAMES), cases)
    found = add_up(at, won.reshape(-1).astype(float), deck, (cases,))
    ends = [found.at(case).interval() or (1, 0) for case in range(cases)]
    held = sum(low <= mean <= high for low, high in ends) / cases
    assert 0.925 <= held <= (0.975 if mean < 0.95 else 0.995)
