"""This machine: what is installed, how it differs from another, and how much of it is ours.

A version number says little of a clone: so hosts of a tournament, which are to play the same games,
compare arena's and the games' own files by content.
"""

import hashlib
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from importlib.metadata import version
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import arena
import games

PACKAGES = ("msgspec", "numpy", "trueskill")
"""The packages that results can depend on, and arena."""
_SHOWN = 10  # digits of a hash
WORKER_MIB = 128  # and its bots: 36 with three small ones, 72 with ten house bots, 100 with thirty

CPU = ("vendor_id", "cpu family", "model", "flags", "CPU", "Features")
"""The first words of the lines of /proc/cpuinfo that are the same after a restart."""
UNKNOWN_MIB = 4096  # of memory, where the system does not tell in a line
SETS = re.compile("NPY_|OPENBLAS_|OMP_|MKL_|BLIS_|GLIBC_TUNABLES")
"""Environment variables that choose among a library's ways to compute."""


def read_clock() -> datetime:
    """The time now, with the offset of this machine's. Only commands read it, and hand it on."""
    return datetime.now().astimezone()


def result_versions() -> dict[str, str]:
    """The versions that results can depend on, as results keep them."""
    ours = {"python": platform.python_version(), "arena": arena.__version__}
    return ours | {name: version(name) for name in PACKAGES}


def installed_versions() -> dict[str, str]:
    """The versions that a game's bytes can depend on, the same wherever a tournament is played."""
    return {
        "Python": platform.python_version(),
        "arena": f"{arena.__version__} ({_hash_package(arena.__file__)})",
        "games": _hash_package(games.__file__),
        "msgspec": version("msgspec"),
        "numpy": version("numpy"),
    }


def describe_arithmetic() -> dict[str, Any]:
    """All that a computation of the same numbers depends on, down to the last digit: code, packages
    and the CPU's features, by which numpy and its BLAS choose how they add.
    """
    first = ""
    with suppress(OSError):  # other systems have no such file
        first = Path("/proc/cpuinfo").read_text(errors="replace").partition("\n\n")[0]
    return {
        "versions": all_versions(),
        "pages": _hash_package(arena.__file__, ".css", ".html", ".js", ".svg"),
        "libc": platform.libc_ver(),
        "machine": platform.machine(),
        "cpu": [line for line in first.splitlines() if line.startswith(CPU)],
        "settings": {name: os.environ[name] for name in sorted(os.environ) if SETS.match(name)},
    }


@cache
def all_versions() -> tuple[dict[str, str], list[str]]:
    """The installed versions, and every installed package as its folder of metadata is called, by
    name and version: all that the loading of a bot can depend on.
    """
    packages = {path.stem for place in sys.path for path in Path(place).glob("*-*.*-info")}
    return installed_versions(), sorted(packages)


def version_differences(here: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[str]:
    """A phrase for each package whose version here is not the one wanted."""
    for name, right in wanted.items():
        if here.get(name) != right:
            yield f"{name} is {here.get(name, 'not installed')}, not {right}"


def choose_workers(root: str = "/") -> int:
    """One a core, or as many as half of the memory has room for; the rest is for larger bots."""
    return max(1, min(count_cores(root), find_memory_mib(root) // 2 // WORKER_MIB))


def count_cores(root: str = "/") -> int:
    """The cores that we can keep busy: those we may run on, or fewer by a quota, rounded up."""
    cores = os.cpu_count() or 1
    with suppress(OSError, AttributeError):  # refused, or another system
        cores = len(os.sched_getaffinity(0))
    limits = _read_limits(root, "cpu.max", "cpu.cfs_quota_us cpu.cfs_period_us")
    return min([cores, *(ceil(quota / period) for quota, period in limits)])


def find_memory_mib(root: str = "/") -> int:
    """The memory, without swap, that we and all we start can have."""
    there = UNKNOWN_MIB << 20
    with suppress(AttributeError):  # Windows
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limits = _read_limits(root, "memory.max", "memory.limit_in_bytes")
    return min([there, *(limit for (limit,) in limits)]) >> 20


def _read_limits(root: str, *kinds: str) -> Iterator[list[int]]:
    """Yield the limits in such files of our control groups, of version 1 or 2, and all above."""
    lines = ""
    with suppress(OSError):  # there are none, or we may not know
        lines = Path(root, "proc/self/cgroup").read_text(errors="surrogateescape")
    for names, path in re.findall(r"\d+:(.*?):(.*)", lines):
        for mount in [names, *names.split(",")] if names else ["", "unified"]:
            group = Path(root, "sys/fs/cgroup", mount, path.lstrip("/"))
            for folder, files in product((group, *group.parents), kinds):  # a container's is on top
                with suppress(OSError):
                    words = " ".join((folder / file).read_text() for file in files.split()).split()
                    if words and all(map(str.isdigit, words)):  # neither "max" nor -1
                        yield [*map(int, words)]


@cache
def _hash_package(init: str, *others: str) -> str:
    """Hash a package's code, by its __init__.py: names and bytes of its *.py, and of its files that
    end in `others`.
    """
    root, digest = Path(init).parent, hashlib.sha256()
    for file in sorted(path for end in (".py", *others) for path in root.rglob(f"*{end}")):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:_SHOWN]
