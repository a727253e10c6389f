"""What first bots get wrong, and the words that help: `tests/first_bots/` has a mistake a file."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.model import Limits, Reason
from arena.plan import match
from arena.store import logs
from arena.store.remedies import remedy
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
games = 60
"""


LIMITS = Limits()._replace(load_ms=1500, wall_ms=500, memory_mib=256)
"""The same as those of the config."""


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
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of all of them that are entered, and of one who fills tables."""
    folder = tmp_path_factory.mktemp("first")
    bots = folder / "bots"
    bots.mkdir()
    (folder / "others").mkdir()
    shutil.copy(ROOT / "bots" / "first_legal.py", bots)
    shutil.copy(ROOT / "bots" / "random_choice.py", folder / "others")
    for each in MISTAKES:
        if each.fault == "refused":
            continue
        if each.path.is_dir():  # its files lie among the bots
            shutil.copytree(each.path, bots, dirs_exist_ok=True)
        else:
            shutil.copy(each.path, bots)
    return folder


@pytest.fixture(scope="module")
def played(league: Path) -> dict[str, list[Reason]]:
    """A tournament of all of them: a bot's faults, those first that say most."""
    (league / "c.toml").write_text(CONFIG)
    done = main("tournament", "c.toml", "-q", cwd=league)
    assert done.returncode == 0, done.stderr.decode()
    with closing(Store.open(league / "results" / "c")) as store:
        return {
            each.name: [fault.reason for _, fault in logs.Logs(store).faults_of(each.name, 1000)[0]]
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


@pytest.mark.whole
@pytest.mark.parametrize("first", MISTAKES, ids=lambda m: m.name)
def test_a_match_of_a_first_bot_ends_with_what_to_do(
    first: Mistake, league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "Limits", lambda: LIMITS)
    given = first.path if first.fault == "refused" else first.name
    done = main(
        "match", given, "first_legal", "--game", "sixteen", "--game", "no_thanks",
        "--with", "others/*", "--games", 2, "--seed", 16,
        "--results", tmp_path / "results", "-q", cwd=league, environment={"COLUMNS": "120"},
    )  # fmt: skip
    shown, said = done.stdout.decode(), done.stderr.decode()
    if first.fault == "refused":
        assert (done.returncode, shown) == (2, "")
        assert first.remedy in said
        assert said.count("\n") == 1
        return
    assert done.returncode == 0, said
    if first.fault == "none":
        assert said == ""
        return
    assert f"{first.name}: " in said
    assert first.remedy in said
    assert first.fault != "load" or f"{first.name} cannot be loaded" in shown
    assert f"{first.name} is better" not in shown


def test_who_has_a_folder_is_told_to_move_into_it() -> None:
    reason = Reason("load", "No module named 'helper'", error="ModuleNotFoundError")
    assert remedy(reason, "foldy/bot.py", {"helper.py", "foldy"}) == (
        "a bot cannot see files outside its folder; move helper.py to bots/foldy"
    )
    assert remedy(reason, "ann.py", {"helper.py", "ann.py"}).endswith(
        "bots/ann/bot.py and bots/ann/helper.py"
    )
