"""How much of a machine is ours, by recorded answers of the kernel."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from arena.system.machine import choose_workers, count_cores, find_memory_mib

CORES, MEMORY_MIB = 64, 256 << 10  # of the machine that all these run on
CONTAINER = "docker/3f0c3b1f6f0e"
NONE_V1 = "9223372036854771712\n"  # as the kernel writes the default of version 1

LIMITED = {
    "v2, a container's own group is mounted: --cpus=1.5 -m 1g": {
        "proc/self/cgroup": "0::/\n",
        "sys/fs/cgroup/cpu.max": "150000 100000\n",
        "sys/fs/cgroup/memory.max": "1073741824\n",
    },
    "v2, a service: its slice has the limits": {
        "proc/self/cgroup": "0::/bots.slice/arena.service\n",
        "sys/fs/cgroup/bots.slice/cpu.max": "200000 100000\n",
        "sys/fs/cgroup/bots.slice/memory.max": "1073741824\n",
        "sys/fs/cgroup/bots.slice/arena.service/cpu.max": "max 100000\n",
        "sys/fs/cgroup/bots.slice/arena.service/memory.max": "max\n",
        "sys/fs/cgroup/other.slice/cpu.max": "100000 100000\n",
    },
    "v1, a container: the path is the host's, and not there": {
        "proc/self/cgroup": f"4:memory:/{CONTAINER}\n3:cpu,cpuacct:/{CONTAINER}\n2:pids:/\n",
        "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "75000\n",
        "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "50000\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
    },
    "v1, nested: the smallest counts": {
        "proc/self/cgroup": "4:memory:/user/ann\n3:cpuacct,cpu:/user/ann\n",
        "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
        "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        "sys/fs/cgroup/cpu/user/cpu.cfs_quota_us": "110000\n",
        "sys/fs/cgroup/cpu/user/cpu.cfs_period_us": "100000\n",
        "sys/fs/cgroup/cpu/user/ann/cpu.cfs_quota_us": "800000\n",
        "sys/fs/cgroup/cpu/user/ann/cpu.cfs_period_us": "100000\n",
        "sys/fs/cgroup/memory/user/memory.limit_in_bytes": NONE_V1,
        "sys/fs/cgroup/memory/user/ann/memory.limit_in_bytes": "1073741824\n",
    },
}
WHOLE: dict[str, dict[str, str]] = {
    "no control groups": {},
    "our groups are hidden": {"proc/self/cgroup/file": "a folder cannot be read either\n"},
    "v2, no limits": {
        "proc/self/cgroup": "0::/../job\n",  # seen from a namespace that we are not in
        "sys/fs/cgroup/cpu.max": "max 100000\n",
        "sys/fs/cgroup/memory.max": "max\n",
    },
}


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {"SC_PHYS_PAGES": MEMORY_MIB << 8, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {*range(CORES)})


def record(root: Path, files: Mapping[str, str]) -> str:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return str(root)


@pytest.mark.parametrize("name", [*LIMITED, *WHOLE])
def test_a_quota_is_rounded_up_to_cores_and_memory_is_what_the_group_has(
    name: str, tmp_path: Path
) -> None:
    root = record(tmp_path, {**LIMITED, **WHOLE}[name])
    ours = (2, 1024) if name in LIMITED else (CORES, MEMORY_MIB)
    assert (count_cores(root), find_memory_mib(root)) == ours


def test_a_group_may_have_any_name(tmp_path: Path) -> None:
    name = os.fsdecode(b"a:b \xff")
    root = record(tmp_path, {f"sys/fs/cgroup/{name}/cpu.max": "250000 100000\n"})
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_bytes(b"0::/a:b \xff\n")
    assert count_cores(root) == 3


@pytest.mark.parametrize(("quota", "cores"), [("20000", 1), ("800000", 3), ("max", 3)])
def test_part_of_a_core_is_one_and_the_most_is_what_taskset_and_slurm_leave(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quota: str, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2})
    files = {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": f"{quota} 100000\n"}
    assert count_cores(record(tmp_path, files)) == cores


@pytest.mark.parametrize(("memory_mib", "workers"), [(64, 1), (1024, 4), (8192, 32), (65536, 64)])
def test_where_memory_is_short_fewer_workers_than_cores_are_started(
    memory_mib: int, workers: int, tmp_path: Path
) -> None:
    files = {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": f"{memory_mib << 20}\n"}
    assert choose_workers(record(tmp_path, files)) == workers
