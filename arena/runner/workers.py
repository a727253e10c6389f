"""The crew: arena's workers, who gets which session, and what happens when one is lost."""

import contextlib
import os
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import multiprocess
import multiprocess.resource_tracker
from multiprocess.connection import wait

from arena.errors import ArenaError
from arena.model import Limits, Tally
from arena.runner import worker
from arena.session.session import Job
from arena.store.chunk import Chunk
from arena.system.signals import out_of_reach

Connection = Any  # multiprocess's own class, which has no types

TRIES = 3  # how often a session is played again whose worker was lost
LOOK_S = 0.2  # how often it is looked whether to stop
LEAVE_S = 3.0  # for workers to send what is finished and leave, when stopped


class Crew:
    """Workers that play jobs while one is in its context: whatever ends that, none is left.

    If `pinned`, each keeps to one core with its bots, as long as they need not wait for it.
    """

    def __init__(self, workers: int, confined: bool, pinned: bool) -> None:
        self.size, self._confined, self._pinned = workers, confined, pinned
        self._played: Callable[[Job, Chunk], None]
        self._done: Callable[[Job, list[Tally]], None]
        self.stopping = False
        self._context = multiprocess.get_context("spawn")
        self._workers: dict[Connection, Any] = {}  # the process behind a connection
        self._places: dict[Connection, int] = {}  # among the crew
        self._jobs: dict[Connection, tuple[Job, int]] = {}  # with the number of the try
        self._finished: dict[Connection, set[str]] = {}

    def __enter__(self) -> "Crew":
        """Start the workers: they take a while to be ready."""
        # It would be started with the first worker, and unblock signals half way (out_of_reach).
        multiprocess.resource_tracker.ensure_running()
        try:
            for place in range(self.size):
                self._hire(place)
        except BaseException:
            self._dismiss()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Let the workers go. All finished games have been handed to `played` then, but for those
        of a worker that does not answer within `LEAVE_S`.
        """
        self._dismiss()

    def unloadable(self, paths: dict[str, str], limits: Limits) -> dict[str, str]:
        """Return the bots that cannot be loaded, each tried once, alone: why.

        Empty if `stopping`. Raises ArenaError if workers are lost over it `TRIES` times.
        """
        for _ in range(TRIES):
            connection = next(iter(self._workers))
            what, content = self._ask(connection, worker.Check(paths, limits))
            if what == worker.LOADED:
                return dict(content)
            self._hire(self._bury(connection))
        raise ArenaError(
            f"workers were lost {TRIES} times while bots were loaded:", *content.splitlines()
        )

    def _ask(self, connection: Connection, check: worker.Check) -> tuple[str, Any]:
        with contextlib.suppress(OSError):  # it is gone already, as the next line finds
            worker.send(connection, check)
        while not connection.poll(LOOK_S):
            if self.stopping:
                return worker.LOADED, {}
        try:
            what, content = worker.receive(connection)
        except (EOFError, OSError):
            return worker.FAILED, "its process died"
        return what, content

    def stop(self) -> bool:
        """Have it end early; return whether that was asked before."""
        asked_before, self.stopping = self.stopping, True
        return asked_before

    def play(
        self,
        jobs: Sequence[Job],
        played: Callable[[Job, Chunk], None],
        done: Callable[[Job, list[Tally]], None],
    ) -> None:
        """Play all jobs, or until `stopping`. Raises ArenaError if one fails `TRIES` times.

        `played` and `done` are called as games and sessions finish.
        """
        self._played, self._done = played, done
        todo = deque((job, 1) for job in jobs)
        for connection in list(self._workers):
            self._assign(connection, todo)
        while self._jobs and not self.stopping:
            for ready in wait(list(self._workers), LOOK_S):
                self._hear(ready, todo)

    def _hire(self, place: int) -> Connection:
        ours, theirs = self._context.Pipe()
        # by our pid, for another arena on this machine begins on other cores then
        core = os.getpid() + place if self._pinned else None
        process = self._context.Process(
            target=worker.main, args=(theirs, os.getpid(), self._confined, core), daemon=True
        )
        with out_of_reach():
            process.start()
        theirs.close()
        self._workers[ours], self._places[ours] = process, place
        return ours

    def _assign(self, connection: Connection, todo: deque[tuple[Job, int]]) -> None:
        """Give a worker its next session, if any is left."""
        if todo:
            self._jobs[connection] = todo.popleft()
            self._finished[connection] = set()
            with contextlib.suppress(OSError):  # it is gone already: `play` will hear of it
                worker.send(connection, self._jobs[connection][0])
        else:
            self._jobs.pop(connection, None)

    def _hear(self, connection: Connection, todo: deque[tuple[Job, int]]) -> None:
        try:
            what, content = worker.receive(connection)
        except (EOFError, OSError):
            what, content = worker.FAILED, "its process died"
        if what == worker.FAILED:
            self._lost(connection, content, todo)
            return
        job = self._jobs[connection][0]
        if what == worker.PLAYED:
            self._finished[connection].update(content.ids)
            self._played(job, content)
        else:
            self._done(job, content)
            self._assign(connection, todo)

    def _lost(self, connection: Connection, why: str, todo: deque[tuple[Job, int]]) -> None:
        """Have another worker play what a lost one leaves; that is no bot's fault."""
        place = self._bury(connection)
        if connection not in self._jobs:
            return
        job, tries = self._jobs.pop(connection)
        finished = self._finished.pop(connection)
        if tries == TRIES:
            raise ArenaError(
                f"{job.pool.title}: a session was lost {TRIES} times, with {len(job.fixtures)} "
                f"games in it; finished games are kept. The last time:",
                *why.splitlines(),
            )
        rest = tuple(fixture for fixture in job.fixtures if fixture.id not in finished)
        todo.appendleft((job._replace(fixtures=rest), tries + 1))
        self._assign(self._hire(place), todo)

    def _bury(self, connection: Connection) -> int:
        """End a worker that is lost, and return its place."""
        process = self._workers.pop(connection)
        connection.close()
        process.kill()
        process.join()
        return self._places.pop(connection)

    def _dismiss(self) -> None:
        """Let all workers leave, taking what they have finished; end those that do not."""
        for connection in self._workers:
            with contextlib.suppress(OSError):
                worker.send(connection, worker.STOP)
        try:
            for connection in self._workers:
                with contextlib.suppress(EOFError, OSError):  # it has left
                    while connection.poll(LEAVE_S):
                        what, content = worker.receive(connection)
                        if what == worker.PLAYED:
                            self._played(self._jobs[connection][0], content)
        finally:  # also where what is finished cannot be stored
            for connection, process in self._workers.items():
                process.kill()
                process.join()
                connection.close()
            self._workers.clear()
            self._places.clear()
