"""The loops of the crowded benchmark: there while it measures, and where it says."""

import os
from pathlib import Path

import pytest

from tests.benchmarks import tournaments
from tests.benchmarks.accounting import Cost
from tests.benchmarks.crowded import POOL, Crowd, Pair, busy_cores, computing, crowds, pair
from tests.processes import alive

pytestmark = pytest.mark.whole

ALLOWED = os.sched_getaffinity(0)


@pytest.mark.parametrize("kept", [True, False])
def test_loops_compute_where_they_are_to_and_end_with_the_measurement(kept: bool) -> None:
    cores = sorted(ALLOWED)
    with computing(Crowd("two a core", 2, cores, kept)) as pids:
        where = [os.sched_getaffinity(pid) for pid in pids]
        assert where == [{core} if kept else ALLOWED for core in cores for _ in range(2)]
        assert len({os.getsid(pid) for pid in pids} - {os.getsid(0)}) == len(pids)
    assert not any(map(alive, pids))


def test_loops_end_where_the_measurement_fails() -> None:
    with pytest.raises(RuntimeError), computing(crowds()[1]) as pids:
        raise RuntimeError
    assert pids
    assert not any(map(alive, pids))


def test_a_ratio_above_one_is_a_gain() -> None:
    pinned, free = Cost(10.0, 10.0, "", 1.0), Cost(12.0, 15.0, "", 1.0)
    assert (Pair(pinned, free, 0.0).cpu, Pair(pinned, free, 0.0).wall) == (1.2, 1.5)


def test_cores_that_are_busy_are_counted() -> None:
    """Ours: this process computes on one, so at least half of one is busy, and at most all are."""
    with computing(Crowd("one", 1, sorted(ALLOWED)[:1], True)):
        assert 0.5 < busy_cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("free_first", [True, False])
def test_one_of_a_pair_is_not_pinned_and_else_they_are_alike(
    monkeypatch: pytest.MonkeyPatch, free_first: bool
) -> None:
    said: list[list[str]] = []

    def cost_of(command: list[str], folder: Path) -> Cost:
        said.append([word for word in command if not word.endswith(".toml")])
        return Cost(1.0, 1.0, '{"pools": [{"games": 6}]}', 0.5)

    monkeypatch.setattr(tournaments, "cost_of", cost_of)
    pair(tournaments.of_one_line_up(*POOL, 2, 6), crowds()[0], free_first)
    free, pinned = said if free_first else said[::-1]
    assert free == [*pinned, "--no-pin"]
