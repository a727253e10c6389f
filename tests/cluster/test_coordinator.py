"""Who gets which session, with hosts that are a list here: no cluster, and nothing is played."""

import asyncio
import pickle
import socket
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster import coordinator
from arena.cluster import host as far
from arena.cluster.coordinator import Coordinator, Event
from arena.cluster.host import Kit, Returned
from arena.cluster.scheduler import Cluster
from arena.errors import ArenaError, Unconfinable
from arena.model import WALLS, Bot, Entry, Limits, Pool, Reason, StoredPlan
from arena.plan.plan import Plan
from arena.runner.executor import Finished
from arena.schedule.order import make_schedule
from arena.session.session import Job
from arena.store.chunk import Chunk
from tests import loops
from tests.needs import needs_cluster

needs_cluster()
executor = pytest.importorskip("arena.cluster.executor")


@pytest.fixture(autouse=True)
def _nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator, "inspect", lambda *_: None)


CLUSTER = Cluster("tcp://127.0.0.1:1")
BOTS = [Bot(f"bot{number:02}", "") for number in range(70)]
POOL = Pool("no_thanks", 3, "{}", "")
EMPTY = Chunk([], [], [], [], [], [], [], [], [], b"")
ENDLESS_S = 20.0
TURNS = 200  # of the event loop: more than any of this takes


class Future:
    """What Dask says of a task that has ended at once."""

    def __init__(self, client: "Client", what: Callable[..., Any], words: Sequence[Any]) -> None:
        self.status, self.key = "finished", f"{what.__name__}-{client.submitted}"
        self._client, self._what, self._words = client, what, words

    async def exception(self) -> None:
        pass

    def __await__(self) -> Generator[Any, None, Any]:
        return self._gathered().__await__()

    async def _gathered(self) -> Any:
        self._client.gathered += self._what is far.play
        if self._what is socket.gethostname:
            return "far"
        if self._what is far.load:
            why = Reason("error", "no such colour")
            return {bot: why for bot in self._words[1] if bot.endswith("5")}
        return pickle.dumps(Returned([EMPTY], [], ""))


class Client:
    """Dask's client, of a cluster of so many hosts."""

    status = "running"

    def __init__(self, hosts: int, sending: Callable[[], Awaitable[object]]) -> None:
        self.services: dict[str, int] = {}  # of the scheduler, and of each host
        self.submitted = self.gathered = 0
        self._hosts, self._sending = hosts, sending
        self.scheduler = SimpleNamespace(identity=self._identity)

    def submit(self, what: Callable[..., Any], *words: Any, **_: Any) -> Future:
        self.submitted += 1
        return Future(self, what, words)

    def scheduler_info(self) -> dict[str, Any]:
        return {"services": self.services}

    async def scatter(self, _: bytes, **__: Any) -> str:
        await self._sending()
        return "sent"

    async def _identity(self, **_: Any) -> dict[str, Any]:
        facts = {"nthreads": 1, "last_seen": time.time(), "services": self.services}
        return {"workers": {str(host): {**facts, "name": host} for host in range(self._hosts)}}


KIT = Kit({}, BOTS, Limits(), True, False)
PLAN = Plan("cup", Path(), 1, 1, Limits(), WALLS, (), {})


@asynccontextmanager
async def coordinating(client: Client, told: list[Event], jobs: Sequence[Job]) -> Any:
    given = Coordinator(client, KIT, "here", told.append)
    for each in jobs:
        given.add(each)
    running = asyncio.create_task(given.run())
    yield given
    running.cancel()


def job() -> Job:
    entry = Entry(POOL, tuple(BOTS[:3]), 1, "all", False)
    games = make_schedule(StoredPlan("cup", True, "", Limits(), (entry,)), entry)
    return Job(POOL, Limits(), False, list(games), b"secret", {})


async def a_while() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


def test_results_stay_where_they_are_until_those_before_are_stored() -> None:
    told, most = list[Event](), coordinator.TAKEN_AT_ONCE
    client = Client(4 * most, a_while)

    async def played() -> None:
        async with coordinating(client, told, [job()] * (10 * most)) as given:
            while client.gathered < most:
                await a_while()
            await a_while()
            assert client.gathered == most
            for _ in range(7):
                given.note_stored()
            await a_while()
            assert client.gathered == most + 7

    loops.run(played())
    assert sum(isinstance(each, Finished) for each in told) == most + 7


def test_a_host_on_which_checking_fails_in_whatever_way_is_named_once_and_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What Dask raises has many names. Unnamed, one was checked anew each second, without end."""
    monkeypatch.setattr(coordinator, "LOOK_S", 0.0)
    told = list[Event]()

    async def fails() -> None:
        raise RuntimeError("cannot schedule new futures after shutdown")

    async def checked() -> None:
        given = Coordinator(Client(1, fails), KIT, "here", told.append)
        with pytest.raises(Unconfinable, match="no usable host is left"):
            async with asyncio.timeout(ENDLESS_S):
                await given.run()

    loops.run(checked())
    (line,) = told
    assert "skipped" in str(line)
    assert "RuntimeError: cannot schedule" in str(line)


def test_who_answers_http_is_named_and_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    said, client = list[str](), Client(1, lambda: asyncio.sleep(0))
    client.services["dashboard"] = 8787
    monkeypatch.setattr(executor, "connected", lambda *_: nullcontext(client))
    with executor.ClusterExecutor(PLAN, CLUSTER, said.append) as hosts:
        hosts.wait_until_ready()
        assert hosts.size == 1
    remedy = "start it with --no-dashboard --preload arena.cluster.no_http"
    assert said == [
        f"warning: tcp://127.0.0.1:1 serves HTTP to everyone; {remedy}",
        f"warning: 0 (0) serves HTTP to everyone; {remedy}",
    ]


def test_bots_are_tried_by_many_hosts_and_all_that_do_not_load_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(4, lambda: asyncio.sleep(0))
    monkeypatch.setattr(executor, "connected", lambda *_: nullcontext(client))
    with executor.ClusterExecutor(PLAN, CLUSTER, print) as hosts:
        why = hosts.find_unloadable([bot.name for bot in BOTS])
    assert set(why) == {f"bot{number:02}" for number in range(5, 70, 10)}
    assert client.submitted == 4 + 2 * 4  # of each host a thread loads, and it is asked what it is


def test_a_host_that_returns_what_is_false_is_left_and_only_that_is_played_by_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, client = list[Event](), Client(1, lambda: asyncio.sleep(0))
    returned = list[bool]()

    def inspected(job: Job, what: Returned, is_first: bool, chance: object) -> None:
        returned.append(is_first)
        if len(returned) == 3:
            raise ArenaError("it errs")

    monkeypatch.setattr(coordinator, "inspect", inspected)
    jobs = [job()._replace(secret=bytes([number])) for number in range(4)]

    async def played() -> None:
        async with coordinating(client, told, jobs) as given:
            await a_while()
            assert given.threads == 0
            left = sorted(order.what.secret for order in given._dispatcher._waiting)
            assert left == [each.secret for each in jobs[2:]]

    loops.run(played())
    assert returned == [True, False, False]
    assert [each.job for each in told if isinstance(each, Finished)] == jobs[:2]
    assert told[-1] == "0 (0) skipped: it errs"
