"""What a stranger's folder links to is not written; one's own link is as good as the folder."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.leagues import main
from tests.trees import put, tree

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
        told = b"site: is a link; remove it, or name the folder that it points to: arena publish"
        assert told in done.stderr
        (league / CUP / "site").unlink()
    assert tree(tmp_path / "mine") == {"index": "mine"}
    assert not (tmp_path / "new").exists()


def test_an_export_follows_no_link_of_the_folder_it_goes_to(league: Path, tmp_path: Path) -> None:
    mine, out = tmp_path / "mine", tmp_path / "out"
    put(mine, **{"games.csv": "mine"})
    out.mkdir()
    (out / "history").symlink_to(mine)
    (out / "games.csv").symlink_to(mine / "games.csv")
    done = main("export", league / CUP, "--to", out)
    told = f"{out / 'history'}: is a link; remove it, or name another folder with --to\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", told)
    (out / "history").unlink()
    assert main("export", league / CUP, "--to", out).returncode == 0
    assert tree(mine) == {"games.csv": "mine"}


@pytest.mark.parametrize(
    "plant",
    [
        Path.symlink_to,
        Path.hardlink_to,
        lambda place, _: os.mkfifo(place),
        lambda place, _: place.symlink_to("/dev/full"),
    ],
    ids=["a link", "a second name", "a pipe", "a device"],
)
def test_tables_take_the_place_of_what_lies_there_and_of_their_drafts(
    league: Path, tmp_path: Path, plant: Callable[[Path, Path], object]
) -> None:
    """In a stranger's results, under every name that a run writes to."""
    mine = tmp_path / "mine"
    mine.write_text("mine")
    files = [*(league / CUP).glob("*.[!s]*"), *(league / CUP / "history").iterdir()]
    files.remove(league / CUP / "copies.txt")  # written after play alone
    assert len(files) > 6
    for file in files:
        file.unlink()
        plant(file, mine)
        plant(file.with_name(f".{file.name}.draft"), mine)
    assert main("tournament", league / "tournaments" / "cup.toml").returncode == 0
    assert mine.read_text() == "mine"
    assert not [file for file in files if file.is_symlink() or not file.stat().st_size]
    assert not [*(league / CUP).rglob("*.draft")]


@pytest.mark.parametrize("kind", ["a link", "a link to nowhere", "a file", "a folder"])
def test_where_tables_cannot_lie_the_place_is_named_and_nothing_is_written(
    league: Path, tmp_path: Path, kind: str
) -> None:
    history, mine = league / CUP / "history", tmp_path / "mine"
    history.rename(tmp_path / "old")
    if kind == "a link":
        mine.mkdir()
    if kind.startswith("a link"):
        history.symlink_to(mine)
    elif kind == "a file":
        history.write_text("mine")
    else:
        history.mkdir()
        (history / "0001.json").mkdir()
    done = main("tournament", league / "tournaments" / "cup.toml")
    named = history / "0001.json" if kind == "a folder" else history
    said = "Is a directory" if kind == "a folder" else "is a link or no folder; move it away"
    assert (done.returncode, done.stderr.decode().splitlines()[-1]) == (1, f"{named}: {said}")
    assert not mine.exists() or not [*mine.iterdir()]


@pytest.mark.long
def test_one_s_own_link_to_results_is_as_good_as_the_folder(league: Path, tmp_path: Path) -> None:
    put(tmp_path / "served", index="old")
    (tmp_path / "link").symlink_to(tmp_path / "served")
    assert main("publish", league / CUP, "--to", tmp_path / "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert "standings.json" in tree(tmp_path / "served")
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
