"""An executor that plays in this process, one session after another: where no workers can be
started (`arena.system.abilities`), and for tests of what is played.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from arena.league.files import write_snapshots
from arena.model import Played, Reason
from arena.plan.plan import Plan
from arena.process.asker import find_unloadable
from arena.process.launch import start_client
from arena.progress import SILENT, Progress
from arena.runner.executor import Executor, Finished
from arena.session.session import Job, Session
from arena.store.chunk import make_chunk, split_games


class _Stopped(Exception):
    """No more games are wanted."""


class SerialExecutor(Executor):
    """Plays a plan's jobs while one is in its context."""

    size = 1

    def __init__(self, plan: Plan, workers: int = 1) -> None:
        super().__init__()
        self._plan = plan

    def _open(self, opened: ExitStack) -> None:
        self._paths = opened.enter_context(write_snapshots(self._plan.sources, self._plan.bots))
        self._client = start_client(self._plan.confined)
        opened.callback(self._client.close)

    def find_unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        """Find the bots of these that cannot be loaded: the reasons by name."""
        reasons = dict[str, Reason]()
        for bot in bots:
            if self.stopping:
                return {}
            steps.at([bot])
            reasons |= find_unloadable({bot: self._paths[bot]}, self._plan.limits, self._client)
            steps.done()
        return reasons

    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Play all jobs, or until `stopping`; yield each when it ends."""

        def pulse() -> None:
            if self.stopping:
                raise _Stopped

        for job in jobs:
            finished: list[Played] = []
            tallies = None
            try:
                pulse()
                session = Session(job, self._paths, self._client, finished.append, pulse)
                tallies = session.play()
            except _Stopped:
                pass
            games = tuple(make_chunk(job.pool, part) for part in split_games(finished))
            if games or tallies is not None:
                yield Finished(job, games, tallies)
            if self.stopping:
                return
