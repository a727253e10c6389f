"""A crew that plays in this process, for tests of what is played and not of who plays it."""

from collections.abc import Callable, Sequence

from arena.model import Limits, Played, Tally
from arena.process.loading import unloadable
from arena.process.zygote_client import ZygoteClient
from arena.runner.workers import Crew
from arena.session.session import Job, Session
from arena.store.chunk import Chunk, chunk_of


class Here(Crew):
    """Plays one session after another as a worker would, bots in their walls and all.

    Two workers cost a second of start-up each. That many workers play the same bytes is held by
    tests/whole/test_tournament.py.
    """

    def __enter__(self) -> "Here":
        self._zygote = ZygoteClient(self._confined)
        return self

    def __exit__(self, *_: object) -> None:
        self._zygote.close()

    def unloadable(self, paths: dict[str, str], limits: Limits) -> dict[str, str]:
        """Return the bots that cannot be loaded: why."""
        return unloadable(paths, limits, self._zygote)

    def play(
        self,
        jobs: Sequence[Job],
        played: Callable[[Job, Chunk], None],
        done: Callable[[Job, list[Tally]], None],
    ) -> None:
        """Play all jobs, or until `stopping`."""
        for job in jobs:
            if not self.stopping:
                finished: list[Played] = []
                tallies = Session(job, self._zygote, finished.append, lambda: None).play()
                if finished:
                    played(job, chunk_of(job.pool, finished))
                done(job, tallies)
