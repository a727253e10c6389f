"""Sequential tests: verdicts, and how far they are away."""

import random
from math import comb, inf, sqrt

import pytest

from arena.rating.p_values import is_negligible
from arena.sequential import verdicts
from arena.sequential.limits import find_limits, spend
from arena.sequential.stages import make_looks
from arena.sequential.verdicts import Design, Evidence, find_least_error, find_needed, judge_pair

SEED = random.randrange(2**32)


def evidence(difference: float, se: float, clusters: int) -> Evidence:
    return Evidence(difference, se, clusters, clusters - 1)


NEW = Design(make_looks(20, 1000), 0.05)
ONE = Design((100_000,), 0.05)  # a single look


def test_a_look_tells_better_and_worse_apart_by_sign() -> None:
    for difference, answer in ((1.0, "better"), (-1.0, "worse")):
        assert (
            judge_pair(NEW, len(NEW.stages) - 1, evidence(difference, 0.3, 1000)).answer == answer
        )
    assert judge_pair(NEW, 0, evidence(1.0, 0.3, 20)).answer == "open"  # too soon


def test_a_difference_whose_whole_interval_lies_within_the_band_is_none() -> None:
    limit = find_limits(ONE.stages, 0.05)[0] + 1 / sqrt(100_000)  # 1.96 and half a step
    assert limit == pytest.approx(1.9631, abs=1e-4)
    answer, *ends, _, _ = judge_pair(ONE, 0, evidence(0.1, 0.2, 100_000))
    assert answer == "equal"
    assert ends == pytest.approx([0.1 - limit * 0.2, 0.1 + limit * 0.2], abs=1e-4)
    assert judge_pair(ONE, 0, evidence(0.1, 0.21, 100_000)).answer == "open"  # up to 0.512
    assert judge_pair(ONE, 0, evidence(0.3, 0.01, 100_000)).answer == "equal"  # sure to be small


def test_better_is_better_by_more_than_the_band_or_perhaps_by_more() -> None:
    for difference, se, answer in (
        (0.015, 0.002, "equal"),
        (0.495, 0.01, "open"),  # 0.475 to 0.515
        (0.51, 0.01, "better"),
        (-0.51, 0.01, "worse"),
        (0.4, 0.15, "better"),  # 0.11 to 0.69
    ):
        assert judge_pair(ONE, 0, evidence(difference, se, 100_000)).answer == answer


def test_the_way_to_both_ends_is_one_where_the_verdict_changes() -> None:
    design, look = NEW, 2
    reach = judge_pair(design, look, evidence(0.0, 1.0, 500)).high  # of a standard error of 1
    for part in (0.25, 0.5, 0.999, 1.001):
        at = judge_pair(design, look, evidence(part * reach, 1.0, 500))
        assert at.progress_different == pytest.approx(min(part**2, 1))
        assert (at.answer == "better") == (at.progress_different == 1)
        near = judge_pair(design, look, evidence(0.1, 0.4 / part / reach, 500))
        assert near.progress_equal == pytest.approx(min(part**2, 1))
        assert (near.answer == "equal") == (near.progress_equal == 1)


def test_the_effect_is_the_mean_over_the_deviation_of_a_deck() -> None:
    assert evidence(0.3, 1.2 / sqrt(400), 400).effect == pytest.approx(0.3 / 1.2)
    assert evidence(1.0, 0.0, 400).effect is None
    assert judge_pair(NEW, 3, evidence(0.7, 1.0, 100)).progress_equal == 0  # outside the band


def test_an_error_that_is_known_less_well_reaches_further() -> None:
    """Where strata of decks are compared, a deck of each tells nothing of the spread."""
    sure = evidence(3.0, 1.0, 100)
    few = sure._replace(freedom=20)
    assert judge_pair(NEW, 3, sure).high < judge_pair(NEW, 3, few).high
    assert find_least_error(NEW, 3, sure) < find_least_error(NEW, 3, few)


@pytest.mark.parametrize("pairs", [1, 5])
def test_the_least_error_is_the_planned_one_just_where_the_verdict_changes(pairs: int) -> None:
    for clusters in (20, 300):
        reach = judge_pair(NEW, 3, evidence(0.0, 1.0, clusters), pairs).high
        found = find_least_error(NEW, 3, evidence(reach, 1.0, clusters), pairs)
        assert found == pytest.approx(0.05, rel=1e-4)


def test_of_several_pairs_the_error_is_that_of_all_together() -> None:
    wide = judge_pair(NEW, 4, evidence(0.0, 1.0, 5000), pairs=5)
    limit = find_limits(NEW.stages, 1 - 0.95 ** (1 / 5))[4]
    assert wide.high == pytest.approx(limit, abs=0.03)  # t, and half a step


def test_a_look_at_few_clusters_says_nothing() -> None:
    few = evidence(9.0, 0.0, 19)
    assert judge_pair(NEW, 0, few) == verdicts.NOTHING == ("open", -inf, inf, 0.0, 0.0)
    assert find_least_error(NEW, 0, few) == 1.0


def test_what_never_varies_is_sure_after_enough_clusters() -> None:
    sure = evidence(9.0, 0.0, 20)
    assert judge_pair(NEW, 0, sure) == ("better", 9.0, 9.0, 1.0, 0.0)
    assert find_least_error(NEW, 0, sure) == pytest.approx(0.0, abs=1e-9)
    assert judge_pair(NEW, 0, evidence(0.0, 0.0, 20)).answer == "equal"


def test_a_verdict_rests_on_the_clusters_that_differ() -> None:
    many = evidence(9.0, 1.0, 1000)
    assert judge_pair(NEW, 3, many._replace(decisive=19)) == verdicts.NOTHING
    assert judge_pair(NEW, 3, evidence(0.0, 0.0, 1000)._replace(decisive=0)) == verdicts.NOTHING
    assert find_least_error(NEW, 3, many._replace(decisive=19)) == 1.0
    few = many._replace(decisive=20)
    assert judge_pair(NEW, 3, few) == judge_pair(NEW, 3, evidence(9.0, 1.0, 20))
    assert find_least_error(NEW, 3, few) == find_least_error(NEW, 3, evidence(9.0, 1.0, 20))


def test_likely_is_the_one_sided_p_value_half_a_step_short() -> None:
    sure = verdicts.estimate_likely(evidence(1.645 + 1e-3, 1.0, 10**6))
    assert sure == pytest.approx(0.95, abs=1e-4)  # a table of the normal distribution
    behind = verdicts.estimate_likely(evidence(-1.645 - 1e-3, 1.0, 10**6))
    assert behind == pytest.approx(0.05, abs=1e-4)
    assert verdicts.estimate_likely(evidence(0.1, 1.0, 25)) == 0.5  # within half a step
    assert verdicts.estimate_likely(evidence(1.0, 0.5, 100)._replace(decisive=1)) is None
    assert verdicts.estimate_likely(evidence(0.0, 0.0, 100)) is None


def test_what_is_needed_is_the_look_at_which_the_same_difference_is_decided() -> None:
    look, later = 4, 15
    so_far = NEW.stages[look]
    times = NEW.stages[later] / so_far
    reach = judge_pair(NEW, later, evidence(0.0, 1.0, NEW.stages[later])).high
    seen = evidence(1.02 * reach * sqrt(times), sqrt(times) * sqrt(times), so_far)
    assert find_needed(NEW, look, seen) == times
    assert find_needed(NEW, look, evidence(0.001, 50.0, so_far)) is None
    last = len(NEW.stages) - 1
    beyond = find_needed(NEW, last, evidence(1.0, 1.0, 1000))
    assert beyond is not None
    limit = judge_pair(NEW, last, evidence(0.0, 1.0, 10**6)).high
    assert limit**2 < beyond < limit**2 * 8 / 7 * 1.01 < verdicts.MOST_TIMES  # z is 1


@pytest.mark.parametrize("differing", [0, 1, 4])
def test_two_that_are_level_on_nearly_all_decks_are_equal_by_their_number(differing: int) -> None:
    """At the first look that says so, the share that differs, were it what makes half a mu, would
    have shown less often than half of the error that the look spends.
    """
    stages, slope = NEW.stages, 0.0677  # of the chance to win by mu, where nothing ties
    for look, decks in enumerate(stages):
        level = Evidence(0.1, 0.3, decks, decks - 1, differing, 0.5 / slope)
        verdict = judge_pair(NEW, look, level)
        if verdict.answer == "equal":
            break
    spends = spend(NEW.error, decks / stages[-1]) - spend(NEW.error, stages[look - 1] / stages[-1])
    chance = sum(
        comb(decks, k) * slope**k * (1 - slope) ** (decks - k) for k in range(differing + 1)
    )
    assert chance <= spends / 2
    assert 0 < verdict.high <= 0.5
    assert decks < 120 + 40 * differing
    assert judge_pair(NEW, look, level._replace(uneven_mu=3 * 0.5 / slope)).answer == "open"
    assert judge_pair(NEW, look, level._replace(decisive=None)).answer == "open"


def test_a_difference_is_within_the_band_where_that_is_known() -> None:
    for difference, reach in ((0.015, 0.005), (-0.015, 0.005), (0.495, 0.02), (0.3, 0.25)):
        assert is_negligible(difference, reach)
    for difference, reach in ((0.505, 0.02), (0.3, 0.26), (0.1, 0.4)):  # may be more than the band
        assert not is_negligible(difference, reach)
