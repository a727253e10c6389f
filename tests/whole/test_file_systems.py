"""File systems that lack what a results file needs, as `lacking_disk.c` shows them to a process:
play is refused at once and leaves nothing; finished results can be read there, and copied to there.
"""

import errno
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.opening import rebuild
from arena.store.store import Store
from arena.system.locks import find_lack, lock_folder
from tests.leagues import THREE, arena, copied, main, make, pairs, played_in
from tests.places import ROOT

CUP = Path("results") / "cup"
LACKS = {"flock": "no file locks", "fcntl": "no file locks", "shm": "no shared memory"}
SOON_S = 15  # half as long as SQLite waits for a lock


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes files of a folder lack something."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: apt-get install gcc libc6-dev")
    made = tmp_path_factory.mktemp("shim") / "lacking.so"
    source = ROOT / "tests" / "lacking_disk.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, source, "-ldl"], check=True)
    return made


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with a finished tournament, to be copied."""
    league = tmp_path_factory.mktemp("leagues") / "league"
    played_in(league, pairs(1), THREE)
    return league


def kind_of(folder: Path) -> str:
    """The kind of the file system of a folder, as another program says it."""
    words = ["findmnt", "--noheadings", "--output", "FSTYPE", "--target", str(folder)]
    kind = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    return kind if kind != "btrfs" else "unknown"  # its folders have devices that no mount has


def on(disk: Path, lacks: str, shim: Path, *words: object) -> tuple[int, str]:
    """Run a command where a folder's disk lacks something: its exit code, and what it said."""
    lacking = {"SHIM": lacks, "SHIM_AT": f"{disk}/", "LD_PRELOAD": str(shim)}
    done = arena(*words, environment=lacking, timeout=SOON_S)
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("lacks", LACKS)
def test_a_disk_that_lacks_something_is_refused_before_anything_is_made(
    tmp_path: Path, shim: Path, lacks: str
) -> None:
    config = make(tmp_path / "league", pairs(1), THREE)
    before = sorted((tmp_path / "league").rglob("*"))
    for more in ([], ["--dry-run"]):
        code, told = on(tmp_path / "league", lacks, shim, "tournament", config, *more)
        assert (code, told.splitlines()[-1]) == (
            2,
            f"{tmp_path}/league: its file system ({kind_of(tmp_path)}) has {LACKS[lacks]}, which "
            "results need; choose a folder on a local disk: --results DIR",
        )
        assert sorted((tmp_path / "league").rglob("*")) == before
    place = tmp_path / "local"
    words = ("tournament", config, "-q", "--results", place)
    assert on(tmp_path / "league", lacks, shim, *words)[0] == 0
    assert (place / "standings.json").exists()


@pytest.mark.parametrize("lacks", LACKS)
def test_what_is_finished_can_be_read_on_any_disk_and_play_asks_for_a_copy_elsewhere(
    tmp_path: Path, cup: Path, shim: Path, lacks: str
) -> None:
    league = copied(cup, tmp_path / "league")
    for command in ("standings", "verify", "history"):
        assert on(league, lacks, shim, command, league / CUP)[0] == 0
    before = {path: path.read_bytes() for path in league.rglob("*") if path.is_file()}
    config = league / "tournaments" / "cup.toml"
    for more in ([], ["--fresh"]):
        code, told = on(league, lacks, shim, "tournament", config, *more)
        assert code == 2
        assert told.splitlines()[-1].endswith(
            f"copy it to a local disk (cp -a {league / CUP} DIR) and use that: --results DIR"
        )
    assert {path: path.read_bytes() for path in league.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("lacks", LACKS)
def test_games_in_the_log_of_a_run_that_was_killed_are_not_taken_for_none(
    tmp_path: Path, cup: Path, shim: Path, lacks: str
) -> None:
    league = copied(cup, tmp_path / "league")
    with closing(sqlite3.connect(league / CUP / "arena.sqlite")) as writer, writer:
        writer.execute("INSERT INTO meta VALUES ('late', 1)")
        writer.commit()
        killed = Path(shutil.copytree(league / CUP, tmp_path / "killed"))
    code, told = on(killed, lacks, shim, "standings", killed)
    assert code == 2
    assert f"{LACKS[lacks]}, which results need; copy it to a local disk (cp -a {killed} " in told
    assert on(tmp_path / "elsewhere", lacks, shim, "standings", killed)[0] == 0


@pytest.mark.parametrize("lacks", LACKS)
def test_backups_and_exports_go_to_any_disk(
    tmp_path: Path, cup: Path, shim: Path, lacks: str
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    assert on(disk, lacks, shim, "backup", cup / CUP, disk)[0] == 0
    assert on(disk, lacks, shim, "export", cup / CUP, "--to", disk / "out")[0] == 0
    (backup,) = disk.glob("cup-*")
    for made in (backup, disk / "out"):
        assert main("verify", made).returncode == 0
    assert oct((backup / "arena.sqlite").stat().st_mode)[-3:] == "600"


def test_a_damaged_file_is_kept_on_a_disk_without_links(
    tmp_path: Path, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(new: Path, old: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", str(new))

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    path = copied(cup, tmp_path / "league") / CUP / "arena.sqlite"
    before = path.read_bytes()
    aside = rebuild(path)
    assert aside.read_bytes() == before
    with closing(Store.open(path)) as store:
        assert store.count() == 6  # three pairs, two seatings


def test_a_disk_with_all_of_it_lacks_nothing_whoever_else_locks_there(tmp_path: Path) -> None:
    lock = lock_folder(tmp_path)
    assert find_lack(tmp_path) == ""
    os.close(lock)
    assert [*tmp_path.iterdir()] == []
