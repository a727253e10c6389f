"""The crew: arena's workers, who gets which session, and what happens when one is lost."""

import contextlib
import os
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import multiprocess
from multiprocess.connection import wait

from arena import worker
from arena.errors import ArenaError
from arena.session import Job, Played, Tally
from arena.stopping import out_of_reach

Connection = Any  # multiprocess's own class, which has no types

TRIES = 3  # how often a session is played again whose worker was lost
LOOK_S = 0.2  # how often it is looked whether to stop
LEAVE_S = 3.0  # for workers to send what is finished and leave, when stopped


class Crew:
    """Workers that play jobs. `played` and `done` are called as games and sessions finish."""

    def __init__(
        self,
        workers: int,
        played: Callable[[Job, list[Played]], None],
        done: Callable[[Job, list[Tally]], None],
    ) -> None:
        self._size, self._played, self._done = workers, played, done
        self.stopping = False  # set by whoever wants it to end early
        self._context = multiprocess.get_context("spawn")
        self._workers: dict[Connection, Any] = {}  # the process behind a connection
        self._jobs: dict[Connection, tuple[Job, int]] = {}  # with the number of the try
        self._finished: dict[Connection, set[str]] = {}

    def play(self, jobs: Sequence[Job]) -> None:
        """Play all jobs, or until `stopping`. Raises ArenaError if one fails `TRIES` times.

        Whatever ends it, no worker is left. All finished games have been handed to `played`,
        but for those of a worker that does not answer within `LEAVE_S`.
        """
        todo = deque((job, 1) for job in jobs)
        try:
            for _ in range(min(self._size, len(todo))):
                self._hire(todo)
            while self._jobs and not self.stopping:
                for ready in wait(list(self._workers), LOOK_S):
                    self._hear(ready, todo)
        finally:
            self._dismiss()

    def _hire(self, todo: deque[tuple[Job, int]]) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=worker.main, args=(theirs, os.getpid()), daemon=True)
        with out_of_reach():
            process.start()
        theirs.close()
        self._workers[ours] = process
        self._assign(ours, todo)

    def _assign(self, connection: Connection, todo: deque[tuple[Job, int]]) -> None:
        """Give a worker its next session; none left: let it go."""
        if todo:
            self._jobs[connection] = todo.popleft()
            self._finished[connection] = set()
            connection.send(self._jobs[connection][0])
        else:
            self._jobs.pop(connection, None)
            with contextlib.suppress(OSError):  # it is gone already
                connection.send(worker.STOP)

    def _hear(self, connection: Connection, todo: deque[tuple[Job, int]]) -> None:
        try:
            what, content = connection.recv()
        except (EOFError, OSError):
            what, content = worker.FAILED, "its process died"
        if what == worker.FAILED:
            self._lost(connection, content, todo)
            return
        job = self._jobs[connection][0]
        if what == worker.PLAYED:
            self._finished[connection].update(played.id for played in content)
            self._played(job, content)
        else:
            self._done(job, content)
            self._assign(connection, todo)

    def _lost(self, connection: Connection, why: str, todo: deque[tuple[Job, int]]) -> None:
        """Have another worker play what a lost one leaves; that is no bot's fault."""
        process = self._workers.pop(connection)
        connection.close()
        process.kill()
        process.join()
        if connection not in self._jobs:
            return
        job, tries = self._jobs.pop(connection)
        finished = self._finished.pop(connection)
        if tries == TRIES:
            raise ArenaError(
                f"{job.pool.title}: a session was lost {TRIES} times, with {len(job.fixtures)} "
                f"games in it; finished games are kept. The last time:\n{why}"
            )
        rest = tuple(fixture for fixture in job.fixtures if fixture.id not in finished)
        todo.appendleft((job._replace(fixtures=rest), tries + 1))
        self._hire(todo)

    def _dismiss(self) -> None:
        """Let all workers leave, taking what they have finished; end those that do not."""
        for connection in self._workers:
            with contextlib.suppress(OSError):
                connection.send(worker.STOP)
        try:
            for connection in self._workers:
                with contextlib.suppress(EOFError, OSError):  # it has left
                    while connection.poll(LEAVE_S):
                        what, content = connection.recv()
                        if what == worker.PLAYED:
                            self._played(self._jobs[connection][0], content)
        finally:  # also where what is finished cannot be stored
            for connection, process in self._workers.items():
                process.kill()
                process.join()
                connection.close()
            self._workers.clear()
