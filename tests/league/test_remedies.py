"""What first bots get wrong, and the words that help: `tests/first_bots/` has a mistake a file."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.league.remedies import remedy
from arena.model import Reason
from arena.store import logs
from arena.store.store import Store
from tests.leagues import main
from tests.places import ROOT

FIRST_BOTS = ROOT / "tests" / "first_bots"

CONFIG = """\
seed = 16
workers = 2

[limits]
load_ms = 1500
wall_ms = 500
memory_mib = 256

[[games]]
game = "sixteen"
players = 2
deals = 1
gauntlet = "first_legal"

[[games]]
game = "no_thanks"
players = 3
deals = 1
seatings = 1
lineups = 60
"""


class Mistake(NamedTuple):
    """A first bot: what it does wrong, the fault it earns, and what has to be said of it."""

    path: Path  # of its file or folder
    fault: str  # "none": it plays on; "refused": it is not entered
    remedy: str  # a part of what is said

    @property
    def name(self) -> str:
        return self.path.stem


def mistake(path: Path) -> Mistake:
    file = (
        path
        if path.is_file()
        else next(f for f in sorted(path.iterdir()) if "# fault" in f.read_text())
    )
    told = dict(line[2:].split(": ", 1) for line in file.read_text().splitlines()[1:3])
    return Mistake(path, told["fault"], told["remedy"])


MISTAKES = [mistake(path) for path in sorted(FIRST_BOTS.iterdir()) if path.name[0] != "_"]


def test_there_are_enough_of_them() -> None:
    assert len(MISTAKES) >= 28


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Reason]]:
    """A tournament of all of them: a bot's faults, those first that say most."""
    folder = tmp_path_factory.mktemp("first")
    bots = folder / "bots"
    bots.mkdir()
    shutil.copy(ROOT / "bots" / "first_legal.py", bots)
    for each in MISTAKES:
        if each.fault == "refused":
            continue
        if each.path.is_dir():  # its files lie among the bots
            shutil.copytree(each.path, bots, dirs_exist_ok=True)
        else:
            shutil.copy(each.path, bots)
    (folder / "c.toml").write_text(CONFIG)
    done = main("tournament", "c.toml", "-q", cwd=folder)
    assert done.returncode == 0, done.stderr.decode()
    with closing(Store.open(folder / "results" / "c")) as store:
        return {
            each.name: [fault.reason for _, fault in logs.faults_of_bot(store, each.name, 1000)[0]]
            for each in MISTAKES
            if each.fault != "refused"
        }


@pytest.mark.whole
@pytest.mark.parametrize(
    "first", [m for m in MISTAKES if m.fault != "refused"], ids=lambda m: m.name
)
def test_a_first_bot_s_mistake_is_answered_with_what_to_do(
    first: Mistake, played: dict[str, list[Reason]]
) -> None:
    reasons = played[first.name]
    if first.fault == "none":
        assert not reasons
        return
    beside = {path.name for path in FIRST_BOTS.glob("*/*")}
    assert first.fault in {reason.kind for reason in reasons}
    said = {remedy(r, f"{first.name}.py", beside) for r in reasons if r.kind == first.fault}
    assert any(first.remedy in each for each in said), (said, reasons[0])
