"""What is to be done next, and how often it was lost: for workers of this machine and for hosts.

It knows no process and no network. Who carries orders out tells it which games came back, and of
which orders nothing more will.
"""

import heapq
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from arena.errors import ArenaError
from arena.session import Job


class Order(NamedTuple):
    """Something that a worker or a host is to do."""

    number: int  # none has that of another: the lowest is the next
    tries: int  # with this one
    what: Job | tuple[str, ...]  # a session to be played, or bots to be tried: whether they load


class Dispatcher:
    """Orders that wait. One that was lost comes again, first of all and without the games that came
    back: `tries` times in all, for that is no bot's fault.
    """

    def __init__(self, tries: int) -> None:
        self._tries, self._numbers = tries, count(1)
        self._waiting = list[Order]()  # a heap
        self._finished = dict[int, set[str]]()  # ids of games that came back, by order's number

    def add(self, what: Job | tuple[str, ...]) -> None:
        """Have something done, after what waits already."""
        heapq.heappush(self._waiting, Order(next(self._numbers), 1, what))

    def next(self) -> Order | None:
        """Return what is to be done now; None if nothing waits."""
        return heapq.heappop(self._waiting) if self._waiting else None

    def note(self, order: Order, ids: Iterable[str]) -> None:
        """Note that games of an order have come back."""
        self._finished.setdefault(order.number, set()).update(ids)

    def close(self, order: Order) -> None:
        """Forget an order: it was carried out."""
        self._finished.pop(order.number, None)

    def lose(self, order: Order, why: str) -> None:
        """Have what is left of an order done again. Raises ArenaError, with why it was lost the
        last time, once it has been lost so often.
        """
        finished, what = self._finished.pop(order.number, set()), order.what
        if order.tries == self._tries:
            raise ArenaError(f"{self._in_words(what)}. The last time:", *why.splitlines())
        if finished and isinstance(what, Job):
            rest = tuple(game for game in what.fixtures if game.id not in finished)
            what = what._replace(fixtures=rest)
        heapq.heappush(self._waiting, Order(order.number, order.tries + 1, what))

    def clear(self) -> None:
        """Forget all that waits."""
        self._waiting.clear()

    def _in_words(self, what: Job | tuple[str, ...]) -> str:
        if isinstance(what, Job):
            return (
                f"{what.pool.title}: a session was lost {self._tries} times, with "
                f"{len(what.fixtures)} games in it; finished games are kept"
            )
        first, *others = what
        bots = f"{first} and {len(others)} more" if others else first
        return f"{bots}: workers were lost {self._tries} times over loading"
