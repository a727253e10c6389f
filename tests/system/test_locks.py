"""A folder's lock: of two organisers on one results folder one plays, and the other learns so."""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.runner import tournament
from arena.store.store import Store
from arena.system import folders, locks
from arena.system.locks import Holder, find_holder, lock_folder, make_locked_folder
from tests.leagues import main, make
from tests.rights import NOBODY


@contextmanager
def held(folder: Path, uid: int) -> Iterator[int]:
    """Have a process of that user hold the folder's lock; give its pid."""
    words, pipe = ["flock", str(folder), "sh", "-c", "echo; cat"], subprocess.PIPE
    with subprocess.Popen(words, user=uid, stdin=pipe, stdout=pipe) as process:
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        yield process.pid
        process.stdin.close()


@pytest.mark.parametrize("meanwhile", [lock_folder, Path.rmdir])
def test_one_that_another_takes_for_left_before_it_is_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Path], int | None]
) -> None:
    others: list[int | None] = []

    def locked(folder: Path) -> int:
        if not others:
            others.append(meanwhile(folder))
        return lock_folder(folder)

    monkeypatch.setattr(locks, "lock_folder", locked)
    folder, lock = make_locked_folder(tmp_path, "draft-")
    assert lock is not None
    with pytest.raises(BlockingIOError):
        lock_folder(folder)
    for held in (lock, *filter(None, others)):
        os.close(held)


def test_who_holds_a_lock_is_told_while_it_is_held(tmp_path: Path) -> None:
    assert find_holder(tmp_path) is None
    with held(tmp_path, os.getuid()) as pid:
        assert find_holder(tmp_path) == Holder(pid, os.getuid())
        with pytest.raises(BlockingIOError):
            lock_folder(tmp_path)
    assert find_holder(tmp_path) is None
    assert find_holder(tmp_path / "gone") is None
    os.close(lock_folder(tmp_path))


@pytest.mark.parametrize("fresh", [[], ["--fresh"]])
@pytest.mark.parametrize("uid", [os.getuid(), NOBODY])
def test_another_user_s_lock_is_told_from_another_arena(
    public: Path, fresh: list[str], uid: int
) -> None:
    if uid != os.getuid() != 0:
        pytest.skip("it takes root to start a process of another user")
    config, results = make(public), public / "results" / "cup"
    results.mkdir(parents=True)
    (results / "arena.sqlite").touch()
    with held(results, uid) as pid:
        done = main("tournament", config, *fresh)
    user = "root" if uid == 0 else Holder(pid, uid).user
    arena = f"another Arena process is playing here (process {pid}); wait for it, or choose "
    other = (
        f"locked by process {pid} of another user, {user}; if that is not Arena, ask {user} to end "
        "it, and restrict access (chmod go-rwx), or choose "
    )
    told = f"{arena if uid == os.getuid() else other}another folder with --results\n"
    assert (done.returncode, done.stderr.decode()) == (2, f"{results}: {told}")


CUP = Path("results") / "cup"
TOLD = f"another Arena process is playing here (process {os.getpid()}); wait for it"


@pytest.mark.whole
def test_by_another_name_the_folder_is_the_same(league: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(league / CUP)
    store = Store.create_or_open(league / CUP)
    for words in ([], ["--fresh"], ["--publish"]):
        config = league / "tournaments" / "cup.toml"
        done = main("tournament", config, "--results", tmp_path / "link", *words)
        assert (done.returncode, done.stdout) == (2, b"")
        assert TOLD in done.stderr.decode()
    store.close()


@pytest.mark.whole
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


@pytest.mark.whole
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
