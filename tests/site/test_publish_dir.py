"""arena.site.publish_dir: a site is there whole, and nothing else is ever written over."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.site.publish_dir import MANIFEST, check_target
from tests.trees import put, tree


def test_a_site_is_put_in_place_and_the_next_takes_its_place(tmp_path: Path) -> None:
    check_target(tmp_path / "deep" / "site")
    (tmp_path / "deep" / "site").mkdir(parents=True)  # an empty folder is as good as none
    put(tmp_path / "deep" / "site", index="old", games__a="x")
    put(tmp_path / "deep" / "site", index="new")
    assert tree(tmp_path) == {"deep/site/index": "new"}
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["site"]


def test_whatever_fails_the_old_site_stays_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    put(tmp_path / "site", index="old")
    with pytest.raises(AttributeError):
        put(tmp_path / "site", index="new", other=None)  # type: ignore[arg-type]
    assert tree(tmp_path) == {"site/index": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def swap_site(
    folder: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Path], object]
) -> None:
    """Have something in the old site's place between two system calls: after it was looked at."""
    put(folder / "site", index="old")
    rename = Path.rename

    def swap(self: Path, target: Path) -> Path:
        if not (folder / "old").exists():
            (folder / "site").replace(folder / "old")
            plant(folder / "site")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", swap)


def test_a_folder_that_comes_after_the_last_look_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swap_site(tmp_path, monkeypatch, strangers_folder)
    with pytest.raises(UsageError, match=r"site: holds thesis\.txt, and is not a site"):
        put(tmp_path / "site", index="new")
    assert tree(tmp_path) == {"site/thesis.txt": "years of work", "old/index": "old"}


def test_a_link_that_comes_after_the_last_look_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "mine", index="mine")
    swap_site(tmp_path, monkeypatch, lambda place: place.symlink_to(tmp_path / "mine"))
    with suppress(UsageError):
        put(tmp_path / "site", index="new")
    assert tree(tmp_path / "mine") == {"index": "mine"}


@pytest.mark.parametrize("plant", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_list_of_files_that_is_none_is_not_waited_for(
    tmp_path: Path, plant: Callable[[Path], None]
) -> None:
    strangers_folder(tmp_path / "site")
    plant(tmp_path / "site" / MANIFEST)
    with pytest.raises(UsageError, match="is not a site"):
        put(tmp_path / "site", index="new")


def strangers_folder(folder: Path, name: str = "thesis.txt", text: str = "years of work") -> None:
    folder.mkdir()
    (folder / name).write_text(text)


def site_and(plant: Callable[[Path], object]) -> Callable[[Path], None]:
    def made(site: Path) -> None:
        put(site, index="x", games__a="y")
        plant(site)

    return made


@pytest.mark.parametrize(
    ("there", "named"),
    [
        (strangers_folder, "holds thesis.txt, and is not a site"),
        (site_and(lambda site: (site / "games" / "thesis.txt").write_text("years of work")),
         "holds games/thesis.txt, which `arena publish` did not"),
        (site_and(lambda site: (site / "thesis.txt").symlink_to("/")),
         "holds thesis.txt, which `arena publish` did not"),
        (lambda site: strangers_folder(site, MANIFEST, '{"made_by": "another", "files": {}}'),
         f"holds {MANIFEST}, and is not a site"),
        (lambda site: site.write_text("years of work"), "Not a directory; --to takes a folder"),
    ],
)  # fmt: skip
def test_what_is_no_site_of_ours_is_left_alone(
    tmp_path: Path, there: Callable[[Path], object], named: str
) -> None:
    there(tmp_path / "site")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError) as said:
        put(tmp_path / "site", index="new")
    assert str(said.value).startswith(f"{tmp_path / 'site'}: ")
    assert named in str(said.value)
    assert sorted(tmp_path.rglob("*")) == before
