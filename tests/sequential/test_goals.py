"""Goals: whom a look compares, what keeps it open, how many games are left, and what is said."""

from itertools import combinations, pairwise

import pytest

from arena.model import Bot, Entry, Goal, Pool
from arena.rating.p_values import BAND_MU
from arena.schedule.seatings import count_decks_of_deal
from arena.sequential import goals, looks, stages, wording
from arena.sequential.document import PoolTest
from arena.sequential.verdicts import Evidence, Verdict
from tests.simulated import make_ratings

MU = {"ann": 30.0, "bob": 29.9, "cid": 26.0, "dee": 22.0, "eve": 21.8}


BOTS = tuple(Bot(name, name) for name in MU)
ENTRY = Entry(Pool("no_thanks", 3, "{}", ""), BOTS, 1000, "auto", True)


def planned(goal: Goal = "all", within: int = 0) -> Entry:
    decks = count_decks_of_deal(ENTRY, None)
    return stages.take_all_deals(stages.plan_stages(ENTRY, decks, 0.95, None, goal, within))


def make_test(entry: Entry, error: float) -> PoolTest:
    test = looks.make_test(entry, make_ratings(MU, error / 2**0.5, 4999), 1000)
    assert test
    return test


def test_a_goal_picks_its_pairs_and_where_results_pick_them_all_share_the_error() -> None:
    every = [*combinations(MU, 2)]
    for goal, within, compared, shared in (
        ("all", 0, [*pairwise(MU)], 4),
        ("best", 0, every[:4], 10),
        (2, 0, every[:7], 10),
        (9, 0, every, 10),
        ("all", 1, every, 10),
    ):
        of = planned(goal, within)  # type: ignore[arg-type]
        assert (goals.pick_pairs(of, [*MU]), goals.count_pairs(of)) == (compared, shared)


def test_the_first_look_at_a_goal_is_at_40_decks() -> None:
    assert count_decks_of_deal(ENTRY, None) == 6  # of five bots each is in 6 line-ups of three
    for goal, decks in (("all", 20), ("best", 40), (2, 40)):
        first = stages.plan_stages(ENTRY, 6, 0.95, None, goal)  # type: ignore[arg-type]
        assert first.deals == -(-decks // 6)


def test_the_best_may_be_level_with_others_but_not_behind() -> None:
    test = make_test(planned("best"), 0.13)
    assert test.goal_reached
    assert [pair.verdict for pair in test.pairs] == ["not worse", "better", "better", "better"]
    low, high = (end or 0.0 for end in test.pairs[0].interval or ())
    assert -BAND_MU <= low < 0 < BAND_MU < high  # so they are not known to be equal
    assert wording.describe_test(test) == (
        "settled: the best is ann (no rating is more than 0.5 higher)"
    )
    assert (test.undecided_bots, test.further_games_needed) == ((), 0)


def test_what_keeps_the_best_open_is_said_with_the_games_it_needs() -> None:
    test = make_test(planned("best"), 0.3)
    assert not test.goal_reached
    assert test.undecided_bots == ("ann", "bob")
    pair, needed = test.pairs[0], test.further_games_needed or 0
    low, _ = (end or 0.0 for end in pair.interval or ())
    times = ((pair.difference - low) / (pair.difference + BAND_MU)) ** 2
    assert needed == pytest.approx(1000 * (times - 1), rel=0.01)
    games = f"{round(needed, 2 - len(str(needed))):,}"
    assert wording.describe_test(test).endswith(
        f"not settled: ann leads, but may be behind bob; some {games} more games would settle it"
    )
    assert "ann (guest) leads, but may be behind bob;" in wording.describe_test(test, {"ann"})


def test_the_first_so_many_are_decided_against_everybody() -> None:
    assert not make_test(planned(2), 0.13).goal_reached  # ann and bob are neither apart nor equal
    test = make_test(planned(2), 0.05)
    assert test.goal_reached
    assert [pair.verdict for pair in test.pairs][:2] == ["equal", "better"]
    assert wording.describe_test(test) == "settled: the first 2 are in order"


def test_places_are_known_to_within_so_many_where_no_more_pairs_are_open() -> None:
    """Of ann to eve, cid may be level with three others, bob with two: one on either side."""
    entry = planned("all", 1)
    answers = dict.fromkeys(combinations(MU, 2), "better")
    answers |= dict.fromkeys([("ann", "cid"), ("bob", "cid"), ("cid", "dee")], "open")
    answers["ann", "bob"] = "open"
    seen = Evidence(0.0, 1.0, 100, 99)
    compared = [
        goals.Comparison(*pair, seen, Verdict(answer, -1.0, 1.0, 0.0, 0.0))  # type: ignore[arg-type]
        for pair, answer in answers.items()
    ]
    assert entry.test
    assert goals.find_unplaced(entry.test, compared) == ("cid",)
    decided = [each for each in compared if not each.is_open]
    assert goals.estimate_games_left(entry.test, decided, 100) == 0
    worse = make_test(entry, 3.0)
    assert len(worse.pairs) == len(MU) - 1  # neighbours, not all
    assert "not known to within 1 place: " in wording.describe_test(worse)
    assert not make_test(planned("all"), 0.3).goal_reached
    assert make_test(entry, 0.3).goal_reached


def test_on_too_few_decks_nothing_is_known_and_nothing_forecast() -> None:
    test = looks.make_test(planned("best"), make_ratings(MU, 0.01, [18, *[99] * 4]), 1000)
    assert test
    assert (test.goal_reached, test.further_games_needed) == (False, None)
    said = "ann leads, but may be behind bob, cid, dee and 1 more"
    assert wording.describe_test(test).endswith(said)
