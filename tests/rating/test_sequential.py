"""Sequential tests: published limits, and how often equals are told apart, by simulation."""

import random
from math import inf, sqrt

import numpy as np
import pytest

from arena.rating import sequential
from arena.rating.sequential import BETTER, EQUAL, OPEN, WORSE, Design, judge, limits
from arena.schedule.stages import evenly

SEED = random.randrange(2**32)

# Jennison and Turnbull (2000), table 2.3: the constants C_B of O'Brien and Fleming's test
PUBLISHED = {
    0.01: {1: 2.576, 2: 2.580, 3: 2.595, 4: 2.609, 5: 2.621, 10: 2.660, 20: 2.695},
    0.05: {1: 1.960, 2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087, 20: 2.126},
    0.10: {1: 1.645, 2: 1.678, 3: 1.710, 4: 1.733, 5: 1.751, 10: 1.801, 20: 1.842},
}


@pytest.mark.parametrize("error", PUBLISHED)
def test_the_limits_are_the_published_ones(error: float) -> None:
    for looks, constant in PUBLISHED[error].items():
        bounds = limits(evenly(100 * looks, looks), error)
        assert bounds[-1] == pytest.approx(constant, abs=6e-4)
        assert bounds[0] == pytest.approx(bounds[-1] * sqrt(looks))


@pytest.mark.parametrize("planned", [(8, 16, 24, 32, 40), (1, 2, 3, 5, 8, 13, 21, 34)], ids=str)
def test_a_brownian_motion_passes_the_limits_as_often_as_planned(planned: tuple[int, ...]) -> None:
    runs = 100_000
    rng = np.random.default_rng(SEED)
    steps = np.diff([0, *planned])
    course = np.cumsum(rng.standard_normal((runs, len(planned))) * np.sqrt(steps), axis=1)
    z = np.abs(course) / np.sqrt(planned)
    passed = (z >= limits(planned, 0.05)).any(axis=1).mean()
    assert abs(passed - 0.05) < 5 * sqrt(0.05 * 0.95 / runs), f"seed {SEED}: {passed}"


def test_fifty_looks_at_the_least_uneven_deals_have_limits() -> None:
    planned = evenly(51, 50)
    assert planned[0] == 2
    assert sequential.crossing(planned, limits(planned, 0.05)[-1]) == pytest.approx(0.05, abs=1e-7)


@pytest.mark.parametrize(
    ("deals", "looks", "expected"),
    [(100, 5, (20, 40, 60, 80, 100)), (7, 3, (3, 5, 7)), (3, 3, (1, 2, 3)), (9, 1, (9,))],
)
def test_looks_are_evenly_spaced(deals: int, looks: int, expected: tuple[int, ...]) -> None:
    assert evenly(deals, looks) == expected


def test_a_look_tells_better_and_worse_apart_by_sign() -> None:
    design = Design(evenly(1000, 5), 0.05)
    assert judge(design, 4, 1.0, 0.4, 1000).answer == BETTER
    assert judge(design, 4, -1.0, 0.4, 1000).answer == WORSE
    assert judge(design, 0, 1.0, 0.4, 200).answer == OPEN  # the same difference, but too soon


def test_a_difference_whose_whole_interval_lies_within_the_band_is_none() -> None:
    design = Design(evenly(100_000, 5), 0.05)
    verdict = judge(design, 4, 0.1, 0.19, 100_000)
    assert verdict.answer == EQUAL
    assert (verdict.low, verdict.high) == pytest.approx(
        (0.1 - 2.0401 * 0.19, 0.1 + 2.0401 * 0.19), abs=1e-4
    )
    assert judge(design, 4, 0.1, 0.2, 100_000).answer == OPEN  # up to 0.508
    assert judge(design, 4, 0.3, 0.01, 100_000).answer == BETTER  # small, but sure


def test_the_least_error_is_that_of_a_design_whose_limit_is_just_met() -> None:
    planned = evenly(100_000, 5)
    for error in (0.2, 0.05, 0.001):
        z = limits(planned, error)[2]
        verdict = judge(Design(planned, 0.05), 2, z, 1.0, 10_000_000)
        assert verdict.error == pytest.approx(error, rel=1e-4)


def test_of_several_pairs_the_error_is_that_of_all_together() -> None:
    runs, bots = 20_000, 6
    rng = np.random.default_rng(SEED)
    design = Design(evenly(5000, 5), 0.05)
    one = -np.expm1(np.log1p(-0.05) / (bots - 1))
    course = np.cumsum(rng.standard_normal((runs, 5, bots)), axis=1)
    z = np.abs(np.diff(course, axis=2)) / np.sqrt(2 * np.arange(1, 6))[:, None]
    passed = (z.max(axis=2) >= limits(design.stages, one)).any(axis=1).mean()
    assert 0.04 < passed < 0.0562, f"seed {SEED}: {passed}"  # at most 0.05, and 4 of its errors
    wide = judge(design, 4, 0.0, 1.0, 5000, pairs=bots - 1)
    assert wide.high == pytest.approx(limits(design.stages, float(one))[4], rel=1e-3)


def test_a_look_at_few_clusters_says_nothing() -> None:
    verdict = judge(Design(evenly(100, 5), 0.05), 0, 9.0, 0.0, 19)
    assert verdict == (OPEN, -inf, inf, 1.0)


def test_what_never_varies_is_sure_after_enough_clusters() -> None:
    verdict = judge(Design(evenly(100, 5), 0.05), 0, 9.0, 0.0, 20)
    assert verdict[:3] == (BETTER, 9.0, 9.0)
    assert verdict.error == pytest.approx(0.0, abs=1e-9)
    assert judge(Design(evenly(100, 5), 0.05), 0, 0.0, 0.0, 20).answer == EQUAL


@pytest.mark.parametrize("kind", ["normal", "wins"])
def test_equals_are_seldom_told_apart_by_few_clusters(kind: str) -> None:
    """25 clusters at the first of four looks: t is not z yet, and wins are no normal numbers."""
    runs = 40_000
    rng = np.random.default_rng(SEED)
    shape = (runs, 100)
    results = rng.standard_normal(shape) if kind == "normal" else rng.choice([-1.0, 1.0], shape)
    design = Design(evenly(100, 4), 0.05)
    apart = np.zeros(runs, bool)
    for look, stage in enumerate(design.stages):
        seen = results[:, :stage]
        se = seen.std(axis=1, ddof=1) / sqrt(stage)
        reach = judge(design, look, 0.0, 1.0, stage).high  # of a standard error
        apart |= np.abs(seen.mean(axis=1)) > reach * se
    share = apart.mean()
    assert 0.04 < share < 0.057, f"seed {SEED}: {share}"  # seen: 0.0515 and 0.046; se 0.001
