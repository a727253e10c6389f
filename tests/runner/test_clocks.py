"""Limits of time on machines that are not the one that they are meant for."""

import pytest

from arena.errors import UsageError
from arena.model import Limits, Tally
from arena.runner import clocks
from arena.runner.clocks import OURS, Clock, Reference, beside, by_the_clock, scaled
from arena.runner.executor import Machine
from arena.system import speed


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """This is `here`, where the fixed piece of work takes 6 ms."""
    monkeypatch.setattr("socket.gethostname", lambda: "here")
    monkeypatch.setattr(speed, "work_s", lambda: 0.006)


def test_limits_are_as_long_as_work_is() -> None:
    assert scaled(Limits(cpu_ms=1), 0.2).cpu_ms == 1
    assert scaled(Limits(cpu_ms=100), 0.5).cpu_ms == 50
    assert scaled(Limits(), 1.0) == Limits()


def test_times_are_those_of_the_machine_that_limits_are_meant_for() -> None:
    (tally,) = by_the_clock([Tally("ann", 7, 3.0, 0.5, (), "")], 2.0)
    assert tally == Tally("ann", 7, 1.5, 0.25, (), "")


def test_a_machine_has_its_own_clock_unless_it_is_the_one_that_planned() -> None:
    assert beside(None, plays=True, slow_hosts=False) == OURS  # the plan of an older arena
    assert beside(clocks.here(), plays=True, slow_hosts=False) == OURS
    assert beside(Reference("there", 0.004), plays=True, slow_hosts=False) == Clock(
        0.004, Machine("here", 1.5)
    )
    assert beside(Reference("there", 0.001), plays=False, slow_hosts=False) == Clock(0.001)
    assert clocks.clock_to(60.0) == 0.01  # times are divided by it


def test_a_machine_that_is_far_slower_plays_only_if_it_may() -> None:
    with pytest.raises(UsageError, match=r"is 3\.0 times as slow as there, .* --slow-hosts"):
        beside(Reference("there", 0.002), plays=True, slow_hosts=False)
    assert beside(Reference("there", 0.002), plays=True, slow_hosts=True).machine == Machine(
        "here", 3.0
    )
