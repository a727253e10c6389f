"""The crew: workers of this machine, which session each gets, and what happens when one is lost.

An executor (`arena.runner.executor`), known to others only as that.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import multiprocess
import multiprocess.resource_tracker
from multiprocess.connection import wait

from arena.errors import ArenaError
from arena.league.files import write_snapshots
from arena.model import Reason
from arena.plan import Plan
from arena.progress import SILENT, Progress
from arena.runner import worker
from arena.runner.dispatcher import Dispatcher, Order
from arena.runner.executor import Executor, Finished
from arena.session import Job
from arena.system import shield_children

Connection = Any  # multiprocess's own class, which has no types

TRIES = 3  # how often a session is played again whose worker was lost
LOOK_S = 0.2  # how often it is looked whether to stop
SLOW_S = 1.0  # that a worker waits for a bot before people are told
LEAVE_S = 3.0  # for workers to send what is finished and leave, when stopped


class LocalExecutor:
    """Workers that play a plan's jobs while one is in its context: whatever ends that, no worker is
    left.

    If the plan is `pinned`, each keeps to one core with its bots, as long as they need not wait for
    it.
    """

    def __init__(self, plan: Plan, size: int) -> None:
        self.size, self.stopping, self.loads_elsewhere = size, False, False
        self._plan = plan
        self._paths: dict[str, str] = {}
        self._opened = ExitStack()  # the bots' snapshots
        self._context = multiprocess.get_context("spawn")
        self._workers: dict[Connection, Any] = {}  # the process behind a connection
        self._places: dict[Connection, int] = {}  # among the crew
        self._asked: dict[Connection, worker.Asked] = {}
        self._orders: dict[Connection, Order] = {}  # that workers carry out
        self._dispatcher = Dispatcher(TRIES)

    def __enter__(self) -> "LocalExecutor":
        """Write the bots' snapshots and start the workers: they take a while to be ready."""
        with ExitStack() as opened:
            self._paths = opened.enter_context(write_snapshots(self._plan.sources, self._plan.bots))
            self._hire_all()
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Let the workers go, and take the snapshots away."""
        with self._opened:
            self._dismiss()

    def _hire_all(self) -> None:
        # It would be started with the first worker, and unblock signals half way (out_of_reach).
        multiprocess.resource_tracker.ensure_running()
        try:
            self._fill()
        except BaseException:
            self._dismiss()
            raise

    def _fill(self) -> None:
        """Start a worker in every place that is free: all, or those of workers lost while they had
        no work.
        """
        for place in sorted({*range(self.size)} - {*self._places.values()}):
            self._hire(place)

    def unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        """Find the bots of these that cannot be loaded: the reasons by name. Each is tried once,
        alone, by whichever worker is free.

        Empty if `stopping`. Raises ArenaError if workers are lost over one `TRIES` times.
        """
        if self.stopping:
            return {}
        self._fill()
        for bot in bots:
            self._dispatcher.add((bot,))
        for connection in self._workers:
            self._assign(connection)
        unloadable = dict[str, Reason]()
        try:
            while self._orders and not self.stopping:
                steps.at([str(bot) for order in self._orders.values() for bot in order.what])
                for ready in wait(list(self._orders), LOOK_S):
                    what, content = _received(ready)
                    if what != worker.LOADED:
                        self._replace(ready, content)
                        continue
                    unloadable |= content
                    steps.done()
                    self._go_on(ready)
        finally:
            self._dispatcher.clear()
            for connection in list(self._orders):  # it was stopped, and they may take long
                self._bury(connection)
        return {} if self.stopping else unloadable

    def stop(self) -> bool:
        """End early; returns whether that was asked before."""
        asked_before, self.stopping = self.stopping, True
        return asked_before

    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Play all jobs, or until `stopping`; yield what is finished, as it comes. Once stopping,
        workers that do not answer within `LEAVE_S` are left out. `steps` shows the bots that a
        worker waits for longer than `SLOW_S`.

        Raises ArenaError if a job fails `TRIES` times.
        """
        if self.stopping:
            return  # those that have left are not to be hired again, for a word and their end
        for job in jobs:
            self._dispatcher.add(job)
        self._fill()
        for connection in list(self._workers):
            self._assign(connection)
        try:
            while self._orders and not self.stopping:
                steps.at(self._slow())
                for ready in wait(list(self._workers), LOOK_S):
                    yield from self._hear(ready)
            if self.stopping:
                yield from self._last_words()
        finally:
            self._dispatcher.clear()

    def _slow(self) -> list[str]:
        now_s = time.monotonic()
        slow = (each for each in self._asked.values() if 0 < each.since_s < now_s - SLOW_S)
        return sorted({each.bot.decode(errors="replace") for each in slow})

    def _hire(self, place: int) -> Connection:
        ours, theirs = self._context.Pipe()
        asked = self._context.RawValue(worker.Asked)
        # by our pid, for another arena on this machine begins on other cores then
        core = os.getpid() + place if self._plan.pinned else None
        process = self._context.Process(
            target=worker.main,
            daemon=True,
            args=(theirs, os.getpid(), self._plan.confined, core, asked),
        )
        with shield_children():
            process.start()
        theirs.close()
        self._workers[ours], self._places[ours], self._asked[ours] = process, place, asked
        return ours

    def _assign(self, connection: Connection) -> None:
        """Give a worker its next order, if any is left."""
        if (order := self._dispatcher.next()) is None:
            return
        self._orders[connection] = order
        if isinstance(order.what, Job):
            message: object = worker.Task(order.what, self._paths)
        else:
            paths = {bot: self._paths[bot] for bot in order.what}
            message = worker.Check(paths, self._plan.limits)
        with contextlib.suppress(OSError):  # it is gone already, as who listens to it finds
            worker.send(connection, message)

    def _hear(self, connection: Connection) -> Iterator[Finished]:
        what, content = _received(connection)
        if what == worker.FAILED:
            yield from self._lost(connection, content)
            return
        job = self._job(connection)
        if what == worker.PLAYED:
            self._dispatcher.note(self._orders[connection], content.ids)
            yield Finished(job, (content,), None)
        else:
            yield Finished(job, (), content)
            self._go_on(connection)

    def _job(self, connection: Connection) -> Job:
        job = self._orders[connection].what
        assert isinstance(job, Job), "bots are tried before any session"
        return job

    def _go_on(self, connection: Connection) -> None:
        """Have a worker that has carried out its order begin the next."""
        self._dispatcher.close(self._orders.pop(connection))
        self._assign(connection)

    def _lost(self, connection: Connection, why: str) -> Iterator[Finished]:
        """Have another worker play the rest of a lost one's order. If that was the last try, yield
        what the others have finished.
        """
        try:
            self._replace(connection, why)
        except ArenaError:
            yield from self._last_words()
            raise

    def _replace(self, connection: Connection, why: str) -> None:
        """Put a worker in the place of a lost one, whose order comes again. Raises ArenaError if it
        was lost too often.
        """
        order, place = self._orders.pop(connection, None), self._bury(connection)
        if order is not None:
            self._dispatcher.lose(order, why)
            self._assign(self._hire(place))

    def _bury(self, connection: Connection) -> int:
        """End a worker that is lost, or has left, and return its place."""
        process = self._workers.pop(connection)
        del self._asked[connection]
        self._orders.pop(connection, None)
        connection.close()
        process.kill()
        process.join()
        return self._places.pop(connection)

    def _last_words(self) -> Iterator[Finished]:
        """Have all workers leave, and yield what they have finished; end those that hang."""
        for connection in self._workers:
            with contextlib.suppress(OSError):
                worker.send(connection, worker.STOP)
        for connection in list(self._workers):
            while (told := self._last_word(connection)) is not None:
                what, content = told
                if what == worker.PLAYED:
                    yield Finished(self._job(connection), (content,), None)
            self._bury(connection)

    def _last_word(self, connection: Connection) -> tuple[str, Any] | None:
        """The last message of a worker that is to leave; None where it has left, or hangs."""
        with contextlib.suppress(EOFError, OSError):
            if connection.poll(LEAVE_S):
                return worker.receive(connection)  # type: ignore[no-any-return]
        return None

    def _dismiss(self) -> None:
        """Let all workers leave; end those that do not."""
        try:
            for _ in self._last_words():
                pass  # nobody asks any more: it is played again
        finally:
            for connection in list(self._workers):
                self._bury(connection)


def _received(connection: Connection) -> tuple[str, Any]:
    try:
        return worker.receive(connection)  # type: ignore[no-any-return]
    except (EOFError, OSError):
        return worker.FAILED, "its process died"


def hire_here(plan: Plan, sessions: int, say: Callable[[str], object]) -> Executor:
    """Hire workers of this machine: as many as the plan has, and no more than sessions."""
    return LocalExecutor(plan, max(1, min(sessions, plan.workers)))
