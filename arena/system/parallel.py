"""Several processes for work that depends on its input alone: arena's own work, never a bot's.

`concurrent.futures`, because a pool of multiprocess starts a process that dies at once (no memory,
unreadable files) again and again for ever, and its caller waits for ever.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from arena.errors import ArenaError
from arena.progress import SILENT, Progress
from arena.system.abilities import LINUX
from arena.system.machine import count_cores
from arena.system.signals import shield_children

if TYPE_CHECKING:  # it takes its time
    from concurrent.futures import Future

LOOK_S = 0.25  # how often it is asked how far the processes have come
AHEAD = 4  # pieces of work on their way, a process: the input is read no faster than it is used

Piece = TypeVar("Piece")
Result = TypeVar("Result")


_tick: Callable[[], object] = SILENT.done  # set where work is done that somebody watches


def tick() -> None:
    """Count a step of the work as done, in any process; `map_in_processes` reports it."""
    _tick()


def map_in_processes(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], steps: Progress = SILENT
) -> Iterator[Result]:
    """Yield work(piece) of each piece, in their order; work, pieces and results must be picklable.

    All is done here where sharing gains nothing, with a single piece or core, where the kernel
    would not end those processes with this one, which only Linux does, and where their locks have
    no place. `steps` is told of each `tick` of the work. Raises ArenaError if a process is lost.
    """
    pieces = iter(pieces)
    first = list(islice(pieces, 2))
    can_share = LINUX and os.access("/dev/shm", os.W_OK)
    size = count_cores() if can_share and len(first) > 1 else 1
    if size < 2:
        yield from map_here(work, chain(first, pieces), steps)
        return
    from concurrent.futures import wait
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context, resource_tracker

    resource_tracker.ensure_running()  # or the first process would, and unblock signals half way
    context = get_context("spawn")
    ticks, reported = context.Value("Q"), 0
    crew = ProcessPoolExecutor(size, context, _start, (os.getpid(), ticks))

    def wait_for(future: "Future[Result]") -> Result:
        nonlocal reported
        while True:
            over = wait([future], LOOK_S).done
            now = ticks.value
            if now > reported:
                steps.done(now - reported)
                reported = now
            if over:
                return future.result()

    try:
        waiting: deque[Future[Result]] = deque()
        for piece in chain(first, pieces):
            with shield_children():  # the first pieces start the processes
                waiting.append(crew.submit(work, piece))
            if len(waiting) > AHEAD * size:
                yield wait_for(waiting.popleft())
        while waiting:
            yield wait_for(waiting.popleft())
        crew.shutdown()  # waits: a pool that still ends when Python does may print a traceback
    except BrokenProcessPool:
        raise ArenaError(
            "a helper process of arena died: see its message above, or memory ran out"
        ) from None
    finally:
        crew.shutdown(wait=False, cancel_futures=True)


def _start(parent: int, ticks: Any) -> None:
    """Prepare a process of the pool: its ticks are added to a number that all share."""
    from arena.sandbox.walls import die_with  # here: Windows has not what it imports

    global _tick
    die_with(parent)

    def count_tick() -> None:
        with ticks.get_lock():
            ticks.value += 1

    _tick = count_tick


def map_here(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], steps: Progress
) -> Iterator[Result]:
    """Yield work(piece) of each piece, done in this process; `steps` is told of each `tick`."""
    global _tick
    for piece in pieces:
        before, _tick = _tick, steps.done
        try:
            result = work(piece)
        finally:
            _tick = before
        yield result
