"""Finished games go into the store as they come, and are shown."""

from collections.abc import Sequence

from arena.model import Tally
from arena.plan import Plan
from arena.progress import Progress
from arena.runner.executor import Finished
from arena.session import Job
from arena.store import usage
from arena.store.chunk import alike_in
from arena.store.store import Store
from arena.system import result_versions


class Collector:
    """Takes finished games into the store."""

    def __init__(self, plan: Plan, store: Store, progress: Progress) -> None:
        self.played = 0
        self._store, self._progress = store, progress
        self._bots = {bot.name: bot for bot in plan.bots}
        self._versions = result_versions()

    def take(self, finished: Finished) -> None:
        """Store finished games, with what their bots used if their session is over, and show that
        they are. All at once: each write to the store waits for the disk.
        """
        if finished.withdrawn:
            self._take_back(finished.job)
            return
        host = finished.machine.name if finished.machine else ""
        with self._store.writing():
            for games in finished.games:
                self._store.add(finished.job.pool, games, host)
            if finished.tallies is not None:
                self._keep_usage(finished, finished.tallies)
        for games in finished.games:
            self.played += len(games.ids)
            self._progress.played(len(games.ids), alike_in(games))

    def _keep_usage(self, finished: Finished, tallies: Sequence[Tally]) -> None:
        pool, machine, played_by = finished.job.pool, finished.machine, self._versions
        if machine:
            played_by = played_by | {"host": machine.name, "clock": f"{machine.clock:.2f}"}
        session = finished.job.fixtures[0].id
        usage.keep_usage(self._store, pool, self._bots, tallies, session, played_by)

    def _take_back(self, job: Job) -> None:
        """Take the games of a job out of the store again."""
        ids = [game.id for game in job.fixtures]
        self.played -= self._store.take_back(ids)
        usage.forget_session(self._store, ids[0])
