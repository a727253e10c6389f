"""Limits of time on machines that are not the one that they are meant for."""

import pytest

from arena.model import Limits, Tally
from arena.runner import clocks
from arena.runner.clocks import by_the_clock, scaled
from arena.system import speed


def test_limits_are_as_long_as_work_is() -> None:
    assert scaled(Limits(cpu_ms=1), 0.2).cpu_ms == 1
    assert scaled(Limits(cpu_ms=100), 0.5).cpu_ms == 50
    assert scaled(Limits(), 1.0) == Limits()


def test_times_are_those_of_the_machine_that_limits_are_meant_for() -> None:
    (tally,) = by_the_clock([Tally("ann", 7, 3.0, 0.5, (), "")], 2.0)
    assert tally == Tally("ann", 7, 1.5, 0.25, (), "")


def test_a_clock_is_never_nought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "work_s", lambda: 0.006)
    assert clocks.clock_to(60.0) == 0.01  # times are divided by it
    assert clocks.clock_to(0.004) == 1.5
