"""Intervals keep their promise in leagues of known skill; what the schedule fixes widens none."""

from itertools import combinations, permutations

import numpy as np
import pytest

from arena.model import Mirrored, Pool
from arena.rating import intervals
from arena.rating.comparisons import difference_errors
from arena.rating.fit import PRIOR, fit_sites
from arena.rating.intervals import Strata, divide, find_pulls, respond_to_pulls
from arena.rating.outcomes import Weights
from arena.rating.rate import rate_bots
from tests.simulated import World, held, league, limit, merge, merge_league, play, ranges, rate

SIX = (29.0, 27.0, 25.5, 24.5, 23.0, 21.0)
NAMES = tuple(f"bot{number}" for number in range(6))
SEATS = (4.0, 0.0, -4.0)
CYCLE = [((bot + step) % 5, bot) for bot in range(5) for step in (1, 2)]
FEUDS = tuple((bot, other, gain) for a, b in CYCLE for bot, other, gain in ((a, b, -4), (b, a, 4)))
RING = World((25.0,) * 5 + (20.0,), 2, 10, feuds=FEUDS)  # each of five beats the next two
ONE_EACH = World(SIX, 3, 1, False, by_seat=SEATS)
SUITED = World(SIX, hands=2, suits=4)


def covered(world: World, leagues: int, seed: int) -> tuple[float, float]:
    """How often intervals hold, and how often all places of a league do at once."""
    rng, equal = np.random.default_rng(seed), len({*world.skills}) == 1
    truth = np.full(6, 25.0) if equal else limit(world, rng, 150)
    place = {int(bot): at for at, bot in enumerate(np.argsort(-truth), 1)}
    right, places = list[list[bool]](), 0
    for _ in range(leagues):
        rates = rate_bots(NAMES, merge_league(world, rng))
        right.append(held(rates, truth))
        said = [each or (1, 6) for each in ranges(rates)]
        places += all(
            each == (1, 6) if equal else each[0] <= place[bot] <= each[1]
            for bot, each in enumerate(said)
        )
    return float(np.mean(right)), places / leagues


@pytest.mark.whole
@pytest.mark.parametrize("world", [SUITED, ONE_EACH, RING], ids=["suited", "one each", "ring"])
def test_most_intervals_hold_the_truth(world: World) -> None:
    seed = 5
    intervals, places = covered(world, 20, seed)
    assert 0.88 < intervals < 0.995, f"seed {seed}: {intervals}"  # 120, three standard errors
    assert world is RING or places >= 16 / 20, f"seed {seed}: {places}"  # 99.9 % bound of 5 %


@pytest.mark.whole
@pytest.mark.parametrize("world", [
    World((25.0,) * 6, suits=4), World((25.0,) * 6, 2, 2, suits=60),  # decks decide all
])  # fmt: skip
def test_equal_bots_are_seldom_told_apart(world: World) -> None:
    seed = 3
    _, places = covered(world, 12, seed)
    assert places >= 9 / 12, f"seed {seed}: {places}"  # 99.8 % bound of 5 %


def test_the_prior_s_shrinkage_is_what_less_of_it_gives_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    less, games = 0.01, merge_league(World(SIX, seats=2), np.random.default_rng(10))
    fitted = fit_sites(games.sites, 6)
    held = intervals.find_shrinkage(fitted, respond_to_pulls(games.sites, fitted, 6))
    with monkeypatch.context() as patched:
        patched.setattr("arena.rating.fit.PRIOR", (1 - less) * PRIOR)
        given_back = (fit_sites(games.sites, 6).mu - fitted.mu) / less
    assert np.abs(held).max() > 0.02
    assert np.allclose(held, given_back, rtol=0.05, atol=0.002)


@pytest.mark.parametrize(("seats", "share"), [(2, 3 / 6), (3, 3 / 8)])
def test_pulls_of_line_ups_get_back_what_ratings_have_followed(seats: int, share: float) -> None:
    """Four equals differ in 3 ways. By symmetry 6 pairs have the same say in them, or 4 threes of 2
    differences each.
    """
    seed = 11
    pool, orders = Pool("no_thanks", seats, "{}", ""), [*permutations("abcd", seats)] * 100
    games = merge(play(pool, "abcd", *((bots, range(1, seats + 1), 0) for bots in orders)))
    fitted = fit_sites(games.sites, 4)
    pulls = np.random.default_rng(seed).standard_normal(games.line_ups.shape)
    pulls -= pulls.mean(axis=0)  # as games pull: at differences alone
    found = intervals.lift_pulls(pulls, games, fitted, respond_to_pulls(games.sites, fitted, 4))
    assert found == pytest.approx(pulls / (1 - share) ** 0.5, rel=0.02, abs=0.01), f"seed {seed}"


def test_more_deals_of_drawn_line_ups_tell_no_more_of_other_opponents() -> None:
    seed, bots = 12, 10
    feuds = tuple((a, b, 5.0) for a, b in permutations(range(bots), 2) if (b - a) % bots < 5)
    names = [f"bot{number}" for number in range(bots)]
    drawn: Weights = dict.fromkeys(combinations(names, 2), 1.0)
    few, many = (
        league(World((25.0,) * bots, 2, deals, feuds=feuds), np.random.default_rng(seed))
        for deals in (5, 45)
    )
    played, sampled = (
        float(np.sqrt(rate(many, True, each).spread.trace() / rate(few, True, each).spread.trace()))
        for each in (None, drawn)
    )
    assert 0.25 < played < 0.4, f"seed {seed}"  # the root of 5 / 45
    assert sampled > 0.8, f"seed {seed}"


@pytest.mark.parametrize(("world", "number", "freedom"), [
    # 20 line-ups of 3 in 6 seatings, 4 decks each: of a bot's 10 * 6 * 4 one less for each stratum.
    (World(SIX, 3, 4, shared=False), 120, 240 - 60),
    # One deck for each: there is nothing to compare it with but the line-up's 5 others, of 3 seats.
    (World(SIX, 3, 1, shared=False), 20, 60 - 10 - 2),
    # Shared decks are played in all seatings: 10 decks for each of 5 line-ups of a bot.
    (World(SIX, 2, 10), 15, 50 - 5),
    # Few decks: 3 * 5 - 5 degrees of freedom are too few, so all decks are taken together.
    (World(SIX, 2, 3), 1, 15 - 1),
])  # fmt: skip
def test_decks_are_divided_as_far_as_20_degrees_of_freedom_are_left(
    world: World, number: int, freedom: int
) -> None:
    games = merge_league(world, np.random.default_rng(1))
    divided = divide(games, 6)
    assert len(divided.sizes) == number
    assert divided.sizes.sum() == len(divided.of_cluster)
    assert divided.freedom.tolist() == rate_bots(NAMES, games).freedom.tolist() == [freedom] * 6


def of_undivided(world: World, seed: int) -> float:
    """The standard errors as a part of what they are without strata, the mean over bots."""
    games = merge_league(world, np.random.default_rng(seed))
    bots, clusters = len(world.skills), games.line_ups.shape[1]
    fitted, divided = fit_sites(games.sites, bots), divide(games, bots)
    moves = respond_to_pulls(games.sites, fitted, bots)
    whole = Strata(np.zeros(clusters, dtype=np.int64), np.array([clusters]), divided.freedom)
    errors = [
        np.sqrt(
            np.diag(
                intervals.sandwich_covariance(games, moves, find_pulls(games, fitted, moves, each))
            )
        )
        for each in (divided, whole)
    ]
    return float((errors[0] / errors[1]).mean())


def test_what_is_no_luck_does_not_widen_an_interval_and_where_all_is_strata_change_little() -> None:
    for world in (World(SIX, 3, 4, False, by_seat=SEATS), ONE_EACH, RING):
        assert of_undivided(world, seed=3) < 0.85
        assert 0.9 < of_undivided(world._replace(by_seat=(), feuds=()), seed=4) < 1.1


def test_what_a_seat_is_worth_to_a_bot_is_taken_out_by_least_squares() -> None:
    rng = np.random.default_rng(7)
    games = merge_league(World(SIX, 3, 1, False), rng)
    of, pulls = divide(games, 6), rng.standard_normal(games.line_ups.shape)
    found = intervals.remove_seats(pulls, games, of, 6)
    assert games.seats is not None
    for bot in range(6):
        place, cluster = np.nonzero(games.line_ups == bot)
        seat, own = games.seats[place, cluster], pulls[place, cluster]
        design = np.hstack([np.eye(20)[of.of_cluster[cluster]], np.eye(3)[seat]])
        left = own - design @ np.linalg.lstsq(design, own, rcond=None)[0]
        # Of 60 games 10 means of line-ups are taken, and then 2 of seats.
        assert found[place, cluster] == pytest.approx(left * (50 / 48) ** 0.5, abs=1e-4)


def test_two_that_end_alike_on_the_same_decks_may_differ_on_others() -> None:
    rng = np.random.default_rng(3)
    games = []
    for deal in range(40):
        for seats in ("acd", "cda", "dac", "ace", "eac"):
            ranks = (rng.permutation(3) + 1).tolist()
            games += [(seats, ranks, deal), (seats.replace("a", "b"), ranks, deal)]
    table = play(Pool("no_thanks", 3, "{}", ""), "abcde", *games)
    apart, together = rate(table, Mirrored(("a", "b"), never_meet=True)), rate(table)
    assert apart.mu[0] == pytest.approx(apart.mu[1])
    assert difference_errors(apart.covariance, apart.shrinkage)[0, 1] == pytest.approx(0, abs=1e-6)
    assert 0.3 < apart.errors[0, 1] < together.errors[0, 1]  # the model's: 40 level decks
    assert apart.errors[0, 2] > 0.3


@pytest.mark.parametrize(("decisive", "rare"), [(0.5, False), (0.1, False), (0.02, True)])
def test_where_few_decks_decide_the_error_is_the_models_at_least(
    decisive: float, rare: bool
) -> None:
    """On 400 decks that two bots play from both sides each wins both games of those that decide
    in turns; the others are level.
    """
    games = []
    for deal in range(400):
        decides = int(deal * decisive) != int((deal + 1) * decisive)
        won = ["ab"[int(deal * decisive) % 2]] * 2 if decides else ["a", "b"]
        for seats, winner in zip((("a", "b"), ("b", "a")), won, strict=True):
            games.append((seats, (1, 2) if winner == seats[0] else (2, 1), deal))
    rated = rate(play(Pool("sixteen", 2, "{}", ""), "ab", *games))
    assert (rated.lack[0, 1] > 0) == rare
    assert (rated.spread > rated.covariance + 1e-9).any() == rare
    if rare:
        assert rated.errors[0, 1] == pytest.approx(0.26, abs=0.01)  # of 800 games of equals


def test_decks_that_go_one_way_by_a_tenth_tell() -> None:
    """Of 20 games each, 11 go to one bot: .75 mu, were all like it, where 0.15 are none."""
    games = [
        ("ab", (1, 2) if game < 9 + 2 * (deal % 2) else (2, 1), deal)
        for deal in range(40)
        for game in range(20)
    ]
    assert not rate(play(Pool("sixteen", 2, "{}", ""), "ab", *games)).lack.any()
