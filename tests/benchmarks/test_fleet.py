"""The cluster whose hosts play nothing returns what it was asked to, and all of it is stored."""

from pathlib import Path
from random import Random

import pytest

from arena.audit import game_check
from arena.cluster.inspection import inspect
from arena.model import Bot, Entry, Limits, Pool, StoredPlan
from arena.schedule.order import make_schedule
from arena.schedule.sessions import cut_sessions
from arena.session.session import Job
from tests.needs import needs_cluster

needs_cluster()
fleet = pytest.importorskip("tests.benchmarks.fleet")
hosts = pytest.importorskip("tests.benchmarks.fleet_hosts")


@pytest.mark.whole
def test_what_is_asked_for_is_played_and_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_check, "is_dealt", lambda *_: True)
    (tmp_path / "league").mkdir()
    found = fleet.measured(tmp_path, sessions=10, bots=100)
    assert found.sessions == 10
    assert found.stored == found.games > 0
    assert 0 < found.storing_s < found.coordinator_s


def test_what_a_host_returns_is_taken_for_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the coordinator would do less than with hosts that play."""
    monkeypatch.setattr(game_check, "is_dealt", lambda *_: True)
    pool = Pool("sixteen", 2, "{}", "")
    bots = tuple(Bot(f"bot{number:04}", f"{number:064x}") for number in range(8))
    plan = StoredPlan("cup", True, "", Limits(), (Entry(pool, bots, 2, "auto", False),))
    schedule = make_schedule(plan, plan.entries[0])
    (games,) = cut_sessions(schedule, range(len(schedule)))
    job = Job(pool, Limits(), False, games, b"secret", {})
    inspect(job, hosts.returned(pool, list(games)), is_first=True, chance=Random(1))
