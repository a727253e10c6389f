"""Work shared among processes: in order, no faster than it is used, and nobody left behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from arena.errors import ArenaError
from arena.progress import Progress
from arena.system import parallel
from arena.system.parallel import AHEAD, map_in_processes, tick
from tests.processes import all_gone, children_of

CORES = 2


@pytest.fixture(autouse=True)
def cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "count_cores", lambda: CORES)


def double(number: int) -> int:
    return 2 * number


def process_of(number: int) -> int:
    return os.getpid()


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.whole
def test_results_come_in_order_and_pieces_are_taken_as_they_are_used() -> None:
    taken = []

    def pieces() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = map_in_processes(double, pieces())
    assert next(results) == 0
    assert len(taken) <= AHEAD * CORES + 1
    assert list(results) == [2 * number for number in range(1, 100)]


def test_pieces_are_worked_on_here_where_locks_have_no_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: path != "/dev/shm")
    assert {*map_in_processes(process_of, range(3))} == {os.getpid()}


def test_on_one_core_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "count_cores", lambda: 1)
    assert {*map_in_processes(process_of, range(3))} == {os.getpid()}


@pytest.mark.whole
def test_when_the_last_result_is_there_no_process_and_no_thread_is_left() -> None:
    """One that still ends when Python does is a traceback now and then: 3.11 and 3.12 write to a
    pipe that it closes.
    """
    before = {*threading.enumerate()}
    for _ in range(3):
        assert list(map_in_processes(double, range(4))) == [0, 2, 4, 6]
        assert {*threading.enumerate()} == before


class Told(Progress):
    """Counts what it is told of."""

    parts = 0

    def done(self, parts: int = 1) -> None:
        self.parts += parts


def ticked(number: int) -> int:
    for _ in range(number):
        tick()
    return number


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([5], id="here"),
        pytest.param([3, 0, 4], id="in other processes", marks=pytest.mark.whole),
    ],
)
def test_ticks_of_all_processes_are_told(pieces: list[int]) -> None:
    told = Told()
    assert list(map_in_processes(ticked, pieces, told)) == pieces
    assert told.parts == sum(pieces)
    tick()  # nobody watches now
    assert told.parts == sum(pieces)


@pytest.mark.whole
def test_a_process_that_dies_is_an_error_and_no_endless_wait() -> None:
    with pytest.raises(ArenaError, match="a helper process of arena died"):
        list(map_in_processes(die, [1, 2, 3]))


@pytest.mark.whole
def test_after_kill_9_of_who_shares_it_nobody_is_left() -> None:
    code = (
        "from arena.system import parallel; from arena.system.parallel import map_in_processes\n"
        "parallel.count_cores = lambda: 2\n"
        "if __name__ == '__main__':\n"
        "    results = map_in_processes(abs, iter(range(10**9)))\n"
        "    print(next(results), flush=True)\n"
        "    for _ in results: pass\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"0\n"
    family = children_of(process.pid)
    assert family
    process.kill()
    process.communicate()
    assert all_gone(family)
