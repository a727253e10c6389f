"""How long play will take, from samples: by hand, whatever the clock says."""

from itertools import pairwise

import pytest

from arena.runner.dry_run import SIZES, _samples, spread
from arena.runner.estimate import Cost, Sample, cost, makespan


def sample(games: int, start: float = 0.2, game: float = 0.01, workers: int = 4) -> Sample:
    """Return what it takes where sessions of so many games cost their start and each game."""
    return Sample(workers, workers * games, workers * (start + game * games))


def test_two_sizes_tell_a_session_s_start_from_its_games() -> None:
    found = cost([sample(4), sample(16), sample(64)])
    assert found == pytest.approx((0.2, 0.01))
    assert found.of(1000) == pytest.approx(10.2)  # 64 games alone would say 13.1, and 4 games 60


def test_more_sessions_in_a_sample_are_more_starts() -> None:
    """Where decks are shared, the games of one sample may be cut into more sessions."""
    found = cost([Sample(4, 16, 4 * 0.2 + 0.16), Sample(8, 128, 8 * 0.2 + 1.28)])
    assert found == pytest.approx((0.2, 0.01))


def test_one_sample_is_all_its_games() -> None:
    assert cost([sample(10)]) == pytest.approx((0.0, 0.03))


def test_a_clock_that_says_nothing_gives_no_nonsense() -> None:
    slow_first = [Sample(1, 4, 2.0), Sample(1, 16, 1.0)]  # somebody else used the cores
    assert cost(slow_first) == Cost(0.0, 1 / 16)
    free_start = cost([Sample(1, 4, 0.01), Sample(1, 16, 1.0)])
    assert free_start.session == 0.0
    assert free_start.game == pytest.approx(0.99 / 12)


def test_samples_grow_until_they_tell_enough() -> None:
    assert [each.games // 4 for each in _samples(lambda n: sample(n), 10**6, 4)] == [4, 16, 64]
    quick = _samples(lambda n: sample(n, game=0.0001), 10**6, 4)
    assert [each.games // 4 for each in quick] == list(SIZES)
    slow = _samples(lambda n: sample(n, game=1.0), 10**6, 4)
    assert [each.games // 4 for each in slow] == [4]
    few = _samples(lambda n: sample(n, game=0.0001), 60, 4)
    assert [each.games // 4 for each in few] == [4, 16]


@pytest.mark.parametrize(("games", "workers", "size"), [(1000, 4, 16), (10, 4, 16), (3, 4, 1)])
def test_a_sample_is_taken_evenly_from_all_games_and_shared_out(
    games: int, workers: int, size: int
) -> None:
    hands = spread(range(games), workers, size)
    taken = sorted(number for hand in hands for number in hand)
    assert len(taken) == len(set(taken)) == min(games, workers * size)
    assert len(hands) == min(workers, games)
    assert max(map(len, hands)) - min(map(len, hands)) <= 1
    steps = {b - a for a, b in pairwise(taken)}
    assert max(steps) - min(steps) <= 1


def test_play_ends_with_the_last_session_not_with_the_mean() -> None:
    assert makespan([10.0, 1.0, 1.0, 1.0], 2) == 10.0
    assert makespan([4.0, 3.0, 2.0, 2.0], 2) == 6.0  # 4 + 2 and 3 + 2
    assert makespan([], 3) == 0.0
