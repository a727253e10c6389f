"""Hosts of a cluster: checked, given orders, watched, and left when they are lost or untrue.

Runs in an event loop of its own. Each host is checked, given the bots, and then has as many
sessions as Dask gives it threads, the next with the end of one. So no host has work before it was
found to be in order, and Dask's scheduler never holds more than a session a thread. Each session is
for one host by name: Dask is not asked to choose, nor to try again.

What hosts are sent and return goes through this process and the scheduler's, so only so much of it
is on its way at a time, however many hosts there are. A thread whose result has to wait gets no
further session: a coordinator that stores more slowly than hosts play slows them down, and needs no
more memory.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import Any, NamedTuple

from arena.cluster import host as far
from arena.cluster.address import WITHOUT_HTTP
from arena.cluster.host import SLOW, Returned
from arena.cluster.inspection import Untrue, inspect, inspect_loading, inspect_machine
from arena.errors import ArenaError, Unconfinable
from arena.model import Reason
from arena.runner.dispatcher import Dispatcher, Order
from arena.runner.executor import Machine
from arena.session import Job
from arena.system import installed_versions

TRIES = 5  # how often a session is played again that was lost: with a host, or on one
LOOK_S = 1.0  # how often it is asked which hosts there are
ANSWER_S = 30.0  # of a scheduler; a host that was not heard of for so long has its work taken away
JOIN_S = 30.0  # for a first host to join, or another when the last is lost
CHECK_S = 60.0  # for a host to be checked and given the bots
CHECKED_AT_ONCE = 32  # hosts: each has the bots on their way to it
TAKEN_AT_ONCE = 32  # results: on their way from hosts, or not stored yet; some MB each

START_ONE = f"dask worker ADDRESS --nthreads CORES --no-nanny --memory-limit 0 {WITHOUT_HTTP}"

HAS_HTTP = f"answers HTTP requests of anybody; start it with {WITHOUT_HTTP}"
_CHANCE = SystemRandom()  # draws what is judged, once it is here: no host foresees it


class Ready(NamedTuple):
    """All hosts that were there at first have been checked, and some are in order."""


class Loaded(NamedTuple):
    """Which of some bots cannot be loaded."""

    bots: tuple[str, ...]
    why: dict[str, Reason]  # by name


class Done(NamedTuple):
    """What came of a session; if it has no tallies, more of the session is to come."""

    job: Job
    returned: Returned
    machine: Machine


class Withdrawn(NamedTuple):
    """A host was found untrue: what it returned of these jobs counts no more, and comes again."""

    jobs: tuple[Job, ...]


class Idle(NamedTuple):
    """Play was stopped, and no host has anything left to return."""


class Failed(NamedTuple):
    """Play cannot go on."""

    error: ArenaError


Event = Ready | Loaded | Done | Withdrawn | Idle | Failed | str
"""What is told to who gives the orders; a text is for people."""


class _Host(NamedTuple):
    """A host as the scheduler has it."""

    address: str
    title: str  # with the name that it was given, if any
    threads: int


class _Given(NamedTuple):
    """What a host was given."""

    host: Any  # Dask's future of a `host.Host`
    machine: Machine


class _Seen(NamedTuple):
    """When a host was last heard of."""

    theirs: float  # by the scheduler's clock
    ours_s: float  # when we first saw that


class Hosts:
    """Hosts, and the orders they have yet to carry out. `tell` takes what comes of them."""

    def __init__(
        self, client: Any, kit: far.Kit, title: str, tell: Callable[[Event], object]
    ) -> None:
        self.threads = 0  # of hosts that are in order
        self._client, self._title, self._tell = client, title, tell
        self._kit, self._wanted = far.packed_kit(kit), installed_versions()
        self._to_check = asyncio.Semaphore(CHECKED_AT_ONCE)
        self._to_take = asyncio.Semaphore(TAKEN_AT_ONCE)
        self._dispatcher, self._waiting = Dispatcher(TRIES), asyncio.Semaphore(0)
        self._serving: dict[str, asyncio.Task[None]] = {}  # by address
        self._titles: dict[str, str] = {}
        self._seen: dict[str, _Seen] = {}
        self._out = set[str]()  # addresses of hosts that get no work
        self._checking = set[str]()
        self._returned: dict[str, list[Job]] = {}  # by address: what came of them was told
        self._keys: dict[str, str] = {}  # Dask's, of what a host was given
        self._at_work = 0  # sessions
        self._ready = self._stopping = False
        self._alone_s = time.monotonic()  # since when no host is there

    def add(self, what: Job | tuple[str, ...]) -> None:
        """Add an order: a session to be played, or bots to be tried."""
        self._dispatcher.add(what)
        self._waiting.release()

    def taken(self) -> None:
        """Note that the last Done is stored, and will be forgotten."""
        self._to_take.release()

    async def run(self) -> None:
        """Look after hosts until cancelled. Raises ArenaError where there is none, or the scheduler
        is gone.
        """
        try:
            while True:
                self._look(await self._there())
                await asyncio.sleep(LOOK_S)
        finally:
            for serving in self._serving.values():
                serving.cancel()
            await asyncio.gather(*self._serving.values(), return_exceptions=True)

    async def stop(self) -> None:
        """Have hosts return finished games, and do no more."""
        self._stopping = True
        self._dispatcher.clear()
        self._tell_idle()
        calls = [
            self._client.run(far.stop, key, workers=[address], on_error="ignore")
            for address, key in self._keys.items()
        ]
        await asyncio.gather(*calls)

    async def _there(self) -> dict[str, Any]:
        """The scheduler's view of its hosts, by address."""
        try:
            async with asyncio.timeout(ANSWER_S):
                identity = await self._client.scheduler.identity(n_workers=-1)
        except (OSError, TimeoutError):
            raise ArenaError(
                f"{self._title}: the scheduler is gone; games that came back are kept: start it, "
                "and run the same command again"
            ) from None
        return dict(identity["workers"])

    def _look(self, there: Mapping[str, Any]) -> None:
        """Begin with hosts that have joined, and leave those that are lost."""
        now_s = time.monotonic()
        for address, facts in there.items():
            heard = facts["last_seen"]
            if address not in self._seen or self._seen[address].theirs != heard:
                self._seen[address] = _Seen(heard, now_s)
            silent = now_s - self._seen[address].ours_s > ANSWER_S
            if silent:
                self._leave(address, f"was not heard of for {ANSWER_S:.0f} s")
            elif address not in self._serving and address not in self._out:
                self._begin(host := _host(address, facts))
                if facts.get("services"):
                    self._tell(f"warning: {host.title} {HAS_HTTP}")
        for address in self._seen.keys() - there.keys():
            del self._seen[address]
            self._out.discard(address)
            self._leave(address, "is gone")
        if self._serving:
            self._alone_s = now_s
        elif self._out and self._out >= there.keys() and not self._ready:
            raise Unconfinable(f"{self._title}: no host is left that can play")
        elif now_s - self._alone_s > JOIN_S:
            if self._out:
                raise Unconfinable(f"{self._title}: no host is left that can play")
            raise ArenaError(
                f"{self._title}: no worker has joined for {JOIN_S:.0f} s; start some: {START_ONE}"
            )

    def _begin(self, host: _Host) -> None:
        self._checking.add(host.address)
        self._titles[host.address] = host.title
        self._serving[host.address] = asyncio.create_task(self._serve(host))

    def _leave(self, address: str, why: str) -> None:
        if serving := self._serving.pop(address, None):
            serving.cancel()
            self._tell(f"{self._titles[address]} {why}; its sessions go to other hosts")

    async def _is_gone(self, host: _Host) -> bool:
        """Whether a host is lost, which Dask reports in many ways; a lost host is left. Without the
        scheduler all are lost: `run` reports that.
        """
        try:
            if host.address in await self._there():
                return False
        except ArenaError:
            return True
        self._leave(host.address, "is gone")
        return True

    async def _serve(self, host: _Host) -> None:
        """Check a host, and have it carry out orders until it is lost."""
        try:
            given = await self._checked(host)
            if given is None:
                return
            self.threads += host.threads
            self._keys[host.address] = given.host.key
            if self._ready:
                self._tell(f"{host.title} joins")
            if (clock := given.machine.clock) > SLOW:
                self._tell(
                    f"warning: {host.title} is {clock:.1f} times as slow as this machine; limits "
                    "of time are as much longer there"
                )
            self._checked_one(host)
            try:
                async with asyncio.TaskGroup() as slots:
                    for _ in range(host.threads):
                        slots.create_task(self._slot(host, given))
            except* ArenaError as errors:
                self._refuse(host, str(errors.exceptions[0]))
                if any(isinstance(error, Untrue) for error in errors.exceptions):
                    self._withdraw(host)
            finally:
                self.threads -= host.threads
                del self._keys[host.address]
        finally:
            self._checked_one(host)
            if self._serving.get(host.address) is asyncio.current_task():
                del self._serving[host.address]

    async def _checked(self, host: _Host) -> _Given | None:
        """Check a host and give it the bots; None if the host gets no work."""
        try:
            async with self._to_check, asyncio.timeout(CHECK_S):
                # As data of its own, which the scheduler does not keep: it keeps what a task is
                # called with as long as the task's result is wanted, here to the end.
                kit = await self._client.scatter(
                    self._kit, workers=[host.address], hash=False, timeout=CHECK_S
                )
                given = self._submit(host, far.prepare, self._wanted, kit)
                why = await given.exception()
                if why is None and given.status == "finished":
                    machine = await self._submit(host, far.machine, given)
                    inspect_machine(machine)
                    return _Given(given, machine)
        except TimeoutError:
            why = ArenaError(f"it was not checked within {CHECK_S:.0f} s")
        except Exception as error:  # Dask's are many; one left out would have it checked for ever
            if self._client.status != "running":
                return None  # it is not the host's: the scheduler is gone
            why = ArenaError(f"it cannot be checked ({type(error).__name__}: {error})")
        if await self._is_gone(host):
            return None
        if isinstance(why, ArenaError):
            self._refuse(host, str(why))
        else:
            what = f"{type(why).__name__}: {why}" if why else given.status
            self._refuse(host, f"arena is missing or another, there or at the scheduler ({what})")
        return None

    def _checked_one(self, host: _Host) -> None:
        self._checking.discard(host.address)
        if not self._checking and self.threads and not self._ready:
            self._ready = True
            self._tell(Ready())

    def _refuse(self, host: _Host, why: str) -> None:
        self._out.add(host.address)
        self._serving.pop(host.address, None)
        self._tell(f"{host.title} gets no work: {why}")

    def _withdraw(self, host: _Host) -> None:
        """Discard all that a host returned in this run, to be played again."""
        if jobs := self._returned.pop(host.address, []):
            self._tell(Withdrawn(tuple(jobs)))
        for job in jobs if not self._stopping else ():
            self.add(job)

    async def _slot(self, host: _Host, given: _Given) -> None:
        """Carry out orders with one thread of a host, one after the other. Raises ArenaError where
        the host cannot be used.
        """
        while not self._stopping:
            await self._waiting.acquire()
            if (order := self._dispatcher.next()) is None:
                continue  # it was stopped
            self._at_work += 1
            try:
                await self._carry_out(order, host, given)
            except asyncio.CancelledError:
                self._again(order, f"{host.title} was lost")
                raise
            except Exception as error:  # of Dask's, or of whatever failed there: the host is left
                failed = error
                if not isinstance(error, ArenaError):
                    failed = ArenaError(f"{type(error).__name__}: {error}")
                self._again(order, f"{host.title}: {failed}")
                if isinstance(failed, Untrue):
                    raise
                if self._client.status != "running":
                    return  # it is not the host's: the scheduler is gone
                if await self._is_gone(host):
                    return
                raise failed from error
            finally:
                self._at_work -= 1
        self._tell_idle()

    async def _carry_out(self, order: Order, host: _Host, given: _Given) -> None:
        job = order.what
        if not isinstance(job, Job):
            why = await self._submit(host, far.load, given.host, job)
            inspect_loading(job, why)
            self._tell(Loaded(job, why))
            return
        sent = self._submit(host, far.play, given.host, far.packed(job))
        await sent.exception()  # until it is over: what came of it stays there
        await self._to_take.acquire()
        before = self._returned.setdefault(host.address, [])
        try:
            returned = far.unpacked(await sent)
            inspect(job, returned, not before, _CHANCE)
        except BaseException:
            self._to_take.release()
            raise
        self._tell(Done(job, returned, given.machine))
        if returned.tallies is not None:
            before.append(job)
            self._dispatcher.close(order)
            return
        ids = {id for games in returned.games for id in games.ids}
        if ids:
            finished = tuple(game for game in job.fixtures if game.id in ids)
            before.append(job._replace(fixtures=finished))
            self._dispatcher.note(order, ids)
        self._again(order, f"{host.title}: {returned.failed}")

    def _again(self, order: Order, why: str) -> None:
        """Put a lost order first, to be tried again; that is no bot's fault."""
        if self._stopping:
            return
        try:
            self._dispatcher.lose(order, why)
            self._waiting.release()
        except ArenaError as error:
            self._tell(Failed(error))

    def _tell_idle(self) -> None:
        if self._stopping and not self._at_work:
            self._tell(Idle())

    def _submit(self, host: _Host, what: Callable[..., Any], *words: Any) -> Any:
        """Submit a call to Dask for one host, and no other; returns Dask's future."""
        return self._client.submit(what, *words, workers=[host.address], pure=False, retries=0)


def _host(address: str, facts: Mapping[str, Any]) -> _Host:
    name = facts["name"]
    return _Host(address, address if name == address else f"{name} ({address})", facts["nthreads"])
