"""Strata: what the schedule fixes is no luck, and widens no interval."""

import numpy as np
import pytest

from arena.rating.fit import fit_sites
from arena.rating.intervals import respond_to_pulls, sandwich_covariance
from arena.rating.rate import rate_bots
from arena.rating.strata import Strata, center, divide, draw_clusters, remove_seats
from tests import simulated
from tests.simulated import World, limit

NAMES = tuple(f"bot{number}" for number in range(6))
SIX = (29.0, 27.0, 25.5, 24.5, 23.0, 21.0)
SEATS = (4.0, 0.0, -4.0)
CYCLE = [((bot + step) % 5, bot) for bot in range(5) for step in (1, 2)]
FEUDS = tuple((bot, other, gain) for a, b in CYCLE for bot, other, gain in ((a, b, -4), (b, a, 4)))
RING = World((25.0,) * 5 + (20.0,), 2, 10, feuds=FEUDS)  # each of five beats the next two
HALVES = Strata(np.array([0, 0, 0, 1, 1]), np.array([3, 2]), np.array([3]))


def of(world: World) -> Strata:
    return divide(simulated.rated(world, np.random.default_rng(1)), len(world.skills))


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
    divided = of(world)
    assert len(divided.sizes) == number
    assert divided.sizes.sum() == len(divided.of_cluster)
    assert divided.freedom.tolist() == [freedom] * 6
    assert rate_bots(NAMES, simulated.rated(world, np.random.default_rng(1))).freedom[0] == freedom


@pytest.mark.parametrize("shared", [False, True])
def test_decks_of_a_stratum_have_one_line_up_and_one_seating_unless_they_are_played_in_all(
    shared: bool,
) -> None:
    table = simulated.league(World(SIX, 3, 2, shared=shared), np.random.default_rng(2))
    rated = simulated.rated(World(SIX, 3, 2, shared=shared), np.random.default_rng(2))
    seated: dict[int, set[tuple[int, ...]]] = {}
    for stratum, bots in zip(rated.strata[0][rated.cluster].tolist(), table.bots.tolist(),
                             strict=True):  # fmt: skip
        seated.setdefault(stratum, set()).add(tuple(sorted(bots) if shared else bots))
    assert all(len(ways) == 1 for ways in seated.values())
    assert len(set.union(*seated.values())) == len(seated) == (20 if shared else 120)


def of_undivided(world: World, seed: int) -> float:
    """The standard errors as a part of what they are without strata, the mean over bots."""
    rated = simulated.rated(world, np.random.default_rng(seed))
    bots, clusters = len(world.skills), rated.line_ups.shape[1]
    fitted, divided = fit_sites(rated.sites, bots), divide(rated, bots)
    moves = respond_to_pulls(rated.sites, fitted, bots)
    whole = Strata(np.zeros(clusters, dtype=np.int64), np.array([clusters]), divided.freedom)
    errors = [
        np.sqrt(np.diag(sandwich_covariance(rated, fitted, moves, each)))
        for each in (divided, whole)
    ]
    return float((errors[0] / errors[1]).mean())


ONE_EACH = World(SIX, 3, 1, False, by_seat=SEATS)


@pytest.mark.parametrize("world", [World(SIX, 3, 4, False, by_seat=SEATS), ONE_EACH, RING])
def test_what_is_no_luck_does_not_widen_an_interval(world: World) -> None:
    seed = 3
    assert of_undivided(world, seed) < 0.85, f"seed {seed}"


@pytest.mark.parametrize("world", [
    World(SIX, 3, 4, False), World(SIX, 3, 1, False), RING._replace(feuds=())
])  # fmt: skip
def test_where_all_is_luck_strata_change_little(world: World) -> None:
    seed = 4
    assert 0.9 < of_undivided(world, seed) < 1.1, f"seed {seed}"


@pytest.mark.whole
@pytest.mark.parametrize("world", [World(SIX, 3, 2, False, by_seat=SEATS), ONE_EACH, RING])
def test_intervals_hold_and_no_more(world: World) -> None:
    seed, leagues = 5, 30
    rng = np.random.default_rng(seed)
    truth = limit(world, rng, 300)
    held = [
        simulated.held(rate_bots(NAMES, simulated.rated(world, rng)), truth) for _ in range(leagues)
    ]
    assert 0.89 < float(np.mean(held)) < 0.99, f"seed {seed}: {np.mean(held)}"  # 180 intervals


def test_pulls_are_held_against_the_mean_of_their_stratum() -> None:
    found = center(np.array([1.0, 2, 3, 10, 20]), HALVES)
    # By hand: off the means of 2 and 15, times the roots of 3/2 and 2.
    assert found == pytest.approx([-(1.5**0.5), 0, 1.5**0.5, -5 * 2**0.5, 5 * 2**0.5])
    whole = center(np.array([1.0, 2]), Strata(np.zeros(2, int), np.array([2]), np.array([1])))
    assert whole == pytest.approx([2**0.5, 2 * 2**0.5])


def test_what_a_seat_is_worth_to_a_bot_is_taken_out_by_least_squares() -> None:
    """Of decks of which some are missing, so that seats are out of balance."""
    seed = 7
    rng = np.random.default_rng(seed)
    whole = simulated.rated(World(SIX, 3, 1, False), rng)
    assert whole.seats is not None
    kept = np.flatnonzero(rng.random(whole.line_ups.shape[1]) < 0.7)
    of_cluster = whole.strata[1][kept]
    rated = whole._replace(line_ups=whole.line_ups[:, kept], seats=whole.seats[:, kept])
    of = Strata(of_cluster, np.bincount(of_cluster, minlength=20), np.full(6, 20), by_seat=True)
    pulls = rng.standard_normal((3, len(kept)))
    found = remove_seats(pulls, rated, of, 6)
    for bot in range(6):
        place, cluster = np.nonzero(rated.line_ups == bot)
        design = np.hstack(
            [np.eye(20)[of_cluster[cluster]], np.eye(3)[whole.seats[:, kept][place, cluster]]]
        )
        own = pulls[place, cluster]
        left = own - design @ np.linalg.lstsq(design, own, rcond=None)[0]
        freedom = len(own) - len({*of_cluster[cluster].tolist()})
        # Freedom before seats were taken out, and 20 after.
        assert found[place, cluster] == pytest.approx(left * (freedom / 20) ** 0.5, abs=1e-4)


def test_teams_may_sit_in_any_seats() -> None:
    """One bot in seats 0 and 1, the other in 2 and 3: their first seats are 0 and 2."""
    seed = 8
    rng = np.random.default_rng(seed)
    near = simulated.rated(World(SIX, 2, 10, False), rng)
    seats = near.seats
    assert seats is not None
    near = near._replace(strata=near.strata[1:])
    far = near._replace(seats=2 * seats)
    of = divide(near, 6)
    assert of.by_seat
    assert divide(far, 6).freedom.tolist() == of.freedom.tolist()
    pulls = rng.standard_normal(near.line_ups.shape)
    assert remove_seats(pulls, far, of, 6) == pytest.approx(remove_seats(pulls, near, of, 6))


def test_a_resample_has_as_much_of_each_stratum_and_the_variance_of_its_sum() -> None:
    seed = 6
    rng, values = np.random.default_rng(seed), np.array([1.0, 2, 3, 10, 20])
    times = np.array([draw_clusters(HALVES, rng) for _ in range(4000)])
    assert times[:, :3].sum(axis=1) == pytest.approx(3)
    assert times[:, 3:].sum(axis=1) == pytest.approx(2)
    # By hand: 3 * 1 and 2 * 50, the strata's sizes times their variances.
    assert (times @ values).var() == pytest.approx(103, rel=0.08), f"seed {seed}"
