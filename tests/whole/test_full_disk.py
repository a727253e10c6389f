"""A disk that fills up while something is exported or published, whichever write it refuses: what
was there stays, nothing is half written, nothing is left beside it, and one sentence says where.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from arena.errors import ArenaError
from arena.site.publish_dir import MANIFEST, replace_site
from arena.store import opening
from arena.tables.results import PROVENANCE
from tests.leagues import Done, main
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
        size = f"remount,size={used_kb + free_kb}k"
        subprocess.run(["mount", "-o", size, at], check=True)
        yield
    finally:
        subprocess.run(["umount", at], check=True)


def sizes(step_kb: int) -> Iterator[int]:
    """Yield how much room there is, until it is enough."""
    yield from range(PAGE_KB, ROOM_KB, step_kb)


def last_line(done: Done) -> str:
    """Return what a command said last, after its progress."""
    return done.stderr.decode().rpartition("\n")[0].rpartition("\n")[2]


def assert_refused(done: Done, place: Path, free_kb: int) -> None:
    """Assert that a command names the place for which its disk is too small."""
    told = last_line(done)
    assert (done.returncode, done.stdout) == (1, b""), (free_kb, told)
    assert told.startswith(str(place)), (free_kb, told)
    assert "No space left" in told or "disk is full" in told, (free_kb, told)


def exported(at: Path, league: Path, step_kb: int) -> None:
    """Export to disks with ever more room, until it fits."""
    assert main("export", league / CUP, "--to", at.parent / "whole").returncode == 0
    whole = tree(at.parent / "whole")
    before = dict.fromkeys((f"out/{name}" for name in whole), OLD)
    for old in ({}, before):
        for free_kb in sizes(step_kb):
            with disk(at, old, free_kb):
                done = main("export", league / CUP, "--to", at / "out")
                there = tree(at)
            told = last_line(done)
            if done.returncode == 0:
                break
            assert_refused(done, at / "out", free_kb)
            assert {*old} <= {*there} <= {f"out/{name}" for name in whole}, (free_kb, {*there})
            for name, content in there.items():
                kept = content in (old.get(name), whole[name.removeprefix("out/")])
                assert kept or name.endswith(PROVENANCE), (free_kb, name)
        assert {*there} == {*before}, told


def put_in_place(at: Path, _: Path, step_kb: int) -> None:
    """Write a small site, of which each write is refused in turn."""
    for old in ({}, {"site/a": OLD, f"site/{MANIFEST}": MANIFEST_OF_OLD}):
        for free_kb in sizes(step_kb):
            with disk(at, old, free_kb):
                try:
                    with replace_site(at / "site") as draft:
                        for name in ("a", "b", "games/c", "games/d"):
                            draft.write(name, name * 5000)
                    failed = ""
                except OSError as error:
                    failed = f"{error.filename}: {error.strerror}"
                there = tree(at)
            if not failed:
                break
            assert failed == f"{at}/site: No space left on device", free_kb
            assert there == old, free_kb
        assert len(there) == 5


def salvaged(at: Path, league: Path, step_kb: int) -> None:
    """Make a whole store of one, as of a damaged one, where there is ever more room."""
    before = {"arena.sqlite": (league / CUP / "arena.sqlite").read_bytes()}
    for free_kb in sizes(step_kb):
        with disk(at, before, free_kb):
            try:
                opening.rebuild(at / "arena.sqlite")
                failed = ""
            except ArenaError as error:
                failed = str(error)
            there = tree(at)
        for side in ("-shm", "-wal"):  # of who read it, with nothing in them
            for name in before:
                there.pop(f"{name}{side}", None)
                there.pop(f"{name}.damaged{side}", None)
        if not failed:
            break
        assert failed.startswith(f"{at}/arena.sqlite: is damaged, and there is no space"), failed
        assert failed.endswith("; free some space"), failed
        assert there == before, free_kb
    assert {*there} == {"arena.sqlite", "arena.sqlite.damaged"}


MANIFEST_OF_OLD = json.dumps({"made_by": "arena publish", "files": {"a": ""}}).encode()
KINDS: dict[str, Callable[[Path, Path, int], None]] = {
    "exported": exported, "put_in_place": put_in_place, "salvaged": salvaged,
}  # fmt: skip


def torment(kind: str, league: Path, folder: Path, step_kb: int) -> None:
    """Do all that in a process that may mount disks, which nobody else sees."""
    script = (
        "import sys; from pathlib import Path; from tests.whole import test_full_disk as test\n"
        "kind, league, folder, step = sys.argv[1:]\n"
        "test.KINDS[kind](Path(folder) / 'disk', Path(league), int(step))"
    )
    inside = ["unshare", "--map-root-user", "--mount"]
    mounts = f"mount -t tmpfs -o size=100k disk {folder} && mount -o remount,size=200k {folder}"
    probe = [*inside, "sh", "-c", mounts]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no namespaces to mount disks in: allow them (kernel.unprivileged_userns_clone,"
                    " kernel.apparmor_restrict_unprivileged_userns), or be root")  # fmt: skip
    words = [*inside, sys.executable, "-c", script, kind, str(league), str(folder), str(step_kb)]
    done = subprocess.run(words, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_whichever_write_of_a_site_is_refused_the_old_one_stays(tmp_path: Path) -> None:
    torment("put_in_place", tmp_path, tmp_path, PAGE_KB)


@pytest.mark.parametrize(("kind", "pages"), [("exported", 40), ("salvaged", 10)])
def test_where_the_disk_is_full_what_was_there_stays(
    league: Path, tmp_path: Path, kind: str, pages: int, seed: int
) -> None:
    torment(kind, league, tmp_path, PAGE_KB * Random(seed).randrange(pages, 2 * pages))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["exported", "salvaged"])
def test_whichever_page_the_disk_refuses_what_was_there_stays(
    league: Path, tmp_path: Path, kind: str
) -> None:
    torment(kind, league, tmp_path, PAGE_KB)
