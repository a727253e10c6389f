"""Who gets which session, with hosts that are a list here: no cluster, and nothing is played."""

import asyncio
import gc
import pickle
import socket
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster import coordinator
from arena.cluster import host as far
from arena.cluster.coordinator import Coordinator, Event, State
from arena.cluster.host import Kit, Returned
from arena.cluster.scheduler import Cluster
from arena.errors import ArenaError, Unconfinable
from arena.model import Bot, Entry, Limits, Pool, Reason, StoredPlan, Wanted
from arena.plan.plan import Plan
from arena.runner.executor import Finished
from arena.sandbox.walls import WALLS
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
        """Say that it did not fail."""

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
        self.submitted = self.gathered = self.sending = self.most_sending = 0
        self._hosts, self._sending = hosts, sending
        self.scheduler = SimpleNamespace(identity=self._identity)

    def submit(self, what: Callable[..., Any], *words: Any, **_: Any) -> Future:
        """Return a task's future."""
        self.submitted += 1
        return Future(self, what, words)

    def scheduler_info(self) -> dict[str, Any]:
        """Return what the scheduler says of itself."""
        return {"services": self.services}

    async def scatter(self, _: bytes, **__: Any) -> str:
        """Send something to a host, which takes as long as `sending` does."""
        self.sending += 1
        self.most_sending = max(self.most_sending, self.sending)
        await self._sending()
        self.sending -= 1
        return "sent"

    async def _identity(self, **_: Any) -> dict[str, Any]:
        facts = {"nthreads": 1, "last_seen": time.time(), "services": self.services}
        return {"workers": {str(host): {**facts, "name": host} for host in range(self._hosts)}}


def job() -> Job:
    entry = Entry(POOL, tuple(BOTS[:3]), 1, "all", False)
    games = make_schedule(StoredPlan("cup", True, "", Limits(), (entry,)), entry)
    return Job(POOL, Limits(), False, list(games), b"secret", {})


async def a_while() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


def test_no_more_hosts_are_sent_the_bots_at_a_time_than_fit_the_network() -> None:
    told, client = list[Event](), Client(3 * coordinator.CHECKED_AT_ONCE, lambda: asyncio.sleep(0))

    async def checked() -> None:
        given = Coordinator(client, kit(), "here", told.append)
        running = asyncio.create_task(given.run())
        await a_while()
        assert given.threads == 3 * coordinator.CHECKED_AT_ONCE
        running.cancel()

    loops.run(checked())
    assert client.most_sending == coordinator.CHECKED_AT_ONCE
    assert told == [State.READY]


def test_results_stay_where_they_are_until_those_before_are_stored() -> None:
    """Else who stores more slowly than hosts play would run out of memory."""
    told, most = list[Event](), coordinator.TAKEN_AT_ONCE
    client = Client(4 * most, a_while)

    async def played() -> None:
        given = Coordinator(client, kit(), "here", told.append)
        for _ in range(10 * most):
            given.add(job())
        running = asyncio.create_task(given.run())
        while client.gathered < most:
            await a_while()
        await a_while()
        assert client.gathered == most
        for _ in range(7):
            given.note_stored()
        await a_while()
        assert client.gathered == most + 7
        running.cancel()

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
        given = Coordinator(Client(1, fails), kit(), "here", told.append)
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
    use(client, monkeypatch)
    with executor.ClusterExecutor(plan(), CLUSTER, said.append) as hosts:
        hosts.wait_until_ready()
        assert hosts.size == 1
    remedy = "start it with --no-dashboard --preload arena.cluster.no_http"
    assert said == [
        f"warning: tcp://127.0.0.1:1 serves HTTP to everyone; {remedy}",
        f"warning: 0 (0) serves HTTP to everyone; {remedy}",
    ]


def test_who_is_checked_as_the_scheduler_is_lost_leaves_the_word_to_who_looks_for_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the task ends with an error that nobody takes, and asyncio prints it at the end."""
    monkeypatch.setattr(coordinator, "LOOK_S", 0.0)
    told, client = list[Event](), Client(1, lambda: asyncio.sleep(0))
    unheard = list[dict[str, Any]]()

    async def gone(**_: Any) -> Any:
        raise OSError("connection refused")

    async def fails() -> None:
        client.scheduler.identity = gone
        raise KeyError("0")

    async def checked() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: unheard.append(what))
        client._sending = fails
        given = Coordinator(client, kit(), "here", told.append)
        with pytest.raises(ArenaError, match="lost the connection to the scheduler"):
            async with asyncio.timeout(ENDLESS_S):
                await given.run()
        gc.collect()

    loops.run(checked())
    assert told == []
    assert unheard == []


def test_bots_are_tried_by_many_hosts_and_all_that_do_not_load_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(4, lambda: asyncio.sleep(0))
    use(client, monkeypatch)
    before = client.submitted
    with executor.ClusterExecutor(plan(), CLUSTER, print) as hosts:
        why = hosts.find_unloadable([bot.name for bot in BOTS])
    assert set(why) == {f"bot{number:02}" for number in range(5, 70, 10)}
    loads = client.submitted - before - 2 * 4  # a host is prepared, and asked what it is
    assert loads == 4  # a thread of each host has a quarter


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
        given = Coordinator(client, kit(), "here", told.append)
        for each in jobs:
            given.add(each)
        running = asyncio.create_task(given.run())
        await a_while()
        assert given.threads == 0
        left = sorted(order.what.secret for order in given._dispatcher._waiting)  # type: ignore
        assert left == [each.secret for each in jobs[2:]]
        running.cancel()

    loops.run(played())
    assert returned == [True, False, False]
    assert [each.job for each in told if isinstance(each, Finished)] == jobs[:2]
    assert told[-1] == "0 (0) skipped: it errs"


def use(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have fleets connect to this one's cluster."""

    @asynccontextmanager
    async def connected(*_: Any) -> Any:
        yield client

    monkeypatch.setattr(executor, "connected", connected)


def kit() -> Kit:
    return Kit({}, BOTS, Limits(), True, False)


def plan() -> Plan:
    entry = Entry(POOL, tuple(BOTS), 1, "all", False)
    return Plan("cup", Path(), 1, 1, Limits(), WALLS, (Wanted(entry, None),), {})
