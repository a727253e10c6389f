"""How long play will take, from samples: by hand, whatever the clock says."""

from pathlib import Path

import pytest

from arena.model import Limits
from arena.plan.plan import Plan
from arena.runner.dry_run import ALL_BEGUN, ENOUGH_S, MOST_S, _samples, _timed
from arena.runner.estimate import Cost, Sample, makespan
from arena.runner.local_executor import LocalExecutor
from arena.sandbox.walls import WALLS
from arena.system.signals import Stopped


def sample(games: int, start: float = 0.2, game: float = 0.01, workers: int = 4) -> Sample:
    """Return what it takes where sessions of so many games cost their start and each game."""
    return Sample(workers, workers * games, workers * (start + game * games))


def test_beyond_the_largest_sample_it_goes_on_as_between_the_last_two() -> None:
    cost = Cost([sample(4), sample(64), sample(128)])
    assert cost.of(1000) == pytest.approx(10.2)  # 128 games alone would say 11.8, and 4 games 60


def test_bots_that_begin_late_are_not_charged_to_every_game() -> None:
    """With four games most of ten bots have not begun: a line from there would say 23.5."""
    cost = Cost([sample(4, start=0.05), sample(64, start=0.5), sample(128, start=0.5)])
    assert cost.of(1000) == pytest.approx(10.5)
    assert cost.of(34) == pytest.approx((0.09 + 1.14) / 2)


def test_more_sessions_in_a_sample_are_more_starts() -> None:
    """Where decks are shared, the games of one sample may be cut into more sessions."""
    cost = Cost([Sample(4, 16, 4 * 0.2 + 0.16), Sample(8, 128, 8 * 0.2 + 1.28)])
    assert cost.of(1000) == pytest.approx(10.2)


def test_one_sample_is_all_its_games() -> None:
    assert Cost([sample(10)]).of(100) == pytest.approx(3.0)


def test_a_clock_that_says_nothing_gives_no_nonsense() -> None:
    slow_first = Cost([Sample(1, 4, 2.0), Sample(1, 16, 1.0)])  # somebody else used the cores
    assert slow_first.of(160) == pytest.approx(10.0)
    slow_second = Cost([sample(4), sample(64, start=2.0), sample(128)])
    assert slow_second.of(1000) == pytest.approx(10.2)
    assert slow_second.of(1) == pytest.approx(0.06)
    held_up = Cost([sample(4), sample(64), sample(128, start=30.0)])
    assert held_up.of(1000) == pytest.approx(13.125)  # 64 games alone


def sizes(games: int = 10**6, game: float = 0.01) -> list[int]:
    return [each.games // 4 for each in _samples(lambda n: sample(n, game=game), games, 4)]


def test_samples_grow_until_two_with_all_bots_tell_enough() -> None:
    assert sizes() == [4, ALL_BEGUN, 2 * ALL_BEGUN]
    assert sizes(game=ENOUGH_S / 200) == [4, 64, 128, 256, 512]
    assert sizes(game=0.0001)[-1] * 0.0001 / 2 >= ENOUGH_S


def test_samples_of_slow_bots_are_smaller_and_none_takes_long() -> None:
    assert sizes(game=0.05) == [4, 16, 64]
    assert sizes(game=0.2) == [4, 16]
    assert sizes(game=MOST_S) == [4]


def test_no_more_games_are_played_than_there_are() -> None:
    assert sizes(games=200) == [4, 64]
    assert sizes(games=16) == [4]


def test_play_ends_with_the_last_session_not_with_the_mean() -> None:
    assert makespan([10.0, 1.0, 1.0, 1.0], 2) == 10.0
    assert makespan([4.0, 3.0, 2.0, 2.0], 2) == 6.0  # 4 + 2 and 3 + 2
    assert makespan([], 3) == 0.0


def test_once_it_is_stopped_no_further_sample_is_chosen() -> None:
    """A sample of no seconds made any larger one affordable, up to all games of a pool."""
    crew = LocalExecutor(Plan("cup", Path("cup"), None, 2, Limits(), WALLS, (), {}), 2)
    crew.stop()
    with pytest.raises(Stopped):
        _timed(crew, [], [])
