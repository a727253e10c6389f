"""Whom an audit names: nobody honest, over all its pools; and what it could have found."""

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from arena.audit.audit import Audit, Views
from arena.audit.collusion import Lean, find_leans
from arena.audit.significance import LEVEL, POWER, find_least_lean, judge_leans
from arena.audit.words import describe_audit
from arena.rating.p_values import adjust_by_holm
from tests.audit.test_collusion import FOUR, THREE, league, most_in
from tests.benchmarks.honest_leagues import QUICK, Shape, found, named, pairs_of, pool_of


def a_lean(p: float, bots: tuple[str, str] = ("a", "b")) -> Lean:
    """A lean of 20 ± 5 points, of luck as of style, on ten degrees of freedom."""
    return Lean(bots, 100, 20.0, 5.0, 10, 5.0, 10, (10.0, 10.0), (3.0, 3.0), p)


def test_pairs_are_judged_together_by_holm() -> None:
    helps = {("a", "b"): 1.5, ("b", "a"): 1.5, ("c", "d"): 1.5, ("e", "f"): 1.0, ("f", "e"): 1.0}
    rows = find_leans(THREE, league(Random(10), "abcdefgh", 3, 20, helps))
    print("seed 10", [row.p for row in rows])
    assert rows == sorted(rows, key=lambda row: (row.p, -row.lean))
    (pairs,) = judge_leans([(THREE, rows)])
    assert [(pair.pool, pair.bots) for pair in pairs] == [(THREE.title, r.bots) for r in rows]
    assert [pair.p_holm for pair in pairs] == adjust_by_holm([row.p for row in rows])
    assert [pair.beyond_chance for pair in pairs] == [pair.p_holm <= LEVEL for pair in pairs]
    assert sum(pair.beyond_chance for pair in pairs) == 3


def test_pools_are_judged_together() -> None:
    """One chance in forty is much in one pool, and nothing in seven."""
    one = (THREE, [a_lean(0.025)])
    rest = [(THREE, [a_lean(0.4)])] * 6
    assert named([one])
    assert not named([one, *rest])
    told = [pairs[0].p_holm for pairs in judge_leans([*rest[:3], one, *rest[3:]])]
    assert told == [1.0, 1.0, 1.0, pytest.approx(7 * 0.025), 1.0, 1.0, 1.0]  # in the order given


def test_a_pair_that_is_named_leaves_the_others_less_to_be_compared_with() -> None:
    rows = [a_lean(0.001), a_lean(0.02), a_lean(0.06)]
    (pairs,) = judge_leans([(THREE, rows)])
    assert [pair.beyond_chance for pair in pairs] == [True, True, False]
    assert [pair.least_lean for pair in pairs] == [
        find_least_lean(rows[0], LEVEL / count) for count in (3, 2, 1)
    ]


def test_the_least_lean_is_that_of_the_textbook() -> None:
    # t of ten degrees of freedom, as tables print it: 3.169 at .005, 0.879 at .2.
    assert POWER == 0.8
    assert find_least_lean(a_lean(0.5), 3 * 0.005) == pytest.approx(5 * (3.169 + 0.879), abs=0.01)
    wider = replace(a_lean(0.5), style_se=8.0)
    assert find_least_lean(wider, 3 * 0.005) == pytest.approx(8 * (3.169 + 0.879), abs=0.01)


def test_where_no_lean_can_be_found_there_is_no_least() -> None:
    assert find_least_lean(replace(a_lean(0.5), style_freedom=0), 0.05) is None
    # Two degrees of freedom: t is 9.925 at .005; one of .2 is 1.061. No lean is above 200 points.
    few = replace(a_lean(0.5), style_freedom=2, style_se=18.0)
    assert find_least_lean(few, 3 * 0.005) == pytest.approx(18 * (9.925 + 1.061), abs=0.01)
    assert find_least_lean(replace(few, style_se=18.5), 3 * 0.005) is None


def test_the_words_say_what_could_have_been_found() -> None:
    blind = replace(a_lean(0.5), style_freedom=0)
    pools = judge_leans([(THREE, [a_lean(0.5), blind]), (FOUR, [blind])])
    lines = list(describe_audit(Audit(True, [], [], Views(0, 0, 0, []), pools), 80))
    least = pools[0][0].least_lean
    assert least is not None
    assert lines[-5:] == [
        "no_thanks 3p: none of 2 pairs beyond chance",
        f"  so many games show a lean of {least:.0f} points in four audits of five; "
        "of 1 pair they show none",
        "no_thanks 4p: none of 1 pair beyond chance",
        "  no lean could have been found: it takes more bots, or more deals",
        "Chance is that of all pairs of 2 pools together; a lean is both bots' gains added up",
    ]


@pytest.mark.whole
def test_honest_leagues_are_seldom_named_however_many_pools_they_play() -> None:
    together = alone = 0
    shape = Shape(seats=4, deals=9, games=2)
    for seed in range(24):
        rng = np.random.default_rng(seed)
        pools = [(pool_of(shape), pairs_of(shape, rng, styles=1.0, bots=8)) for _ in range(10)]
        together += named(pools)
        alone += any(named([pool]) for pool in pools)
    print("seeds 0 to 23", together, alone)
    assert alone > most_in(24)  # that is what each pool judged alone comes to
    assert together <= most_in(24)


@pytest.mark.whole
def test_of_leans_as_large_as_the_least_four_in_five_are_found() -> None:
    lean, least, share = found(QUICK[4], helps=2.5, styles=0.0, leagues=60)
    print("seeds 0 to 59", lean, least, share)
    assert abs(lean - least) < 2
    assert 0.65 < share < 0.95  # 0.8, and three errors of 60 leagues
