"""A host of a cluster, as Dask's worker there has it: checked, given the bots, lending workers.

Everything here runs in Dask's process, and knows nothing of Dask. Sessions run in arena's worker
processes (`arena.runner.worker`), over the same pipe as at home: in threads of one process each
would wait for the others (the GIL), and take Dask's worker along when it fails.
"""

import pickle
import threading
import weakref
import zlib
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.league.files import Source, sweep_snapshots, write_snapshots
from arena.model import Bot, Limits, Tally
from arena.plan.plan import check_walls
from arena.runner.worker import DONE, LOADED, PLAYED, STOP, LoadCheck, Task, Worker
from arena.store.chunk import Chunk
from arena.system.machine import installed_versions, version_differences

LOOK_S = 0.1  # how often a task looks whether it is to end
REMEDY = "other hosts play on without this one"  # where bots cannot be confined


class Kit(NamedTuple):
    """The parts of a tournament that a host needs, sent once. Its bots travel by content."""

    sources: dict[str, Source]  # by bot's name
    bots: list[Bot]
    limits: Limits
    confined: bool
    pinned: bool


class Returned(NamedTuple):
    """The results of a session."""

    games: list[Chunk]  # those that were finished
    tallies: list[Tally] | None  # None: it was not played to its end
    failed: str  # why a worker was lost over it; "" for none


class Host:
    """A tournament on a host. It lives as long as Dask keeps it for the arena that asked
    for it: once that arena is gone, for whatever reason, so are the workers and the copies of the
    bots.
    """

    def __init__(self, kit: Kit) -> None:
        self.kit, self.stopping = kit, threading.Event()
        self._idle = deque[Worker]()
        self._places = deque(range(1024))
        with ExitStack() as opened:
            copies = write_snapshots(kit.sources, kit.bots)
            self.paths = opened.enter_context(copies)
            # The kernel ends a worker with the thread that started it (`walls.die_with`), and
            # Dask's threads come and go. This one stays.
            self._starter = ThreadPoolExecutor(1, "arena-starter")
            opened.callback(self._starter.shutdown)
            opened.callback(_end_all, self._idle)
            weakref.finalize(self, opened.pop_all().close)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Refuse to be pickled: it stays on its host."""
        raise ArenaError("a host's workers cannot be moved to another")

    def borrow(self) -> Worker:
        try:
            return self._idle.pop()
        except IndexError:
            place, kit = self._places.popleft(), self.kit
            return self._starter.submit(Worker, kit.confined, kit.pinned, place).result()

    def give_back(self, borrowed: Worker, sound: bool) -> None:
        """Take a worker back; end it if it is not `sound`."""
        if sound:
            self._idle.append(borrowed)
        else:
            borrowed.end()
            self._places.appendleft(borrowed.place)


def pack_kit(kit: Kit) -> bytes:
    """Pack a kit for `prepare`; bots are text, and shrink to a third of their size."""
    return zlib.compress(pickle.dumps(kit, pickle.HIGHEST_PROTOCOL))


def prepare(wanted: dict[str, str], kit: bytes) -> Host:
    """Prepare the host's part of a tournament, after checking that the right versions are there,
    and walls if bots are confined. `kit` is read after that.

    Raises ArenaError, with the reason.
    """
    if others := list(version_differences(installed_versions(), wanted)):
        raise ArenaError(f"{'; '.join(others)}: install the coordinator's versions")
    given: Kit = pickle.loads(zlib.decompress(kit))
    sweep_snapshots()
    if given.confined:
        check_walls(remedy=REMEDY)
    return Host(given)


def load(host: Host, bots: Sequence[str]) -> Any:
    """Find the bots of these that cannot be loaded, each tried once, alone: the reasons by name.
    Raises ArenaError if a worker is lost over it.
    """
    borrowed, sound = host.borrow(), False
    paths = {bot: host.paths[bot] for bot in bots}
    try:
        borrowed.send(LoadCheck(paths, host.kit.limits))
        what, content = _answer(borrowed, host.stopping)
        sound = what == LOADED
    finally:
        host.give_back(borrowed, sound)
    if not sound:
        raise ArenaError(*str(content).splitlines())
    return content


def play(host: Host, job: bytes) -> bytes:
    """Play a Job and return what came of it, a Returned: both pickled here, so that Dask copies
    bytes and nothing else.
    """
    task, returned = Task(pickle.loads(job), host.paths), None
    borrowed = host.borrow()
    try:
        returned = _play_task(borrowed, task, host.stopping)
    finally:
        host.give_back(borrowed, bool(returned and returned.tallies is not None))
    return pickle.dumps(returned, pickle.HIGHEST_PROTOCOL)


def stop(key: str, dask_worker: Any) -> None:
    """End a host's sessions and have them return finished games. Dask runs this beside its tasks,
    and hands its worker in, which has the Host under that key.
    """
    host = dask_worker.data.get(key)
    if host is not None:
        host.stopping.set()


def _play_task(borrowed: Worker, task: Task, stopping: threading.Event) -> Returned:
    games = list[Chunk]()
    borrowed.send(task)
    what, content = _answer(borrowed, stopping)
    while what == PLAYED:
        games.append(content)
        what, content = _answer(borrowed, stopping)
    if what == DONE:
        return Returned(games, content, "")
    return Returned(games, None, "" if stopping.is_set() else content)


def _answer(borrowed: Worker, stopping: threading.Event) -> tuple[str, Any]:
    """Wait for a worker's next message. Where the host is to stop, send it `STOP` first: it may
    never pause.
    """
    is_asked = False
    while True:
        if stopping.is_set() and not is_asked:
            is_asked = True
            borrowed.send(STOP)
        if borrowed.connection.poll(LOOK_S):
            return borrowed.receive()


def _end_all(idle: deque[Worker]) -> None:
    while idle:
        idle.pop().end()
