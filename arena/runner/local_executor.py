"""The crew: workers of this machine, which session each gets, and what happens when one is lost.

An executor (`arena.runner.executor`), known to others only as that.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from multiprocess.connection import wait

from arena.errors import ArenaError
from arena.league.files import write_snapshots
from arena.model import Reason
from arena.plan.plan import Plan
from arena.progress import SILENT, Progress
from arena.runner import worker
from arena.runner.executor import Dispatcher, Executor, Finished, Order
from arena.runner.worker import Worker
from arena.session.session import Job

TRIES = 3  # how often a session is played again whose worker was lost
LOOK_S = 0.2  # how often it is looked whether to stop
SLOW_S = 1.0  # that a worker waits for a bot before progress shows that
LEAVE_S = 3.0  # for workers to send what is finished and leave, when stopped


class _Hired(Worker):
    order: Order | None = None

    @property
    def job(self) -> Job:
        """The session that it plays: bots are tried before any."""
        assert self.order is not None
        assert isinstance(self.order.what, Job)
        return self.order.what


class LocalExecutor(Executor):
    """Workers that play a plan's jobs while one is in its context: whatever ends that, no worker is
    left.

    If the plan is `pinned`, each keeps to one core with its bots, as long as they need not wait for
    it.
    """

    def __init__(self, plan: Plan, size: int) -> None:
        super().__init__()
        self._plan, self._size = plan, size
        self._paths: dict[str, str] = {}
        self._crew = list[_Hired]()
        self._dispatcher = Dispatcher(TRIES)

    @property
    def size(self) -> int:
        """The number of workers."""
        return self._size

    def _open(self, opened: ExitStack) -> None:
        self._paths = opened.enter_context(write_snapshots(self._plan.sources, self._plan.bots))
        opened.callback(self._dismiss)
        self._fill()

    def find_unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        """Find the bots of these that cannot be loaded: the reasons by name. Each is tried once,
        alone, by whichever worker is free.

        Empty if `stopping`. Raises ArenaError if workers are lost over one `TRIES` times.
        """
        if self.stopping:
            return {}
        unloadable = dict[str, Reason]()
        self._begin([(bot,) for bot in bots])
        try:
            while (busy := self._busy()) and not self.stopping:
                steps.at([str(bot) for _, order in busy for bot in order.what])
                for ready in wait([hired for hired, _ in busy], LOOK_S):
                    what, content = ready.receive()
                    if what != worker.LOADED:
                        self._replace(ready, content)
                        continue
                    unloadable |= content
                    steps.done()
                    self._go_on(ready)
        finally:
            self._dispatcher.clear()
            for hired, _ in self._busy():  # it was stopped, and they may take long
                self._bury(hired)
        return {} if self.stopping else unloadable

    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Play all jobs, or until `stopping`; yield what is finished, as it comes. Once stopping,
        workers that do not answer within `LEAVE_S` are left out. `steps` shows the bots that a
        worker waits for longer than `SLOW_S`.

        Raises ArenaError if a job fails `TRIES` times.
        """
        if self.stopping:
            return  # those that have left are not to be hired again, for a word and their end
        self._begin(jobs)
        try:
            while self._busy() and not self.stopping:
                steps.at(self._slow())
                for ready in wait(self._crew, LOOK_S):
                    yield from self._hear(ready)
            if self.stopping:
                yield from self._last_words()
        finally:
            self._dispatcher.clear()

    def _begin(self, orders: Sequence[Job | tuple[str, ...]]) -> None:
        for what in orders:
            self._dispatcher.add(what)
        self._fill()
        for hired in self._crew:
            self._assign(hired)

    def _busy(self) -> list[tuple[_Hired, Order]]:
        return [(hired, hired.order) for hired in self._crew if hired.order]

    def _slow(self) -> list[str]:
        now_s = time.monotonic()
        asked = (hired.asked for hired in self._crew)
        slow = (request.bot for request in asked if 0 < request.since_s < now_s - SLOW_S)
        return sorted({bot.decode(errors="replace") for bot in slow})

    def _fill(self) -> None:
        """Start a worker in every place that is free: all, or those of workers lost while they had
        no work.
        """
        for place in sorted({*range(self.size)} - {hired.place for hired in self._crew}):
            self._hire(place)

    def _hire(self, place: int) -> _Hired:
        hired = _Hired(self._plan.confined, self._plan.pinned, place)
        self._crew.append(hired)
        return hired

    def _assign(self, hired: _Hired) -> None:
        hired.order = order = self._dispatcher.next()
        if order is None:
            return
        if isinstance(order.what, Job):
            hired.send(worker.Task(order.what, self._paths))
        else:
            paths = {bot: self._paths[bot] for bot in order.what}
            hired.send(worker.LoadCheck(paths, self._plan.limits))

    def _go_on(self, hired: _Hired) -> None:
        if hired.order:
            self._dispatcher.close(hired.order)
        self._assign(hired)

    def _hear(self, hired: _Hired) -> Iterator[Finished]:
        what, content = hired.receive()
        if what == worker.FAILED:
            try:
                self._replace(hired, content)
            except ArenaError:  # that was the last try
                yield from self._last_words()
                raise
        elif what == worker.PLAYED:
            yield self._take_games(hired, content)
        else:
            yield Finished(hired.job, (), content)
            self._go_on(hired)

    def _take_games(self, hired: _Hired, games: Any) -> Finished:
        if hired.order:
            self._dispatcher.note(hired.order, games.ids)
        return Finished(hired.job, (games,), None)

    def _replace(self, lost: _Hired, why: str) -> None:
        """Put a worker in the place of a lost one, whose order comes again. Raises ArenaError if it
        was lost too often.
        """
        order = lost.order
        self._bury(lost)
        if order is not None:
            self._dispatcher.lose(order, why)
            self._assign(self._hire(lost.place))

    def _bury(self, hired: _Hired) -> None:
        self._crew.remove(hired)
        hired.end()

    def _last_words(self) -> Iterator[Finished]:
        """Have all workers leave, and yield what they have finished; end those that hang."""
        for hired in self._crew:
            hired.send(worker.STOP)
        for hired in list(self._crew):
            while wait([hired], LEAVE_S):
                what, content = hired.receive()
                if what == worker.FAILED:  # or it has left
                    break
                if what == worker.PLAYED:
                    yield self._take_games(hired, content)
            self._bury(hired)

    def _dismiss(self) -> None:
        try:
            for _ in self._last_words():
                pass  # it is played again
        finally:
            for hired in list(self._crew):
                self._bury(hired)
