"""The work by which machines are compared."""

from arena.system import machine


def test_more_work_takes_longer() -> None:
    """Four times as much: whatever else the machine does, that is plain."""
    once = machine.measure_work_s()
    assert once > 0
    assert machine.measure_work_s(4 * machine.STEPS) > 1.5 * once
