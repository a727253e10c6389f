"""Small leagues on disk, and the command line run in them, for tests."""

import io
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.audit import verify
from arena.cli import app
from arena.errors import UsageError
from arena.runner import dry_run, local_executor
from arena.runner.serial_executor import SerialExecutor
from arena.store import store as arena_store
from arena.store.store import Store
from arena.system import machine
from arena.system.parallel import map_here
from tests import kept
from tests.schemas import wrong_in_printed
from tests.sessions import CHANCE, FIRST

SMALL = """\
seed = 5
workers = 2

[limits]
load_ms = 1500

[[games]]
game = "no_thanks"
players = 3
deals = 2

[[games]]
game = "sixteen"
players = 2
deals = 2
shared_decks = true

[[games]]
game = "sixteen"
players = 4
deals = 1

[[games]]
game = "diciassette"
players = [2, 3]
deals = 1
"""
# With four bots: 4 line-ups x 6 seatings x 2 deals + 6 x 2 x 2 + 6 x 2 x 1 + 6 x 2 + 4 x 6
DECKS_OF_THREE = """\
seed = 5
[[games]]
game = "no_thanks"
players = 3
deals = 12
"""
SMALL_GAMES = 48 + 24 + 12 + 12 + 24

PROGRAM = [
    sys.executable, "-c",
    "import sys; sys.argv[0] = 'arena'; from arena.__main__ import main; main()",
]  # fmt: skip
"""The program as it is called where it is installed: by `arena`, as its hints say then."""

may_start_programs = True
"""Whether the test that runs is marked `whole` or `long` (conftest)."""

NOW = datetime.fromisoformat("2026-11-02T09:00:00+01:00")

BOTS = {"ann": CHANCE, "bob": FIRST, "cid": CHANCE, "dee": CHANCE}
THREE = {"ann": FIRST, "bob": FIRST + "# b\n", "cid": FIRST + "# c\n"}


def pairs(deals: int) -> str:
    """A tournament of Sixteen for two: with `THREE` bots it has 6 games a deal."""
    game = f'game = "sixteen"\nplayers = 2\ndeals = {deals}\n'
    return f"workers = 1\n\n[[games]]\n{game}"


def alter(store: Path, sql: str, *values: object) -> None:
    """Change a store as arena never would."""
    with closing(sqlite3.connect(store)) as database, database:
        database.execute(sql, values)


def copied(played: Path, to: Path) -> Path:
    """Copy a folder that others may read: SQLite's files beside a store come and go with them."""
    readers = shutil.ignore_patterns("*.sqlite-shm", "*.sqlite-wal")
    return Path(shutil.copytree(played, to, ignore=readers))


def make(folder: Path, config: str = SMALL, bots: Mapping[str, str] = BOTS) -> Path:
    """Write a league and return its config's path."""
    (folder / "bots").mkdir(parents=True, exist_ok=True)
    (folder / "tournaments").mkdir(exist_ok=True)
    for name, source in bots.items():
        (folder / "bots" / f"{name}.py").write_text(source)
    path = folder / "tournaments" / "cup.toml"
    path.write_text(config)
    return path


def played_in(folder: Path, config: str, bots: Mapping[str, str]) -> Path:
    """Write a league, play its tournament and return its results."""
    done = main("tournament", make(folder, config, bots), "-q")
    assert done.returncode == 0, done.stderr.decode()
    return folder / "results" / "cup"


class Done(NamedTuple):
    """What a command did, as `subprocess` tells it."""

    returncode: int
    stdout: bytes
    stderr: bytes


def main(
    *words: object,
    cwd: Path | None = None,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    forged: bool = False,
    now: datetime = NOW,
) -> Done:
    """Run the command line in this process, and return what it did.

    Starting Python and all that a command imports takes a second, and as long again a worker; here
    all is started already, and nothing but the bots runs in other processes. Of a dry run's samples
    the smallest is enough: runner/test_dry_run.py holds when there are more. An exception that the
    command line lets through, which a user would see as a traceback, fails the test.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(sys, "argv", ["arena", *map(str, words)])
        changed.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        changed.setattr(sys, "stdout", out)
        changed.setattr(sys, "stderr", err)
        for name, value in {"COLUMNS": "80", **(environment or {})}.items():
            changed.setenv(name, value)
        if cwd is not None:
            changed.chdir(cwd)
        kept.keep(changed)
        changed.setattr(machine, "read_clock", lambda: now)
        changed.setattr(local_executor, "LocalExecutor", SerialExecutor)
        changed.setattr(dry_run, "MOST_S", 0.0)
        changed.setattr(verify, "map_in_processes", map)
        changed.setattr(arena_store, "map_in_processes", map_here)
        code = _code_of(app.main)
    _check_published(words, code)
    done = Done(code, *(stream.detach().getvalue() for stream in (out, err)))
    if not forged:  # what a forged store says of a fault is quoted, whatever its type
        assert wrong_in_printed([str(word) for word in words], done.stdout) == []
    return done


def _check_published(words: Sequence[object], code: int) -> None:
    """Hold what a tournament that ended well published to its schema."""
    if words[:1] == ("tournament",) and not code and "--dry-run" not in words:
        config = Path(str(words[1])).absolute()
        published = config.parents[1] / "results" / config.stem / "standings.json"
        if published.exists():  # else it has another name
            assert kept.wrong(published.read_bytes()) == []


def _code_of(run: Callable[[], None]) -> int:
    """Return the exit code that a program ends with."""
    try:
        run()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def arena(
    *words: object,
    cwd: Path | None = None,
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    timeout: float = 120,
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own, and return what it did."""
    assert may_start_programs, "starts the program: mark it `whole`, or use `main`"
    done = subprocess.run(
        [*PROGRAM, *map(str, words)],
        cwd=cwd, input=stdin, capture_output=True, check=False, timeout=timeout,
        env={**os.environ, "COLUMNS": "80", **(environment or {})},
    )  # fmt: skip
    _check_published(words, done.returncode)
    return done


def wait_for_games(results: Path, count: int, process: "subprocess.Popen[Any]") -> None:
    """Return when so many games are stored; fail if the process ends before, or in two minutes."""
    try:
        _wait(results, count, process)
    except BaseException:
        process.kill()  # all it started ends with it
        process.communicate()
        raise


def wait_for_page(page: Path, words: str) -> str:
    """Wait until a page that others write has these words; return it."""
    deadline, text = time.monotonic() + 120, ""
    while words not in text:
        assert time.monotonic() < deadline, text
        time.sleep(0.02)
        with suppress(FileNotFoundError):
            text = page.read_text()
    return text


def _wait(results: Path, count: int, process: "subprocess.Popen[Any]") -> None:
    deadline, stored = time.monotonic() + 120, 0
    while stored < count:
        with suppress(subprocess.TimeoutExpired):  # it has the core meanwhile
            process.wait(0.02)
        assert process.returncode is None, "the arena ended before"
        assert time.monotonic() < deadline, f"{stored} games are stored, not {count}"
        try:
            store = Store.open(results)
        except UsageError:  # not written yet
            continue
        stored = store.count()
        store.close()
