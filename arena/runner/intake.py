"""What was played goes into the store, as it comes, and is shown."""

from arena.plan.plan import Plan
from arena.progress import Progress
from arena.runner.clocks import by_the_clock
from arena.runner.executor import Finished, Machine
from arena.store import usage
from arena.store.chunk import alike_in
from arena.store.store import Store
from arena.tables import publish


class Intake:
    """Takes what was played into the store; `here` is this machine, where that is another than the
    limits were meant for.
    """

    def __init__(self, plan: Plan, store: Store, progress: Progress, here: Machine | None) -> None:
        self.played = 0
        self._store, self._progress, self._here = store, progress, here
        self._bots = {bot.name: bot for bot in plan.bots}
        self._versions = publish.versions()

    def take(self, finished: Finished) -> None:
        """Store finished games, and show that they are; of a finished session, store what its bots
        used, all at once: each time something is stored the disk is waited for.
        """
        pool, machine = finished.job.pool, finished.machine or self._here
        for games in finished.games:
            self._store.add(pool, games, machine.name if machine else "")
            self.played += len(games.ids)
            self._progress.played(len(games.ids), alike_in(games))
        if finished.tallies is None:
            return
        played_by = self._versions
        if machine:
            played_by = played_by | {"host": machine.name, "clock": f"{machine.clock:.2f}"}
        versions = usage.played_in(finished.job.fixtures[0].id, played_by)
        tallies = finished.tallies
        if self._here and not finished.machine:  # else its host has done so
            tallies = by_the_clock(tallies, self._here.clock)
        bots = self._bots
        used = [usage.used_of(pool, bots[each.bot], versions, each) for each in tallies]
        usage.keep(self._store, used)
