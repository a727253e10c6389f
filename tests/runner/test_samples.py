"""Samples: which games they are, and what is read from them, by hand whatever the clock says."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from arena.model import Bot, Entry, Fault, Limits, Played, Pool, Reason
from arena.runner.samples import (
    ALL_BEGUN,
    BOTS,
    ENOUGH_S,
    MOST_S,
    Cost,
    Sample,
    Sampler,
    deal_out,
    take_samples,
)
from arena.schedule.order import Schedule, make_identity
from arena.schedule.sessions import Games, cut_sessions
from arena.store.chunk import GAMES, make_chunk, weigh_games
from arena.store.schema import FILE
from arena.store.store import Store

THREE = Pool("no_thanks", 3, "{}", "")


def sample(games: int, start: float = 0.2, game: float = 0.01) -> Sample:
    """Return what it takes where sessions of so many games cost their start and each game."""
    return Sample(games, start + game * games)


def test_beyond_the_largest_sample_it_goes_on_as_between_the_last_two() -> None:
    cost = Cost([sample(4), sample(64), sample(128)])
    assert cost.of(1000) == pytest.approx(10.2)  # 128 games alone would say 11.8, and 4 games 60


def test_bots_that_begin_late_are_not_charged_to_every_game() -> None:
    """With four games most of ten bots have not begun: a line from there would say 23.5."""
    cost = Cost([sample(4, start=0.05), sample(64, start=0.5), sample(128, start=0.5)])
    assert cost.of(1000) == pytest.approx(10.5)
    assert cost.of(34) == pytest.approx((0.09 + 1.14) / 2)


def test_one_sample_is_all_its_games() -> None:
    assert Cost([sample(10)]).of(100) == pytest.approx(3.0)


def test_a_clock_that_says_nothing_gives_no_nonsense() -> None:
    slow_first = Cost([Sample(4, 2.0), Sample(16, 1.0)])  # somebody else used the cores
    assert slow_first.of(160) == pytest.approx(10.0)
    slow_second = Cost([sample(4), sample(64, start=2.0), sample(128)])
    assert slow_second.of(1000) == pytest.approx(10.2)
    assert slow_second.of(1) == pytest.approx(0.06)
    held_up = Cost([sample(4), sample(64), sample(128, start=30.0)])
    assert held_up.of(1000) == pytest.approx(13.125)  # 64 games alone


def sizes(games: int = 10**6, game: float = 0.01) -> list[float]:
    return [each.games for each in take_samples(lambda n: sample(n, game=game), games, 4)]


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


def schedule(bots: int, drawn: int = 0, deals: int = 2, **more: object) -> Schedule:
    field = tuple(Bot(f"b{number:04}", "") for number in range(bots))
    entry = Entry(THREE, field, deals, "auto", False)
    if drawn:
        rng, taken = Random(1), set[tuple[int, ...]]()
        while len(taken) < drawn:
            taken.add(tuple(sorted(rng.sample(range(bots), 3))))
        entry = entry._replace(line_ups=tuple(sorted(taken)))
    entry = entry._replace(**more)  # type: ignore[arg-type]
    return Schedule(entry, make_identity(entry, Limits(), "none"))


def bots_of(games: Games) -> set[Bot]:
    return {bot for game in games for bot in game.line_up}


@pytest.mark.parametrize(("games", "workers", "size"), [(1000, 4, 16), (10, 4, 16), (3, 4, 1)])
def test_a_sample_is_taken_evenly_from_all_games_and_shared_out(
    games: int, workers: int, size: int
) -> None:
    hands = deal_out(range(games), workers, size)
    taken = sorted(number for hand in hands for number in hand)
    assert len(taken) == len(set(taken)) == min(games, workers * size)
    assert len(hands) == min(workers, games)
    assert max(map(len, hands)) - min(map(len, hands)) <= 1
    steps = {b - a for a, b in pairwise(taken)}
    assert max(steps) - min(steps) <= 1


def test_of_few_bots_each_worker_has_one_session() -> None:
    own = schedule(20)
    assert [len(games) for games in Sampler(own, range(len(own)), 4).sessions(16)] == [16] * 4


@pytest.mark.parametrize("bots", [33, 40, 200, 1000])
def test_of_a_large_field_each_worker_has_a_dozen_bots_and_others_than_the_next(bots: int) -> None:
    own = schedule(bots)
    sessions = Sampler(own, range(len(own)), 2).sessions(64)
    assert [len(games) for games in sessions] == [64] * 2
    one, other = map(bots_of, sessions)
    assert len(one) == len(other) == BOTS
    assert not one & other


def test_the_bot_of_a_gauntlet_is_in_all_of_them() -> None:
    own = schedule(100, always=("b0007",))
    for games in Sampler(own, range(len(own)), 4).sessions(16):
        assert all("b0007" in {bot.name for bot in game.line_up} for game in games)
        assert len(games) == 16


def test_games_that_are_stored_are_not_played() -> None:
    own = schedule(40)
    lacking = [number for number in range(len(own)) if number % 3]
    for games in Sampler(own, lacking, 4).sessions(64):
        assert len(games) == 64
        assert all(own.number(game) % 3 for game in games)  # type: ignore[operator]


def test_where_all_but_one_game_is_stored_that_one_is_played() -> None:
    own = schedule(100)
    (games,) = Sampler(own, [len(own) - 1], 4).sessions(16)
    assert [own.number(game) for game in games] == [len(own) - 1]


def test_where_line_ups_are_drawn_sessions_are_as_small_as_they_will_be() -> None:
    own = schedule(400, drawn=2000)
    real = cut_sessions(own, range(len(own)))
    mean = len(own) / len(real)
    assert mean < 20  # of 12 a line-up
    sessions = Sampler(own, range(len(own)), 4).sessions(64)
    games = sum(map(len, sessions))
    assert games == pytest.approx(4 * 64, rel=0.3)
    assert games / len(sessions) == pytest.approx(mean, rel=0.3)


def test_where_they_are_large_only_some_of_their_games_are_played() -> None:
    own = schedule(40, drawn=800, deals=50)
    sessions = Sampler(own, range(len(own)), 4).sessions(16)
    assert len(sessions) == 4
    assert all(12 <= len(games) <= 32 for games in sessions)


def finished_games(pool: Pool, bots: int, deals: int, faulty: float) -> list[Played]:
    """Return made-up games, in no order, as they come from workers."""
    field = tuple(Bot(f"bot{number:03}", "") for number in range(bots))
    own = Entry(pool, field, deals, "auto", False)
    rng, played = Random(11), list[Played]()
    for fixture in Schedule(own, make_identity(own, Limits(), "none")):
        scores = tuple(rng.randrange(-9, 90) for _ in range(pool.players))
        words = rng.choices(("take", "pass", "card"), k=60)
        body = json.dumps({"actions": words, "seed": rng.getrandbits(64)}).encode()
        fails = rng.random() < faulty
        faults = (Fault(0, 3, Reason("error", "line 1\n" * 30)),) if fails else ()
        played.append(Played(fixture, body, tuple(range(1, pool.players + 1)), scores, faults))
    rng.shuffle(played)
    return played


def stored(folder: Path, pool: Pool, played: Sequence[Played]) -> int:
    store = Store.create_or_open(folder)
    for bot in sorted({bot for game in played for bot in game.fixture.line_up}):
        store.keep_bot(bot, ())
    for at in range(0, len(played), GAMES):
        store.add(pool, make_chunk(pool, played[at : at + GAMES]))
    store.close()
    return (folder / FILE).stat().st_size


@pytest.mark.whole
@pytest.mark.parametrize(
    ("pool", "bots", "deals", "faulty"),
    [
        (Pool("sixteen", 2, "{}", ""), 40, 10, 0.0),
        (Pool("no_thanks", 3, "{}", ""), 30, 1, 0.0),
        (Pool("no_thanks", 5, "{}", ""), 9, 5, 0.2),
    ],
    ids=["two", "three", "five, with faults"],
)
def test_a_few_games_say_to_a_tenth_what_many_take(
    tmp_path: Path, pool: Pool, bots: int, deals: int, faulty: float
) -> None:
    played = finished_games(pool, bots, deals, faulty)
    assert len(played) > 15_000
    some = [make_chunk(pool, played[at : at + 16]) for at in range(0, 512, 16)]
    said = weigh_games(some) * len(played)
    assert said == pytest.approx(stored(tmp_path / "cup", pool, played), rel=0.1)
