"""Another user of the machine reads what a results folder lets others read, but no secret."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.store import opening, schema
from arena.store.store import Store
from arena.system.folders import find_free_path
from tests.leagues import SMALL, main, make, wait_for_games
from tests.places import ROOT
from tests.rights import NOBODY

CUP = Path("results") / "cup"
PRIVATE = ("arena.sqlite", "copies.txt")
DRAWN = SMALL.replace("seed = 5\n", "")  # else there is no secret

pytestmark = pytest.mark.skipif(
    os.getuid() != 0, reason="it takes root to start a process of another user"
)


def read_by_another(folder: Path) -> bytes:
    """Return all that another user can read in a folder, hidden files and SQLite's among it."""
    look = ["find", str(folder), "-type", "f", "-exec", "cat", "{}", "+"]
    done = subprocess.run(
        look, user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True
    )
    return done.stdout


def secret_of(folder: Path) -> bytes:
    """Return what its owner reads there, as it lies in the files."""
    with closing(Store.open(folder)) as store:
        secret = store.meta("secret")
    assert type(secret) is bytes
    assert secret in b"".join(each.read_bytes() for each in folder.glob("arena.sqlite*"))
    return secret


def test_nobody_else_reads_the_secret_while_a_league_is_played(public: Path) -> None:
    config = make(public, DRAWN.replace("deals = 2", "deals = 20"))
    words = [sys.executable, "-m", "arena", "tournament", str(config), "-q"]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_games(public / CUP, 1, process)
            process.send_signal(signal.SIGSTOP)  # so that it is looked at in the midst of play
            assert (public / CUP / "arena.sqlite-wal").stat().st_size
            read = read_by_another(public)
            assert b"[[games]]" in read  # it can come there
            assert secret_of(public / CUP) not in read
        finally:
            process.kill()


def test_nor_when_all_is_played_and_what_is_published_is_open_to_all(public: Path) -> None:
    assert main("tournament", make(public, DRAWN), "--publish").returncode == 0
    assert main("export", public / CUP, "--to", public / "exported").returncode == 0
    read = read_by_another(public)
    assert secret_of(public / CUP) not in read
    files = [each for each in public.rglob("*") if each.is_file() and each.name not in PRIVATE]
    names = {each.name for each in files}
    assert {"standings.csv", "index.html", "arena-public.sqlite", "games.csv"} <= names
    assert [each for each in files if each.read_bytes() not in read] == []
    script = (
        "import os; from pathlib import Path; from arena.store.store import Store\n"
        f"os.setgroups([]); os.setuid({NOBODY}); Store.open(Path({str(public / CUP)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT)
    assert b"arena.sqlite: you have no permission to read it, " in done.stderr


def test_nor_of_a_damaged_store_while_it_is_made_whole_or_afterwards(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = make(public, DRAWN)
    assert main("tournament", config).returncode == 0
    store, read = public / CUP / "arena.sqlite", b""
    secret = secret_of(public / CUP)
    with closing(sqlite3.connect(store)) as database:
        find = "SELECT rootpage FROM sqlite_schema WHERE name = 'game_line_up'"
        (page,) = database.execute(find).fetchone()
    with store.open("r+b") as stream:
        stream.seek((page - 1) * schema.PAGE)
        stream.write(b"\xa5" * schema.PAGE)
    store.chmod(0o644)  # as older arenas made it

    def looked(wanted: Path) -> Path:
        nonlocal read  # the new file is filled, and not in place yet
        assert secret in (public / CUP / ".arena.sqlite.salvaged").read_bytes()
        read += read_by_another(public)
        return find_free_path(wanted)

    monkeypatch.setattr(opening, "find_free_path", looked)
    done = main("tournament", config)
    assert b"arena.sqlite.damaged" in done.stderr
    assert read
    assert secret not in read + read_by_another(public)
