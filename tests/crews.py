"""An executor that plays in this process, and shows nothing, for tests of what is played."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from arena.league.files import write_snapshots
from arena.model import Played, Reason
from arena.plan.plan import Plan
from arena.process.asker import find_unloadable
from arena.process.zygote_client import ZygoteClient
from arena.progress import SILENT, Progress
from arena.runner.executor import Finished
from arena.session.session import Job, Session
from arena.store.chunk import make_chunk


class Unshown(Progress):
    """Progress that is shown to nobody; what people are told is kept."""

    def __init__(self) -> None:
        self.said = list[str]()

    def say(self, *lines: str) -> None:
        self.said += lines


class Here:
    """Plays one session after another as a worker would, bots in their walls and all: two workers
    cost a second each. That many play the same bytes is held by whole/test_tournament.
    """

    def __init__(self, plan: Plan, size: int) -> None:
        self.size, self.stopping, self.loads_elsewhere = size, False, False
        self._plan, self._opened = plan, ExitStack()

    def __enter__(self) -> "Here":
        with ExitStack() as opened:
            self._paths = opened.enter_context(write_snapshots(self._plan.sources, self._plan.bots))
            self._zygote = ZygoteClient(self._plan.confined)
            opened.callback(self._zygote.close)
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def stop(self) -> bool:
        """Have it end early; return whether that was asked before."""
        asked_before, self.stopping = self.stopping, True
        return asked_before

    def find_unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        paths = {bot: self._paths[bot] for bot in bots}
        return find_unloadable(paths, self._plan.limits, self._zygote)

    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Yield each job when all of it is played, as a cluster's executor does."""
        for job in jobs:
            if not self.stopping:
                finished: list[Played] = []
                session = Session(job, self._paths, self._zygote, finished.append, lambda: None)
                tallies = session.play()
                games = (make_chunk(job.pool, finished),) if finished else ()
                yield Finished(job, games, tallies)
