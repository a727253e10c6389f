"""The simulations count what they say they count, a few leagues and matches of each."""

import random
from collections import Counter

import numpy as np
import pytest

from arena.model import Pool
from arena.rating.outcomes import GameColumns, Ints, merge_games
from arena.rating.outcomes import select_counted as counting
from arena.rating.rate import rate_bots
from tests.benchmarks import drawn, scheduled, sequential
from tests.benchmarks.scheduled import BEST, NEIGHBOURS, Kind
from tests.benchmarks.variance import Spread, beaten, spread
from tests.paired_decks import (
    ENDS,
    Truth,
    chances,
    counted,
    evidence,
    gsprt,
    match_design,
    played,
    settled,
    share_of,
)

pytestmark = pytest.mark.whole

SEED = random.randrange(2**32)
TRUTHS = [Truth(), Truth(0.75), Truth(0.55, rho=-0.6)]


def columns(ends: Ints) -> GameColumns:
    """Return one match as a pool: the first bot sits first, then second."""
    bots, ranks, deals = [], [], []
    for deal, end in enumerate(ends.tolist()):
        results = [[1, 2]] * ENDS[end, 0] + [[2, 1]] * ENDS[end, 1]
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
def test_a_match_ends_as_the_truth_has_it_and_is_rated_as_arena_does(truth: Truth) -> None:
    likely = chances(truth)
    assert likely.sum() == pytest.approx(1)
    assert likely @ ENDS[:, 0] / 2 == pytest.approx(truth.share, abs=1e-3)
    for decks in (20, 300):
        ends = played(truth, 1, decks, np.random.default_rng(SEED))
        mu, se, _ = evidence(counted(ends))
        table = columns(ends[0])
        rated = rate_bots(table.names, merge_games(table, counting(table), True))
        one, other, between = rated.covariance[0, 0], rated.covariance[1, 1], rated.covariance[0, 1]
        difference, error = rated.mu[0] - rated.mu[1], np.sqrt(max(one + other - 2 * between, 0))
        if error < 1e-6:  # each of 20 decks was level, so nothing varies
            assert max(abs(difference), abs(mu[0])) < 1e-6, f"seed {SEED}"
            continue
        assert difference / error == pytest.approx(mu[0] / se[0], rel=0.01, abs=1e-3), SEED
        assert difference == pytest.approx(mu[0], abs=0.03), f"seed {SEED}"


def test_the_gsprt_takes_as_many_games_as_an_independent_check_found() -> None:
    found = gsprt(played(Truth(0.75), 300, 1200, np.random.default_rng(SEED)))
    assert share_of(found, "better") > 0.98, f"seed {SEED}"
    assert found.games.mean() == pytest.approx(72, rel=0.13), f"seed {SEED}"  # 4 of its errors


def test_a_plain_difference_ends_a_match_within_13_tenths_of_the_gsprt_s_games() -> None:
    found = settled(played(Truth(0.75), 200, 2500, np.random.default_rng(SEED)), match_design())
    assert share_of(found, "better", "worse") == 1, f"seed {SEED}"
    assert found.games.mean() < 94, f"seed {SEED}"  # 1.3 times 72


def test_equals_are_seldom_told_apart_on_few_decks() -> None:
    ends = played(Truth(rho=-0.6), 100, 100, np.random.default_rng(SEED))
    apart = share_of(settled(ends, match_design(100)), "better", "worse")
    assert apart < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 100), f"seed {SEED}: {apart}"


@pytest.mark.long
@pytest.mark.parametrize("rule", sequential.RULES.values(), ids=sequential.RULES)
def test_versions_that_seldom_differ_are_seldom_judged_wrong(rule: sequential.Rule) -> None:
    ends = sequential.play_versions(rule, 400, sequential.DECKS, np.random.default_rng(SEED))
    wrong = sequential.wrong_verdicts(rule, settled(ends, match_design()))
    for share, most in zip(wrong, (sequential.LEVEL, sequential.EQUAL), strict=True):
        assert share < most + 4 * np.sqrt(most * (1 - most) / 400), f"seed {SEED}"


def test_twenty_decks_that_are_level_are_no_verdict() -> None:
    rule = sequential.RULES["1 in 9, wins all"]  # 0.8 mu: one match in ten has 20 level decks
    ends = sequential.play_versions(rule, 400, 20, np.random.default_rng(SEED))
    assert share_of(settled(ends, match_design(20), every=True), "equal") > 0, f"seed {SEED}"
    assert share_of(settled(ends, match_design(20)), "open") == 1, f"seed {SEED}"


def test_a_truth_by_formula_is_what_ratings_of_many_games_tend_to() -> None:
    """Three seats have no formula; so two are rated as they are."""
    kind, rng = Kind(5, 2, inter=3.0), np.random.default_rng(7)
    league = scheduled.draw_league(kind, rng)
    entry = scheduled.enter(kind._replace(deals=2000))
    ratings, _ = scheduled.rate(entry, scheduled.play(kind, league, entry, 0, rng))
    truth = scheduled.find_truth(kind, league, rng)
    assert ratings.mu == pytest.approx(truth - truth.mean() + 25, abs=0.5)  # 55 / 16,000 games: .06
    assert max(abs(truth - league.skills)) > 1  # gains move it


def test_two_that_never_meet_are_as_far_apart_as_many_games_say() -> None:
    kind, rng = drawn.KINDS["match: field, wins 99%, errs in 1.0%"][1], np.random.default_rng(1)
    league = scheduled.draw_league(kind, rng)
    entry = scheduled.enter(kind._replace(deals=5000, aim=None))
    ratings, differing = scheduled.rate(entry, scheduled.play(kind, league, entry, 0, rng))
    truth = scheduled.find_truth(kind, league, rng)
    ahead, error = ratings.mu[0] - ratings.mu[1], ratings.errors[0, 1]
    assert abs(ahead - (truth[0] - truth[1])) < 3 * error < 0.4
    assert differing == pytest.approx(30_000 * 0.99 * 0.01, abs=52)  # 3 sd


def test_a_claim_is_false_by_the_truth_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for aim in (BEST, NEIGHBOURS):
        kind = Kind(2, deals=300, shared=True, telling=0.5, aim=aim)
        right = scheduled.settle(kind, np.random.default_rng(1))
        with monkeypatch.context() as patched:
            patched.setattr(scheduled, "find_truth", lambda *_: np.array([25.0, 30.0]))
            wrong = scheduled.settle(kind, np.random.default_rng(1))
        assert (right.reached, right.false) == (True, False)
        assert (wrong.false, wrong.wrong_best) == (True, aim == BEST)


@pytest.mark.parametrize("word", ["2 near-clones, 30", "wins 90%"])
def test_every_sort_of_line_is_printed(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    drawn.main(["--leagues", "2", "--only", word])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert lines
    assert all("±" in line for line in lines)


def test_a_shared_deck_cancels_luck_that_seatings_turn_round_and_no_other() -> None:
    by_hand = spread([[1.0, -1.0], [-3.0, 3.0]]), spread([[1.0, 1.0], [3.0, 3.0]])
    assert by_hand == (Spread(0.0, (8 + 8) / 4), Spread(2.0, (2 + 2) / 4))
    assert [each.ratio for each in (*by_hand, spread([[1.0, 1.0]] * 2))] == [0, 2, 1]
    assert beaten([2, 1, 2, 4]) == [0.5, 1.0, 0.5, 0.0]  # ties half
