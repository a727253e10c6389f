"""Duel chances and the order by majority of pools: by hand, and from the formula."""

from itertools import pairwise

import numpy as np
import pytest

from arena.rating.overall import (
    Rated,
    Standing,
    combine_rated,
    duel_chances,
    rank_by_majority,
    win_chance,
)
from arena.rating.rate import Ratings, rate_bots
from tests.simulated import World, make_ratings, merge_league


def ratings(mu: list[float], games: list[int], draws: float = 0.1) -> Ratings:
    """Of bots a, b, c ... with so many decks each."""
    made = make_ratings(dict(zip("abcdef", mu, strict=False)))
    return made._replace(clusters=np.array(games), draw_probability=draws)


def test_a_lead_of_one_beta_wins_as_often_as_the_table_of_the_normal_says() -> None:
    # Phi(1 / root 2) = 0.7602, where performances vary by beta each and nothing ties.
    lead = np.array([25 / 6])
    assert win_chance(lead, 0.0, 1) == pytest.approx(0.7602, abs=1e-4)
    # Two against two: Phi(1 / 2) = 0.6915.
    assert win_chance(lead, 0.0, 2) == pytest.approx(0.6915, abs=1e-4)


@pytest.mark.parametrize("members", [1, 2])
@pytest.mark.parametrize("draws", [0.01, 0.5])
def test_ties_count_half_and_the_two_sides_share_one_win(draws: float, members: int) -> None:
    gaps = np.array([0.0, 3.0, -3.0, 200.0])
    even, ahead, behind, sure = win_chance(gaps, draws, members)
    assert (even, sure) == (0.5, 1.0)
    assert ahead + behind == pytest.approx(1)
    assert 0.5 < ahead < 1


def test_the_chance_is_the_mean_over_the_others() -> None:
    # By hand, with hardly a tie: leads of 25/6 and 50/6 are .7602 and .9214.
    found = duel_chances(ratings([25 + 25 / 6, 25, 25 - 25 / 6], [9, 9, 9], 0.001), 1)
    assert [round(each, 3) for each in found.values()] == [0.841, 0.5, 0.159]


def test_the_chances_of_a_field_have_a_mean_of_one_half_and_the_order_of_its_ratings() -> None:
    found = [*duel_chances(ratings([60, 31, 30.9, 10, -6.0], [9] * 5, 0.3), 1).values()]
    assert sum(found) / 5 == pytest.approx(0.5)
    assert all(one > other for one, other in pairwise(found))


def test_who_did_not_play_has_no_chance_and_is_nobody_s_opponent() -> None:
    found = duel_chances(ratings([30, 20, 25], [9, 9, 0]), 1)
    assert [*found] == ["a", "b"]
    assert sum(found.values()) == pytest.approx(1)
    assert duel_chances(ratings([25, 25], [9, 0]), 1) == {}
    assert duel_chances(ratings([25, 25], [0, 0])._replace(draw_probability=None), 1) == {}


def test_a_landslide_adds_to_the_chance_but_once() -> None:
    """Ten mu more against those who play blindly move a mean of mu, and no chance."""
    near, far = ([mu, 25, 0, 0, 0] for mu in (26, 36))
    blind = [duel_chances(ratings(list(map(float, mu)), [9] * 5), 1)["a"] for mu in (near, far)]
    assert blind[1] - blind[0] < 0.11  # the one opponent that counts: from .57 to .97 of a quarter


def test_games_weigh_the_same_and_only_who_is_in_all_is_listed() -> None:
    chances = [{"a": 0.9, "b": 0.1, "c": 0.5}, {"a": 0.5, "b": 0.5}]
    parts = [Rated(ratings([25.0, 25.0], [9, 9]), None, duels) for duels in chances]
    assert combine_rated(parts).duels == {"a": pytest.approx(0.7), "b": pytest.approx(0.3)}


def test_the_model_s_chance_is_what_a_simulated_league_shows() -> None:
    seed = 7
    world = World((31, 27, 24, 18), seats=2, deals=600, shared=False)
    games = merge_league(world, np.random.default_rng(seed))
    found = duel_chances(rate_bots(tuple("abcd"), games), 1)
    wins, met = np.zeros((2, 4))
    for side, won in ((0, 1.0), (1, 0.0)):
        bots, ties = games.sites.bots[side, 0], games.sites.ties[0]
        np.add.at(wins, bots, np.where(ties, 0.5, won) * games.sites.counts)
        np.add.at(met, bots, games.sites.counts)
    off = np.array([*found.values()]) - wins / met
    assert np.abs(off).max() < 0.01, f"seed {seed}"  # 3,600 games a bot: one error is 0.008 at most


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


def test_thirds_of_a_game_add_up_to_it() -> None:
    """As floats they would not, and an even vote would be won."""
    first, second = {"a": 2, "b": 1}, {"a": 1, "b": 2}
    found = rank_by_majority([[first] * 7, [second] * 3], "ab")
    assert found["a"] == found["b"]


def test_equal_ratings_are_no_vote_and_a_circle_is_shared() -> None:
    assert rank_by_majority([[{"a": 1, "b": 1}]], "ab")["a"] == Standing(1, 0.5, 1.5)
    circle = [[{"a": 3, "b": 2, "c": 1}], [{"a": 1, "b": 3, "c": 2}], [{"a": 2, "b": 1, "c": 3}]]
    assert {*rank_by_majority(circle, "abc").values()} == {Standing(1, 1.0, 2.0)}


def test_one_bot_is_first() -> None:
    assert rank_by_majority([[{"a": 25.0}]], "a") == {"a": Standing(1, 0.0, 1.0)}
