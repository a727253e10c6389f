"""Leans: helpers are found, honest bots are not, and the figures are those of a count by hand."""

from collections.abc import Hashable, Mapping
from itertools import combinations
from math import comb, isclose, sqrt
from random import Random
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace

from arena.audit.audit import Audit, Findings, Views, describe_audit
from arena.audit.collusion import (
    LEAST_DEALS,
    LEVEL,
    POWER,
    Lean,
    find_leans,
    find_least_lean,
    judge_leans,
)
from arena.model import Outcome, Pool
from arena.rating.p_values import t_above

THREE = Pool("no_thanks", 3, "{}", "")
FOUR = Pool("no_thanks", 4, "{}", "")
Games = list[tuple[Outcome, Hashable]]


def outcome(bots: str, ranks: tuple[int, ...], number: int = 0) -> Outcome:
    """A game between bots of one letter each, in the order of the seats; no faults."""
    nothing = (0,) * len(bots)
    return Outcome(f"{number:04x}", tuple(bots), ranks, nothing, ("",) * len(bots))


def league(
    rng: Random, bots: str, seats: int, deals: int, helps: Mapping[tuple[str, str], float]
) -> Games:
    """Every line-up, three games of each of its deals, which share half of the luck; ties come up.

    `helps` is what a bot's strength gains from another at the table; luck has a deviation of 1.4.
    """
    skill = {bot: rng.gauss(0, 1) for bot in bots}
    games: Games = []
    for line_up in combinations(bots, seats):
        for deal in range(deals):
            strength = {
                bot: skill[bot] + rng.gauss(0, 1) + sum(helps.get((bot, o), 0) for o in line_up)
                for bot in line_up
            }
            for _ in range(3):
                points = [round(2 * (strength[bot] + rng.gauss(0, 1))) for bot in line_up]
                ranks = tuple(1 + sum(other > own for other in points) for own in points)
                games.append((outcome("".join(line_up), ranks, len(games)), deal))
    return games


def styles(rng: Random, bots: str) -> dict[tuple[str, str], float]:
    """Honest differences: what each bot makes of each other's way of playing."""
    return {(bot, other): rng.gauss(0, 0.5) for bot in bots for other in bots}


def most_in(leagues: int) -> int:
    """The number of leagues that one in twenty exceeds by chance once in a thousand times."""
    chances = [comb(leagues, k) * 0.05**k * 0.95 ** (leagues - k) for k in range(leagues + 1)]
    return next(k for k in range(leagues) if sum(chances[k + 1 :]) <= 0.001)


def named(rows: list[Lean]) -> list[tuple[str, str]]:
    """The pairs that an audit of this one pool names."""
    pairs = judge_leans([(THREE, rows)])
    return [pair.bots for pair in pairs if pair.significant]


def of(rows: list[Lean], pair: str) -> Lean:
    return next(row for row in rows if row.bots == tuple(pair))


@pytest.mark.whole
def test_luck_is_told_from_leans_in_leagues_without_any() -> None:
    accused, squares = 0, []
    for seed in range(100):
        rows = find_leans(THREE, league(Random(seed), "abcde", 3, 9, {}))
        accused += bool(named(rows))
        squares += [(row.effect / row.effect_se) ** 2 for row in rows]
    print("seeds 0 to 99", accused, fmean(squares))
    assert len(squares) == 100 * 10
    assert accused <= most_in(100)
    assert 0.85 < fmean(squares) < 1.15  # 1, were each lean divided by its true deviation


@pytest.mark.whole
def test_bots_whose_styles_suit_each_other_are_not_named_for_it() -> None:
    accused = lucky = 0
    for seed in range(25):
        rng = Random(seed)
        rows = find_leans(THREE, league(rng, "abcdef", 3, 40, styles(rng, "abcdef")))
        accused += bool(named(rows))
        lucky += any(row.effect > 4 * row.effect_se for row in rows)
    print("seeds 0 to 24", accused, lucky)
    assert lucky > 12  # luck alone explains the leans of few of these leagues
    assert accused <= most_in(25)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("pool", "bots", "deals", "help", "least"),
    [(THREE, "abcde", 60, 2.0, 5), (FOUR, "abcdefgh", 15, 1.0, 9)],
    ids=["three of five", "four of eight"],
)
def test_two_that_help_each_other_are_found(
    pool: Pool, bots: str, deals: int, help: float, least: int
) -> None:
    found = 0
    for seed in range(10):
        helps = {("b", "d"): help, ("d", "b"): help}
        rows = find_leans(pool, league(Random(seed), bots, pool.players, deals, helps))
        found += ("b", "d") in named(rows)
        assert min(of(rows, "bd").boosts) > 0, f"seed {seed}"
        assert set(named(rows)) <= {("b", "d")}, f"seed {seed}"
    print("seeds 0 to 9", found)
    assert found >= least


def test_a_king_maker_is_told_from_who_gains_by_it_and_two_that_hurt_each_other_are_not_named() -> (
    None
):
    helps = {("c", "f"): 1.5, ("f", "c"): -1.5, ("b", "d"): -1.5, ("d", "b"): -1.5}
    games = league(Random(8), "abcdefgh", 4, 40, helps)
    rows = find_leans(FOUR, games)
    print("seed 8", rows[0])
    assert rows == sorted(rows, key=lambda row: (row.p_value, -row.effect))
    assert rows == find_leans(FOUR, Random(8).sample(games, len(games)))
    assert named(rows) == [("c", "f")]
    assert rows[0].boosts[0] > 10 > -10 > rows[0].boosts[1]
    assert isclose(rows[0].effect, sum(rows[0].boosts))
    assert of(rows, "bd").effect < -20


def by_hand() -> Games:
    """Eight deals of each three of four bots, one game a deal; best first, as it says."""
    orders = (
        "abc " * 6 + "cab " * 2 + "abd " * 8 + "acd " * 4 + "dca " * 4 + "bcd " * 4 + "dcb " * 4
    )
    return [(outcome(o, (1, 2, 3), number), number % 8) for number, o in enumerate(orders.split())]


def test_figures_are_those_of_a_count_by_hand() -> None:
    # a is ahead of c in 6 of 8 games with b and 4 of 8 without, of d in 8 and 4: it gains
    # (25 + 50) / 2 points, and so does b with a.
    row = of(find_leans(THREE, by_hand()), "ab")
    assert row.games == 16
    assert row.boosts == (37.5, 37.5)
    assert row.effect == 75.0
    # All in all a is ahead of c in 10 of 16, of d in 12. Every game counts a sixteenth of a gain.
    # Sixteenths beyond that, squared: abc 6 x .375^2, cab 2 x .625^2; abd 8 x .25^2; acd
    # 4 x (.375 + .25)^2, dca 4 x (.625 + .75)^2: 11.25. Games without b count backwards.
    assert isclose(row.boosts_se[0], 100 * sqrt(11.25) / 16)
    assert isclose(row.boosts_se[1], 100 * sqrt(11.25) / 16)
    # Of both, in the games that have both, twice as much: 4 x (1.625 + .5) + 9.125 + 9.125.
    assert isclose(row.effect_se, 100 * sqrt(26.75) / 16)
    # Beside the others' gains t is 6.79 on two degrees of freedom (below): luck explains more.
    assert isclose(row.p_value, 3 * t_above(75 / (100 * sqrt(26.75) / 16), 7))
    assert not named([row])


def test_a_tie_is_half_a_game_ahead() -> None:
    tied = [
        (game._replace(ranks=(1, 2, 1)) if set(game.bots) == set("abc") else game, deal)
        for game, deal in by_hand()
    ]
    # First and last share the first rank: a and c in six games, c and b in two. With b, a is ahead
    # of c in 3 + 0 of 8, without in 4; of d as before. With a, b is ahead of c in 0 + 1, in 4.
    assert of(find_leans(THREE, tied), "ab").boosts == (
        100 * (-1 / 8 + 1 / 2) / 2,
        100 * (-3 / 8 + 1 / 2) / 2,
    )


def test_where_skill_decides_every_game_nobody_leans() -> None:
    games = [
        (outcome("".join(line_up), (1, 2, 3), deal), deal)
        for line_up in combinations("abcdef", 3)
        for deal in range(49)  # 49 times a 49th is not 1 to a computer
    ]
    rows = find_leans(THREE, games)
    assert len(rows) == 15
    assert all(row.effect == 0 and row.p_value == 1 for row in rows)


def test_what_stands_out_is_judged_beside_what_others_gain() -> None:
    # The same with every game counted for forty deals: luck explains nothing, style the rest.
    games = [(game, (deal, again)) for game, deal in by_hand() for again in range(40)]
    row = of(find_leans(THREE, games), "ab")
    # All in all a is ahead of c in 10 games of 16, of d in 12, c of d in 8: a point of strength is
    # worth 4 x 10/16 x 6/16 = .9375 between a and c, .75 between a and d, 1 between c and d. So the
    # gains with b, .375 of a, -.125 of c, -.25 of d, are in strength:
    a, c, d = 0.375 / ((0.9375 + 0.75) / 2), -0.125 / ((0.9375 + 1) / 2), -0.25 / ((0.75 + 1) / 2)
    # What a has more than the mean of c and d, by the error of one more beside two; b gains with a
    # as a with b. Each has one degree of freedom, both have two.
    expected = sqrt(2) * (a - (c + d) / 2) / sqrt((c - d) ** 2 / 2 * (1 + 1 / 2))
    assert isclose(expected, 6.794, abs_tol=0.001)
    assert isclose(row.p_value, 3 * (1 - expected / sqrt(2 + expected**2)) / 2)  # t of two degrees


@pytest.mark.parametrize(("players", "partners"), [(2, ""), (4, "same"), (4, "mixed")])
def test_where_two_sides_meet_nobody_leans(players: int, partners: Any) -> None:
    games = [
        (outcome("".join(line_up), (1, 2, 1, 2)[:players], deal), deal)
        for line_up in combinations("abcdef", players)
        for deal in range(9)
    ]
    assert find_leans(Pool("sixteen", players, "{}", partners), games) == []


def test_without_games_or_never_apart_or_on_seven_deals_there_is_no_figure() -> None:
    assert find_leans(THREE, []) == []
    assert find_leans(THREE, [(outcome("abc", (1, 2, 3), n), n) for n in range(50)]) == []
    assert LEAST_DEALS == 8
    assert len(find_leans(THREE, by_hand())) == 6  # without each other in one line-up: eight deals
    fewer = find_leans(THREE, by_hand()[1:])  # abc, where others are without d, has seven
    assert {row.bots for row in fewer} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert all(row.p_value == 1 for row in fewer)  # beside one other nothing stands out
    fewer = find_leans(THREE, [*by_hand()[:16], *by_hand()[17:]])  # acd, of those without b
    assert {row.bots for row in fewer} == {("a", "c"), ("a", "d"), ("c", "d")}


def test_games_that_are_not_rated_are_left_out() -> None:
    twice: Games = [(outcome("aab", (1, 2, 3), 99), deal) for deal in range(9)]
    assert find_leans(THREE, by_hand() + twice) == find_leans(THREE, by_hand())


def a_lean(p: float, bots: tuple[str, str] = ("a", "b")) -> Lean:
    """A lean of 20 ± 5 points, of luck as of style, on ten degrees of freedom."""
    return Lean(bots, 100, 20.0, 5.0, 10, 5.0, 10, (10.0, 10.0), (3.0, 3.0), p)


def test_pools_are_judged_together() -> None:
    one = (THREE, [a_lean(0.025)])  # one chance in forty
    rest = [(THREE, [a_lean(0.4)])] * 6
    assert judge_leans([one])[0].significant
    assert not any(pair.significant for pair in judge_leans([one, *rest]))
    told = [pair.p_value_adjusted for pair in judge_leans([*rest[:3], one, *rest[3:]])]
    assert told == [1.0, 1.0, 1.0, pytest.approx(7 * 0.025), 1.0, 1.0, 1.0]  # in the order given


def test_a_pair_that_is_named_leaves_the_others_less_to_be_compared_with() -> None:
    rows = [a_lean(0.001), a_lean(0.02), a_lean(0.06)]
    pairs = judge_leans([(THREE, rows)])
    assert [pair.significant for pair in pairs] == [True, True, False]
    assert [pair.detectable_effect for pair in pairs] == [
        find_least_lean(rows[0], LEVEL / count) for count in (3, 2, 1)
    ]


def test_the_least_lean_is_that_of_the_textbook() -> None:
    # t of ten degrees of freedom, as tables print it: 3.169 at .005, 0.879 at .2.
    assert POWER == 0.8
    assert find_least_lean(a_lean(0.5), 3 * 0.005) == pytest.approx(5 * (3.169 + 0.879), abs=0.01)
    wider = replace(a_lean(0.5), field_se=8.0)
    assert find_least_lean(wider, 3 * 0.005) == pytest.approx(8 * (3.169 + 0.879), abs=0.01)


def test_where_no_lean_can_be_found_there_is_no_least() -> None:
    assert find_least_lean(replace(a_lean(0.5), field_freedom=0), 0.05) is None
    # Two degrees of freedom: t is 9.925 at .005; one of .2 is 1.061. No lean is above 200 points.
    few = replace(a_lean(0.5), field_freedom=2, field_se=18.0)
    assert find_least_lean(few, 3 * 0.005) == pytest.approx(18 * (9.925 + 1.061), abs=0.01)
    assert find_least_lean(replace(few, field_se=18.5), 3 * 0.005) is None


def test_the_words_say_what_could_have_been_found() -> None:
    blind = replace(a_lean(0.5), field_freedom=0)
    leans = judge_leans([(THREE, [a_lean(0.5), blind]), (FOUR, [blind])])
    views = Views(0, 0, 0, [])
    findings = Findings(reproducibility=[], mismatches=[], views=views, pairs=leans)
    lines = list(describe_audit(Audit(True, [], "", findings), 80))
    least = leans[0].detectable_effect
    assert least is not None
    assert lines[-5:] == [
        "No Thanks! 3p: none of 2 pairs beyond chance",
        f"  this many games show a lean of {least:.0f} points in four audits of five; "
        f"none of 1 pair",
        "No Thanks! 4p: none of 1 pair beyond chance",
        "  no lean could have been found: play more bots or more deals",
        "p is corrected for all pairs of 2 pools; a lean is the sum of both bots' gains",
    ]
