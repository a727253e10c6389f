"""What a decision is charged, from samples made up here."""

import os
from pathlib import Path

import pytest

from arena.process import clock
from arena.process.clock import Allowance, Meter

ALLOWANCE = Allowance("a decision", each_s=2.0, all_s=2.0, sleep_s=0.15, wall_s=60.0)


def at(
    wall_s: float, took_s: float = 0.0, cpu_s: float = 0.0, waited_s: float = 0.0,
    asleep: bool = False, core: int = 0,
) -> clock._Sample:  # fmt: skip
    """Return a sample that took so long to take."""
    return clock._Sample(wall_s, cpu_s, waited_s, asleep, wall_s + took_s, core)


SLEPT = "150 ms asleep in this batch"


@pytest.mark.parametrize(
    ("cores", "stolen_s", "verdict"),
    [
        ((0, 0, 0), [(5.0, 5.0), (5.4, 5.0), (5.9, 5.0)], ""),  # all from its own core
        ((0, 0, 0), [(5.0, 5.0), (5.0, 5.4), (5.0, 5.9)], SLEPT),  # from another: it need not wait
        ((0, 1, 1), [(5.0, 5.0), (5.4, 5.0), (5.4, 5.5)], ""),  # from the one it left, and its next
        ((0, 0, 1), [(5.0, 5.0), (5.0, 5.4), (5.5, 5.4)], SLEPT),  # from each while it was away
        ((0, 0, 0), [(5.0, 5.0)] * 3, SLEPT),
    ],
)
def test_what_a_hypervisor_took_from_the_bots_core_is_no_sleep(
    monkeypatch: pytest.MonkeyPatch,
    cores: tuple[int, ...],
    stolen_s: list[tuple[float, float]],
    verdict: str,
) -> None:
    walls = zip((0.0, 0.5, 1.0), cores, strict=True)
    samples = iter([at(wall_s, asleep=bool(wall_s), core=core) for wall_s, core in walls])
    stolen = iter([dict(enumerate(by_core)) for by_core in stolen_s])
    monkeypatch.setattr(clock, "_sample", lambda pid: next(samples))
    monkeypatch.setattr(clock, "stolen_s", lambda: next(stolen))
    meter = Meter(1, ALLOWANCE, question=0)
    excesses = [meter.sample(0), meter.sample(0)]
    assert verdict in "".join(excesses)
    assert bool(verdict) == any(excesses)
    assert next(stolen, None) is None, "it was not looked up"


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
    monkeypatch.setattr(clock, "stolen_s", lambda: {0: 0.0})
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
    stolen = clock.stolen_s()
    assert os.sched_getaffinity(0) <= stolen.keys()
    assert min(stolen.values()) >= 0
