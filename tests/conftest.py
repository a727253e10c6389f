"""What all tests rely on: signals as a terminal leaves them, and what `make check` leaves out.

`make check` runs what is neither `whole` nor `long`. All of tests/whole is `whole`; elsewhere a
test says so itself, and must if it starts the program.
"""

import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom

import pytest

from tests import leagues
from tests.places import ROOT

# A shell starts what it puts in the background with Ctrl-C ignored, and all that starts from there
# inherits it: tests that press Ctrl-C need it back.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "whole"):
            item.add_marker(pytest.mark.whole)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    marks = {mark.name for mark in item.iter_markers()}
    leagues.may_start_programs = bool(marks & {"whole", "long"})


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="what random tests draw from; else drawn anew")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A random test's seed: drawn and printed, or given by `pytest --seed`, to fail again."""
    given: int | None = request.config.getoption("--seed")
    seed = SystemRandom().randrange(1 << 32) if given is None else given
    print(f"seed {seed}")
    return seed


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small league's folder with a finished tournament, played once a run: to be read only."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # this is one worker's; that is the run's
    with (folder / "played.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "played").exists():
            unfinished = folder / "played.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)  # of a worker that failed
            done = leagues.arena("tournament", leagues.make(unfinished))
            assert done.returncode == 0, done.stderr.decode()
            assert b"120 games played" in done.stderr  # SMALL_GAMES
            assert b"Overall" in done.stdout
            unfinished.rename(folder / "played")
    return folder / "played"


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    """A copy of that league, which a test may change."""
    return leagues.copied(played, tmp_path / "league")


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that an ordinary user can come to: pytest's own are root's alone."""
    folder = Path(tempfile.mkdtemp(prefix="arena-nobody-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)  # read-only snapshots of broken-off tests may stay
