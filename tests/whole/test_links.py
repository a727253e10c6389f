"""Links in a results folder, and to one: what a stranger's folder links to is neither written over
nor written into, and one's own link to a folder is as good as the folder.
"""

from pathlib import Path

import pytest

from arena.site import publish_dir
from tests.leagues import main
from tests.site.test_publish_dir import put, tree

CUP = Path("results") / "cup"


@pytest.mark.parametrize(
    "publish", [["publish", CUP], ["tournament", "tournaments/cup.toml", "--publish"]]
)
def test_a_site_that_is_a_link_is_no_place_to_publish_to_unasked(
    league: Path, tmp_path: Path, publish: tuple[object, ...]
) -> None:
    """A stranger's results link to the site of another league, or to a folder that is to be."""
    put(tmp_path / "mine", index="mine")
    for target in (tmp_path / "mine", tmp_path / "new"):
        (league / CUP / "site").symlink_to(target)
        done = main(*publish, cwd=league)
        assert done.returncode == 2, done.stderr.decode()
        assert (
            b"site: is a link; remove it, or name the folder that it points to: arena publish"
            in done.stderr
        )
        (league / CUP / "site").unlink()
    assert tree(tmp_path / "mine") == {"index": "mine"}
    assert not (tmp_path / "new").exists()


@pytest.mark.long
def test_where_one_asks_for_it_a_link_is_followed(league: Path, tmp_path: Path) -> None:
    put(tmp_path / "served", index="old")
    (tmp_path / "link").symlink_to(tmp_path / "served")
    assert main("publish", league / CUP, "--to", tmp_path / "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert "standings.json" in tree(tmp_path / "served")


def test_an_export_follows_no_link_of_the_folder_it_goes_to(league: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "games.csv").write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "history").symlink_to(mine)
    (out / "games.csv").symlink_to(mine / "games.csv")
    done = main("export", league / CUP, "--to", out)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        f"{out / 'history'}: is a link; remove it, or name another folder with --to\n"
    )
    (out / "history").unlink()
    assert main("export", league / CUP, "--to", out).returncode == 0
    assert tree(mine) == {"games.csv": "mine"}


@pytest.mark.long
def test_one_s_own_link_to_results_is_as_good_as_the_folder(league: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (league / CUP).rename(tmp_path / "kept" / "cup")
    (league / CUP).symlink_to(tmp_path / "kept" / "cup")
    assert main("publish", league / CUP).returncode == 0
    assert main("export", league / CUP, "--to", league / CUP).returncode == 0
    assert main("tournament", league / "tournaments" / "cup.toml", "--publish").returncode == 0
    assert main("verify", league / CUP).returncode == 0
    there = {path.name for path in (tmp_path / "kept" / "cup").iterdir()}
    assert {"site", "history", "arena-public.sqlite"} <= there
    assert [path.name for path in (league / "results").iterdir()] == ["cup"]


@pytest.mark.long
def test_a_folder_that_becomes_a_link_meanwhile_is_not_followed(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the last look before the new site comes: the link is put away, not what it leads to."""
    assert main("publish", league / CUP).returncode == 0
    put(tmp_path / "mine", index="mine")
    looked = publish_dir.check_target

    def swapped(to: Path) -> None:
        looked(to)
        if draft_is_written():
            to.rename(tmp_path / "old")
            to.symlink_to(tmp_path / "mine")

    def draft_is_written() -> bool:
        return any((league / CUP).glob(".site.*/new/site.json"))

    monkeypatch.setattr(publish_dir, "check_target", swapped)
    main("publish", league / CUP)
    assert (tmp_path / "old").exists()
    assert tree(tmp_path / "mine") == {"index": "mine"}
