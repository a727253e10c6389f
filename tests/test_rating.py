"""Ratings: TrueSkill's own numbers, whatever order the games finished in."""

from itertools import permutations
from math import isfinite
from random import Random

import pytest

from arena.model import Outcome, Pool
from arena.rating import SIGMA, Rating, combine, draw_probability, rate, rated_games
from arena.trueskill_flat import Update, environment

DUEL = Pool("sixteen", 2, "{}", "")
THREE = Pool("no_thanks", 3, "{}", "")
FOUR = Pool("no_thanks", 4, "{}", "")
SAME = Pool("sixteen", 4, "{}", "same")
MIXED = Pool("sixteen", 4, "{}", "mixed")


def outcome(bots: str, ranks: tuple[int, ...], number: int = 0) -> Outcome:
    """A game between bots of one letter each, in the order of the seats."""
    nothing = (0,) * len(bots)
    return Outcome(f"{number:04x}", tuple(bots), ranks, nothing, ("",) * len(bots))


def tables_of_four(games: int, seed: int) -> list[Outcome]:
    """Games among six bots at tables of four; ties come up."""
    rng = Random(seed)
    return [
        outcome("".join(rng.sample("abcdef", 4)), tuple(rng.choices((1, 2, 3, 4), k=4)), number)
        for number in range(games)
    ]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("players", range(2, 8))
def test_the_flat_update_is_that_of_the_package(players: int, ties: bool) -> None:
    seed = 100 * players + ties
    rng = Random(seed)
    for case in range(40):
        env = environment(rng.choice((0.001, 0.1, 0.5, 0.9)))
        before = [(rng.uniform(0, 50), rng.uniform(0.3, 8.4)) for _ in range(players)]
        ranks = rng.sample(range(players), players)
        if ties:
            ranks = [rng.randrange(players - 1) for _ in range(players)]
        after = Update(env)([(s**-2, mu * s**-2) for mu, s in before], ranks)
        groups = env.rate([(env.create_rating(*each),) for each in before], ranks=ranks)
        for (theirs,), (precision, shift) in zip(groups, after, strict=True):
            where = f"seed {seed}, case {case}: {before} {ranks}"
            assert abs(theirs.mu - shift / precision) < 1e-9, where
            assert abs(theirs.sigma - precision**-0.5) < 1e-9, where


def test_a_first_duel_goes_as_trueskill_says() -> None:
    start = (SIGMA**-2, 25 * SIGMA**-2)
    (precision, shift), (_, lost) = Update(environment(0.10))([start, start], [1, 2])
    # The package's documentation: 29.396 and 20.604, sigma 7.171; it adds a tau of 0.083.
    assert abs(shift / precision - 29.396) < 0.002
    assert abs(lost / precision - 20.604) < 0.002
    assert abs(precision**-0.5 - 7.171) < 0.002


@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1), (1, 2, 3), (3, 1, 2), (1, 1, 1)])
def test_no_difference_is_too_large_to_rate(ranks: tuple[int, ...]) -> None:
    far = [(0.3**-2, mu * 0.3**-2) for mu in (600.0, 25.0, -600.0)[: len(ranks)]]
    for precision, shift in Update(environment(0.1))(far, ranks):
        assert isfinite(shift / precision)
        assert 0 < precision**-0.5 <= 0.3 + 1e-9


def test_one_tie_in_thousands_of_games_can_be_rated() -> None:
    # With the package's own normal distribution this tie ends in the root of a negative number.
    games = [outcome("ab", (1 + n % 2, 2 - n % 2), n) for n in range(2000)]
    found = rate(DUEL, [*games, outcome("ab", (1, 1), 2000)], "ab")
    assert abs(found["a"].mu - 25) < 0.5  # each won 1,000


def test_a_pool_is_rated_game_by_game_and_then_moved_to_a_mean_of_25() -> None:
    seed = 5
    games = tables_of_four(60, seed)
    # Again with the package alone.
    env = environment(draw_probability(sides for _, sides in rated_games(FOUR, games)))
    ratings = {bot: env.create_rating() for bot in "abcdef"}
    for game in games:
        groups = [{bot: ratings[bot]} for bot in game.bots]
        for group in env.rate(groups, ranks=game.ranks):
            ratings.update(group)
    drift = sum(r.mu for r in ratings.values()) / 6 - 25
    found = rate(FOUR, games, "abcdef")
    for bot, theirs in ratings.items():
        assert abs(found[bot].mu - (theirs.mu - drift)) < 1e-8, f"seed {seed}, {bot}"
        assert abs(found[bot].sigma - theirs.sigma) < 1e-8, f"seed {seed}, {bot}"
    assert abs(sum(r.mu for r in found.values()) / 6 - 25) < 1e-9


def test_the_order_in_which_games_finished_changes_nothing() -> None:
    seed = 6
    rng, games = Random(seed), tables_of_four(60, seed)
    first = rate(FOUR, games, "abcdef")
    for shuffle in range(50):
        rng.shuffle(games)
        names = rng.sample("abcdef", 6)
        assert rate(FOUR, iter(games), names) == first, f"seed {seed}, shuffle {shuffle}"


def test_a_team_of_one_bot_twice_is_rated_as_one_competitor() -> None:
    teams = [outcome("abab", (1, 2, 1, 2), 1), outcome("baba", (1, 1, 1, 1), 2)]
    duels = [outcome("ab", (1, 2), 1), outcome("ba", (1, 1), 2)]
    assert rate(SAME, teams, "ab") == rate(DUEL, duels, "ab")


def test_a_team_of_two_bots_is_rated_as_a_team() -> None:
    env = environment(0.001)
    (won, _), (lost, _) = env.rate([(env.create_rating(),) * 2] * 2, ranks=[1, 2])
    found = rate(MIXED, [outcome("abcd", (1, 2, 1, 2))], "abcd")
    for bot, theirs in zip("abcd", (won, lost, won, lost), strict=True):
        assert abs(found[bot].mu - theirs.mu) < 1e-9
        assert abs(found[bot].sigma - theirs.sigma) < 1e-9


def test_a_bot_on_both_sides_is_not_rated() -> None:
    games = [outcome("ab", (1, 2), 1)]
    assert rate(DUEL, [*games, outcome("aa", (1, 2), 2)], "ab") == rate(DUEL, games, "ab")
    assert not list(rated_games(MIXED, [outcome("abca", (1, 2, 1, 2))]))


def test_a_bot_without_games_stands_at_the_mean() -> None:
    found = rate(THREE, [outcome("abc", (1, 2, 3))], "abcd")
    assert found["d"] == Rating(25.0, SIGMA, 0)
    assert [found[bot].games for bot in "abc"] == [1, 1, 1]
    assert rate(THREE, [], "ab") == dict.fromkeys("ab", Rating(25.0, SIGMA, 0))


def test_who_wins_more_is_rated_higher_from_every_seat() -> None:
    games = [
        outcome("".join(seats), tuple(1 + "abc".index(bot) for bot in seats), number)
        for number, seats in enumerate(permutations("abc"))
    ]
    found = rate(THREE, games, "abc")
    assert found["a"].mu > found["b"].mu > found["c"].mu


def test_the_draw_probability_is_the_share_of_ties_among_neighbours() -> None:
    def share(*games: Outcome) -> float:
        return draw_probability(sides for _, sides in rated_games(FOUR, games))

    # By hand: of three pairs of neighbours each, 1-1 and 3-3 tie; none; all.
    assert share(outcome("abcd", (3, 1, 1, 3)), outcome("abcd", (4, 3, 2, 1))) == 2 / 6
    assert share(outcome("abcd", (4, 3, 2, 1))) == share() == 0.001
    assert share(outcome("abcd", (1, 1, 1, 1))) == 0.99


def test_means_are_those_of_independent_ratings() -> None:
    pools = [{"a": Rating(30, 3, 10), "b": Rating(1, 1, 1)}, {"a": Rating(20, 4, 5)}]
    assert combine(pools) == {"a": Rating(25, 2.5, 15)}  # by hand: sqrt(9 + 16) / 2
    assert combine([]) == {}
