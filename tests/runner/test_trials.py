"""The games that a dry run plays are such as sessions will have."""

from itertools import pairwise
from random import Random

import pytest

from arena.model import Bot, Entry, Limits, Pool
from arena.runner.trials import BOTS, Trials, spread
from arena.schedule.order import Schedule, identity_of
from arena.schedule.sessions import Games, sessions_of

THREE = Pool("no_thanks", 3, "{}", "")


def schedule(bots: int, drawn: int = 0, deals: int = 2, **more: object) -> Schedule:
    field = tuple(Bot(f"b{number:04}", "") for number in range(bots))
    entry = Entry(THREE, field, deals, "auto", False)
    if drawn:
        rng, taken = Random(1), set[tuple[int, ...]]()
        while len(taken) < drawn:
            taken.add(tuple(sorted(rng.sample(range(bots), 3))))
        entry = entry._replace(line_ups=tuple(sorted(taken)))
    entry = entry._replace(**more)  # type: ignore[arg-type]
    return Schedule(entry, identity_of(entry, Limits(), "none"))


def bots_of(games: Games) -> set[Bot]:
    return {bot for game in games for bot in game.line_up}


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


def test_of_few_bots_each_worker_has_one_session() -> None:
    own = schedule(20)
    assert [len(games) for games in Trials(own, range(len(own)), 4).of(16)] == [16] * 4


@pytest.mark.parametrize("bots", [33, 40, 200, 1000])
def test_of_a_large_field_each_worker_has_a_dozen_bots_and_others_than_the_next(bots: int) -> None:
    own = schedule(bots)
    sessions = Trials(own, range(len(own)), 2).of(64)
    assert [len(games) for games in sessions] == [64] * 2
    one, other = map(bots_of, sessions)
    assert len(one) == len(other) == BOTS
    assert not one & other


def test_the_bot_of_a_gauntlet_is_in_all_of_them() -> None:
    own = schedule(100, always=("b0007",))
    for games in Trials(own, range(len(own)), 4).of(16):
        assert all("b0007" in {bot.name for bot in game.line_up} for game in games)
        assert len(games) == 16


def test_games_that_are_stored_are_not_played() -> None:
    own = schedule(40)
    lacking = [number for number in range(len(own)) if number % 3]
    for games in Trials(own, lacking, 4).of(64):
        assert len(games) == 64
        assert all(own.number(game) % 3 for game in games)  # type: ignore[operator]


def test_where_all_but_one_game_is_stored_that_one_is_played() -> None:
    own = schedule(100)
    (games,) = Trials(own, [len(own) - 1], 4).of(16)
    assert [own.number(game) for game in games] == [len(own) - 1]


def test_where_line_ups_are_drawn_sessions_are_as_small_as_they_will_be() -> None:
    own = schedule(400, drawn=2000)
    real = sessions_of(own, range(len(own)))
    mean = len(own) / len(real)
    assert mean < 20  # of 12 a line-up
    sessions = Trials(own, range(len(own)), 4).of(64)
    games = sum(map(len, sessions))
    assert games == pytest.approx(4 * 64, rel=0.3)
    assert games / len(sessions) == pytest.approx(mean, rel=0.3)


def test_where_they_are_large_only_some_of_their_games_are_played() -> None:
    own = schedule(40, drawn=800, deals=50)
    sessions = Trials(own, range(len(own)), 4).of(16)
    assert len(sessions) == 4
    assert all(12 <= len(games) <= 32 for games in sessions)
