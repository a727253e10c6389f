"""A game is one file: two that are not there yet are added, by the steps of games/README.md.

Nim has no cards, no chance and nothing hidden, Kuhn poker three cards and twelve deals. A copy of
the repository gets the own files of either from `tests/games/new/` and nothing else, and all that
the arena does is done with it.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.keyboards import Keyboard
from tests.leagues import arena
from tests.places import ROOT

NEW = ROOT / "tests" / "games" / "new"
PARTS = (
    "arena", "games", "tests", "pyproject.toml", "bots/random_choice.py", "bots/first_legal.py"
)  # fmt: skip
LAST = '"""The last legal decision."""\n\n\ndef decide(view):\n    return view.legal[-1]\n'


class Added(NamedTuple):
    """What is particular to a game that is added."""

    golden: list[str]  # words that choose its playthrough
    config: str
    games: int  # of three bots: line-ups x seatings x deals
    told: str  # what a state is told with
    drawn: str  # a field that a seat sees
    hidden: str  # what the audit says of its hidden cards


GAMES = {
    "nim": Added(
        ["--players", "3", "--options", '{"heaps": 2}', "--seed", "0"],
        """
[[games]]
game = "nim"
players = [2, 3]
deals = 2

[[games]]
game = "nim"
players = 2
deals = 1
options = { heaps = 2, misere = true }
""",
        3 * 2 * 2 + 1 * 6 * 2 + 3 * 2 * 1,
        "to_act 0, over None, heaps [",
        "heaps",
        "their game has no `resample`",
    ),
    "kuhn": Added(
        ["--seed", "0"],
        """
[[games]]
game = "kuhn"
players = 2
deals = 4
""",
        3 * 2 * 4,
        "pot 2  ",
        "card",
        "views compared, none changed",
    ),
}


class Copy(NamedTuple):
    """A copy of the repository, with a game more."""

    name: str
    folder: Path
    added: Added
    records: str  # of its tournament, a line each

    def says(self, *words: object) -> str:
        """Return what the command line of the copy says; it must end well."""
        done = arena(*words, cwd=self.folder)
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == 0, said
        return said

    def python(self, *words: str) -> str:
        """Return what a module run in the copy says; it must end well."""
        command = [sys.executable, "-m", *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in sorted(GAMES)],
)
def copy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Copy]:
    """The game added by steps 1 to 3, its playthrough made by step 4, and a tournament played."""
    name, folder = request.param, tmp_path_factory.mktemp(request.param)
    for part in PARTS:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("new"))
        else:
            shutil.copy(source, target)
    for file, to in (
        (f"{name}.py", "games"),
        (f"{name}.md", "games"),
        (f"test_{name}.py", "tests/games"),
    ):
        shutil.copy(NEW / file, folder / to)
    made = Copy(name, folder, GAMES[name], "")
    made.python("tests.games.golden", name, *made.added.golden)
    (folder / "bots" / "last.py").write_text(LAST)
    (folder / "cup.toml").write_text(f"seed = 1\nworkers = 1\n{made.added.config}")
    made.says("tournament", "cup.toml")
    records = made.says("records", "results/cup")
    (folder / "games.jsonl").write_text(records)
    yield made._replace(records=records)
    shutil.rmtree(folder)


def test_its_playthrough_is_the_one_that_was_read_and_believed(copy: Copy) -> None:
    made = copy.folder / "tests" / "playthroughs" / f"{copy.name}.json"
    assert made.read_text() == (NEW / made.name).read_text()


def test_its_own_tests_and_the_contract_s_pass_and_none_is_skipped(copy: Copy) -> None:
    said = copy.python("pytest", "tests/games", "-k", copy.name)
    found = re.search(r"(\d+) passed, \d+ deselected in", said)  # none failed, none was skipped
    assert found
    assert int(found[1]) >= 50  # some forty of the contract, and its own


def test_a_tournament_plays_it_without_a_fault(copy: Copy) -> None:
    told = json.loads((copy.folder / "results" / "cup" / "standings.json").read_text())
    assert [game["game"] for game in told["games"]] == [copy.name]
    records = copy.records.splitlines()
    assert len(records) == copy.added.games
    assert all(json.loads(record)["meta"]["faults"] == [] for record in records)


def test_it_is_verified_and_played_again(copy: Copy) -> None:
    said = copy.says("verify", "results/cup", "--replay-bots", 10)
    assert f"games: {copy.added.games} of {copy.added.games} follow the rules" in said
    assert "deals: recomputed from the secret" in said
    assert "10 games, 10 with the same result" in said


def test_it_is_replayed_in_words_as_all_see_it_and_by_a_seat_s_eyes(copy: Copy) -> None:
    said = copy.says("replay", "games.jsonl", "--line", 1).splitlines()
    assert said[0].startswith(f"{copy.name}, ")
    assert said[1].strip().startswith(copy.added.told)
    assert said[-1].startswith("Game over: ")
    said = copy.says("replay", "games.jsonl", "--line", 1, "--as", 1).splitlines()
    assert f"{copy.added.drawn} " in said[1]  # by the view's fields


def test_it_is_played_by_hand(copy: Copy) -> None:
    words = ("play", copy.name, "last", "--save", "hand.jsonl")
    with Keyboard(*words, cwd=copy.folder, environment={"NO_COLOR": "1"}) as keys:
        while keys.until("you> ", "Game over: ") == "you> ":
            keys.type("1\n")
        assert keys.end() == 0
    assert f"{copy.added.drawn} " in keys.seen  # by the view's fields
    assert "records: 1 of 1 follow the rules" in copy.says("judge", "hand.jsonl")


def test_it_is_audited(copy: Copy) -> None:
    assert copy.added.hidden in copy.says("audit", "results/cup")


def test_its_games_are_explained(copy: Copy) -> None:
    """Without a line of its own for that. Nim has no chance: the bots' dice alone differ."""
    words = ("games", "results/cup", "--bot", "last", "--lost", "--json")
    listed = json.loads(copy.says(*words))["games"]
    game = f"{listed[0]['game_id']}:last"
    found = json.loads(copy.says("explain", "results/cup", game, "--json").splitlines()[0])
    assert found["worlds"] == ("fair" if copy.name == "kuhn" else "cannot resample")
    assert found["seats"][0]["shares_by_decision"]
    assert found["faults"] == {}


def test_its_records_are_judged(copy: Copy) -> None:
    said = copy.says("judge", "games.jsonl")
    games = copy.added.games
    assert f"records: {games} of {games} follow the rules" in said
