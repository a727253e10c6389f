"""Who was ahead of whom, beside what the model expects: by hand."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm
from trueskill import BETA

from arena.model import Pool
from arena.rating.outcomes import Columns, Rated, merge_games, select_counted
from arena.rating.pair_results import PairResults, find_cycles, find_pair_results, find_who_leads
from tests.benchmarks.model_fit import FAILS, found
from tests.rating.test_model_fit import duels
from tests.simulated import World, rated

THREE, MIXED = Pool("no_thanks", 3, "{}", ""), Pool("sixteen", 4, "{}", "mixed")


def games(
    pool: Pool, names: str, *played: tuple[str, Sequence[int], int], shared: bool = True
) -> Rated:
    """Games as bots by seat, ranks by seat, and the deal."""
    bots = np.array([[names.index(bot) for bot in each[0]] for each in played])
    ranks, deals = np.array([each[1] for each in played]), np.array([each[2] for each in played])
    table = Columns(pool, tuple(names), bots, ranks, ranks, deals, Counter())
    return merge_games(table, select_counted(table), shared)


def by_pair(results: PairResults, values: object, names: str) -> dict[str, float]:
    found = np.asarray(values).tolist()
    pairs = ["".join(names[bot] for bot in pair) for pair in results.pairs.tolist()]
    return dict(zip(pairs, found, strict=True))


def test_games_and_ties_are_counted_by_pair() -> None:
    played = games(THREE, "abcd", ("cab", (1, 2, 2), 0), ("abc", (1, 2, 3), 0),
                   ("dab", (2, 1, 3), 1))  # fmt: skip
    found = find_pair_results(played, np.full(4, 25.0), 1.0)
    # By hand: a ties with b, beats b, beats b; c beats a, then loses.
    assert by_pair(found, found.games, "abcd") == {"ab": 3, "ac": 2, "ad": 1, "bc": 2, "bd": 1}
    assert by_pair(found, found.ahead, "abcd") == {"ab": 2.5, "ac": 1, "ad": 1, "bc": 1, "bd": 0}
    assert by_pair(found, found.expected, "abcd") == {
        pair: pytest.approx(met / 2) for pair, met in by_pair(found, found.games, "abcd").items()
    }
    assert by_pair(found, found.decks, "abcd") == {"ab": 2, "ac": 1, "ad": 1, "bc": 1, "bd": 1}
    # The lead of a over b: half a game on the first deck, half on the second.
    assert by_pair(found, found.squares, "abcd") == {
        "ab": 0.5, "ac": 0, "ad": 0.25, "bc": 0, "bd": 0.25,
    }  # fmt: skip


def test_the_model_s_chance_and_variance_are_the_normal_s() -> None:
    mu, margin = np.array([30.0, 24, 20]), 1.5
    found = find_pair_results(games(THREE, "abc", ("cab", (1, 2, 3), 0)), mu, margin)
    deviation = 2**0.5 * BETA
    won, lost = norm.sf(margin, 6, deviation), norm.cdf(-margin, 6, deviation)
    tied = 1 - won - lost
    share = won + tied / 2
    assert found.expected[0] == pytest.approx(share, abs=1e-12)
    by_hand = won * (1 - share) ** 2 + tied * (0.5 - share) ** 2 + lost * share**2
    assert found.variance[0] == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("pool", [THREE, MIXED], ids=["alone", "partners"])
def test_the_slopes_are_those_of_what_is_expected(pool: Pool) -> None:
    played = games(pool, "abcd", *[
        (line_up[: pool.players], (1, 2, 1, 2) if pool is MIXED else (1, 3, 2), deal)
        for deal, line_up in enumerate(["abcd", "bdca", "dcba", "acdb"])
    ])  # fmt: skip
    mu = np.array([30.0, 26, 24, 19])
    found = find_pair_results(played, mu, 1.0)
    rise = (find_pair_results(played, mu, 1.0 + 1e-5).expected - found.expected) / 1e-5
    if pool is THREE:
        assert found.slopes[:, 4] == pytest.approx(rise, abs=1e-6)
        assert np.abs(rise).max() > 0.001
    assert found.slopes.shape[1] == (5 if pool is THREE else 4)
    for bot in range(4):
        moved = mu + 1e-5 * (np.arange(4) == bot)
        rise = (find_pair_results(played, moved, 1.0).expected - found.expected) / 1e-5
        assert found.slopes[:, bot] == pytest.approx(rise, abs=1e-6)


def test_partners_play_as_one_and_are_no_pair() -> None:
    mu = np.array([30.0, 26, 24, 19])
    found = find_pair_results(games(MIXED, "abcd", ("abcd", (1, 2, 1, 2), 0)), mu, 0.0)
    # a and c sit opposite b and d: 54 against 45, four performances.
    expected = norm.cdf(9, 0, 2 * BETA)
    assert by_pair(found, found.expected, "abcd") == {
        "ab": pytest.approx(expected), "ad": pytest.approx(expected),
        "bc": pytest.approx(1 - expected), "cd": pytest.approx(expected),
    }  # fmt: skip


def test_deviations_are_by_deck_from_the_pair_s_mean() -> None:
    played = [("abc", (1, 2, 3), 0), ("bac", (2, 1, 3), 0), ("abc", (2, 1, 3), 1)]
    found = find_pair_results(games(THREE, "abc", *played), np.full(3, 25.0), 0.1)
    # By hand: a is ahead of b in 2 of 3; on the first deck twice, 4/3 expected of it.
    assert found.deviations[0].tolist() == pytest.approx([2 / 3, -2 / 3])
    assert found.spread[0] == pytest.approx(2 * (1 / 3) ** 2 + (2 / 3) ** 2)
    apart = find_pair_results(games(THREE, "abc", *played, shared=False), np.full(3, 25.0), 0.1)
    assert sorted(apart.deviations[0]) == pytest.approx([-2 / 3, 1 / 3, 1 / 3])


def results(wins: dict[tuple[int, int], int], games: int) -> PairResults:
    played = duels(wins, games)
    return find_pair_results(played, np.full(1 + max(map(max, wins)), 25.0), 0.1)


@pytest.mark.parametrize(("games", "sure"), [(9, False), (10, True)])
def test_who_won_all_is_surely_ahead_from_some_decks_on(games: int, sure: bool) -> None:
    # By hand, three pairs: z^2 is the number of decks; 6 exp(-9/2) = .067, 6 exp(-5) = .040.
    found, z = find_who_leads(results({(0, 1): games, (0, 2): games, (1, 2): games}, games), 3)
    assert found[0, 1] == found[0, 2] == found[1, 2] == sure
    assert not found[1, 0]
    assert z[0, 1] == -z[1, 0] == pytest.approx(games**0.5 if sure else 0)


def test_a_cycle_is_found_and_how_sure_it_is_at_its_weakest() -> None:
    wins = {(0, 1): 70, (1, 2): 80, (0, 2): 20, (0, 3): 90, (1, 3): 90, (2, 3): 90}
    (cycle,) = find_cycles(*find_who_leads(results(wins, 100), 4))
    # By hand: 20 games in 100 above the half, over root 25.
    assert cycle.bots == (0, 1, 2)
    assert cycle.surety == pytest.approx(4)


def test_the_other_way_round_it_is_one_too() -> None:
    (cycle,) = find_cycles(*find_who_leads(results({(0, 1): 20, (1, 2): 20, (0, 2): 80}, 100), 3))
    assert cycle.bots == (0, 2, 1)


def test_a_pair_that_is_not_sure_closes_none() -> None:
    assert find_cycles(*find_who_leads(results({(0, 1): 80, (1, 2): 80, (0, 2): 42}, 100), 3)) == []


def test_two_games_on_one_deck_are_one_piece_of_evidence() -> None:
    skills = (33.0, 25, 25)
    for shared, least in ((True, 8**0.5), (False, 16**0.5)):
        world = World(skills, 2, 8, shared=shared, suits=0.01)
        played = find_pair_results(rated(world, np.random.default_rng(3)), np.full(3, 25.0), 0.1)
        lead = played.ahead - played.games / 2
        assert (np.abs(lead) <= least * np.sqrt(played.squares) + 1e-9).all()


def test_rock_paper_scissors_is_a_cycle_and_a_line_has_none() -> None:
    circle = FAILS["rock, paper, scissors and three others, 2p"]
    assert [found(circle, 11, at).cycles for at in range(3)] == [1, 1, 1]
    line = World((25,) * 6, 2, 30, shared=False)
    assert [found(line, 11, at).cycles for at in range(10)] == [0] * 10
