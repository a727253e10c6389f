"""A host's part of a tournament, as Dask's worker calls it; here without Dask."""

import gc
import os
import pickle
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster import host as far
from arena.cluster.host import Host, Kit, Returned
from arena.errors import ArenaError
from arena.league.files import Source, hash_source
from arena.model import WALLS, Bot, Entry, Limits, Pool, StoredPlan
from arena.runner import worker
from arena.runner.worker import Worker
from arena.schedule.order import make_schedule
from arena.session.session import Job
from arena.system.machine import installed_versions
from tests.processes import all_gone, children_of
from tests.sessions import CHANCE

pytestmark = pytest.mark.whole

SOURCE = Source((("bot.py", CHANCE.encode()),))
BOTS = [Bot(name, hash_source(SOURCE)) for name in ("ann", "bob", "cid")]
POOL = Pool("no_thanks", 3, "{}", "")


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return far.pack_kit(Kit({bot.name: SOURCE for bot in BOTS}, BOTS, Limits(), True, False))


def job(deals: int) -> Job:
    entry = Entry(POOL, tuple(BOTS), deals, "all", False)
    games = make_schedule(StoredPlan("cup", True, WALLS, Limits(), (entry,)), entry)
    return Job(POOL, Limits(), False, list(games), b"secret" * 3, {})


def played(host: Host, work: Job) -> Any:
    return pickle.loads(far.play(host, pickle.dumps(work)))


def ids(returned: Returned) -> set[str]:
    return {id for games in returned.games for id in games.ids}


def test_a_worker_that_is_lost_is_told_of_and_another_plays_what_is_left(
    kit: bytes, tmp_path: Path
) -> None:
    """In the end nothing is left, of workers or of copies of the bots."""
    others = children_of(os.getpid())  # of other tests, such as their browser
    host, work = far.prepare(installed_versions(), kit), job(deals=2)
    assert far.load(host, ["ann", "cid"]) == {}
    (copies,) = tmp_path.glob("arena-snapshots-*")
    borrowed = host.borrow()
    os.kill(borrowed.process.pid, signal.SIGKILL)
    host.give_back(borrowed, sound=True)
    assert played(host, work) == Returned([], None, "its process died")
    whole = played(host, work)
    assert whole.failed == ""
    assert ids(whole) == {fixture.id for fixture in work.fixtures}
    assert [tally.bot for tally in whole.tallies or ()] == ["ann", "bob", "cid"]
    family = children_of(os.getpid()) - others
    assert family
    del host
    gc.collect()
    assert not copies.exists()
    assert all_gone(family)


def test_asked_to_stop_it_returns_what_is_finished(
    kit: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, work = far.prepare(installed_versions(), kit), job(deals=4000)  # of many seconds
    receive = Worker.receive

    def stopped_by_the_first_games(self: Worker) -> tuple[str, Any]:
        what, content = receive(self)
        if what == worker.PLAYED:
            far.stop("own", SimpleNamespace(data={"own": host}))
        return what, content

    monkeypatch.setattr(Worker, "receive", stopped_by_the_first_games)
    returned = played(host, work)
    assert returned.tallies is None
    assert returned.failed == ""
    assert 0 < len(ids(returned)) < len(work.fixtures)


def test_a_host_of_another_version_is_given_nothing() -> None:
    there = installed_versions()
    said = f"numpy is {there['numpy']}, not 1.0: install the coordinator's versions"
    with pytest.raises(ArenaError, match=said):
        far.prepare({**there, "numpy": "1.0"}, b"no pickle, and not read")


def test_it_goes_nowhere_else(kit: bytes) -> None:
    with pytest.raises(ArenaError, match="cannot be moved"):
        pickle.dumps(far.prepare(installed_versions(), kit))
