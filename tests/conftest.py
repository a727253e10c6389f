"""What all tests rely on: signals as a terminal leaves them, bytecode that is kept, and what
`make check` leaves out.

`make check` runs what is neither `whole` nor `long`. All of tests/whole is `whole`; elsewhere a
test says so itself, and must if it starts the program.
"""

import fcntl
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest
from hypothesis import settings
from pytest_regressions.file_regression import FileRegressionFixture

from arena.process.zygote_client import ZygoteClient
from tests import kept, leagues
from tests.places import ROOT

# A shell starts what it puts in the background with Ctrl-C ignored, and all that starts from there
# inherits it: tests that press Ctrl-C need it back.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# A run starts Python a thousand times: code is compiled once, also where the machine (a container,
# say) has it compiled anew each time. Zygotes keep it anyway: their environment is empty.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# Inputs that are drawn are the same ones in each run: what fails is of the change at hand.
settings.register_profile("arena", derandomize=True, deadline=None)
settings.load_profile("arena")

SKIPPED = "arena/skipped"


def pytest_collection_finish() -> None:
    """Have no collection look at the tests themselves again and again."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # pytest then brings those together that share a fixture
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is `whole`, and give a module's tests to one worker where that is cheaper.

    xdist looks through all that it has handed out after each test: of thousands that are handed out
    one by one that takes as long as the tests. And what a module's tests share is made once.
    """
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "whole"):
            item.add_marker(pytest.mark.whole)
        if not item.get_closest_marker("xdist_group") and (not is_whole(item) or shares(item)):
            item.add_marker(pytest.mark.xdist_group(item.path.relative_to(ROOT).as_posix()))
    # What changes break most often comes first, and takes seconds: how code and texts are written.
    # Then what takes long: the short ones are for both workers to end with.
    items.sort(key=lambda item: (item.path.parent != ROOT / "tests", not is_whole(item)))
    if (order := config.getoption("--shuffle")) is not None:
        # Modules as wholes, and the cases of a test together: both share what takes long to make.
        items.sort(key=lambda item: [
            sha256(f"{order} {name}".encode()).digest()
            for name in (item.path, item.nodeid.partition("[")[0])
        ])  # fmt: skip
    if config.getoption("--skipped"):
        assert config.cache
        skipped = {*config.cache.get(SKIPPED, [])}
        items[:] = [
            each for each in items if {each.nodeid, each.nodeid.partition("::")[0]} & skipped
        ]


def is_whole(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("whole", "long"))


def shares(item: pytest.Item) -> bool:
    """Return whether a test uses what its module's tests share."""
    return isinstance(item, pytest.Function) and any(
        fixture.scope in ("module", "package")
        for fixtures in item._fixtureinfo.name2fixturedefs.values()
        for fixture in fixtures
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name a test as it is called, so that it can be run again; a worker tells xdist the group."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        report.nodeid = plain(report.nodeid)


def plain(name: str) -> str:
    """Return a test's name without the group that xdist adds."""
    plain, at, group = name.rpartition("@")
    return plain if at and "]" not in group else name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    leagues.may_start_programs = is_whole(item)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="what random tests draw from; else drawn anew")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run tests in another order")
    parser.addoption("--skipped", action="store_true", help="run what the last run skipped")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--skipped"):
        config.pluginmanager.register(_Skipped(config))


class _Skipped:
    """Keeps which tests and modules a run skipped, for `--skipped` to run once they can be."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self._names = config, set[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self._names.add(plain(report.nodeid))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._names.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker skipped as a whole: xdist tells of one module for each reason."""
        self._names |= {*node.workeroutput[SKIPPED]} if hasattr(node, "workeroutput") else set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[SKIPPED] = [*self._names]
        elif cache := getattr(self._config, "cache", None):  # None by -p no:cacheprovider
            cache.set(SKIPPED, sorted(self._names))


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables that a run makes are kept for that run."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def zygote() -> Iterator[ZygoteClient]:
    """A zygote, the same for the tests of a module."""
    made = ZygoteClient()
    yield made
    made.close()


@pytest.fixture
def check_kept(file_regression: FileRegressionFixture) -> Callable[[str, Path], None]:
    """Compare a text with a kept file, byte for byte; `pytest --regen-all` writes the file anew."""

    def check(text: str, file: Path) -> None:
        file_regression.check(text, "utf-8", newline="", fullpath=file)  # shows what differs
        assert file.read_bytes() == text.encode(), "lines end otherwise"

    return check


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
            assert b"strength" in done.stdout  # the table that a run ends with
            unfinished.rename(folder / "played")
    return folder / "played"


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    """A copy of that league, which a test may change."""
    return leagues.copied(played, tmp_path / "league")


@pytest.fixture
def kept_zygote(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots come from the zygotes that `leagues.main` keeps, also where a test starts one itself."""
    kept.keep_zygotes(monkeypatch)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that an ordinary user can come to: pytest's own are root's alone."""
    folder = Path(tempfile.mkdtemp(prefix="arena-nobody-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)  # read-only snapshots of broken-off tests may stay
