"""Cycles: found where they surely are, and nowhere else."""

import numpy as np
import pytest

from arena.rating.cycles import ahead, cycles
from arena.rating.pair_results import PairResults, pair_results
from tests.benchmarks.model_fit import FAILS, found
from tests.rating.test_model_fit import duels
from tests.simulated import World, rated


def results(wins: dict[tuple[int, int], int], games: int) -> PairResults:
    played = duels(wins, games)
    return pair_results(played, np.full(1 + max(map(max, wins)), 25.0), 0.1)


@pytest.mark.parametrize(("games", "sure"), [(9, False), (10, True)])
def test_who_won_all_is_surely_ahead_from_some_decks_on(games: int, sure: bool) -> None:
    # By hand, three pairs: z^2 is the number of decks; 6 exp(-9/2) = .067, 6 exp(-5) = .040.
    found, z = ahead(results({(0, 1): games, (0, 2): games, (1, 2): games}, games), 3)
    assert found[0, 1] == found[0, 2] == found[1, 2] == sure
    assert not found[1, 0]
    assert z[0, 1] == -z[1, 0] == pytest.approx(games**0.5 if sure else 0)


def test_a_cycle_is_found_and_how_sure_it_is_at_its_weakest() -> None:
    wins = {(0, 1): 70, (1, 2): 80, (0, 2): 20, (0, 3): 90, (1, 3): 90, (2, 3): 90}
    (cycle,) = cycles(*ahead(results(wins, 100), 4))
    # By hand: 20 games in 100 above the half, over root 25.
    assert cycle.bots == (0, 1, 2)
    assert cycle.surety == pytest.approx(4)


def test_the_other_way_round_it_is_one_too() -> None:
    (cycle,) = cycles(*ahead(results({(0, 1): 20, (1, 2): 20, (0, 2): 80}, 100), 3))
    assert cycle.bots == (0, 2, 1)


def test_a_pair_that_is_not_sure_closes_none() -> None:
    assert cycles(*ahead(results({(0, 1): 80, (1, 2): 80, (0, 2): 42}, 100), 3)) == []


def test_two_games_on_one_deck_are_one_piece_of_evidence() -> None:
    skills = (33.0, 25, 25)
    for shared, least in ((True, 8**0.5), (False, 16**0.5)):
        world = World(skills, 2, 8, shared=shared, suits=0.01)
        played = pair_results(rated(world, np.random.default_rng(3)), np.full(3, 25.0), 0.1)
        lead = played.ahead - played.games / 2
        assert (np.abs(lead) <= least * np.sqrt(played.squares) + 1e-9).all()


def test_rock_paper_scissors_is_a_cycle_and_a_line_has_none() -> None:
    circle = FAILS["rock, paper, scissors and three others, 2p"]
    assert [found(circle, 11, at).cycles for at in range(3)] == [1, 1, 1]
    line = World((25,) * 6, 2, 30, shared=False)
    assert [found(line, 11, at).cycles for at in range(10)] == [0] * 10
