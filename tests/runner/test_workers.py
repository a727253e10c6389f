"""Where the crew's workers run, real ones, with nothing to play."""

import os
from collections import deque
from pathlib import Path

import pytest

from arena.model import Limits
from arena.plan.plan import Plan
from arena.runner import worker
from arena.runner.workers import Crew
from arena.sandbox.walls import WALLS
from arena.system.cores import spread
from tests.processes import all_gone, children_of

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core"),
]

PLAN = Plan("cup", Path("cup"), None, 2, Limits(), WALLS, (), {})
ALLOWED = os.sched_getaffinity(0)


def families(crew: Crew) -> list[set[frozenset[int]]]:
    """Return the cores that each worker and its zygote may use, once they are there."""
    for connection in crew._workers:
        worker.send(connection, worker.Check({}, Limits()))
    for connection in crew._workers:
        assert worker.receive(connection) == (worker.LOADED, {})
    pids = [process.pid for process in crew._workers.values()]
    assert all(map(children_of, pids)), "without its zygote"
    return [
        {frozenset(os.sched_getaffinity(each)) for each in (pid, *children_of(pid))} for pid in pids
    ]


def test_workers_are_spread_over_the_cores_and_a_new_one_takes_the_place_of_a_lost_one() -> None:
    in_turn = spread(ALLOWED)
    first, second = (
        frozenset({in_turn[(os.getpid() + place) % len(in_turn)]}) for place in range(2)
    )
    with Crew(PLAN, 2) as crew:
        assert families(crew) == [{first}, {second}]
        lost = next(iter(crew._workers.values()))
        family = children_of(lost.pid)
        lost.kill()
        assert all_gone(family)  # so what dies slowly is not taken for the new one's
        assert crew.unloadable() == {}
        assert families(crew) == [{second}, {first}]  # the new one is the last


def test_workers_that_are_lost_while_they_have_no_work_are_replaced() -> None:
    """As between two looks of a match: once there was nobody left to play what the next asked."""
    with Crew(PLAN, 2) as crew:
        families(crew)  # they are there
        for process in crew._workers.values():
            process.kill()
            process.join()
        for connection in list(crew._workers):
            assert list(crew._hear(connection, deque())) == []
        assert crew._workers == {}
        assert list(crew.play([])) == []
        assert len(families(crew)) == 2


def test_a_crew_that_was_stopped_hires_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped, a dry run once had a crew start and end for each sample that was left."""
    with Crew(PLAN, 2) as crew:
        families(crew)  # they are there
        crew.stop()
        assert list(crew._last_words()) == []
        hired = list[int]()
        monkeypatch.setattr(crew, "_hire", hired.append)
        assert list(crew.play([])) == []
        assert hired == []


def test_a_crew_that_is_not_pinned_runs_wherever_it_may() -> None:
    with Crew(PLAN._replace(pinned=False), 2) as crew:
        assert families(crew) == [{frozenset(ALLOWED)}] * 2
