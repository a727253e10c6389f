"""Whatever ends a tournament: run again, it ends with the same records and tables, to the byte.

One of each kind here, at a moment drawn at random; two hundred in `make test-long`.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tests.leagues import SMALL, arena, main, make
from tests.places import ROOT
from tests.processes import all_gone, children_of, command_of

pytestmark = pytest.mark.xdist_group("kills")  # `sound` is played once

RESULTS = Path("results") / "cup"


class Sound(NamedTuple):
    folder: Path  # the league's
    records: bytes
    standings: bytes
    took_s: float
    size: int  # of its results file, in bytes


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    folder = tmp_path_factory.mktemp("sound")
    config = make(folder, SMALL.replace("deals = 2", "deals = 4"))
    began = time.monotonic()
    done = arena("tournament", config, "-q")
    took_s = time.monotonic() - began
    assert done.returncode == 0, done.stderr.decode()
    results = folder / RESULTS
    records = main("records", results).stdout
    assert len(records.splitlines()) == 4 * 6 * 4 + 6 * 2 * 4 + 12 + 12 + 24
    standings = (results / "standings.json").read_bytes()
    return Sound(folder, records, standings, took_s, (results / "arena.sqlite").stat().st_size)


class Run:  # of a tournament, under circumstances drawn at random
    def __init__(self, folder: Path, rng: Random, limit: int | None = None) -> None:
        self.folder = folder
        self.log = folder / RESULTS / "arena.sqlite-wal"
        self.synced = self.log.stat().st_size if self.log.exists() else 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", "tournament", str(folder / "tournaments" / "cup.toml"),
             "--workers", str(rng.choice((1, 2, 4)))],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
            cwd=rng.choice((folder, Path("/"))),
            env={**os.environ, "PYTHONHASHSEED": str(rng.randrange(1000)), "COLUMNS": "80",
                 "TZ": rng.choice(("UTC", "Asia/Tokyo")), "PYTHONPATH": str(ROOT)},
            preexec_fn=None if limit is None else lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (limit, limit)
            ),
        )  # fmt: skip

    def end(self) -> tuple[int, str]:
        _, said = self.process.communicate(timeout=120)
        return self.process.returncode, said.decode()


def kill(run: Run, rng: Random) -> None:
    family = children_of(run.process.pid)
    os.killpg(run.process.pid, signal.SIGKILL)
    run.end()
    assert all_gone(family)


def interrupt(run: Run, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 2))):
        os.killpg(run.process.pid, signal.SIGINT)
    code, said = run.end()
    if "playing" in said:  # else Python may not have come to our code yet, and answers itself
        assert code in (130, 0), (code, said)  # 0: it was over already
        assert "Traceback" not in said, said


def lose_worker(run: Run, rng: Random) -> None:
    """A worker dies, as for want of memory; the arena goes on without it."""
    family = children_of(run.process.pid)
    if workers := [pid for pid in family if b"multiprocess.spawn" in command_of(pid)]:
        os.kill(rng.choice(workers), signal.SIGKILL)
    code, said = run.end()
    assert code == 0, said


def cut_power(run: Run, rng: Random) -> None:
    """Kill -9, and the end of the log that was being written never came to the disk.

    What was there when the run began stays: it was synced, and may be half in the file already.
    """
    kill(run, rng)
    if run.log.exists() and run.log.stat().st_size > run.synced:
        content = run.log.read_bytes()
        kept = rng.randrange(run.synced, len(content))
        run.log.write_bytes(content[:kept] + rng.randbytes(rng.choice((0, 100, 5000))))


KINDS: dict[str, Callable[[Run, Random], None]] = {
    "kill": kill, "interrupt": interrupt, "lose_worker": lose_worker, "cut_power": cut_power,
}  # fmt: skip
FULL_DISK = "full_disk"


def torment(folder: Path, sound: Sound, kind: str, rng: Random) -> bool:
    """Run once and have something happen to it; return whether it happened while it ran."""
    if kind == FULL_DISK:
        code, said = Run(folder, rng, limit=rng.randrange(20_000, sound.size)).end()
        no_room = re.search("cannot be (made|written|read or written)|: File too large$", said)
        assert code == 0 or (code == 1 and no_room), said
        assert "Traceback" not in said, said
        return code == 1
    run = Run(folder, rng)
    with suppress(subprocess.TimeoutExpired):
        run.process.communicate(timeout=rng.uniform(0.05, 1.1) * sound.took_s)
        return False
    KINDS[kind](run, rng)
    return True


@pytest.mark.parametrize(
    ("kinds", "times"),
    [
        (["kill"], 1), (["interrupt"], 1), ([FULL_DISK], 1),
        pytest.param([*KINDS, FULL_DISK], 200, marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_whatever_happened_to_it_it_ends_the_same(
    sound: Sound, tmp_path: Path, kinds: list[str], times: int, seed: int
) -> None:
    rng, hit = Random(seed), Counter[str]()
    while hit.total() < times:  # it may be over before anything can happen
        for part in ("bots", "tournaments"):
            shutil.copytree(sound.folder / part, tmp_path / "league" / part)
        for kind in rng.choices(kinds, k=min(times, rng.randint(1, 5))):
            hit[kind] += torment(tmp_path / "league", sound, kind, rng)
        done = main("tournament", tmp_path / "league" / "tournaments" / "cup.toml", "-q")
        assert done.returncode == 0, done.stderr.decode()
        results = tmp_path / "league" / RESULTS
        assert main("records", results).stdout == sound.records
        assert (results / "standings.json").read_bytes() == sound.standings
        shutil.rmtree(tmp_path / "league")
    print(hit)
