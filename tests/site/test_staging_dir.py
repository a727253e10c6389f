"""arena.site.staging_dir: what a kill left is swept; what is in use is not, nor other files."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.site import staging_dir
from arena.site.staging_dir import NEW, OLD, SUFFIX, prefix_of
from arena.system.locks import lock_folder
from arena.system.signals import Stopped
from tests.places import ROOT
from tests.site.test_publish_dir import put, tree

WRITER = """
import sys
from pathlib import Path
from arena.site.publish_dir import replace_site

with replace_site(Path(sys.argv[1])) as draft:
    draft.write("index", "half")
    print(draft.folder.parent.name, flush=True)
    sys.stdin.read()
"""


@contextmanager
def writer(to: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Give a process that has begun to write a site, and its draft; it goes on at the end of its
    input.
    """
    words = [sys.executable, "-c", WRITER, str(to)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        assert process.stdout
        try:
            yield process, to.parent / process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.mark.whole
def test_what_a_kill_left_is_swept_by_the_next_and_what_another_writes_is_not(
    tmp_path: Path,
) -> None:
    put(tmp_path / "site", index="old")
    with writer(tmp_path / "site") as (killed, left), writer(tmp_path / "site") as (other, alive):
        killed.kill()
        killed.wait()
        assert (left / "new" / "index").exists()
        put(tmp_path / "site", index="new")
        assert {path.name for path in tmp_path.iterdir()} == {"site", alive.name}
        other.communicate()
        assert other.returncode == 0
    assert tree(tmp_path) == {"site/index": "half"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def left(place: Path, *inside: str, nth: int = 1) -> Path:
    """Make what a kill leaves, with these folders in it; each has a file."""
    draft = place.with_name(f"{prefix_of(place)}a1b2c3_{nth}{SUFFIX}")
    draft.mkdir(parents=True)
    for name in inside:
        (draft / name).mkdir()
        (draft / name / "index").write_text(name)
    return draft


@pytest.mark.parametrize("inside", [(), (NEW,), (NEW, OLD), (OLD,)])
def test_a_draft_is_swept_wherever_its_writer_was_killed(
    tmp_path: Path, inside: tuple[str, ...]
) -> None:
    put(tmp_path / "site", index="there")
    left(tmp_path / "site", *inside)
    left(tmp_path / "site", *inside, nth=2)
    put(tmp_path / "site", index="newest")
    assert tree(tmp_path) == {"site/index": "newest"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_what_was_moved_aside_when_its_writer_was_killed_comes_back(tmp_path: Path) -> None:
    left(tmp_path / "site", NEW, OLD)
    with pytest.raises(AttributeError):
        put(tmp_path / "site", index="newest", other=None)  # type: ignore[arg-type]
    assert tree(tmp_path) == {"site/index": OLD}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_what_was_moved_aside_when_its_writer_was_stopped_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between the two renames raises no OSError, and once took the old site along."""
    put(tmp_path / "site", index="old")
    rename = Path.rename

    def stopped(self: Path, target: Path) -> Path:
        if self.name == NEW:
            raise Stopped
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(Stopped):
        put(tmp_path / "site", index="new")
    assert tree(tmp_path) == {"site/index": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_nothing_else_is_swept(tmp_path: Path) -> None:
    place = tmp_path / "site"
    begin = prefix_of(place)
    (tmp_path / ".site.backup.draft" / NEW).mkdir(parents=True)
    (tmp_path / f"{begin}backup{SUFFIX}" / NEW).mkdir(parents=True)
    left(tmp_path / "site.other", NEW)
    left(tmp_path / f"{begin[1:]}x", NEW)
    thesis = left(place, NEW, nth=2)
    (thesis / "thesis.txt").write_text("years of work")
    linked = left(place, nth=3)
    (linked / NEW).symlink_to(thesis)
    (tmp_path / f"{begin}a1b2c3_4{SUFFIX}").symlink_to(left(tmp_path / "elsewhere", NEW))
    (tmp_path / f"{begin}a1b2c3_5{SUFFIX}").write_text("a file")
    before = {*tmp_path.rglob("*")}
    put(place, index="new")
    assert {*tmp_path.rglob("*")} - before == {place, place / "index", place / "site.json"}


def test_one_that_another_takes_for_left_before_it_is_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another `publish` looks between the making of a draft and its locking: at once, or longer."""
    others: list[int] = []
    meanwhile = iter(("another holds it", "it is gone", "it goes"))

    def locked(folder: Path, flags: int = 0) -> int:
        happens = next(meanwhile, "")
        if happens == "another holds it":
            others.append(lock_folder(folder))
        elif happens == "it is gone":
            folder.rmdir()
        fd = lock_folder(folder, flags)
        if happens == "it goes":
            folder.rmdir()
        return fd

    monkeypatch.setattr(staging_dir, "lock_folder", locked)
    with staging_dir.staging_dir(tmp_path / "site") as draft:
        assert next(meanwhile, "") == ""
        assert draft.is_dir()
        with pytest.raises(BlockingIOError):
            lock_folder(draft)
    assert not draft.exists()
    os.close(*others)


def test_a_disk_without_locks_has_drafts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(folder: Path, flags: int = 0) -> int:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(staging_dir, "lock_folder", no_locks)
    there = left(tmp_path / "site", NEW)
    put(tmp_path / "site", index="new")
    assert {path.name for path in tmp_path.iterdir()} == {"site", there.name}
