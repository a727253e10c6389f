"""What more bots come to: by hand, in how it scales, and against what tables take for real."""

import tracemalloc
from time import process_time
from typing import Any

import pytest

from arena.model import Bot, Entry, Pool, Settle
from arena.runner import cluster_costs, growth
from arena.runner.estimate import Cost, Sample
from arena.runner.growth import Measured, Size, by_pool, sizes
from arena.runner.weight import Weight
from arena.schedule import stages
from tests.benchmarks import growth as benchmark

THREE = Pool("no_thanks", 3, "{}", "")
TWO = Pool("sixteen", 2, "{}", "")


def field(bots: int) -> tuple[Bot, ...]:
    return tuple(Bot(f"bot{number:04}", f"{number:x}") for number in range(bots))


def pool(
    own: Pool = THREE, bots: int = 10, game_s: float = 0.01, game_bytes: float = 300.0,
    asked: int | None = None, **more: Any,
) -> Measured:  # fmt: skip
    """Two deals of each seating; a session takes a second to begin."""
    entry = Entry(own, field(bots), 2, "auto", False)._replace(**more)
    samples = [Sample(1, games, 1 + game_s * games) for games in (64, 128)]
    return Measured(entry, asked, Cost(samples), Weight(game_bytes, own.entrants))


def shown(*pools: Measured, workers: int = 4) -> list[Size]:
    return sizes(pools, workers, processes=4)


def test_fields_are_shown_that_are_twice_as_large_or_more() -> None:
    def fields(bots: int) -> list[int]:
        return [each.bots for each in shown(pool(TWO, bots)) if not each.drawn]

    assert fields(4) == [4, 100, 1000]
    assert fields(50) == [50, 100, 1000]
    assert fields(51) == [51, 1000]
    assert fields(501) == [501]
    assert fields(1000) == [1000]


def test_a_round_robin_of_three_grows_with_the_third_power_and_a_sample_with_the_first() -> None:
    now, hundred, thousand, drawn = shown(pool())
    assert [each.games for each in (now, hundred, thousand)] == [
        120 * 12, 161_700 * 12, 166_167_000 * 12,
    ]  # fmt: skip
    assert drawn.drawn
    assert drawn.games == 12_000 * 12  # 36 line-ups a bot, as of 10
    drawn_already = pool(asked=20, line_ups=tuple((0, 1, at) for at in range(2, 10)) * 2)
    assert [each.drawn for each in shown(drawn_already)] == [False] * 3
    assert shown(drawn_already)[2].games < 10**5 * 12


def test_where_a_round_robin_of_a_thousand_can_be_played_none_is_drawn() -> None:
    assert [each.drawn for each in shown(pool(TWO))] == [False] * 3  # 499,500 x 2 x 2 games


def test_time_and_store_are_as_many_times_as_the_games_are() -> None:
    small = shown(pool(game_s=0.01, game_bytes=300))[2]
    large = shown(pool(game_s=0.02, game_bytes=600))[2]
    (one,), (other,) = small.shares, large.shares
    begun_s = one.field.sessions * 1.0  # of a second each
    assert one.play_s - begun_s == pytest.approx(0.01 * one.field.games, rel=1e-6)
    assert other.play_s - begun_s == pytest.approx(2 * (one.play_s - begun_s), rel=1e-6)
    lines = 57 * one.field.line_ups  # 30 and 9 for each bot
    assert other.store_bytes - lines == 2 * (one.store_bytes - lines)


def test_more_cores_take_less_time_and_as_much_of_them() -> None:
    four, forty = (shown(pool(game_s=1.0), workers=each)[3] for each in (4, 40))
    assert forty.cpu_s == pytest.approx(four.cpu_s, rel=0.02)
    tables_s = sum(share.tables_s for share in four.shares)
    assert (four.wall_s - tables_s) / (forty.wall_s - tables_s) == pytest.approx(10, rel=0.02)


def test_a_pool_that_not_all_enter_keeps_its_part_of_the_bots() -> None:
    both = [pool(TWO, 10), pool(THREE, 4)]
    found = sizes(both, 4, 4)
    assert [share.field.bots for share in found[2].shares] == [1000, 400]
    assert [share.field.bots for share in found[0].shares] == [10, 4]


def test_a_gauntlet_keeps_its_bot_and_a_pool_that_is_settled_counts_all_its_deals() -> None:
    one = pool(always=("bot0003",))
    assert shown(one)[2].games == 999 * 998 // 2 * 12  # each two of the others
    settle = Settle(0.95, 40, len(stages.geometrically(5, 40)), 5)
    assert shown(pool(deals=5, settle=settle))[0].games == 120 * 6 * 40


def test_sessions_pass_through_the_scheduler() -> None:
    drawn = shown(pool())[3]
    assert drawn.messages == round(cluster_costs.SESSION_MESSAGES * drawn.sessions)
    jobs = cluster_costs.SESSION_JOB_BYTES + 32 * cluster_costs.JOB_BYTES_A_BOT
    games = cluster_costs.JOB_BYTES_A_GAME + cluster_costs.RESULT_BYTES_A_GAME
    assert drawn.scheduler_moved_bytes == drawn.sessions * jobs + drawn.games * games


def test_a_thousand_bots_in_ten_pools_take_no_time_and_no_room() -> None:
    seven = Pool("no_thanks", 7, '{"extended":true}', "")
    pools = [pool(THREE), pool(TWO), pool(seven, seatings="all", deals=10_000_000)] * 3
    shown(pool())
    began_s = process_time()
    tracemalloc.start()
    sizes(pools, 4, 4)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert process_time() - began_s < 0.2
    assert peak < 1 << 20


def test_json_has_every_field_of_every_pool() -> None:
    found = by_pool(shown(pool(), pool(TWO)))
    assert list(found) == [THREE, TWO]
    assert [(each["league_bots"], each["drawn"]) for each in found[THREE]] == [
        (10, False), (100, False), (1000, False), (1000, True),
    ]  # fmt: skip
    assert found[THREE][2]["games"] == 166_167_000 * 12


@pytest.mark.long
def test_memory_of_tables_is_what_is_said_to_half_as_much_again() -> None:
    """Many games of few bots, and few games of many."""
    for shape in ((6, 3, 300, 0), (200, 3, 1, 3000)):
        own = benchmark.schedule(*shape)
        assert 0.6 < benchmark.bytes_of_tables(own) / benchmark.said_of_tables(own) < 1.5


def test_memory_of_a_plan_is_what_is_said_to_half_as_much_again() -> None:
    own = benchmark.schedule(40, 3, 2, 0)
    said = growth.CUT_BYTES_A_GAME * len(own) + growth.CUT_BYTES_A_LINE_UP * len(own.line_ups)
    assert 0.6 < benchmark.bytes_of_plan(own) / said < 1.5
