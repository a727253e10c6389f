"""Several processes for work that needs nothing but its input: arena's own, never a bot's.

`concurrent.futures` and not a pool of multiprocess: that one starts a process anew for ever if it
dies at once (no memory, files that may not be read), and its caller waits for ever.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from arena.errors import ArenaError
from arena.sandbox.walls import die_with
from arena.system.signals import out_of_reach

if TYPE_CHECKING:  # it takes its time
    from concurrent.futures import Future

AHEAD = 4  # pieces of work on their way, a process: the input is read no faster than it is used

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_turn(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """Yield the result of each piece, in their order. Both must be picklable.

    A piece that is the only one is worked on here: to share it would only start two processes.
    Raises ArenaError if a process is lost.
    """
    pieces = iter(pieces)
    first = list(islice(pieces, 2))
    if len(first) < 2:
        yield from map(work, first)
        return
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context, resource_tracker

    resource_tracker.ensure_running()  # or the first process would, and unblock signals half way
    size = os.cpu_count() or 1
    crew = ProcessPoolExecutor(size, get_context("spawn"), die_with, (os.getpid(),))
    try:
        waiting: deque[Future[Result]] = deque()
        for piece in chain(first, pieces):
            with out_of_reach():  # the first pieces start the processes
                waiting.append(crew.submit(work, piece))
            if len(waiting) > AHEAD * size:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise ArenaError(
            "a process that arena started to share the work was lost: its message is above, or "
            "memory ran out"
        ) from None
    finally:
        crew.shutdown(wait=False, cancel_futures=True)
