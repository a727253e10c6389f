"""Several processes for work that needs nothing but its input: arena's own, never a bot's."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from arena.stopping import out_of_reach

AHEAD = 4  # pieces of work on their way, a process: the input is read no faster than it is used

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_turn(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """Yield the result of each piece, in their order. Both must be picklable."""
    import multiprocess

    size = os.cpu_count() or 1
    with out_of_reach():
        crew = multiprocess.get_context("spawn").Pool(size)
    with crew:
        waiting: deque[multiprocess.pool.AsyncResult] = deque()
        for piece in pieces:
            waiting.append(crew.apply_async(work, (piece,)))
            if len(waiting) > AHEAD * size:
                yield waiting.popleft().get()
        while waiting:
            yield waiting.popleft().get()
