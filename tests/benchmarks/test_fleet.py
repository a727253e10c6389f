"""The simulated cluster plays what it was asked to, and counts what it says it counts."""

import argparse
import pickle
from random import Random

import pytest

from arena.model import Bot, Entry, Limits, Pool, StoredPlan
from arena.schedule.order import schedule_for
from arena.schedule.sessions import BOTS_PER_SESSION, sessions_of
from arena.store.chunk import unpacked
from tests.needs import needs_cluster

needs_cluster()
fleet = pytest.importorskip("tests.benchmarks.fleet")
hosts = pytest.importorskip("tests.benchmarks.fleet_hosts")

from tests.benchmarks.fleet_figures import HEADS, Row, figures, for_sessions, gaps_s  # noqa: E402
from tests.benchmarks.fleet_hosts import Span  # noqa: E402
from tests.benchmarks.fleet_sessions import recorded, session_like  # noqa: E402

pytestmark = pytest.mark.whole

HOSTS, SESSIONS, BOTS = 6, 20, 100
SPEED = 20.0


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    given = argparse.Namespace(hosts=[HOSTS], threads=2, sessions=SESSIONS, speed=SPEED, bots=BOTS)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(fleet, "PER_PROCESS", 3)
        changed.setattr(fleet, "IDLE_S", 0.5)
        return list(fleet.rows(given, tmp_path_factory.mktemp("fleet")))


def test_what_is_asked_for_is_played_and_stored_whoever_is_lost(rows: list[Row]) -> None:
    quiet, trouble = rows
    for row in rows:
        assert row.measured.sessions == SESSIONS
        assert row.measured.stored == row.measured.games
        assert len(figures(row)) == len(HEADS)
    assert len(quiet.spans) == SESSIONS
    assert sum(span.games for span in quiet.spans) == quiet.measured.games
    assert len({span.host for span in quiet.spans}) == HOSTS
    assert trouble.hosts == "3 + 3 late - 3"


def test_a_session_costs_the_scheduler_about_eleven_messages_and_its_job(rows: list[Row]) -> None:
    """To a factor of two: messages are put together as they happen to meet. A job is 1,700 bytes,
    85 a bot and 8 a game.
    """
    told, (_, messages) = rows[0].measured, for_sessions(rows[0])
    assert 5.5 < messages < 22
    job = 1_700 + 85 * BOTS_PER_SESSION + 8 * told.games / SESSIONS
    assert 0.8 * job < told.job < 1.25 * job


def test_a_simulated_result_is_as_large_as_a_recorded_one_and_fits_what_was_asked() -> None:
    pool = Pool("sixteen", 2, "{}", "")
    bots = tuple(Bot(f"bot{number:04}", f"{number:064x}") for number in range(32))
    plan = StoredPlan("cup", True, "", Limits(), (Entry(pool, bots, 2, "auto", False),))
    schedule = schedule_for(plan, plan.entries[0])
    (games,) = sessions_of(schedule, range(len(schedule)))
    made = hosts.returned(pool, list(games), hosts.bodies_of(pool))
    ids = [id for chunk in made.games for id in chunk.ids]
    assert sorted(ids) == sorted(game.id for game in games)
    assert sum(len(unpacked(chunk.bodies)) for chunk in made.games) == len(games)
    size = len(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    like = session_like(pool, len(games), Random(1))
    assert 0.7 < size / like.result < 1.4
    assert {each.bots for each in recorded().sessions} == {BOTS_PER_SESSION}


def test_a_thread_is_idle_from_a_session_s_end_to_the_next_one_s_begin() -> None:
    one = [Span(1, 0.0, 1.0, 9), Span(1, 1.5, 2.0, 9), Span(1, 2.0, 3.0, 9)]
    two = [Span(2, 0.0, 4.0, 9), Span(2, 0.1, 1.0, 9), Span(2, 3.0, 4.0, 9)]
    assert gaps_s([*one, *two]) == [0.5, 0.0, 2.0]
