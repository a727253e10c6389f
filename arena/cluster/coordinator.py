"""The coordinator of a cluster: it checks hosts, gives them orders, watches them, and leaves those
that are lost, or return what is false.

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
import pickle
import socket
import time
from collections.abc import Callable, Mapping
from enum import Enum
from random import Random
from typing import Any, NamedTuple

from arena.cluster import host as far
from arena.cluster.inspection import inspect
from arena.cluster.scheduler import MOST, WITHOUT_HTTP
from arena.errors import ArenaError, Unconfinable
from arena.model import Reason
from arena.runner.executor import Dispatcher, Finished, Order
from arena.session.session import Job
from arena.system.machine import installed_versions

TRIES = 5  # how often a session is played again that was lost: with a host, or on one
LOOK_S = 1.0  # how often it is asked which hosts there are
ANSWER_S = 30.0  # of a scheduler; a host that was not heard of for so long has its work taken away
JOIN_S = 30.0  # for a first host to join, or another when the last is lost
CHECK_S = 60.0  # for a host to be checked and given the bots
CHECKED_AT_ONCE = 32  # hosts: each has the bots on their way to it
TAKEN_AT_ONCE = 32  # results: on their way from hosts, or not stored yet; some MB each

START_ONE = f"dask worker ADDRESS --nthreads CORES --no-nanny --memory-limit 0 {WITHOUT_HTTP}"

HAS_HTTP = f"serves HTTP to everyone; start it with {WITHOUT_HTTP}"
_CHANCE = Random()  # draws what is judged


class State(Enum):
    """An event that the executor waits for."""

    READY = "all hosts present at the start have been checked, and at least one is usable"
    IDLE = "play was stopped, and no host has games left to return"


class Loaded(NamedTuple):
    """The result of trying bots: those that cannot be loaded."""

    bots: tuple[str, ...]
    why: dict[str, Reason]  # by name


Event = State | Loaded | Finished | ArenaError | str
"""A report of the coordinator: after an ArenaError play cannot go on; a text is for people."""


class _Host:
    def __init__(self, address: str) -> None:
        self.address, self.title, self.threads = address, address, 0
        self.heard, self.heard_s = 0.0, 0.0  # last, by the scheduler's clock; when we saw that
        self.serving: asyncio.Task[None] | None = None
        self.is_out = False  # it gets no work
        self.has_returned = False  # any of a session
        self.part: Any = None  # Dask's future of a `host.Host`, while it gets work
        self.name = ""  # its own for itself

    def begin(self, facts: Mapping[str, Any], serving: "asyncio.Task[None]") -> None:
        """Take the scheduler's facts: the host may have been started again."""
        name, self.threads, self.serving = facts["name"], min(MOST, facts["nthreads"]), serving
        self.title = self.address if name == self.address else f"{name} ({self.address})"


class Coordinator:
    """Hosts, and the orders they have yet to carry out. `report` takes what comes of them."""

    def __init__(
        self, client: Any, kit: far.Kit, title: str, report: Callable[[Event], object]
    ) -> None:
        self.threads = 0  # of hosts that are in order
        self._client, self._title, self._report = client, title, report
        self._kit, self._wanted = far.pack_kit(kit), installed_versions()
        self._to_check = asyncio.Semaphore(CHECKED_AT_ONCE)
        self._to_take = asyncio.Semaphore(TAKEN_AT_ONCE)
        self._dispatcher, self._waiting = Dispatcher(TRIES), asyncio.Semaphore(0)
        self._hosts = dict[str, _Host]()  # all that ever joined, by address
        self._checking = set[_Host]()
        self._at_work = 0  # sessions
        self._ready = self._stopping = False
        self._alone_s = time.monotonic()  # since when no host is there

    def add(self, what: Job | tuple[str, ...]) -> None:
        """Add an order: a session to be played, or bots to be tried."""
        self._dispatcher.add(what)
        self._waiting.release()

    def note_stored(self) -> None:
        """Note that the last session that was reported is stored, and will be forgotten."""
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
            tasks = [host.serving for host in self._hosts.values() if host.serving]
            for serving in tasks:
                serving.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Have hosts return finished games, and do no more."""
        self._stopping = True
        self._dispatcher.clear()
        self._report_idle()
        calls = [
            self._client.run(far.stop, host.part.key, workers=[host.address], on_error="ignore")
            for host in self._hosts.values()
            if host.part is not None
        ]
        await asyncio.gather(*calls)

    async def _there(self) -> dict[str, Any]:
        """The scheduler's view of its hosts, by address."""
        try:
            async with asyncio.timeout(ANSWER_S):
                identity = await self._client.scheduler.identity(n_workers=-1)
        except (OSError, TimeoutError):
            raise ArenaError(
                f"{self._title}: lost the connection to the scheduler; finished games are saved: "
                "start it and run the same command again"
            ) from None
        return dict(identity["workers"])

    def _look(self, there: Mapping[str, Any]) -> None:
        """Begin with hosts that have joined, and leave those that are lost."""
        now_s = time.monotonic()
        for address, facts in there.items():
            host = self._hosts.setdefault(address, _Host(address))
            if host.heard != facts["last_seen"]:
                host.heard, host.heard_s = facts["last_seen"], now_s
            if now_s - host.heard_s > ANSWER_S:
                self._leave(host, f"was silent for {ANSWER_S:.0f} s")
            elif not (host.serving or host.is_out):
                self._checking.add(host)
                host.begin(facts, asyncio.create_task(self._serve(host)))
                if facts.get("services"):
                    self._report(f"warning: {host.title} {HAS_HTTP}")
        for address in self._hosts.keys() - there.keys():
            self._hosts[address].is_out = False
            self._leave(self._hosts[address], "has left")
        out = {address for address, host in self._hosts.items() if host.is_out}
        if any(host.serving for host in self._hosts.values()):
            self._alone_s = now_s
        elif out and ((out >= there.keys() and not self._ready) or now_s - self._alone_s > JOIN_S):
            raise Unconfinable(f"{self._title}: no usable host is left")
        elif now_s - self._alone_s > JOIN_S:
            raise ArenaError(
                f"{self._title}: no host joined within {JOIN_S:.0f} s; start one: {START_ONE}"
            )

    def _leave(self, host: _Host, why: str) -> None:
        if host.serving:
            host.serving.cancel()
            host.serving = None
            self._report(f"{host.title} {why}; its sessions go to other hosts")

    async def _is_gone(self, host: _Host) -> bool:
        """True if a host is lost, which Dask reports in many ways; it is then left. Without the
        scheduler all are lost: `run` reports that.
        """
        try:
            if host.address in await self._there():
                return False
        except ArenaError:
            return True
        self._leave(host, "has left")
        return True

    async def _serve(self, host: _Host) -> None:
        """Check a host, and have it carry out orders until it is lost."""
        try:
            if not await self._check(host):
                return
            threads = host.threads
            self.threads += threads
            if self._ready:
                self._report(f"{host.title} joins")
            self._end_check(host)
            try:
                async with asyncio.TaskGroup() as slots:
                    for _ in range(threads):
                        slots.create_task(self._slot(host))
            except* ArenaError as errors:
                self._refuse(host, str(errors.exceptions[0]))
            finally:
                self.threads -= threads
                host.part = None
        finally:
            self._end_check(host)
            if host.serving is asyncio.current_task():
                host.serving = None

    async def _check(self, host: _Host) -> bool:
        """Check a host and give it the bots; False if it gets no work."""
        try:
            async with self._to_check, asyncio.timeout(CHECK_S):
                # As data of its own, which the scheduler does not keep: it keeps what a task is
                # called with as long as the task's result is wanted, here to the end.
                kit = await self._client.scatter(
                    self._kit, workers=[host.address], hash=False, timeout=CHECK_S
                )
                part = self._submit(host, far.prepare, self._wanted, kit)
                why = await part.exception()
                if why is None and part.status == "finished":
                    host.name = await self._submit(host, socket.gethostname)
                    host.part = part
                    return True
        except TimeoutError:
            why = ArenaError(f"its check took more than {CHECK_S:.0f} s")
        except Exception as error:  # Dask's are many; one left out would have it checked for ever
            if self._client.status != "running":
                return False  # it is not the host's: the scheduler is gone
            why = ArenaError(f"it cannot be checked ({type(error).__name__}: {error})")
        if await self._is_gone(host):
            return False
        if isinstance(why, ArenaError):
            self._refuse(host, str(why))
        else:
            what = f"{type(why).__name__}: {why}" if why else part.status
            self._refuse(
                host, f"arena is missing or a different version, there or at the scheduler ({what})"
            )
        return False

    def _end_check(self, host: _Host) -> None:
        self._checking.discard(host)
        if not self._checking and self.threads and not self._ready:
            self._ready = True
            self._report(State.READY)

    def _refuse(self, host: _Host, why: str) -> None:
        host.is_out, host.serving = True, None
        self._report(f"{host.title} skipped: {why}")

    async def _slot(self, host: _Host) -> None:
        """Carry out orders with one thread of a host, one after the other. Raises ArenaError where
        the host cannot be used.
        """
        while not self._stopping:
            await self._waiting.acquire()
            if (order := self._dispatcher.next()) is None:
                continue  # it was stopped
            self._at_work += 1
            try:
                await self._carry_out(order, host)
            except asyncio.CancelledError:
                self._again(order, f"{host.title} was lost")
                raise
            except Exception as error:  # of Dask's, or of whatever failed there: the host is left
                failed = error
                if not isinstance(error, ArenaError):
                    failed = ArenaError(f"{type(error).__name__}: {error}")
                self._again(order, f"{host.title}: {failed}")
                if self._client.status != "running":
                    return  # it is not the host's: the scheduler is gone
                if await self._is_gone(host):
                    return
                raise failed from error
            finally:
                self._at_work -= 1
        self._report_idle()

    async def _carry_out(self, order: Order, host: _Host) -> None:
        job = order.what
        if not isinstance(job, Job):
            self._report(Loaded(job, await self._submit(host, far.load, host.part, job)))
            return
        sent = self._submit(host, far.play, host.part, pickle.dumps(job))
        await sent.exception()  # until it is over: what came of it stays there
        await self._to_take.acquire()
        try:
            returned = pickle.loads(await sent)
            inspect(job, returned, not host.has_returned, _CHANCE)
        except BaseException:
            self._to_take.release()
            raise
        self._report(Finished(job, tuple(returned.games), returned.tallies, host.name))
        host.has_returned |= bool(returned.games)
        if returned.tallies is not None:
            self._dispatcher.close(order)
            return
        self._dispatcher.note(order, {id for games in returned.games for id in games.ids})
        self._again(order, f"{host.title}: {returned.failed}")

    def _again(self, order: Order, why: str) -> None:
        """Put a lost order first, to be tried again; that is no bot's fault."""
        if self._stopping:
            return
        try:
            self._dispatcher.lose(order, why)
            self._waiting.release()
        except ArenaError as error:
            self._report(error)

    def _report_idle(self) -> None:
        if self._stopping and not self._at_work:
            self._report(State.IDLE)

    def _submit(self, host: _Host, what: Callable[..., Any], *words: Any) -> Any:
        """Submit a call to Dask for one host, and no other; returns Dask's future."""
        return self._client.submit(what, *words, workers=[host.address], pure=False, retries=0)
