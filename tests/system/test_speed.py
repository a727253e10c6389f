"""The work by which machines are compared."""

from arena.system import speed


def test_more_work_takes_longer() -> None:
    """Four times as much: whatever else the machine does, that is plain."""
    once = speed.measure_work_s()
    assert once > 0
    assert speed.measure_work_s(4 * speed.STEPS) > 1.5 * once
