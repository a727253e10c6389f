"""Two organisers on one results folder: one plays, the other is told so, whatever comes between."""

import fcntl
import os
import re
import shutil
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.runner import tournament
from arena.store.store import Store
from arena.system import folders
from tests.leagues import main

CUP = Path("results") / "cup"
TOLD = f"another Arena process is playing here (process {os.getpid()}); wait for it"


def test_by_another_name_the_folder_is_the_same(league: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(league / CUP)
    store = Store.create_or_open(league / CUP)
    for words in ([], ["--fresh"], ["--publish"]):
        config = league / "tournaments" / "cup.toml"
        done = main("tournament", config, "--results", tmp_path / "link", *words)
        assert (done.returncode, done.stdout) == (2, b"")
        assert TOLD in done.stderr.decode()
    store.close()


def test_nobody_begins_in_results_that_are_being_set_aside(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who did played on under another name, and published in the new tournament's folder."""
    others = []

    def begun(wanted: Path, before_number: str = "") -> Path:
        with pytest.raises(UsageError, match=re.escape(TOLD)):
            others.append(Store.create_or_open(league / CUP))
        return folders.find_free_path(wanted, before_number)

    monkeypatch.setattr(tournament, "find_free_path", begun)
    aside = tournament.set_aside(league / CUP)
    assert aside
    assert others == []
    Store.create_or_open(aside).close()  # it is free again


def test_a_lock_is_that_of_the_folder_that_is_there(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the opening of the folder and its locking another one sets it aside, and begins."""
    first: list[Store] = []
    real = fcntl.flock

    def set_aside_before(fd: int, how: int) -> None:
        if not first:
            monkeypatch.setattr(fcntl, "flock", real)
            tournament.set_aside(league / CUP)
            first.append(Store.create_or_open(league / CUP))
        real(fd, how)

    monkeypatch.setattr(fcntl, "flock", set_aside_before)
    with pytest.raises(UsageError, match=re.escape(TOLD)):
        Store.create_or_open(league / CUP)
    first[0].set_meta("secret", b"0123456789abcdef")
    first[0].close()
    shutil.rmtree(league / CUP)
