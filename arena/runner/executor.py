"""The interface of whatever plays sessions: all that the rest of the runner knows of it.

Behind it stand workers of this machine (`arena.runner.local_executor`), or whatever the command
line hands in, such as a cluster's hosts. Jobs say what is to be played, in plain data. Where a
bot's files lie, which worker plays what and what happens when one is lost is the executor's own
matter.
"""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from arena.model import Reason, Tally
from arena.plan import Plan
from arena.progress import SILENT, Progress
from arena.session import Job
from arena.store.chunk import Chunk


class Machine(NamedTuple):
    """Another machine that played."""

    name: str
    clock: float  # CPU time that a piece of work takes there: 1 is as much as on this machine


class Finished(NamedTuple):
    """What has come of a job since the last report. No game is reported twice, unless earlier
    reports of it were `withdrawn`.
    """

    job: Job
    games: tuple[Chunk, ...]
    tallies: list[Tally] | None  # what its bots used; None while some of its games are to come
    machine: Machine | None = None  # None: this one
    withdrawn: bool = False  # all that was told of its games is untrue, and comes again


class Executor(Protocol):
    """Plays sessions while one is in its context: whatever ends that, nothing is left running."""

    stopping: bool  # whether it was asked to end early
    loads_elsewhere: bool  # whether bots are loaded by other installations than this one

    @property
    def size(self) -> int:
        """How many sessions it plays at once."""

    def __enter__(self) -> Self:
        """Begin to get ready, which may take a while: `unloadable` and `play` wait for it."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all that was begun."""

    def unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        """Find the bots of these that cannot be loaded, each tried once, alone: the reasons by
        name.

        `steps` counts those that were tried, and shows which are being tried. Empty if `stopping`.
        Raises ArenaError where it cannot be found out.
        """

    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Play all jobs, those given first begun first; yield what is finished, in any order.
        `steps` shows the bots that are waited for long, as far as that is known.

        Once `stopping`, yield what is finished already and end. Raises ArenaError if a job fails
        again and again, after having yielded what is finished of others.
        """

    def stop(self) -> bool:
        """End early; returns whether that was asked before. Signal handlers call it."""


Hire = Callable[[Plan, int, Callable[[str], object]], Executor]
"""Makes an executor of a plan that has so many sessions to be played at once, at most; the last is
told what people should know while it plays."""
