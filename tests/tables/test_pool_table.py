"""A pool's fit as it is published, and when the notes say that one number does not suffice."""

import json
from itertools import combinations
from math import sqrt
from statistics import NormalDist

from msgspec.structs import replace
from trueskill import BETA

from arena.rating.p_values import BAND_MU
from arena.tables.document import APART, Fit
from arena.tables.pool_table import PlayedPool, plays_same, rate_pool
from arena.tables.standings import judge_fits
from tests.documents import DUEL, example, fit, outcome, pool_of, standings

CIRCLE = {"ab": 80, "bc": 80, "ca": 80, "ad": 70, "bd": 70, "cd": 70}


def duels(wins: dict[str, int], games: int = 100) -> PlayedPool:
    """Games on decks of their own: of so many of each pair, the first letter wins so many."""
    played = [
        outcome(pair, (1, 2) if number < won else (2, 1), number)
        for pair, won in wins.items()
        for number in range(games)
    ]
    return pool_of(DUEL, *played, names="".join(sorted({*"".join(wins)})))


def judged_fits(*fits: Fit | None) -> list[bool | None]:
    pools = judge_fits([replace(example().pools[0], fit=each) for each in fits])
    return [pool.fit.significant if pool.fit else None for pool in pools]


def test_a_circle_is_found_and_turned_to_its_best_bot_and_the_surest_residuals_come_first() -> None:
    found = rate_pool(duels(CIRCLE)).part.fit
    assert found
    assert found.p_value < 0.001
    assert (found.cycles, found.cycles_total) == ((("a", "b", "c"),), 1)
    assert {each.bot + each.other for each in found.residuals[:3]} == {"ab", "bc", "ca"}
    assert all(each.observed_share >= each.expected_share for each in found.residuals)
    assert [each.games for each in found.residuals] == [100] * 6
    standardised = [each.standardised for each in found.residuals]
    assert standardised == sorted(standardised, reverse=True)
    assert found.residuals[0].observed_share == 0.8
    turned = rate_pool(duels(CIRCLE | {"ad": 70, "bd": 70, "cd": 95})).part
    assert turned.fit
    assert turned.fit.cycles == ((turned.table[0].bot, "a", "b"),)


def test_where_ratings_explain_all_or_decks_are_few_there_is_no_fit() -> None:
    for wins in ({"ab": 60}, {"ab": 60, "ac": 70}):  # two, a gauntlet
        assert rate_pool(duels(wins)).part.fit is None
    circle = dict.fromkeys(("ab", "bc", "ca"), 1)
    assert rate_pool(duels(circle, games=2)).part.fit is None  # 6 decks
    assert rate_pool(duels(circle, games=3)).part.fit is not None  # 9


def test_pools_are_judged_together() -> None:
    """By Holm: of three tests the least p counts three times, the next twice."""
    cases: list[tuple[list[float | None], list[bool | None]]] = [
        ([0.02], [True]),
        ([0.02, None, 0.9, 0.8], [False, None, False, False]),
        ([0.02, 0.01, 0.04], [True, True, True]),
        ([None], [None]),
    ]
    for p_values, said in cases:
        assert judged_fits(*(fit(p_value=p) if p else None for p in p_values)) == said


def test_what_makes_no_difference_in_practice_is_not_said_however_sure() -> None:
    # Half a mu, which is none in practice, is 3.4 points in a duel of equals: Phi(0.5 / 5.89).
    assert APART == 0.034 == round(NormalDist(sigma=sqrt(2) * BETA).cdf(BAND_MU) - 0.5, 3)
    small = fit().residuals[0]
    for observed, said in ((0.833, False), (0.834, True)):
        off = replace(small, observed_share=observed, standardised=40.0)
        assert judged_fits(fit(p_value=0.0, residuals=(off,))) == [said]


def test_an_honest_line_is_not_named() -> None:
    """Every lead is half a deviation to the next: shares of the normal, by hand."""
    shares = (0, 69, 84, 93)
    wins = {"abcd"[a] + "abcd"[b]: shares[b - a] for a, b in combinations(range(4), 2)}
    found = standings(duels(wins)).pools[0].fit
    assert found
    assert found.p_value > 0.9
    assert (found.significant, found.cycles_total) == (False, 0)


def test_two_bots_play_the_same_if_every_deal_went_alike_twice() -> None:
    def record(deal: int, action: str) -> bytes:
        return json.dumps({"setup": {"deck": [deal]}, "actions": [[0, action]]}).encode()

    alike = [record(deal, "pass") for deal in (1, 2, 1, 2)]
    assert plays_same(alike)
    assert not plays_same([*alike, record(3, "take"), record(3, "pass")])
    assert not plays_same([*alike, record(3, "take")])  # the other game's setup is another
    assert not plays_same([])
