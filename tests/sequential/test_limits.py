"""Limits by error spending: those of other programs, and what a simulation spends at each look."""

import random
from math import inf

import numpy as np
import pytest

from arena.sequential import limits as limits_module
from arena.sequential.limits import find_limits, find_repeated_p, spend
from arena.sequential.stages import make_looks

SEED = random.randrange(2**32)
MATCH = make_looks(20, 2500)


def test_the_first_limit_and_that_of_a_single_look_are_the_normal_distribution_s() -> None:
    assert find_limits((40,), 0.05) == (1.959964,)
    first = find_limits((10, 100), 0.05)[0]
    # By hand: 0.05 (1 - e^(-gamma / 10)) / (1 - e^-gamma) is 0.015225 for gamma 3.5
    assert first == pytest.approx(2.4270, abs=1e-4)


def test_the_limits_are_those_of_other_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """One-sided as they are: the default design of gsDesign (R), and a test of rpact's (R) with
    looks at unequal distances. Both sides together have twice the error.
    """
    for gamma, planned, error, theirs in (
        (-4.0, (1, 2, 3), 0.025, (3.010739, 2.546531, 1.999226)),
        (1e-9, (1, 2, 5), 0.03, (2.5121443, 2.4228747, 2.0280392)),
    ):
        monkeypatch.setattr(limits_module, "GAMMA", gamma)
        ours = limits_module.find_limits.__wrapped__(planned, 2 * error, len(planned))
        assert ours == pytest.approx(theirs, abs=3e-5)  # some paths leave on both sides


@pytest.mark.parametrize(
    ("planned", "error"), [(MATCH, 0.05), (MATCH, 0.3), ((1, 2, 3, 4, 5, 6, 8, 10), 0.05)]
)
def test_a_brownian_motion_spends_at_each_look_what_was_planned(
    planned: tuple[int, ...], error: float
) -> None:
    runs = 50_000
    rng = np.random.default_rng(SEED)
    steps = np.diff([0, *planned])
    course = np.cumsum(rng.standard_normal((runs, len(planned))) * np.sqrt(steps), axis=1)
    outside = np.abs(course) / np.sqrt(planned) >= find_limits(planned, error)
    passed = np.maximum.accumulate(outside, axis=1).mean(axis=0)
    due = np.array([spend(error, deals / planned[-1]) for deals in planned])
    off = np.abs(passed - due) / np.sqrt(due * (1 - due) / runs)
    assert off.max() < 5.5, f"seed {SEED}: {passed}"


def test_the_least_error_is_that_of_a_design_whose_limit_is_just_met() -> None:
    for look, error in ((0, 0.9), (10, 0.05), (10, 1e-6), (34, 0.2)):
        found = find_repeated_p(MATCH, look, find_limits(MATCH, error)[look])
        assert found == pytest.approx(error, rel=1e-4)


def test_the_least_error_of_nothing_is_all_and_of_what_is_plain_none() -> None:
    found = [find_repeated_p(MATCH, 3, z) for z in (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 40.0, inf)]
    assert found == sorted(found, reverse=True)
    assert (found[0], *found[-2:]) == (1.0, 0.0, 0.0)


def test_the_longest_pool_has_limits_at_all_its_looks() -> None:
    planned = make_looks(1, 10_000_000)
    assert len(planned) == 110
    found = find_limits(planned, 0.05)
    assert all(2 < limit < 7 for limit in found)
    assert found[0] > found[40] > found[80]
