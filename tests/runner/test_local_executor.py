"""Where the crew's workers run, real ones, and whom they wait for."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from arena.league.files import Source, hash_source
from arena.model import WALLS, Bot, Entry, Limits, Pool, Wanted
from arena.plan.plan import Plan
from arena.process.affinity import order_cores
from arena.progress import Progress
from arena.runner import worker
from arena.runner.local_executor import LocalExecutor
from tests.processes import all_gone, children_of

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core"),
]

PLAN = Plan("cup", Path("cup"), None, 2, Limits(), WALLS, (), {})
ALLOWED = os.sched_getaffinity(0)


def families(crew: LocalExecutor) -> list[set[frozenset[int]]]:
    """Return the cores that each worker and its zygote may use, once they are there."""
    for hired in crew._crew:
        hired.send(worker.LoadCheck({}, Limits()))
    for hired in crew._crew:
        assert hired.receive() == (worker.LOADED, {})
    pids = [hired.process.pid for hired in crew._crew]
    assert all(map(children_of, pids)), "without its zygote"
    return [
        {frozenset(os.sched_getaffinity(each)) for each in (pid, *children_of(pid))} for pid in pids
    ]


def sleepers(count: int) -> Plan:
    """Return a plan with so many bots that never load: each is ended after a second."""
    names = [f"sleeper{number}" for number in range(count)]
    files = Source((("bot.py", b"import time\ntime.sleep(1000)\n"),))
    bots = tuple(Bot(name, hash_source(files)) for name in names)
    wanted = (Wanted(Entry(Pool("no_thanks", 3, "{}", ""), bots, 1, "auto", False), None),)
    limits, sources = Limits(load_ms=500, wall_ms=500), dict.fromkeys(names, files)
    return PLAN._replace(limits=limits, wanted=wanted, sources=sources)


class Told(Progress):
    def __init__(self, does: Callable[[], object]) -> None:
        self._todo = [does]

    def at(self, names: Sequence[str]) -> None:
        while self._todo:
            self._todo.pop()()


def test_workers_are_spread_over_the_cores_and_a_new_one_takes_the_place_of_a_lost_one() -> None:
    in_turn = order_cores(ALLOWED)
    first, second = (
        frozenset({in_turn[(os.getpid() + place) % len(in_turn)]}) for place in range(2)
    )
    with LocalExecutor(sleepers(2), 2) as crew:
        assert families(crew) == [{first}, {second}]
        lost = crew._crew[0].process
        family = children_of(lost.pid)
        lost.kill()
        assert all_gone(family)  # so what dies slowly is not taken for the new one's
        assert crew.find_unloadable(["sleeper0", "sleeper1"]).keys() == {"sleeper0", "sleeper1"}
        assert families(crew) == [{second}, {first}]  # the new one is the last
    with LocalExecutor(PLAN._replace(pinned=False), 2) as crew:
        assert families(crew) == [{frozenset(ALLOWED)}] * 2


def test_a_worker_that_is_lost_while_bots_are_tried_is_replaced_and_each_is_tried() -> None:
    plan = sleepers(4)
    names = [bot.name for bot in plan.bots]
    with LocalExecutor(plan, 2) as crew:
        families(crew)
        kills = Told(lambda: crew._crew[0].process.kill())
        assert crew.find_unloadable(names, kills).keys() == set(names)
        assert len(families(crew)) == 2


def test_stopped_while_bots_are_tried_it_waits_for_none() -> None:
    plan = sleepers(2)
    with LocalExecutor(plan._replace(limits=Limits(load_ms=600_000)), 2) as crew:
        families(crew)
        pids = [hired.process.pid for hired in crew._crew]
        family = set().union(*map(children_of, pids), pids)
        assert crew.find_unloadable([bot.name for bot in plan.bots], Told(crew.stop)) == {}
        assert crew._crew == []
        assert all_gone(family)


def test_workers_that_are_lost_while_they_have_no_work_are_replaced() -> None:
    with LocalExecutor(PLAN, 2) as crew:
        families(crew)  # they are there
        for hired in crew._crew:
            hired.process.kill()
            hired.process.join()
        for hired in list(crew._crew):
            assert list(crew._hear(hired)) == []
        assert crew._crew == []
        assert list(crew.play([])) == []
        assert len(families(crew)) == 2


WITHOUT = ("unshare", "--map-root-user", "--mount", "sh", "-c",
           'mount -t tmpfs -o ro none /dev/shm && exec "$@"', "-")  # fmt: skip
LEFT = """\
from arena.model import Limits
from arena.runner.worker import LoadCheck, Worker
worker = Worker(False, False, 0)
worker.send(LoadCheck({}, Limits()))
print(worker.receive())
"""


@pytest.mark.parametrize("before", [(), WITHOUT])
def test_a_worker_that_nobody_ended_does_not_hold_up_the_exit_nor_needs_shared_memory(
    before: tuple[str, ...],
) -> None:
    if before and subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("no namespace of mounts can be made here")
    words = [*before, sys.executable, "-c", LEFT]
    done = subprocess.run(words, capture_output=True, timeout=60, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "('loaded', {})\n", "")
