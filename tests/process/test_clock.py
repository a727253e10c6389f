"""What a decision is charged, from samples made up here."""

from pathlib import Path

import pytest

from arena.process import clock
from arena.process.clock import Allowance, Meter

ALLOWANCE = Allowance("a decision", each_s=2.0, all_s=2.0, sleep_s=0.15, wall_s=60.0)


def at(
    wall_s: float, took_s: float = 0.0, cpu_s: float = 0.0, waited_s: float = 0.0,
    asleep: bool = False,
) -> clock._Sample:  # fmt: skip
    """Return a sample that took so long to take."""
    return clock._Sample(wall_s, cpu_s, waited_s, asleep, wall_s + took_s)


@pytest.mark.parametrize(
    ("stolen_s", "verdict"), [(0.0, "of this batch it may sleep 150 ms"), (0.9, "")]
)
def test_what_a_hypervisor_took_is_no_sleep(
    monkeypatch: pytest.MonkeyPatch, stolen_s: float, verdict: str
) -> None:
    samples = iter([at(0.0), at(1.0, cpu_s=0.1, asleep=True)])
    stolen = iter([5.0, 5.0 + stolen_s])
    monkeypatch.setattr(clock, "_sample", lambda pid: next(samples))
    monkeypatch.setattr(clock, "stolen_s", lambda: next(stolen))
    meter = Meter(1, ALLOWANCE, question=0)
    assert verdict in meter.sample(0)
    assert bool(verdict) or next(stolen, None) is None, "it was not looked up"


@pytest.mark.parametrize(
    "samples",
    [
        # We lose the core for 1 s within the first sample; the bot computes and waits meanwhile.
        [
            at(0.0, took_s=1.0, cpu_s=0.4, waited_s=0.6),
            at(2.0, cpu_s=1.4, waited_s=0.6, asleep=True),
        ],
        # The same within the second.
        [at(0.0), at(1.0, took_s=1.0, cpu_s=0.5, waited_s=0.7, asleep=True)],
        # It waits for a core, and the kernel has not counted that yet.
        [at(0.0), at(1.0, cpu_s=0.1, waited_s=0.1)],
    ],
)
def test_a_wait_for_the_core_is_no_sleep(
    monkeypatch: pytest.MonkeyPatch, samples: list[clock._Sample]
) -> None:
    monkeypatch.setattr(clock, "_sample", lambda pid: samples.pop(0))
    monkeypatch.setattr(clock, "stolen_s", lambda: 0.0)
    assert Meter(1, ALLOWANCE, question=0).sample(0) == ""


@pytest.mark.parametrize("said", [b"0 0 0\n", b"1000000 0 1\n", None])
def test_a_kernel_that_counts_no_waits_is_told_by_its_zeros(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: bytes | None
) -> None:
    file = tmp_path / "schedstat"
    if said is not None:
        file.write_bytes(said)
    monkeypatch.setattr("builtins.open", lambda path, mode: file.open(mode))
    counts = clock._counts_waits()
    monkeypatch.undo()
    assert counts is (said == b"1000000 0 1\n")


def test_time_stolen_is_read_from_the_kernel() -> None:
    assert clock.stolen_s() >= 0
