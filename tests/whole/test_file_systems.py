"""File systems that lack what a results file needs, as `lacking_disk.c` shows them to a process:
play is refused at once and leaves nothing; finished results can be read there, and copied to there.
"""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.opening import rebuild
from arena.store.store import Store
from tests.leagues import THREE, copied, main, make, pairs, played_in
from tests.places import ROOT

CUP = Path("results") / "cup"
LACKS = {"flock": "no file locks", "fcntl": "no file locks", "shm": "no shared memory"}
SOON_S = 15  # half as long as SQLite waits for a lock
COMMANDS = """
import json, sys, time
from tests.leagues import main
for words in json.load(sys.stdin):
    began = time.monotonic()
    code, _, said = main(*words)
    print(json.dumps([code, (said.decode().splitlines() or [""])[-1], time.monotonic() - began]))
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: apt-get install gcc libc6-dev")
    made = tmp_path_factory.mktemp("shim") / "lacking.so"
    source = ROOT / "tests" / "lacking_disk.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, source, "-ldl"], check=True)
    return made


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = tmp_path_factory.mktemp("leagues") / "league"
    played_in(league, pairs(1), THREE)
    return league


def run(disk: Path, lacks: str, shim: Path, *commands: tuple[object, ...]) -> list[tuple[int, str]]:
    """Run commands where a disk lacks something; return exit codes, and what each said last."""
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS], cwd=ROOT, text=True, check=True,
        input=json.dumps([[str(word) for word in words] for words in commands]),
        stdout=subprocess.PIPE,
        env={**os.environ, "SHIM": lacks, "SHIM_AT": f"{disk}/", "LD_PRELOAD": str(shim)},
    )  # fmt: skip
    ends = [json.loads(line) for line in done.stdout.splitlines()]
    assert max(seconds for _, _, seconds in ends) < SOON_S
    return [(code, said) for code, said, _ in ends]


def kind_of(folder: Path) -> str:
    """The kind of the file system of a folder, as another program says it."""
    words = ["findmnt", "--noheadings", "--output", "FSTYPE", "--target", str(folder)]
    kind = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    return kind if kind != "btrfs" else "unknown"  # its folders have devices that no mount has


@pytest.mark.parametrize("lacks", LACKS)
def test_a_disk_that_lacks_something_is_not_played_on_but_read_and_copied_to(
    tmp_path: Path, cup: Path, shim: Path, lacks: str
) -> None:
    disk, usb = tmp_path / "disk", tmp_path / "disk" / "usb"
    config = make(disk / "league", pairs(1), THREE)
    finished = copied(cup, disk / "finished") / CUP
    again, killed = disk / "finished" / "tournaments" / "cup.toml", disk / "killed"
    with closing(sqlite3.connect(cup / CUP / "arena.sqlite")) as writer, writer:
        writer.execute("INSERT OR REPLACE INTO meta VALUES ('late', 1)")
        writer.commit()
        shutil.copytree(cup / CUP, killed)  # with games in the log, which are not taken for none
    usb.mkdir()
    before = {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}
    ends = run(
        disk, lacks, shim,
        ("tournament", config), ("tournament", config, "--dry-run"),
        ("tournament", again), ("tournament", again, "--fresh"),
        ("standings", killed),
        ("standings", finished), ("verify", finished), ("history", finished),
        ("tournament", config, "-q", "--results", tmp_path / "local"),
        ("backup", cup / CUP, usb), ("export", cup / CUP, "--to", usb / "out"),
    )  # fmt: skip
    place = f"{disk}/league: its file system ({kind_of(disk)})"
    lack = f"has {LACKS[lacks]}, which results need; "
    copy = f"{lack}copy it to a local disk (cp -a {{}} DIR) and use that"
    refusal = (2, f"{place} {lack}choose a folder on a local disk: --results DIR")
    assert ends[:2] == [refusal, refusal]
    assert [code for code, _ in ends] == [2] * 5 + [0] * 6
    for _, said in ends[2:4]:
        assert said.endswith(f"{copy.format(finished)}: --results DIR")
    assert copy.format(killed) in ends[4][1]
    assert (tmp_path / "local" / "standings.json").exists()
    assert main("standings", shutil.copytree(killed, tmp_path / "elsewhere")).returncode == 0
    (backup,) = usb.glob("cup-*")
    for made in (backup, usb / "out"):
        assert main("verify", made).returncode == 0
    assert oct((backup / "arena.sqlite").stat().st_mode)[-3:] == "600"
    shutil.rmtree(usb)
    assert {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()} == before


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
