"""Work shared among processes: in order, no faster than it is used, and nobody left behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from unittest.mock import Mock

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
def test_results_come_in_order_as_they_are_used_and_no_process_and_no_thread_is_left() -> None:
    taken, before = [], {*threading.enumerate()}

    def pieces() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = map_in_processes(double, pieces())
    assert next(results) == 0
    assert len(taken) <= AHEAD * CORES + 1
    assert list(results) == [2 * number for number in range(1, 100)]
    assert {*threading.enumerate()} == before


def test_pieces_are_worked_on_here_where_locks_have_no_place_or_there_is_one_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(os, "access", lambda path, mode: path != "/dev/shm")
        assert {*map_in_processes(process_of, range(3))} == {os.getpid()}
    monkeypatch.setattr(parallel, "count_cores", lambda: 1)
    assert {*map_in_processes(process_of, range(3))} == {os.getpid()}


def ticked(number: int) -> int:
    for _ in range(number):
        tick()
    return number


@pytest.mark.whole
@pytest.mark.parametrize("pieces", [[5], [3, 0, 4]])  # here, and in other processes
def test_ticks_of_all_processes_are_told(pieces: list[int]) -> None:
    told = Mock(Progress)
    assert list(map_in_processes(ticked, pieces, told)) == pieces
    tick()  # nobody watches now
    assert sum(sum(call.args or (1,)) for call in told.done.call_args_list) == sum(pieces)


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
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"0\n"
        family = children_of(process.pid)
        process.kill()
    assert family
    assert all_gone(family)
