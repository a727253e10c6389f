"""A message's price and a game's come out where they are known."""

import pytest

from arena.process.zygote_client import ZygoteClient
from arena.session import player, session
from tests.benchmarks import bare, game_price, message, sessions, tables, tournaments
from tests.benchmarks.lines import START_UP, Figures
from tests.benchmarks.message import Point

pytestmark = pytest.mark.whole

POOL = ("no_thanks", 3, "random_choice")


def test_a_message_s_price_is_the_slope() -> None:
    points = [Point(1 / size, 5 + 100 / size, 2 + 60 / size) for size in message.SIZES]
    for who, slope, start in (("parent", 100, 5), ("bots", 60, 2), ("both", 160, 7)):
        found = message.price(points, who)
        assert found == pytest.approx((slope, start, 0))


def test_points_off_the_line_say_how_far() -> None:
    points = [Point(0, 1, 0), Point(1, 3, 0), Point(2, 1, 0)]  # 5/3 flat, by least squares
    assert message.price(points, "parent") == pytest.approx((0, 5 / 3, (8 / 9) ** 0.5))


def test_sessions_ask_in_batches_of_the_size_that_is_wanted() -> None:
    zygote, before = ZygoteClient(), player.BATCH
    took = {}
    for size in (4, 32):
        with sessions.batches_of(size):
            assert [vars(module)["BATCH"] for module in (player, session)] == [size, size]
            source = bare.source_of("reader")
            took[size] = sessions.play(zygote, tournaments.pool_of(*POOL[:2]), source, 100)
    zygote.close()
    assert [vars(module)["BATCH"] for module in (player, session)] == [before, before]
    assert took[4].decisions == took[32].decisions > 100 * 24  # the same games
    assert took[4].messages >= took[4].decisions / 4
    assert took[32].messages < took[4].messages / 4
    assert min(took[4].parent_s, took[4].bots_s) > 0


def test_a_session_with_a_fault_is_no_measurement() -> None:
    zygote = ZygoteClient()
    with pytest.raises(RuntimeError, match="illegal"):
        sessions.play(
            zygote, tournaments.pool_of("sixteen", 2), "def decide(view):\n    return 'x'\n", 1
        )
    zygote.close()


def test_the_price_of_a_message_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    message.main(["--games", "40", "--rounds", "2", "--load", "inf"])
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[2:5]] == ["parent", "bots", "both"]
    assert [line.split()[0] for line in printed[-6:]] == [str(size) for size in message.SIZES]
    message.main(["--games", "40", "--rounds", "1", "--load", "inf", "--json"])
    assert '"us a message": [' in capsys.readouterr().out


def test_the_price_of_a_game_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    game_price.main(["--games", "60", "--rounds", "1", "--load", "inf"])
    printed = capsys.readouterr().out
    for name in ("in worker and bots", "in the main process"):
        assert f"us a game {name}" in printed


def test_the_main_process_s_price_is_less_start_up() -> None:
    measured = {
        START_UP: [Figures(6, 2.0, 2.0, None, 1.0)],
        "tournament a": [Figures(1006, 5.0, 5.0, None, 1.5)],
        "bare": [Figures(1006, 5.0, 5.0, None)],
    }
    assert tables.main_us(measured, "tournament a") == pytest.approx([500])
    assert tables.main_us(measured, "bare") == tables.main_us(measured, START_UP) == []
