"""A disk that fills up while something is exported or made whole, whichever write it refuses: what
was there stays, nothing is half written, nothing is left beside it, and one sentence says where.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from arena.errors import ArenaError
from arena.store import opening
from arena.tables.results import PROVENANCE
from tests.leagues import main
from tests.places import ROOT

CUP = Path("results") / "cup"
PAGE_KB = 4
OLD = b"what was there"
ROOM_KB = 65536
Tree = dict[str, bytes]


def tree(folder: Path) -> Tree:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@contextmanager
def disk(at: Path, before: Tree, free_kb: int) -> Iterator[None]:
    """Mount a disk that holds what was there `before`, and has so much room beside it."""
    at.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM_KB}k", "disk", at], check=True)
    try:
        for name, content in before.items():
            (at / name).parent.mkdir(parents=True, exist_ok=True)
            (at / name).write_bytes(content)
        used_kb = (ROOM_KB << 10) - shutil.disk_usage(at).free >> 10
        subprocess.run(["mount", "-o", f"remount,size={used_kb + free_kb}k", at], check=True)
        yield
    finally:
        subprocess.run(["umount", at], check=True)


def exported(at: Path, league: Path, step_kb: int) -> None:
    """Export to disks with ever more room, until it fits."""
    assert main("export", league / CUP, "--to", at.parent / "whole").returncode == 0
    whole = tree(at.parent / "whole")
    before = dict.fromkeys((f"out/{name}" for name in whole), OLD)
    for old in ({}, before):
        for free_kb in range(PAGE_KB, ROOM_KB, step_kb):
            with disk(at, old, free_kb):
                done = main("export", league / CUP, "--to", at / "out")
                there = tree(at)
            told = (done.stderr.decode().splitlines() or [""])[-1]
            if done.returncode == 0:
                break
            assert (done.returncode, done.stdout) == (1, b""), (free_kb, told)
            assert told.startswith(str(at / "out")), (free_kb, told)
            assert "No space left" in told or "disk is full" in told, (free_kb, told)
            assert {*old} <= {*there} <= {f"out/{name}" for name in whole}, (free_kb, {*there})
            for name, content in there.items():
                kept = content in (old.get(name), whole[name.removeprefix("out/")])
                assert kept or name.endswith(PROVENANCE), (free_kb, name)
        assert {*there} == {*before}, told


def salvaged(at: Path, league: Path, step_kb: int) -> None:
    """Make a whole store of one, as of a damaged one, where there is ever more room."""
    before = {"arena.sqlite": (league / CUP / "arena.sqlite").read_bytes()}
    for free_kb in range(PAGE_KB, ROOM_KB, step_kb):
        with disk(at, before, free_kb):
            try:
                opening.rebuild(at / "arena.sqlite")
                failed = ""
            except ArenaError as error:
                failed = str(error)
            there = tree(at)
        for name in [name for name in there if name.endswith(("-shm", "-wal"))]:
            del there[name]  # of who read it, with nothing in it
        if not failed:
            break
        assert failed.startswith(f"{at}/arena.sqlite: is damaged, and there is no space"), failed
        assert failed.endswith("; free some space"), failed
        assert there == before, free_kb
    assert {*there} == {"arena.sqlite", "arena.sqlite.damaged"}


@pytest.mark.parametrize(
    ("kind", "pages"),
    [
        ("exported", 40), ("salvaged", 10),
        pytest.param("exported", 1, marks=pytest.mark.long),
        pytest.param("salvaged", 1, marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_where_the_disk_is_full_what_was_there_stays(
    league: Path, tmp_path: Path, kind: str, pages: int, seed: int
) -> None:
    """In a process that may mount disks for itself; with one page each is refused."""
    step_kb = PAGE_KB * Random(seed).randrange(pages, 2 * pages)
    script = (
        "import sys; from pathlib import Path; from tests.whole import test_full_disk as test\n"
        "kind, league, folder, step = sys.argv[1:]\n"
        "getattr(test, kind)(Path(folder) / 'disk', Path(league), int(step))"
    )
    inside = ["unshare", "--map-root-user", "--mount"]
    mounts = f"mount -t tmpfs -o size=100k disk {tmp_path} && mount -o remount,size=200k {tmp_path}"
    probe = [*inside, "sh", "-c", mounts]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no namespaces to mount disks in: allow them (kernel.unprivileged_userns_clone,"
                    " kernel.apparmor_restrict_unprivileged_userns), or be root")  # fmt: skip
    words = [*inside, sys.executable, "-c", script, kind, str(league), str(tmp_path), str(step_kb)]
    done = subprocess.run(words, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr.decode()
