"""`arena debug`: a bot of today at the decision that it failed at in a recorded game."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.keyboards import Keyboard
from tests.leagues import Done, arena, main, make
from tests.sessions import FIRST

CONFIG = """\
seed = 3
[[games]]
game = "no_thanks"
players = 3
deals = 2
"""
PLANTED = """\
import random

def decide(view):
    drawn = random.random()
    if view.pot > 2:
        prices = {}
        return prices[view.card]
    return random.choice(view.legal)
"""
ILLEGAL = "def decide(view):\n    words = ('pass', 'PASS')\n    return words[view.pot > 1]\n"
UNLOADED = "rate = 1\nrate = rate / 0\n\ndef decide(view):\n    return view.legal[0]\n"
BOTS = {"ann": FIRST, "bob": PLANTED, "cid": ILLEGAL, "dee": UNLOADED, "eve": FIRST, "fay": FIRST}
WITHOUT = "now runs without walls, in this process and with your rights"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = make(tmp_path_factory.mktemp("debug"), CONFIG, BOTS).parents[1]
    assert main("tournament", league / "tournaments" / "cup.toml", "-q").returncode == 0
    return league


@pytest.fixture
def league(played: Path) -> Path:
    """The league, its bots as they played."""
    return make(played, CONFIG, BOTS).parents[1]


def place(league: Path, bot: str) -> str:
    """Return GAME:SEAT of the bot's first fault."""
    told = json.loads(main("faults", league / "results" / "cup", bot, "--json").stdout)
    return f"{told[0]['game']}:{told[0]['seat']}"


def debug(league: Path, *words: object, stdin: str = "") -> tuple[int, str, str]:
    done: Done | subprocess.CompletedProcess[bytes] = arena(
        "debug", league / "results" / "cup", *words, stdin=stdin.encode(), cwd=league
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.whole
def test_an_exception_is_looked_at_where_it_was_raised(league: Path) -> None:
    code, shown, said = debug(league, place(league, "bob"), stdin="p prices, view.pot\nw\nq\n")
    assert code == 0, said
    assert "bob.py(7)decide()\n-> return prices[view.card]" in shown
    assert re.search(r"^\(Pdb\) \(\{\}, [3-9]", shown, re.MULTILINE), shown
    assert said.index("it fails: error: KeyError") < said.index(WITHOUT) < said.index("pdb shows")
    assert "arena/author" not in shown  # of the bot's own lines alone


@pytest.mark.whole
def test_other_faults_are_stopped_at_before_the_decision(league: Path) -> None:
    code, shown, said = debug(league, place(league, "cid"), stdin="p view.legal\nn\nc\n")
    assert code == 0, said
    assert "cid.py(2)decide()" in shown
    assert "(Pdb) ('pass', 'take')" in shown
    assert said.rstrip().endswith("played 'PASS'; legal is pass or take")
    code, shown, said = debug(league, place(league, "cid"), stdin="q\n")
    assert (code, said.rstrip().splitlines()[-1][:10]) == (0, "pdb stops ")


@pytest.mark.whole
def test_on_a_terminal_it_is_driven_by_keys(league: Path) -> None:
    with Keyboard("debug", "results/cup", place(league, "bob"), cwd=league) as keys:
        keys.until("-> return prices[view.card]")
        keys.until("(Pdb) ")
        keys.type("p len(prices)\n")
        keys.until("\r\n0\r\n")
        keys.type("q\n")
        assert keys.end() == 0


@pytest.mark.whole
def test_the_bot_draws_the_numbers_that_it_drew_in_the_game(league: Path) -> None:
    at = place(league, "bob")
    numbers = {
        debug(league, at, stdin="p drawn\nq\n")[1].split("(Pdb) ")[1].split()[0] for _ in range(2)
    }
    traced = PLANTED.replace("prices = {}", "print('drew', drawn)\n        prices = {}")
    (league / "bots" / "bob.py").write_text(traced)
    _, shown, _ = debug(league, at, "--trace")
    assert numbers == set(re.findall(r"drew (\S+)", shown)), shown


@pytest.mark.whole
def test_a_bot_that_cannot_be_loaded_is_looked_at_while_it_loads(league: Path) -> None:
    for words in ("load", "load:dee", place(league, "dee")):
        code, shown, said = debug(league, words, stdin="p rate\nq\n")
        assert code == 0, said
        assert "dee.py(2)<module>()\n-> rate = rate / 0" in shown
        assert "(Pdb) 1\n" in shown
        assert WITHOUT in said
    (league / "bots" / "dee.py").write_text(FIRST)
    assert "dee can be loaded now: that fault does not happen any more" in debug(league, "load")[2]
    (league / "bots" / "dee.py").write_text("def decide(view)\n    return 1\n")
    assert "so there is nothing to stop at" in debug(league, "load")[2]


@pytest.mark.whole
def test_trace_prints_views_and_decisions_behind_the_walls(league: Path) -> None:
    at = place(league, "bob")
    done = main("debug", league / "results" / "cup", at, "--trace")
    shown = done.stdout.decode()
    assert done.returncode == 0
    steps = shown.split("decision ")[1:]
    assert [int(step.split(",")[0]) for step in steps] == [*range(1, len(steps) + 1)]
    assert all("View(table=" in step and "legal: " in step for step in steps)
    assert "KeyError" in steps[-1]
    assert WITHOUT not in done.stderr.decode()
    done = main("debug", league / "results" / "cup", f"{at.split(':')[0]}:{other(at)}", "--trace")
    assert done.returncode == 0  # any seat has decisions, or a reason why not


def other(at: str) -> int:
    return (int(at.split(":")[1]) + 1) % 3


@pytest.mark.whole
def test_a_fault_that_does_not_happen_any_more_is_said(league: Path) -> None:
    (league / "bots" / "bob.py").write_text(PLANTED.replace("view.pot > 2", "view.pot > 99"))
    code, shown, said = debug(league, place(league, "bob"))
    assert (code, shown) == (0, "")
    assert "bob.py has changed since that game; it is run as it is now" in said
    assert "that fault does not happen any more" in said
    assert WITHOUT not in said


@pytest.mark.whole
def test_another_file_and_another_debugger_are_taken(league: Path) -> None:
    (league / "loud.py").write_text("import pdb\nclass Loud(pdb.Pdb):\n    prompt = 'loud> '\n")
    (league / "bots" / "bob.py").rename(league / "elsewhere.py")
    at = place(league, "bob")
    words = (at, "--bot", "elsewhere.py", "--pdbcls", "loud:Loud")
    done = arena(
        "debug", "results/cup", *words, cwd=league, stdin=b"q\n",
        environment={"PYTHONPATH": os.pathsep.join([str(league), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert b"elsewhere.py(7)decide()" in done.stdout
    assert b"KeyError" in done.stderr


DEBUGPY = """\
import sys
def listen(address): print("listen", *address)
def wait_for_client(): print("waited")
def breakpoint(): print("breakpoint")
"""


@pytest.mark.whole
def test_an_editor_is_waited_for_by_debugpy(league: Path) -> None:
    (league / "debugpy.py").write_text(DEBUGPY)
    done = arena(
        "debug", "results/cup", place(league, "bob"), "--debugpy", "--listen", 5999,
        cwd=league, environment={"PYTHONPATH": os.pathsep.join([str(league), *sys.path])},
    )  # fmt: skip
    assert done.stdout == b"listen 127.0.0.1 5999\nwaited\nbreakpoint\n"
    assert b"waiting for an editor at 127.0.0.1:5999" in done.stderr
    assert done.returncode == 0


@pytest.mark.whole
def test_wrong_words_are_answered_in_one_line(league: Path) -> None:
    at = place(league, "bob")
    game = at.split(":")[0]
    lines = main("records", league / "results" / "cup").stdout.splitlines()
    metas = [json.loads(line)["meta"] for line in lines]
    sound = next(meta["id"] for meta in metas if not meta["faults"])
    wrong = {
        ("zz",): "no game begins with 'zz'",
        (f"{game}:7",): "found seat '7'; it takes one of 0 ",
        (sound,): "no seat has a fault; `arena faults` lists",
        (f"{sound}:0",): "has no fault; --trace shows its decisions",
        (sound, "--trace"): f"no seat has a fault; name one: {sound}:0 (",
        ("load:ann",): "ann loaded; `arena faults` lists what failed",
        ("load:bbb",): "no bot 'bbb' played in it",
        ("load", "--trace"): "--trace: a bot that loads is shown no view",
        (at, "--pdbcls", "pdb"): "--pdbcls: found 'pdb'; it takes MODULE:CLASS",
        (at, "--pdbcls", "json:dumps"): "--pdbcls: json has no debugger dumps",
        (at, "--debugpy"): "--debugpy: debugpy is not installed",
        (at, "--bot", "none.py"): "none.py: no bot of that name",
    }
    (league / "bots" / "bob.py").unlink()
    wrong[(at,)] = "bots: bob is gone; put it back, or name its file by --bot PATH"
    for words, told in wrong.items():
        done = main("debug", league / "results" / "cup", *words)
        assert done.returncode == 2, (words, done.stderr)
        assert told in done.stderr.decode(), words
        assert done.stderr.count(b"\n") == 1, done.stderr.decode()
