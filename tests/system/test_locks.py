"""A folder's lock: one process at a time, and who that is."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.system import locks
from arena.system.locks import Holder, find_holder, lock_folder, make_locked_folder
from tests.leagues import main, make

NOBODY = 65534  # a user


@contextmanager
def held(folder: Path, uid: int) -> Iterator[int]:
    """Have a process of that user hold the folder's lock; give its pid."""
    with subprocess.Popen(
        ["flock", folder, "sh", "-c", "echo; cat"],
        user=uid, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        yield process.pid
        process.stdin.close()


@pytest.mark.parametrize("meanwhile", [lock_folder, Path.rmdir])
def test_one_that_another_takes_for_left_before_it_is_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Path], int | None]
) -> None:
    """Another process looks between the making of a folder and its locking."""
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


def test_a_user_is_told_by_name_or_number() -> None:
    assert Holder(1, 0).user == "root"
    assert Holder(1, 4_000_000_000).user == "4000000000"


def prepare(league: Path) -> tuple[Path, Path]:
    """Return the config of a league, and its results, which are empty."""
    results = league / "results" / "cup"
    results.mkdir(parents=True)
    (results / "arena.sqlite").touch()
    return make(league), results


@pytest.mark.parametrize("fresh", [[], ["--fresh"]])
def test_another_user_s_lock_is_told_from_another_arena(public: Path, fresh: list[str]) -> None:
    if os.getuid() != 0:
        pytest.skip("it takes root to start a process of another user")
    config, results = prepare(public)
    with held(results, NOBODY) as pid:
        done = main("tournament", config, *fresh)
    user = Holder(pid, NOBODY).user
    assert done.stderr.decode() == (
        f"{results}: locked by process {pid} of another user, {user}; if that is not Arena, "
        f"ask {user} to end it, and restrict access (chmod go-rwx), or choose another folder with "
        "--results\n"
    )
    assert done.returncode == 2


@pytest.mark.parametrize("fresh", [[], ["--fresh"]])
def test_another_arena_is_told_by_its_process(tmp_path: Path, fresh: list[str]) -> None:
    config, results = prepare(tmp_path)
    with held(results, os.getuid()) as pid:
        done = main("tournament", config, *fresh)
    assert done.stderr.decode() == (
        f"{results}: another Arena process is playing here (process {pid}); wait for it, or "
        f"choose another folder with --results\n"
    )


def test_where_the_kernel_does_not_say_who_holds_it_nobody_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of an arena in another container: /proc/locks has 0 for its pid."""
    from arena.store import opening

    monkeypatch.setattr(opening, "find_holder", lambda folder: None)
    config, results = prepare(tmp_path)
    taken = lock_folder(results)
    done = main("tournament", config)
    os.close(taken)
    assert done.stderr.decode().startswith(f"{results}: locked by another process, perhaps Arena")
