"""Whenever a merge is killed: run again, it ends with the same store and tables as one that was
not, and what it takes from is as it was.

A handful here, by `kill -9` at moments drawn at random; two hundred in `make test-long`.
"""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from arena.store import opening, usage
from arena.store.store import Store
from tests.benchmarks.accounting import cost_of, own_s
from tests.leagues import BOTS, SMALL, arena, main, make
from tests.places import ROOT
from tests.sharded import bytes_of, planned, shard

pytestmark = pytest.mark.xdist_group("merge kills")  # `sound` is played once

FAILS = '''"""Says what it sees, and fails where it could take a low card."""


def decide(view):
    print("at", view.table)
    if view.game == "no_thanks" and view.card < 9:
        raise ValueError("too low")
    return view.legal[-1]
'''
LOG = "arena.sqlite-wal"

Process = subprocess.Popen[bytes]


class Sound(NamedTuple):
    """Shards, and what a merge of them comes to that nothing interrupted."""

    parts: list[Path]
    planned: Path  # the folder to merge into, as `arena plan` left it
    content: object
    cpu_s: float  # of its process: by the clock a busy machine takes far longer than a quiet one
    size: int  # of its store, in bytes


Moment = Callable[[Process, Path, Sound, Random], None]
"""Returns at a moment of a merge into a folder, drawn at random."""


def content_of(results: Path) -> tuple[dict[str, bytes], set[str], object]:
    """Return all that is kept in results, but when and in what order it was written."""
    with closing(Store.open(results)) as store:
        faults = store.db.execute("SELECT game, seat, kind, at, reason FROM fault")
        games = Counter(game._replace(number=0) for game in store.games())
        kept = games, sorted(faults), Counter(usage.kept(store)), store.bots()
    files = {file.name for file in results.iterdir()} - {LOG, "arena.sqlite-shm"}
    return bytes_of(results), files, kept


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    league = tmp_path_factory.mktemp("sound")
    make(league, SMALL.replace("deals = 2", "deals = 4"), BOTS | {"cid": FAILS, "dud": "1 / 0"})
    planned(league)
    for number in (1, 2, 3):
        assert shard(league, f"{number}/3", "-q").returncode == 0
    results = league / "results" / "cup"
    before = Path(shutil.copytree(results, league / "planned"))
    parts = [results.with_name(f"cup-{number}of3") for number in (1, 2, 3)]
    words = map(str, ("merge", results, *parts, "-q"))
    cpu_s = cost_of([sys.executable, "-m", "arena", *words]).main_s
    size = (results / "arena.sqlite").stat().st_size
    return Sound(parts, before, content_of(results), cpu_s, size)


def for_some_time(process: Process, out: Path, sound: Sound, rng: Random) -> None:
    """Let it run, at most to its end."""
    due_s = rng.uniform(0.3, 1.1) * sound.cpu_s
    while not over(process) and own_s(process.pid) < due_s:
        pass


def to_some_size(process: Process, out: Path, sound: Sound, rng: Random) -> None:
    """Let it write some of what it has to, at most to its end."""
    size = rng.uniform(1, 1.2 * sound.size)
    while not over(process) and logged(out) < size:
        pass


def over(process: Process) -> bool:
    """Wait a moment, in which the core is its own; return whether it has ended."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(0.001)
    return process.returncode is not None


def logged(results: Path) -> int:
    """Return how much a store's log holds, in bytes."""
    with suppress(FileNotFoundError):  # it comes and goes
        return (results / LOG).stat().st_size
    return 0


MOMENTS: list[Moment] = [for_some_time, to_some_size]
MOST_ROUNDS = 20  # of two kills each, one in two of which comes in time


def killed(out: Path, sound: Sound, moment: Moment, rng: Random) -> bool:
    """Begin to merge, and kill it at some moment; return whether it was not over before."""
    words = ["merge", out, *rng.sample(sound.parts, 3), "-q"]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, words)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    moment(process, out, sound, rng)
    process.kill()
    return process.wait() == -signal.SIGKILL


def nothing_is_half_written(out: Path) -> None:
    """Hold what a killed merge left to what any results folder is."""
    if opening.begun(out):
        with closing(Store.open(out)) as store:  # which looks through the file
            assert all(game.sound for game in store.games())
    for table in out.glob("standings.json"):
        json.loads(table.read_bytes())


def merged_in_the_end(sound: Sound, folder: Path, moments: list[Moment], rng: Random) -> int:
    """Merge with a kill at each of these moments, then to the end, and compare; return how many
    kills came before it was over.
    """
    out, hit = folder / "cup", 0
    inputs = [(part / "arena.sqlite").read_bytes() for part in sound.parts]
    if rng.random() < 0.5:
        shutil.copytree(sound.planned, out)
    for moment in moments:
        hit += killed(out, sound, moment, rng)
        nothing_is_half_written(out)
    done = arena("merge", out, *sound.parts, "-q")
    assert done.returncode == 0, done.stderr.decode()
    assert content_of(out) == sound.content
    assert [(part / "arena.sqlite").read_bytes() for part in sound.parts] == inputs
    assert not any(map(logged, sound.parts)), "something is to be written to a shard"
    return hit


@pytest.mark.parametrize("moment", MOMENTS[1:])  # the long test has them all
def test_killed_at_any_moment_and_run_again_it_ends_the_same(
    sound: Sound, tmp_path: Path, moment: Moment, seed: int
) -> None:
    rng, hit, number = Random(seed), 0, 0
    while hit < 2:  # now and then it is over before it is killed
        number += 1
        assert number <= MOST_ROUNDS, f"{hit} kills came before it was over"
        hit += merged_in_the_end(sound, tmp_path / str(number), [moment] * 2, rng)


@pytest.mark.long
def test_killed_two_hundred_times_it_ends_the_same(sound: Sound, tmp_path: Path, seed: int) -> None:
    rng, hit = Random(seed), 0
    while hit < 200:
        moments = rng.choices(MOMENTS, k=rng.randint(1, 5))
        hit += merged_in_the_end(sound, tmp_path / "own", moments, rng)
        shutil.rmtree(tmp_path / "own")


@pytest.mark.parametrize(
    "pragma", ["", pytest.param("PRAGMA journal_mode = WAL", marks=pytest.mark.long)]
)
def test_a_file_whose_making_was_cut_off_is_made_anew(
    sound: Sound, tmp_path: Path, pragma: str
) -> None:
    """SQLite makes it empty, then with a first page of nothing, before there are tables."""
    out = tmp_path / "cup"
    out.mkdir()
    with closing(sqlite3.connect(out / "arena.sqlite")) as file:
        file.execute(pragma)
    (out / "arena.sqlite").touch()
    done = main("merge", out, *sound.parts, "-q")
    assert done.returncode == 0, done.stderr.decode()
    assert content_of(out) == sound.content
