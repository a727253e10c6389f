"""Who was ahead of whom, beside what the model expects: by hand."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm
from trueskill import BETA

from arena.model import Pool
from arena.rating.outcomes import Columns, Rated, counted, merged
from arena.rating.pair_results import PairResults, pair_results

THREE, MIXED = Pool("no_thanks", 3, "{}", ""), Pool("sixteen", 4, "{}", "mixed")


def games(
    pool: Pool, names: str, *played: tuple[str, Sequence[int], int], shared: bool = True
) -> Rated:
    """Games as bots by seat, ranks by seat, and the deal."""
    bots = np.array([[names.index(bot) for bot in each[0]] for each in played])
    ranks, deals = np.array([each[1] for each in played]), np.array([each[2] for each in played])
    table = Columns(pool, tuple(names), bots, ranks, ranks, deals, Counter())
    return merged(table, counted(table), shared)


def by_pair(results: PairResults, values: object, names: str) -> dict[str, float]:
    found = np.asarray(values).tolist()
    pairs = ["".join(names[bot] for bot in pair) for pair in results.pairs.tolist()]
    return dict(zip(pairs, found, strict=True))


def test_games_and_ties_are_counted_by_pair() -> None:
    played = games(THREE, "abcd", ("cab", (1, 2, 2), 0), ("abc", (1, 2, 3), 0),
                   ("dab", (2, 1, 3), 1))  # fmt: skip
    found = pair_results(played, np.full(4, 25.0), 1.0)
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
    found = pair_results(games(THREE, "abc", ("cab", (1, 2, 3), 0)), mu, margin)
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
    found = pair_results(played, mu, 1.0)
    rise = (pair_results(played, mu, 1.0 + 1e-5).expected - found.expected) / 1e-5
    if pool is THREE:
        assert found.slopes[:, 4] == pytest.approx(rise, abs=1e-6)
        assert np.abs(rise).max() > 0.001
    assert found.slopes.shape[1] == (5 if pool is THREE else 4)
    for bot in range(4):
        moved = mu + 1e-5 * (np.arange(4) == bot)
        rise = (pair_results(played, moved, 1.0).expected - found.expected) / 1e-5
        assert found.slopes[:, bot] == pytest.approx(rise, abs=1e-6)


def test_partners_play_as_one_and_are_no_pair() -> None:
    mu = np.array([30.0, 26, 24, 19])
    found = pair_results(games(MIXED, "abcd", ("abcd", (1, 2, 1, 2), 0)), mu, 0.0)
    # a and c sit opposite b and d: 54 against 45, four performances.
    expected = norm.cdf(9, 0, 2 * BETA)
    assert by_pair(found, found.expected, "abcd") == {
        "ab": pytest.approx(expected), "ad": pytest.approx(expected),
        "bc": pytest.approx(1 - expected), "cd": pytest.approx(expected),
    }  # fmt: skip


def test_deviations_are_by_deck_from_the_pair_s_mean() -> None:
    played = [("abc", (1, 2, 3), 0), ("bac", (2, 1, 3), 0), ("abc", (2, 1, 3), 1)]
    found = pair_results(games(THREE, "abc", *played), np.full(3, 25.0), 0.1)
    # By hand: a is ahead of b in 2 of 3; on the first deck twice, 4/3 expected of it.
    assert found.deviations[0].tolist() == pytest.approx([2 / 3, -2 / 3])
    assert found.spread[0] == pytest.approx(2 * (1 / 3) ** 2 + (2 / 3) ** 2)
    apart = pair_results(games(THREE, "abc", *played, shared=False), np.full(3, 25.0), 0.1)
    assert sorted(apart.deviations[0]) == pytest.approx([-2 / 3, 1 / 3, 1 / 3])
