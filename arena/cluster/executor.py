"""Hosts of a Dask cluster, as an executor (`arena.runner.executor`) that the runner is handed.

Dask's client lives in an event loop in a thread of its own, with the code that hands out sessions
(`arena.cluster.coordinator`). What happens on a host is in `arena.cluster.host`.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from queue import Empty, SimpleQueue

from arena.cluster.coordinator import HAS_HTTP, Coordinator, Event, Loaded, State
from arena.cluster.host import Kit
from arena.cluster.scheduler import Cluster, connected, handle_failed_task, local_cluster
from arena.errors import ArenaError
from arena.model import Reason
from arena.plan.plan import Plan
from arena.progress import SILENT, Progress
from arena.runner.executor import Executor, Finished
from arena.session.session import Job
from arena.system.signals import shield_children

THREAD = "arena-cluster"  # the name of the one that Dask's client lives in
LOOK_S = 0.2  # how often it is looked whether to stop
BOTS_A_HAND = 32  # at most, that one thread of a host tries to load, one after the other
LEAVE_S = 5.0  # for hosts to return what is finished, when stopped


class ClusterExecutor(Executor):
    """Hosts that play a plan's jobs while one is in its context; `say` receives messages about
    those that join late, are lost, or get no work, and why.
    """

    def __init__(self, plan: Plan, cluster: Cluster, say: Callable[[str], object]) -> None:
        super().__init__()
        self.loads_elsewhere = not cluster.local
        self._cluster, self._say = cluster, say
        self.kit = Kit(dict(plan.sources), plan.bots, plan.limits, plan.confined, plan.pinned)
        self._heard = SimpleQueue[Event]()
        self._loop = asyncio.new_event_loop()
        self._over = threading.Event()  # the loop does nothing any more
        self._task: asyncio.Task[None] | None = None
        self._stopped: asyncio.Task[None] | None = None  # held, for the loop holds it weakly
        self._coordinator: Coordinator | None = None  # once it is connected
        self._ready = False

    @property
    def size(self) -> int:
        """The number of sessions it plays at once: threads of all hosts that are in order now."""
        return max(1, self._coordinator.threads if self._coordinator else 0)

    def _open(self, opened: ExitStack) -> None:
        """Begin to connect. Raises UsageError where a cluster of this machine cannot be started."""
        there: tuple[str, Mapping[str, str]] = self._cluster.address, {}
        if self._cluster.local:
            there = opened.enter_context(local_cluster(self._cluster.local))
        thread = threading.Thread(target=self._run, args=there, name=THREAD, daemon=True)
        with shield_children():
            thread.start()
        opened.callback(self._end, thread)

    def wait_until_ready(self) -> None:
        """Wait until all hosts that are there have been checked, or until it is to stop. Raises
        UsageError if there is no cluster, Unconfinable if no host is in order.
        """
        while not self._ready and not self.stopping:
            self._ready = self._next() is State.READY

    def find_unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        """Find the bots of these that cannot be loaded: the reasons by name. Each is tried once,
        alone, on one of the hosts.

        Empty if `stopping`. Raises ArenaError where no host can say.
        """
        self.wait_until_ready()
        why, left = dict[str, Reason](), dict.fromkeys(bots)
        a_hand = min(BOTS_A_HAND, max(1, -(-len(bots) // self.size)))
        for at in range(0, len(bots), a_hand):
            self._order(tuple(bots[at : at + a_hand]))
        while left and not self.stopping:
            steps.at(list(left))
            if isinstance(event := self._next(), Loaded):
                why |= event.why
                steps.done(len(event.bots))
                for bot in event.bots:
                    del left[bot]
        return {} if self.stopping else why

    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Play all jobs, or until `stopping`; yield each when it has come back. Once stopping,
        hosts that do not answer within `LEAVE_S` are left out. Hosts do not report which bots they
        wait for.

        Raises ArenaError if a job fails again and again, or no host is left.
        """
        for job in jobs:
            self._order(job)
        left = len(jobs)
        try:
            while left and not self.stopping:
                if isinstance(event := self._next(), Finished):
                    yield from self._hand_on(event)
                    left -= event.tallies is not None
        except ArenaError:
            yield from self._last_words()
            raise
        if self.stopping:
            yield from self._last_words()

    def _hand_on(self, finished: Finished) -> Iterator[Finished]:
        """Yield it, and report that it is stored: a caller that asks for more has done that."""
        yield finished
        if self._coordinator is not None:
            self._in_loop(self._coordinator.note_stored)

    def _order(self, what: Job | tuple[str, ...]) -> None:
        if self._coordinator is not None:  # else it was stopped before it was connected
            self._in_loop(self._coordinator.add, what)

    def _next(self) -> Event | None:
        """The next event; None if there is none, or it was a message for people. Raises ArenaError
        if play cannot go on.
        """
        try:
            event = self._heard.get(timeout=LOOK_S)
        except Empty:
            return None
        if isinstance(event, ArenaError):
            raise event
        if isinstance(event, str):
            self._say(event)
            return None
        return event

    def _last_words(self) -> Iterator[Finished]:
        if (coordinator := self._coordinator) is None:
            return

        def stop() -> None:
            self._stopped = self._loop.create_task(coordinator.stop())

        self._in_loop(stop)
        until_s = time.monotonic() + LEAVE_S
        while (left_s := until_s - time.monotonic()) > 0:
            try:
                event = self._heard.get(timeout=0.0 if self._over.is_set() else left_s)
            except Empty:
                return
            if isinstance(event, Finished):
                yield from self._hand_on(event)
            elif isinstance(event, ArenaError) or event is State.IDLE:
                return

    def _in_loop(self, what: Callable[..., object], *words: object) -> None:
        """Call a function in the loop's thread; nothing, if it is over."""
        self._loop.call_soon_threadsafe(what, *words)

    def _run(self, address: str, files: Mapping[str, str]) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(handle_failed_task)
        self._task = self._loop.create_task(self._connected(address, files))
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass  # it is left
        except ArenaError as error:
            self._heard.put(error)
        except Exception as error:  # or who waits for this thread would wait for ever
            failed = f"{self._cluster.title}: {type(error).__name__}: {error}"
            self._heard.put(ArenaError(*failed.splitlines()))
        finally:
            self._over.set()

    async def _connected(self, address: str, files: Mapping[str, str]) -> None:
        async with connected(address, self._cluster.title, files) as client:
            if client.scheduler_info().get("services"):
                self._heard.put(f"warning: {self._cluster.title} {HAS_HTTP}")
            self._coordinator = Coordinator(client, self.kit, self._cluster.title, self._heard.put)
            await self._coordinator.run()

    def _end(self, thread: threading.Thread) -> None:
        if self._task is not None:
            self._in_loop(self._task.cancel)
        thread.join(LEAVE_S)
        if not thread.is_alive():
            self._loop.close()


def count_threads(plan: Plan, cluster: Cluster) -> int:
    """The number of sessions that are played at once, once it is sure that some host can play.
    Raises UsageError or Unconfinable where none can.
    """
    if cluster.local:  # this machine, where walls were looked for already
        return cluster.local
    notices = list[str]()  # which play says again, unless there is none
    try:
        with ClusterExecutor(
            plan._replace(sources={}, wanted=()), cluster, notices.append
        ) as hosts:
            hosts.wait_until_ready()
            return hosts.size
    except ArenaError as error:
        error.args = (*notices, *error.args)
        raise
