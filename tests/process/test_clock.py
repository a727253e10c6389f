"""What a decision is charged, from samples made up here."""

import pytest

from arena.process import clock
from arena.process.clock import Allowance, Meter


@pytest.mark.parametrize(
    ("stolen_s", "verdict"), [(0.0, "of this batch it may sleep 150 ms"), (0.9, "")]
)
def test_what_a_hypervisor_took_is_no_sleep(
    monkeypatch: pytest.MonkeyPatch, stolen_s: float, verdict: str
) -> None:
    samples = iter([clock._Sample(0.0, 0.0, 0.0, False), clock._Sample(1.0, 0.1, 0.0, True)])
    stolen = iter([5.0, 5.0 + stolen_s])
    monkeypatch.setattr(clock, "_sample", lambda pid: next(samples))
    monkeypatch.setattr(clock, "stolen_s", lambda: next(stolen))
    allowance = Allowance("a decision", each_s=2.0, all_s=2.0, sleep_s=0.15, wall_s=60.0)
    meter = Meter(1, allowance, question=0)
    assert verdict in meter.sample(0)
    assert bool(verdict) or next(stolen, None) is None, "it was not looked up"


def test_time_stolen_is_read_from_the_kernel() -> None:
    assert clock.stolen_s() >= 0
