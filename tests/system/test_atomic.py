"""New files are all there or none of them."""

from pathlib import Path

import pytest

from arena.system.atomic import write_tree

FILES = {"a/one.txt": b"1", "b.txt": b"2"}


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    write_tree(tmp_path, FILES)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b.txt"]
    assert (tmp_path / "a" / "one.txt").read_bytes() == b"1"


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
