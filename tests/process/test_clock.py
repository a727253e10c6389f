"""What a decision is charged, from samples made up here."""

from pathlib import Path

import pytest

from arena.process import clock
from arena.process.bot_process import Allowance
from arena.process.clock import Meter, Sample

ALLOWANCE = Allowance("a decision", each_s=2.0, all_s=2.0, sleep_s=0.15, wall_s=60.0)


def at(
    wall_s: float, took_s: float = 0.0, cpu_s: float = 0.0, waited_s: float = 0.0,
    state: bytes = b"R", core: int = 0, stolen_s: tuple[float, ...] = (0.0,),
) -> Sample:  # fmt: skip
    stolen = dict(enumerate(stolen_s))
    return Sample(wall_s, cpu_s, waited_s, state, wall_s + took_s, core, stolen)


def charge(samples: list[Sample], confined: bool = True, watched_s: float = 0.01) -> str:
    """Return what a meter says from the second sample on."""
    meter = Meter(iter(samples).__next__, ALLOWANCE, 0, confined, watched_s)
    return "".join(meter.sample(0) for _ in samples[1:])


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
    cores: tuple[int, ...], stolen_s: list[tuple[float, float]], verdict: str
) -> None:
    samples = [
        at(wall_s, state=b"S" if wall_s else b"R", core=core, stolen_s=stolen)
        for wall_s, core, stolen in zip((0.0, 0.5, 1.0), cores, stolen_s, strict=True)
    ]
    said = charge(samples, watched_s=1.0)
    assert verdict in said if verdict else not said


@pytest.mark.parametrize(
    "samples",
    [
        # We lose the core for 1 s within the first sample; the bot computes and waits meanwhile.
        [at(0.0, 1.0, cpu_s=0.4, waited_s=0.6), at(2.0, cpu_s=1.4, waited_s=0.6, state=b"S")],
        # The same within the second.
        [at(0.0), at(1.0, took_s=1.0, cpu_s=0.5, waited_s=0.7, state=b"S")],
        # It waits for a core, and the kernel has not counted that yet.
        [at(0.0), at(1.0, cpu_s=0.1, waited_s=0.1)],
    ],
)
def test_a_wait_for_the_core_is_no_sleep(samples: list[Sample]) -> None:
    assert charge(samples, watched_s=10.0) == ""


WATCHED = [at(look * 0.005, state=b"S") for look in range(99)]  # asleep, and looked at every 5 ms


@pytest.mark.parametrize(
    ("samples", "confined", "verdict"),
    [
        (WATCHED, True, SLEPT),
        # We were stopped, or all of us; then it wakes up and is asleep no longer than it may.
        ([at(0.0), at(9.0, state=b"S"), at(9.005, cpu_s=0.1)], True, ""),
        ([*WATCHED[:20], at(9.0, state=b"S"), at(9.005, state=b"S")], True, ""),
        # Whoever sleeps on after that is charged what is seen of it, before and after.
        ([*WATCHED[:20], *(at(9 + look.began_s, state=b"S") for look in WATCHED)], True, SLEPT),
        # The clock jumps forth by hours and back again, look after look.
        ([at(look * 0.005 + 9e3 * (look % 2), state=b"S") for look in range(20)], True, ""),
        ([at(look * 0.005 + 9e3 * (look % 3 > 0), state=b"S") for look in range(99)], True, SLEPT),
        # It computes while nobody watches: that is charged, for the kernel has counted it.
        ([at(0.0), at(9.0, cpu_s=2.1, state=b"S")], True, "limit: 2000 ms a decision"),
        # It is stopped or waits for the disk; a bot that is not confined may stop itself.
        ([look._replace(state=b"T") for look in WATCHED], True, ""),
        ([look._replace(state=b"T") for look in WATCHED], False, SLEPT),
        ([look._replace(state=b"D") for look in WATCHED], False, ""),
    ],
)  # fmt: skip
def test_a_watch_that_was_away_begins_anew(
    samples: list[Sample], confined: bool, verdict: str
) -> None:
    said = charge(samples, confined)
    assert verdict in said if verdict else not said


def test_a_look_is_due_also_where_the_clock_was_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(lambda: at(100.0), ALLOWANCE, 0, confined=True)
    for now_s, due in ((100.004, False), (100.006, True), (90.0, True), (9e9, True)):
        monkeypatch.setattr("time.monotonic", lambda now_s=now_s: now_s)
        assert meter.is_due() is due


def test_a_kernel_that_counts_no_waits_is_told_by_its_zeros(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, counts = tmp_path / "schedstat", list[bool]()
    monkeypatch.setattr(clock, "open", lambda path, mode: file.open(mode), raising=False)
    for said in (None, b"0 0 0\n", b"1000000 0 1\n"):
        if said:
            file.write_bytes(said)
        counts.append(clock._counts_waits())
    assert counts == [False, False, True]
