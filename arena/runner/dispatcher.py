"""The next order, and how often it was lost: for workers of this machine and for hosts.

It knows no process and no network. The executor that carries orders out reports which games came
back, and which orders will bring no more.
"""

import heapq
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from arena.errors import ArenaError
from arena.session import Job


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
            raise ArenaError(f"{self._in_words(what)}. The last time:", *why.splitlines())
        if finished and isinstance(what, Job):
            rest = tuple(game for game in what.fixtures if game.id not in finished)
            what = what._replace(fixtures=rest)
        heapq.heappush(self._waiting, Order(order.number, order.tries + 1, what))

    def clear(self) -> None:
        """Forget all orders that wait."""
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
