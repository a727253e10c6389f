"""Goals: whom a look compares, what keeps it open, how many games are left, and what is said."""

from itertools import combinations
from math import comb

import pytest

from arena.model import Bot, Entry, Goal, Pool
from arena.rating.p_values import BAND_MU
from arena.schedule.seatings import count_decks_of_deal
from arena.sequential import goals, looks, stages, wording
from arena.sequential.document import PoolTest
from arena.sequential.verdicts import Evidence, Verdict
from tests.simulated import make_ratings

MU = {"ann": 30.0, "bob": 29.9, "cid": 26.0, "dee": 22.0, "eve": 21.8}


def planned(goal: Goal = "all", within: int = 0, bots: str = "") -> Entry:
    """An entry at its last look."""
    names = [*bots] or [*MU]
    entry = Entry(
        Pool("no_thanks", 3, "{}", ""), tuple(Bot(name, name) for name in names), 1000, "auto", True
    )
    decks = count_decks_of_deal(entry, None)
    return stages.take_all_deals(stages.plan_stages(entry, decks, 0.95, None, goal, within))


def make_test(entry: Entry, error: float, clusters: int = 5000, games: int = 1000) -> PoolTest:
    """The test with `error` as the standard error of each difference."""
    test = looks.make_test(entry, make_ratings(MU, error / 2**0.5, clusters - 1), games)
    assert test
    return test


@pytest.mark.parametrize(
    ("goal", "within", "compared"),
    [
        ("all", 0, [("ann", "bob"), ("bob", "cid"), ("cid", "dee"), ("dee", "eve")]),
        ("best", 0, [("ann", other) for other in ("bob", "cid", "dee", "eve")]),
        (2, 0, [*[("ann", b) for b in ("bob", "cid", "dee", "eve")],
                *[("bob", b) for b in ("cid", "dee", "eve")]]),
        (9, 0, [*combinations(MU, 2)]),
        ("all", 1, [*combinations(MU, 2)]),
    ],
)  # fmt: skip
def test_a_goal_picks_its_pairs(goal: Goal, within: int, compared: list[tuple[str, str]]) -> None:
    assert goals.pick_pairs(planned(goal, within), [*MU]) == compared


def test_pairs_that_results_pick_share_the_error_of_all_pairs() -> None:
    assert goals.count_pairs(planned()) == len(MU) - 1
    for goal, within in (("best", 0), (2, 0), ("all", 1)):
        assert goals.count_pairs(planned(goal, within)) == comb(len(MU), 2)  # type: ignore[arg-type]


def test_the_first_look_at_a_goal_is_at_40_decks() -> None:
    entry, asked = planned()._replace(test=None), tuple[Goal, ...](("all", "best", 2))
    deals = {goal: stages.plan_stages(entry, 6, 0.95, None, goal).deals for goal in asked}
    assert count_decks_of_deal(entry, None) == 6  # of five bots each is in 6 line-ups of three
    assert deals == {"all": -(-20 // 6), "best": -(-40 // 6), 2: -(-40 // 6)}


def test_the_best_may_be_level_with_others_but_not_behind() -> None:
    test = make_test(planned("best"), 0.13)
    assert test.goal_reached
    assert [pair.verdict for pair in test.pairs] == ["not worse", "better", "better", "better"]
    interval = test.pairs[0].interval
    assert interval
    low, high = interval
    assert low is not None
    assert high is not None
    assert -BAND_MU <= low < 0
    assert high > BAND_MU  # so they are not known to be equal
    said = wording.describe_test(test)
    assert said == "settled: the best is ann (no rating is more than 0.5 higher)"
    assert (test.undecided_bots, test.further_games_needed) == ((), 0)


def test_what_keeps_the_best_open_is_said_with_the_games_it_needs() -> None:
    test = make_test(planned("best"), 0.3)
    assert not test.goal_reached
    assert test.undecided_bots == ("ann", "bob")
    pair = test.pairs[0]
    assert pair.interval
    assert pair.interval[0] is not None
    reach = pair.difference - pair.interval[0]
    assert test.further_games_needed == pytest.approx(
        1000 * ((reach / (pair.difference + BAND_MU)) ** 2 - 1), rel=0.01
    )
    games = f"{round(test.further_games_needed or 0, 2 - len(str(test.further_games_needed))):,}"
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
    test = make_test(planned("best"), 0.01, clusters=19)
    assert (test.goal_reached, test.further_games_needed) == (False, None)
    said = "ann leads, but may be behind bob, cid, dee and 1 more"
    assert wording.describe_test(test).endswith(said)
