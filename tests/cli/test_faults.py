"""Faults where one looks: at the end of a tournament and of a match, and in `arena faults`."""

import json
from pathlib import Path

import pytest

from tests.leagues import main, make
from tests.sessions import FIRST

DIVIDES = "def decide(view):\n    return view.legal[1 // 0]\n"
CONFIG = """\
seed = 3
[[games]]
game = "sixteen"
players = 2
deals = 4
"""
BOTS = {"ann": FIRST, "bob": DIVIDES, "cid": "def decied(view):\n    return view.legal[0]\n"}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("faults"), CONFIG, BOTS).parents[1]


@pytest.mark.whole
def test_a_tournament_ends_with_the_first_reason_of_each_faulty_bot(league: Path) -> None:
    done = main("tournament", league / "tournaments" / "cup.toml")
    said = done.stderr.decode()
    assert "bob: 8 games forfeit; error: ZeroDivisionError: " in said
    assert "by zero (bob.py line 2)" in said
    assert "cid: 16 games forfeit; load: no bot is defined; rename decied to decide" in said
    results = league / "results" / "cup"
    assert f"arena faults {results}" in said
    assert "ann" not in said[said.index("cid: 16") :]

    told = main("faults", results).stdout.decode()
    assert told.index("cid: 16 games forfeit") < told.index("bob: 8 games forfeit")  # worst first
    (cause,) = json.loads(main("faults", results, "bob", "--json").stdout)
    assert (cause["times"], cause["file"], cause["where"]) == (8, "bob.py", "line 2")
    replayed = main("replay", results, cause["game"], "--at", cause["action"])
    assert replayed.returncode == 0
    assert main("faults", results, "ann").stderr == b"ann: no fault\n"
    wrong = main("faults", results, "bobb")
    assert wrong.returncode == 2
    assert b"did you mean bob?" in wrong.stderr


@pytest.mark.whole
def test_no_bot_is_better_because_the_other_cannot_be_loaded(league: Path) -> None:
    words = ("match", "ann", "cid", "--game", "sixteen", "--seed", 1)
    done = main(*words, cwd=league)
    assert b"  cid cannot be loaded  " in done.stdout
    assert b"better" not in done.stdout
    assert b"rename decied to decide" in done.stderr
    (pool,) = json.loads(main(*words, "--json", "-q", cwd=league).stdout)["pools"]
    assert (pool["verdict"], pool["unloadable"]) == ("open", ["cid"])
    (pool,) = json.loads(
        main("match", "ann", "bob", "--game", "sixteen", "--json", "-q", cwd=league).stdout
    )["pools"]
    assert pool["verdict"] == "better"
    assert pool["faults"] == {"ann": 0, "bob": pool["games"]}
