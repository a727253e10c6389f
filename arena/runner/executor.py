"""The interface of whatever plays sessions: all that the rest of the runner knows of it; and the
orders that executors have yet to carry out.

Behind it stand workers of this machine (`arena.runner.local_executor`), or whatever the command
line hands in, such as a cluster's hosts. Jobs say what is to be played, in plain data. Where a
bot's files lie and which worker plays what is the executor's own matter; what comes next and what
happens when a worker or a host is lost is the same for all, by a `Dispatcher`.
"""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from typing import NamedTuple, Self

from arena.errors import ArenaError
from arena.model import Reason, Tally
from arena.plan.plan import Plan
from arena.progress import SILENT, Progress
from arena.session.session import Job
from arena.store.chunk import Chunk
from arena.words import amount


class Finished(NamedTuple):
    """The results of a job since the last report. No game is reported twice."""

    job: Job
    games: tuple[Chunk, ...]
    tallies: list[Tally] | None  # what its bots used; None while some of its games are to come
    host: str = ""  # the name of the machine that played; "" for this one


class Executor(ABC):
    """Plays sessions while one is in its context: whatever ends that, nothing is left running."""

    loads_elsewhere = False  # whether bots are loaded by other installations than this one

    def __init__(self) -> None:
        self.stopping = False  # whether it was asked to end early
        self._opened = ExitStack()

    @property
    @abstractmethod
    def size(self) -> int:
        """The sessions that it plays at once."""

    def __enter__(self) -> Self:
        """Begin to get ready, which may take a while: `find_unloadable` and `play` wait for it."""
        with ExitStack() as opened:
            self._open(opened)
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End all that was begun."""
        self._opened.close()

    @abstractmethod
    def _open(self, opened: ExitStack) -> None:
        """Begin what `opened` ends."""

    @abstractmethod
    def find_unloadable(self, bots: Sequence[str], steps: Progress = SILENT) -> dict[str, Reason]:
        """Find the bots of these that cannot be loaded, each tried once, alone: the reasons by
        name.

        `steps` counts those that were tried, and shows which are being tried. Empty if `stopping`.
        Raises ArenaError where it cannot be found out.
        """

    @abstractmethod
    def play(self, jobs: Sequence[Job], steps: Progress = SILENT) -> Iterator[Finished]:
        """Play all jobs, those given first begun first; yield what is finished, in any order.
        `steps` shows the bots that are waited for long, as far as that is known.

        Once `stopping`, yield what is finished already and end. Raises ArenaError if a job fails
        again and again, after having yielded what is finished of others.
        """

    def stop(self) -> bool:
        """End early; returns whether that was asked before. Signal handlers call it."""
        asked_before, self.stopping = self.stopping, True
        return asked_before


Hire = Callable[[Plan, int, Callable[[str], object]], Executor]
"""Makes an executor of a plan that has so many sessions to be played at once, at most; the last
receives messages for people while it plays."""


class Order(NamedTuple):
    """Work for a worker or a host."""

    number: int  # none has that of another: the lowest is the next
    tries: int  # with this one
    what: Job | tuple[str, ...]  # a session to be played, or bots to be tried: whether they load


class Dispatcher:
    """Orders that wait. A lost order comes again, first of all and without the games that came
    back: `tries` times in all, for that is no bot's fault.
    """

    def __init__(self, tries: int) -> None:
        self._tries, self._numbers = tries, count(1)
        self._waiting = list[Order]()  # a heap
        self._finished = dict[int, set[str]]()  # ids of games that came back, by order's number

    def add(self, what: Job | tuple[str, ...]) -> None:
        """Add an order, after those that wait already."""
        heapq.heappush(self._waiting, Order(next(self._numbers), 1, what))

    def next(self) -> Order | None:
        """Take the order that is next; None if none waits."""
        return heapq.heappop(self._waiting) if self._waiting else None

    def note(self, order: Order, ids: Iterable[str]) -> None:
        """Note that games of an order have come back."""
        self._finished.setdefault(order.number, set()).update(ids)

    def close(self, order: Order) -> None:
        """Forget an order: it was carried out."""
        self._finished.pop(order.number, None)

    def lose(self, order: Order, why: str) -> None:
        """Have the rest of a lost order done again. Raises ArenaError, with the reason of the last
        loss, once it has been lost `tries` times.
        """
        finished, what = self._finished.pop(order.number, set()), order.what
        if order.tries == self._tries:
            raise ArenaError(f"{self._loss_of(what)}. The last time:", *why.splitlines())
        if finished and isinstance(what, Job):
            rest = tuple(game for game in what.fixtures if game.id not in finished)
            what = what._replace(fixtures=rest)
        heapq.heappush(self._waiting, Order(order.number, order.tries + 1, what))

    def clear(self) -> None:
        """Forget all orders that wait."""
        self._waiting.clear()

    def _loss_of(self, what: Job | tuple[str, ...]) -> str:
        if isinstance(what, Job):
            return (
                f"{what.pool.title}: a session of {amount(len(what.fixtures), 'game')} was lost "
                f"{self._tries} times; finished games are saved"
            )
        first, *others = what
        bots = f"{first} and {len(others)} more" if others else first
        return f"{bots}: workers were lost {self._tries} times while loading"
