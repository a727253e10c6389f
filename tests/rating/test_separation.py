"""Bots that never lose or never win: their intervals hold, and so do those of the others."""

from itertools import product

import numpy as np
import pytest

from arena.model import Pool
from arena.rating import intervals
from arena.rating.fit import fit_sites
from arena.rating.gaussian import Array
from arena.rating.outcomes import MergedGames
from arena.rating.rate import combine_ratings, rate_bots
from arena.rating.separation import Separated, find_separation
from tests import exact, simulated
from tests.simulated import World, league, limit, merge, play, rate

NAMES = tuple(f"bot{number}" for number in range(6))


def games(players: int, *results: tuple[str, tuple[int, ...], int]) -> MergedGames:
    """Games of bots a to f: who sat there, their ranks, and the number of the deck."""
    bots = sorted({bot for each in results for bot in each[0]})
    return merge(play(Pool("no_thanks", players, "{}", ""), bots, *results))


def separate(merged: MergedGames, off: Array | float = 0.0) -> tuple[Separated, Array]:
    """What is found with the sandwich's covariance, and that; sigma is wrong by `off`."""
    bots = int(merged.sites.bots.max()) + 1
    fitted = fit_sites(merged.sites, bots)
    moves = intervals.respond_to_pulls(merged.sites, fitted, bots)
    pulls = intervals.find_pulls(merged, fitted, moves, intervals.divide(merged, bots))
    covariance = intervals.sandwich_covariance(merged, moves, pulls)
    wrong = fitted._replace(sigma=fitted.sigma + off)
    return find_separation(merged, wrong, moves, covariance, np.zeros(bots, dtype=bool)), covariance


def found(merged: MergedGames) -> tuple[str, str, list[float]]:
    """Who won all, who lost all, and by how much variances grow."""
    apart, _ = separate(merged)
    won, lost = ("".join("abcdef"[bot] for bot in own) for own in apart[:2])
    return won, lost, np.diag(apart.excess).tolist()


def test_of_two_bots_94_and_a_half_of_100_intervals_hold() -> None:
    # The sandwich alone: 0.40, 0.87, 0.17, 0.62, 0.00.
    for number, chance in ((10, 0.95), (20, 0.9), (20, 0.99), (50, 0.98), (50, 0.999)):
        assert exact.coverage(number, chance) >= 0.945


def test_who_won_200_of_200_games_may_be_far_from_where_it_is_rated() -> None:
    ratings = exact.ratings(200, 0)
    published, sandwich = (np.sqrt(matrix[0, 0]) for matrix in (ratings.spread, ratings.covariance))
    assert published == pytest.approx(ratings.sigma[0])  # 3.67
    assert 2 * 1.97 * sandwich == pytest.approx(0.34, abs=0.01)  # of the lead, once published
    assert (*ratings.won_all, *ratings.lost_all) == ("a", "b")


def test_one_loss_leaves_both_ends_and_a_wide_interval_two_leave_the_sandwich() -> None:
    one, two = exact.ratings(199, 1), exact.ratings(198, 2)
    assert not one.won_all | one.lost_all
    assert one.spread[0, 0] == pytest.approx(one.sigma[0] ** 2)
    assert (two.spread == two.covariance).all()


@pytest.mark.whole
def test_where_one_bot_dominates_the_others_intervals_hold_too() -> None:
    # Of 300 leagues 0.15 of the first bot's held, and 0.86 to 0.96 of the others'.
    seed, leagues = 1, 30
    rng = np.random.default_rng(seed)
    world = World((43.0,) + (25.0,) * 5, seats=2, deals=20, shared=False)
    truth = limit(world, rng, 100)
    rated = [rate_bots(NAMES, simulated.merge_league(world, rng)) for _ in range(leagues)]
    first, *others = np.mean([simulated.held(each, truth) for each in rated], axis=0)
    assert first >= 0.83, f"seed {seed}: {first}"  # 0.95 less 2.9 standard errors
    assert np.mean(others) >= 0.91, f"seed {seed}: {others}"


def test_pairs_that_never_met_or_of_which_one_won_all_are_as_far_apart_as_the_model_says() -> None:
    gap, ways = np.array([0.5, 0.5, -0.5, -0.5]), ((1, 2), (2, 1), (1, 2))  # a and c lead
    among = [*product(("ab", "cd"), ways, range(20))]
    won = [*product(("ac", "ad", "bc", "bd"), ways[2:], range(20))]
    upsets = [*product(("ac", "bd"), ways[1:2], (20, 21))]
    for merged, grows in (
        (games(2, *among), True),
        (games(2, *among, *won), True),
        (games(2, *among, *won, *upsets), False),
    ):
        assert (gap @ separate(merged)[0].excess @ gap > 1) == grows


def test_the_order_of_the_bots_is_as_sure_as_it_was() -> None:
    assert (exact.ratings(20, 0).covariance == separate(exact.rated(20, 0))[1]).all()


LOST = [("d" + bot, (2, 1), deck) for bot in "abc" for deck in range(6)]
EVEN = [*product(("ab", "bc", "ca"), ((1, 2), (2, 1)), range(6))]


def test_who_lost_on_every_deck_is_as_low_as_the_decks_with_others_say() -> None:
    """Of four bots, d loses 6 decks against each. With one opponent set aside 12 decks are left,
    with two 6: 1/2^12 is below 0.05 / 8, 1/2^6 is not.
    """
    ratings = rate_bots("abcd", games(2, *LOST, *EVEN))
    assert ratings.above.tolist() == [0, 0, 0, 2]
    assert ratings.below.tolist() == [0] * 4
    # Losses on one deck are one sign, however many games it was played in.
    twice = rate_bots("abcd", games(2, *LOST, *LOST, *EVEN))
    assert twice.above.tolist() == [0, 0, 0, 2]
    # One deck that went the other way: 7/2^6 and 13/2^12 and 19/2^18.
    upset = rate_bots("abcd", games(2, ("da", (1, 2), 0), *LOST[1:], *EVEN))
    assert upset.above.tolist() == [0, 0, 0, 2]
    fewer = rate_bots("abcd", games(2, *(each for each in LOST if each[2] < 3), *EVEN))
    assert fewer.above.tolist() == [0, 0, 0, 1]  # 1/2^9, 1/2^6


def test_at_tables_of_three_a_deck_counts_until_both_opponents_are_set_aside() -> None:
    """Of four bots, d is last on 4 decks with each two others: 12 decks, and each other sits at 8
    of them. So with one set aside no more than 4 are gone, with two at most 8.
    """
    tables = ("dab", "dbc", "dca")
    lost = [(bots, (3, *order), deck) for deck, bots in product(range(4), tables)
            for order in ((1, 2), (2, 1))]  # fmt: skip
    ratings = rate_bots("abcd", games(3, *lost))
    assert ratings.above.tolist() == [0, 0, 0, 2]  # 1/2^12 and 1/2^8; 1/2^4 is above 0.05 / 8


def test_the_winless_may_not_be_first_however_few_decks_their_opponents_leave() -> None:
    """As in a league of 40 with line-ups drawn: who lost 40 of 40 games was called 2nd to 40th."""
    rng, bots = np.random.default_rng(5), range(20)
    pairs = sorted({(a, b) for a in bots for b in rng.choice(20, 5, False).tolist() if a < b})
    pairs += [(a, 19) for a in range(10) if (a, 19) not in pairs]
    table = [
        ((f"{a:02}", f"{b:02}"), (1, 2) if b == 19 or rng.random() < 0.5 else (2, 1), deck)
        for a, b in pairs
        for deck in range(2)
    ]
    pool = Pool("sixteen", 2, "{}", "")
    ratings = rate(play(pool, [f"{bot:02}" for bot in bots], *table))
    first, _ = simulated.ranges(ratings)[19] or (0, 0)
    assert first > ratings.above[19] >= 4


def test_over_several_pools_only_who_is_better_in_all_of_them_is_better() -> None:
    once = rate_bots("abcd", games(2, *LOST, *EVEN))
    # Two of three better in either pool: one at least in both. In three pools it may be none.
    assert combine_ratings([once, once]).above.tolist() == [0, 0, 0, 1]
    assert combine_ratings([once] * 3).above.tolist() == [0, 0, 0, 0]
    # A bot that is not in all pools may be one of those.
    to_e = (("de", (2, 1), deck) for deck in range(6))
    with_e = rate_bots("abcde", games(2, *LOST, *to_e, *EVEN))
    assert with_e.above[3] == 3
    assert combine_ratings([once, with_e]).above.tolist() == [0, 0, 0, 1]


def test_a_tie_is_neither_won_nor_lost() -> None:
    wins = [("ab", (1, 2), deck) for deck in range(10)]
    assert found(games(2, *wins))[:2] == ("a", "b")
    assert found(games(2, *wins, ("ab", (1, 1), 10)))[:2] == ("", "")


def test_three_at_a_table_win_all_by_being_first_and_lose_all_by_being_last() -> None:
    orders = [("abc", (1, 2, 3), 1), ("bca", (2, 3, 1), 2), ("cab", (3, 1, 2), 3)]
    won, lost, grown = found(games(3, *orders * 4))
    assert (won, lost) == ("a", "c")
    assert min(grown) > 1  # b is always in the middle; but where a and c are, nobody knows


def test_of_gaps_that_are_equal_rounding_does_not_say_which_is_made_up_for_first(seed: int) -> None:
    """Four bots, the lower name always ahead: the first is as far out as the last. Which came
    first was worth .37 of each one's variance.
    """
    rng, bots = np.random.default_rng(seed), 4
    table = league(World((25.0,) * bots, seats=2, deals=12), rng)
    ranks = 1 + (table.bots[:, :, None] > table.bots[:, None]).sum(axis=2)
    merged = merge(table._replace(ranks=ranks))
    kept = separate(merged)[0].excess
    for _ in range(10):
        noisy = separate(merged, off=1e-13 * rng.uniform(-1, 1, bots))[0]
        assert np.abs(noisy.excess - kept).max() < 1e-9
