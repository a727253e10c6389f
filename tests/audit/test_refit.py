"""Our ratings and the package's own: one place where both end, and a finding where they do not."""

import json
from contextlib import closing
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Literal

import numpy as np
import pytest
from trueskill import BETA
from trueskillthroughtime import History

from arena.audit import refit
from arena.audit.refit import Refit, describe_refit, sample_games, settle
from arena.model import Outcome, Pool
from arena.rating.fit import Fit, fit_sites
from arena.store.store import Store
from arena.tables.pool_table import PlayedPool
from tests.leagues import BOTS, main, played_in
from tests.simulated import World, league

SKILLS = (31.0, 27.0, 25.0, 24.0, 18.0)
DUEL = Pool("sixteen", 2, "{}", "")

GAME = '[[games]]\ngame = "{}"\nplayers = {}\ndeals = {}\n'
CUP = "seed = 5\nworkers = 2\n" + GAME.format("sixteen", 2, 4) + GAME.format("no_thanks", 3, 1)


def game(*bots: str, ranks: tuple[int, ...]) -> Outcome:
    return Outcome("", bots, ranks, (0,) * len(bots), ("",) * len(bots))


def duels(*results: tuple[str, str, int]) -> PlayedPool:
    """Games of two: the first won so often against the second."""
    games = [(game(a, b, ranks=(1, 2)), deal) for a, b, often in results for deal in range(often)]
    names = sorted({name for result in results for name in result[:2]})
    return PlayedPool(DUEL, tuple(names), False, 0, games)


def simulated(seats: int, deals: int, seed: int) -> PlayedPool:
    table = league(World(SKILLS, seats, deals, shared=False), np.random.default_rng(seed))
    pool = table.pool._replace(game="no_thanks" if seats > 2 else "sixteen")
    rows = zip(table.bots.tolist(), table.ranks.tolist(), table.deals.tolist(), strict=True)
    games = [
        (game(*(table.names[bot] for bot in bots), ranks=tuple(ranks)), deal)
        for bots, ranks, deal in rows
    ]
    return PlayedPool(pool, table.names, False, 0, games)


def teams(partners: Literal["same", "mixed"], seed: int) -> PlayedPool:
    """Two against two, partners opposite; a bot's strength is its place in the alphabet."""
    rng = Random(seed)
    games: list[tuple[Outcome, int]] = []
    for one, two, *others in permutations("abcde", 4):
        bots = (one, two, *([one, two] if partners == "same" else others))
        worth = [sum(map(ord, bots[side::2])) + rng.gauss(0, 3) for side in (0, 1)]
        ranks = (1, 1) if rng.random() < 0.1 else (1, 2) if worth[0] < worth[1] else (2, 1)
        games.append((game(*bots, ranks=ranks * 2), len(games)))
    return PlayedPool(Pool("sixteen", 4, "{}", partners), tuple("abcde"), False, 0, games)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played_in(tmp_path_factory.mktemp("refit"), CUP, BOTS)


@pytest.mark.whole
@pytest.mark.parametrize(("seats", "deals"), [(2, 4), (3, 1), (4, 1), (5, 1)])
def test_the_package_s_passes_end_where_our_fit_does(seats: int, deals: int) -> None:
    seed = 10 + seats
    found = refit.refit_pool(simulated(seats, deals, seed))
    assert found.max_difference is not None
    assert found.max_difference <= 0.002, f"seed {seed}: {found}"
    assert (found.swapped_neighbours, found.problem, found.mismatch) == ([], None, False), found


@pytest.mark.parametrize("partners", ["same", "mixed"])
def test_teams_are_rated_alike(partners: Literal["same", "mixed"]) -> None:
    seed = 3
    found = refit.refit_pool(teams(partners, seed))
    assert found.games == 120
    assert found.max_difference is not None
    assert found.max_difference <= 0.002, f"seed {seed}: {found}"


@pytest.mark.parametrize("often", [1, 10, 100, 10_000])
def test_who_never_loses_is_rated_alike(often: int) -> None:
    found = refit.refit_pool(duels(("ann", "bob", often), ("cid", "bob", often)))
    assert found.max_difference is not None
    assert found.max_difference <= 0.005, found


def test_a_game_is_counted_once_however_many_passes_there_are() -> None:
    """TrueSkill Through Time ends in the same place between two sides, with no code of ours."""
    endings = sample_games(DUEL, simulated(2, 3, 5).games).endings
    games = [ending for ending, often in endings.items() for _ in range(often)]
    history = History(
        [[list(side) for side in ending.sides] for ending in games],
        [[-rank for rank in ending.ranks] for ending in games],
        mu=25.0, sigma=25 / 3, beta=BETA, gamma=0.0, p_draw=0.1,
    )  # fmt: skip
    history.convergence(epsilon=1e-4, iterations=30, verbose=False)
    theirs = {bot: curve[-1][1].mu for bot, curve in history.learning_curves().items()}
    mean = sum(theirs.values()) / len(theirs)
    found = settle(endings, 0.1)
    assert found.iterations > 2
    for bot, mu in theirs.items():
        assert found.mu[bot] == pytest.approx(mu + 25 - mean, abs=0.01)


def test_a_wrong_beta_is_found_between_two_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.rating.fit.BETA", 2 * BETA)
    two, more = refit.refit_pool(simulated(2, 4, 7)), refit.refit_pool(simulated(3, 1, 7))
    for found in (two, more):
        assert found.max_difference is not None
        assert found.max_difference > 1
    assert (two.mismatch, more.mismatch) == (True, False)  # of more sides it is only said


def test_ratings_under_the_wrong_names_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(*given: object) -> Fit:
        found = fit_sites(*given)  # type: ignore[arg-type]
        return found._replace(mu=found.mu[::-1])

    monkeypatch.setattr("arena.rating.rate.fit_sites", turned)
    found = refit.refit_pool(duels(("ann", "bob", 9), ("bob", "ann", 1), ("bob", "cid", 3)))
    assert found.mismatch
    assert found.swapped_neighbours == [("cid", "bob"), ("bob", "ann")]
    assert "cid and bob swap places, bob and ann swap places" in describe_refit(found)


@pytest.mark.whole
@pytest.mark.xdist_group("refit")
def test_verify_tells_it_of_every_pool_and_a_broken_fit(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = main("verify", played)
    assert done.returncode == 0, done.stdout.decode()
    assert (
        "ratings: recomputed by the trueskill package, iterated until they converge\n"
        "  Sixteen 2p: all 48 games; at most 0.000 mu apart, in the same order\n"
    ) in done.stdout.decode()
    monkeypatch.setattr("arena.rating.fit.BETA", 4 * BETA)
    done = main("verify", played, "--json")
    told = json.loads(done.stdout)
    (two, _) = told["rating_checks"]
    assert done.returncode == 1
    differs = f"{two['bot']} differs by {two['max_difference']:.3f} mu"
    assert f"the trueskill package's rating of {differs}" in [
        each["message"] for each in told["findings"] if each["location"] == "Sixteen 2p"
    ]


@pytest.mark.whole
@pytest.mark.xdist_group("refit")
def test_the_same_games_give_the_same_comparison_in_processes_of_its_own_too(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store.open(played)) as store:
        here = refit.refit_store(store)
        assert [(each.pool, each.games, each.all_games) for each in here] == [
            ("Sixteen 2p", 6 * 2 * 4, True), ("No Thanks! 3p", 4 * 6, True),
        ]  # fmt: skip
        monkeypatch.setattr(refit, "RATE_APART", 0)
        assert refit.refit_store(store) == here


def test_of_many_different_endings_the_first_are_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refit, "TABLES", 7)
    table = simulated(3, 1, 8)
    some = sample_games(table.pool, table.games)
    assert (len(some.endings), some.whole) == (7, False)
    assert some.games == list(table.games)[: len(some.games)]
    assert describe_refit(refit.refit_pool(table)).startswith(
        f"No Thanks! 3p: a sample of {len(some.games)} games; at most 0.00"
    )


def test_a_bot_on_two_sides_says_nothing() -> None:
    both = PlayedPool(DUEL, ("ann", "bob"), False, 0, [(game("ann", "ann", ranks=(1, 2)), 0)])
    for nothing in (both, both._replace(games=[])):
        found = refit.refit_pool(nothing)
        assert found == Refit("Sixteen 2p", 0, True, 0, None, None, [], None, False)
        assert describe_refit(found) == "Sixteen 2p: no rated games"


def test_passes_that_come_to_no_end_are_said_and_no_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refit, "ITERATIONS", 3)
    found = refit.refit_pool(duels(("ann", "bob", 40), ("bob", "ann", 10), ("bob", "cid", 5)))
    assert not found.mismatch
    assert describe_refit(found) == (
        "Sixteen 2p: all 55 games; the package does not converge in 3 iterations"
    )
