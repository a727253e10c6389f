"""The work by which machines are compared."""

import pytest

from arena.system import speed


def test_more_work_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times as much: whatever else the machine does, that is plain."""
    once = speed.work_s()
    assert once > 0
    monkeypatch.setattr(speed, "STEPS", 4 * speed.STEPS)
    assert speed.work_s() > 1.5 * once
