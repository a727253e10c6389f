"""The simulated matches: as arena rates them, and with as many games as the benchmark says."""

import random
from collections import Counter

import numpy as np
import pytest

from arena.model import Pool
from arena.rating.outcomes import GameColumns, Ints, merge_games
from arena.rating.outcomes import select_counted as counting
from arena.rating.rate import rate_bots
from tests.benchmarks import rare
from tests.paired_decks import (
    ENDS,
    MU,
    SCORES,
    Truth,
    chances,
    counted,
    evidence,
    gsprt,
    lead,
    match_design,
    played,
    settled,
    share_of,
    told_apart,
)

SEED = random.randrange(2**32)
TRUTHS = [Truth(), Truth(0.53), Truth(0.75), Truth(rho=-0.6), Truth(rho=0.5), Truth(0.55, ties=0.4)]


def columns(ends: Ints) -> GameColumns:
    """Return one match as a pool: the first bot sits first, then second."""
    bots, ranks, deals = [], [], []
    for deal, end in enumerate(ends.tolist()):
        results = [rank for rank, many in zip(([1, 2], [1, 1], [2, 1]), ENDS[end], strict=True)
                   for _ in range(many)]  # fmt: skip
        for seats, rank in zip(([0, 1], [1, 0]), results, strict=True):
            bots.append(seats)
            ranks.append([rank[bot] for bot in seats])
            deals.append(deal)
    pool = Pool("sixteen", 2, "{}", "")
    table = np.array(ranks)
    return GameColumns(
        pool, ("ann", "bob"), np.array(bots), table, -table, np.array(deals), Counter()
    )


@pytest.mark.parametrize("truth", TRUTHS, ids=str)
@pytest.mark.parametrize("decks", [20, 300])
def test_the_evidence_is_that_of_arena_s_ratings(truth: Truth, decks: int) -> None:
    ends = played(truth, 4, decks, np.random.default_rng(SEED))
    for match in range(len(ends)):
        mu, se, _ = evidence(counted(ends[match : match + 1]))  # alone: else all share one margin
        table = columns(ends[match])
        rated = rate_bots(table.names, merge_games(table, counting(table), True))
        one, other, between = rated.covariance[0, 0], rated.covariance[1, 1], rated.covariance[0, 1]
        difference, error = rated.mu[0] - rated.mu[1], np.sqrt(max(one + other - 2 * between, 0))
        z = mu[0] / se[0]
        if error < 1e-6:  # each of 20 decks was level, so nothing varies
            assert abs(difference) < 1e-6, f"seed {SEED}"
            assert z == 0, f"seed {SEED}"
            continue
        assert difference / error == pytest.approx(z, rel=0.01, abs=1e-3), f"seed {SEED}"
        assert difference == pytest.approx(mu[0], abs=0.03), f"seed {SEED}"


@pytest.mark.parametrize("truth", TRUTHS, ids=str)
def test_decks_end_as_the_truth_has_it(truth: Truth) -> None:
    likely = chances(truth)
    assert likely.sum() == pytest.approx(1)
    assert likely @ SCORES == pytest.approx(truth.share, abs=1e-3)
    assert likely @ ENDS[:, 1] / 2 == pytest.approx(truth.ties, abs=1e-3)


def test_a_lead_of_one_wins_57_percent_and_53_percent_are_less_than_half_a_mu() -> None:
    assert lead(Truth(0.567))[0] * MU == pytest.approx(1.0, abs=0.01)
    assert lead(Truth(0.53))[0] * MU == pytest.approx(0.444, abs=0.001)


@pytest.mark.parametrize(("share", "games"), [(0.55, 689), (0.75, 72)])
def test_the_gsprt_takes_as_many_games_as_an_independent_check_found(
    share: float, games: int
) -> None:
    ends = played(Truth(share), 300, 1200, np.random.default_rng(SEED))
    found = gsprt(ends)
    assert share_of(found, "better") > 0.98, f"seed {SEED}"
    assert found.games.mean() == pytest.approx(games, rel=0.13), f"seed {SEED}"  # 4 of its errors


@pytest.mark.parametrize(("share", "most"), [(0.6, 345), (0.75, 94), (0.97, 60)])
def test_a_plain_difference_ends_a_match_within_13_tenths_of_the_gsprt_s_games(
    share: float, most: int
) -> None:
    """Of the games of `tests.benchmarks.sequential`, 1.3 times 266, 72 and 22, or 60."""
    ends = played(Truth(share), 200, 2500, np.random.default_rng(SEED))
    found = settled(ends, match_design())
    assert told_apart(found) == 1, f"seed {SEED}"
    assert found.games.mean() < most, f"seed {SEED}"


@pytest.mark.whole
@pytest.mark.parametrize("truth", [Truth(), Truth(rho=0.5), Truth(ties=0.4, rho=-0.6)], ids=str)
@pytest.mark.parametrize("decks", [20, 100])
def test_equals_are_seldom_told_apart_on_few_decks(truth: Truth, decks: int) -> None:
    ends = played(truth, 1000, decks, np.random.default_rng(SEED))
    apart = told_apart(settled(ends, match_design(decks)))
    assert apart < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 1000), f"seed {SEED}: {apart}"


@pytest.mark.long
@pytest.mark.parametrize("rule", rare.RULES.values(), ids=rare.RULES)
def test_versions_that_seldom_differ_are_seldom_judged_wrong(rule: rare.Rule) -> None:
    ends = rare.play(rule, 400, rare.DECKS, np.random.default_rng(SEED))
    found = settled(ends, match_design())
    for share, most in zip(rare.wrong_verdicts(rule, found), (rare.LEVEL, rare.EQUAL), strict=True):
        assert share < most + 4 * np.sqrt(most * (1 - most) / 400), f"seed {SEED}"


def test_twenty_decks_that_are_level_are_no_verdict() -> None:
    rule = rare.RULES["1 in 9, wins all"]  # 0.8 mu: one match in ten has 20 level decks at first
    ends = rare.play(rule, 400, 20, np.random.default_rng(SEED))
    assert share_of(settled(ends, match_design(20), every=True), "equal") > 0, f"seed {SEED}"
    assert share_of(settled(ends, match_design(20)), "open") == 1, f"seed {SEED}"


@pytest.mark.parametrize(("seen", "ends"), [(0, (0.0, 0.1684)), (4, (0.0573, 0.4366))])
def test_the_interval_of_a_share_is_that_of_the_tables(
    seen: int, ends: tuple[float, float]
) -> None:
    """Clopper and Pearson's, of 20."""
    assert rare.interval_of(seen / 20, 20) == pytest.approx(ends, abs=1e-4)
