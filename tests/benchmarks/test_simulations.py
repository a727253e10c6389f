"""The simulations of ratings count what they say they count, a few leagues of each."""

import numpy as np
import pytest

from tests.benchmarks import calibration, places
from tests.benchmarks.calibration import Bin, Claim

pytestmark = pytest.mark.whole


def test_every_league_makes_a_claim_on_each_neighbour() -> None:
    made = calibration.claims(4, 1.0, 3, np.random.default_rng(18))
    assert {method: len(claims) for method, claims in made.items()} == {
        "next": 9, "first": 12,
    }  # fmt: skip
    firsts = [claim for claim in made["first"] if claim.league == 1]
    assert sum(claim.said for claim in firsts) == pytest.approx(1)
    assert sorted(claim.right for claim in firsts) == [0, 0, 0, 1]


def test_a_bin_s_error_is_that_of_leagues() -> None:
    claims = [Claim(0, 0.6, 1), Claim(0, 0.6, 1), Claim(1, 0.6, 0), Claim(1, 0.8, 0)]
    # By hand: right 2/3 of three; off by 1/3, 1/3 in one league and -2/3 in the other.
    found = calibration.binned(claims, 0.5, 0.7)
    assert found == pytest.approx(Bin(0.6, 2 / 3, np.sqrt(2 * (2 / 3) ** 2) / 3, 3))
    assert calibration.binned(claims, 0.9, 1.0) == Bin(0, 0, 0, 0)


def test_ranges_of_places_seldom_exclude_a_place_that_its_bot_holds() -> None:
    for kind, leagues in (("10 equals, a deck a pair that decides all", 40),
                          ("9 equals, 1 that forfeits, a deck a pair", 20)):  # fmt: skip
        wrong, twins = places.simulated(places.WORLDS[kind], leagues)
        assert twins <= wrong <= 0.05 + 3 * (0.05 * 0.95 / leagues) ** 0.5
