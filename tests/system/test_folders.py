"""Drafts come to their place whole or not at all; a stranger's files are read in their folder."""

import errno
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.progress import OutOfTime
from arena.system.folders import (
    DRAFT,
    NEW,
    OLD,
    find_free_path,
    find_wrong_sums,
    replace_folder,
    write_sums,
    write_tree,
)
from arena.system.signals import Stopped

FILES = {"a/one.txt": b"1", "b.txt": b"2"}
BEGIN = ".site.arena-publish-"  # of the names of drafts for a folder `site`


def put(place: Path, text: str, fails: bool = False) -> None:
    """Replace a folder by one with a file."""
    with replace_folder(place.parent, place.name, BEGIN, lambda aside: 1 / (not fails)) as new:
        (new / "index").write_text(text)


def index(folder: Path) -> str:
    """Return what the site says, beside which nothing lies."""
    assert [path.name for path in folder.iterdir()] == ["site"]
    return (folder / "site" / "index").read_text()


def test_where_one_is_in_the_way_none_is_written_and_it_stays(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"mine")
    with pytest.raises(FileExistsError) as raised:
        write_tree(tmp_path, FILES)
    assert raised.value.filename == str(tmp_path / "b.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]
    assert (tmp_path / "b.txt").read_bytes() == b"mine"


def test_a_disk_that_fails_leaves_nothing_and_the_folder_is_named(tmp_path: Path) -> None:
    too_long = "x" * 300  # which no file system takes
    with pytest.raises(OSError, match="too long") as raised:
        write_tree(tmp_path, {**FILES, too_long: b""})
    assert raised.value.filename == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_another_writes_is_not_swept(tmp_path: Path) -> None:
    with replace_folder(tmp_path, "site", BEGIN, print) as alive:
        (alive / "index").write_text("half")
        put(tmp_path / "site", "new")
        assert len([*tmp_path.iterdir()]) == 2
    assert index(tmp_path) == "half"


def left(place: Path, *inside: str, nth: int = 1) -> Path:
    """Make what a kill leaves, with these folders in it; each has a file."""
    draft = place.with_name(f".{place.name}.arena-publish-a1b2c3_{nth}{DRAFT}")
    draft.mkdir(parents=True)
    for name in inside:
        (draft / name).mkdir()
        (draft / name / "index").write_text(name)
    return draft


@pytest.mark.parametrize("inside", [(), (NEW,), (NEW, OLD), (OLD,)])
def test_a_draft_is_swept_wherever_its_writer_was_killed(
    tmp_path: Path, inside: tuple[str, ...]
) -> None:
    put(tmp_path / "site", "there")
    left(tmp_path / "site", *inside)
    left(tmp_path / "site", *inside, nth=2)
    put(tmp_path / "site", "newest")
    assert index(tmp_path) == "newest"


def test_what_was_moved_aside_when_its_writer_was_killed_or_stopped_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between the two renames raises no OSError, and once took the old site along."""
    left(tmp_path / "site", NEW, OLD)
    with pytest.raises(ZeroDivisionError):
        put(tmp_path / "site", "newest", fails=True)
    assert index(tmp_path) == OLD
    rename = Path.rename

    def stopped(self: Path, target: Path) -> Path:
        if self.name == NEW:
            raise Stopped
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(Stopped):
        put(tmp_path / "site", "new")
    assert index(tmp_path) == OLD


def test_a_draft_that_another_user_swaps_leads_nowhere(tmp_path: Path) -> None:
    """In a folder where others may rename what is ours, to a link to another folder of the user's:
    what is written, its mode and errors go to the folder that was made.
    """
    shared, mine = tmp_path / "shared", tmp_path / "mine"
    mine.mkdir(mode=0o755)

    def fill(new: Path) -> None:
        (entry,) = shared.iterdir()
        entry.rename(tmp_path / "moved")
        entry.mkdir()
        (entry / NEW).symlink_to(mine)
        (new / "index").write_text("new")
        new.chmod(0o700)
        raise OSError(errno.ENOSPC, "full", str(new / "index"))

    replacing = replace_folder(shared, "backup", ".backup.")
    with pytest.raises(OSError, match="full") as raised, replacing as new:
        fill(new)
    assert ([*mine.iterdir()], mine.stat().st_mode & 0o777) == ([], 0o755)
    assert raised.value.filename == str(shared / "backup")
    assert not [*(tmp_path / "moved").iterdir()]


def test_nothing_else_is_swept(tmp_path: Path) -> None:
    place = tmp_path / "site"
    (tmp_path / ".site.backup.draft" / NEW).mkdir(parents=True)
    (tmp_path / f"{BEGIN}backup{DRAFT}" / NEW).mkdir(parents=True)
    left(tmp_path / "site.other", NEW)
    left(tmp_path / f"{BEGIN[1:]}x", NEW)
    thesis = left(place, NEW, nth=2)
    (thesis / "thesis.txt").write_text("years of work")
    linked = left(place, nth=3)
    (linked / NEW).symlink_to(thesis)
    (tmp_path / f"{BEGIN}a1b2c3_4{DRAFT}").symlink_to(left(tmp_path / "elsewhere", NEW))
    (tmp_path / f"{BEGIN}a1b2c3_5{DRAFT}").write_text("a file")
    before = {*tmp_path.rglob("*")}
    put(place, "new")
    assert {*tmp_path.rglob("*")} == before | {place, place / "index"}


def test_a_free_path_is_the_first_at_which_nothing_lies(tmp_path: Path) -> None:
    wanted = tmp_path / "cup"
    assert find_free_path(wanted) == wanted
    wanted.touch()
    (tmp_path / "cup.2").touch()
    assert find_free_path(wanted, ".") == tmp_path / "cup.3"


def make_loop(link: Path) -> None:
    link.symlink_to("y")
    link.with_name("y").symlink_to("x")


def make_socket(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as there:
        there.bind(os.path.relpath(place))


SUMMED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "one file often": (Path.touch, "x\n./x\n.//x", "names files more than once"),
    "a NUL": (str, "a\0b", "names 'a\\x00b', which is no file of the folder"),
    "a loop of links": (make_loop, "x", "names 'x', which cannot be read (is a link)"),
    "a link": (lambda at: at.symlink_to("b.txt"), "x", "names 'x', which cannot be read"),
    "a link on the way": (lambda at: at.symlink_to("/dev"), "x/zero", "cannot be read (is a link"),
    "a pipe": (os.mkfifo, "x", "cannot be read (not a regular file)"),
    "a socket": (make_socket, "x", "cannot be read (No such device"),
    "a folder": (Path.mkdir, "x", "cannot be read (Is a directory)"),
    "the folder": (str, ".", "names '.', which is no file of the folder"),
    "outside": (str, "../b.txt", "names '../b.txt', which is no file of the folder"),
    "the root": (str, "/etc/passwd", "which is no file of the folder"),
    "a long name": (str, "x" * 5000, "which cannot be read (File name too long)"),
    "a long path": (str, "a/" * 9000 + "x", "is missing, but in SHA256SUMS"),
    "a long file": (str, "x\n" * 600_000, "is longer than 1,048,576 bytes"),
}


@pytest.mark.parametrize("kind", SUMMED)
def test_a_stranger_s_sums_are_read_in_their_folder_alone(tmp_path: Path, kind: str) -> None:
    write_tree(tmp_path, FILES)
    write_sums(tmp_path)
    assert [*find_wrong_sums(tmp_path)] == []
    prepare, names, message = SUMMED[kind]
    prepare(tmp_path / "x")
    with (tmp_path / "SHA256SUMS").open("a") as sums:
        sums.writelines(f"{'0' * 64}  {name}\n" for name in names.split("\n"))
    found = [*find_wrong_sums(tmp_path)]
    assert any(message in problem for _, problem in found), found
    assert len(found) < 5, found[:9]
    assert all(len(place) <= 200 for place, _ in found)


def test_a_sparse_file_takes_no_longer_than_it_may(tmp_path: Path) -> None:
    write_tree(tmp_path, FILES)
    write_sums(tmp_path)
    with (tmp_path / "b.txt").open("ab") as file:
        file.truncate(8 << 30)
    for seconds, name in ((0, "a/one.txt"), (0.1, "b.txt")):
        with pytest.raises(OutOfTime, match=name):
            list(find_wrong_sums(tmp_path, time.monotonic() + seconds))
    os.truncate(tmp_path / "b.txt", 1 << 40)
    assert [*find_wrong_sums(tmp_path)] == [("b.txt", "is larger than 16 GiB, and was not read")]
