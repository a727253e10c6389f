"""`arena debug`: a bot of today at the decision that it failed at in a recorded game."""

import json
import os
import re
import socket
import sys
from pathlib import Path

import pytest

from tests.keyboards import Keyboard
from tests.leagues import arena, main, make
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
WITHOUT = "will run without the sandbox, with your permissions"
MARKS = """\
try:
    open({mark!r}, "a").write("ran")
except OSError:
    pass
"""
"""What a stranger's file begins with: behind the walls it may write nothing."""


@pytest.fixture(scope="module")
def faulty_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = make(tmp_path_factory.mktemp("debug"), CONFIG, BOTS).parents[1]
    assert main("tournament", league / "tournaments" / "cup.toml", "-q").returncode == 0
    return league


@pytest.fixture
def faulty(faulty_played: Path) -> Path:
    """The league, its bots as they played."""
    return make(faulty_played, CONFIG, BOTS).parents[1]


def place(league: Path, bot: str) -> str:
    """Return GAME:SEAT of the bot's first fault."""
    told = json.loads(main("faults", league / "results" / "cup", bot, "--json").stdout)
    return f"{told[0]['game']}:{told[0]['seat']}"


def debug(league: Path, *words: object, stdin: str = "") -> tuple[int, str, str]:
    """Debug one's own bot."""
    done = main(
        "debug", league / "results" / "cup", *words, "--yes", stdin=stdin.encode(), cwd=league
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def plant(league: Path, mark: Path) -> None:
    """Have the faulty bots be strangers', which write a file where they can."""
    for name in ("bob", "cid", "dee"):
        file = league / "bots" / f"{name}.py"
        file.write_text(MARKS.format(mark=str(mark)) + BOTS[name])


@pytest.mark.whole
def test_a_stranger_s_file_runs_without_walls_for_whoever_says_so_alone(
    faulty: Path, tmp_path: Path
) -> None:
    plant(faulty, mark := tmp_path / "mark")
    at = place(faulty, "bob")
    for words in ((at,), (place(faulty, "cid"),), ("load",), (at, "--unconfined")):
        done = main("debug", "results/cup", *words, cwd=faulty, stdin=b"q\n")
        said = done.stderr.decode()
        assert not mark.exists(), (words, said)
        assert (done.returncode, done.stdout) == (2, b""), said
        assert f" {WITHOUT}" in said
        assert "The bot was not run; --trace shows its game in the sandbox, --yes confirms" in said
    with Keyboard("debug", "results/cup", at, cwd=faulty) as keys:
        keys.until(f"{faulty}/bots/bob.py {WITHOUT}")
        keys.until("Run it without the sandbox? [y/N]")
        keys.type("\n")
        keys.until("The bot was not run")
        assert keys.end() == 1
    assert not mark.exists()
    assert debug(faulty, at, stdin="q\n")[0] == 0
    assert mark.exists()  # the attack works, once it is let


@pytest.mark.whole
def test_what_faults_advises_keeps_the_stranger_behind_the_walls(
    faulty: Path, tmp_path: Path
) -> None:
    plant(faulty, mark := tmp_path / "mark")
    for bot, tells in (("bob", b"KeyError"), ("cid", b"illegal:")):
        said = main("faults", "results/cup", bot, cwd=faulty).stderr.decode()
        done = main(*said.split(": arena ")[1].split(), cwd=faulty)
        assert not mark.exists(), said
        assert done.returncode == 0
        assert tells in done.stdout
    assert b"arena debug" not in main("faults", "results/cup", "dee", cwd=faulty).stderr


@pytest.mark.whole
def test_a_file_that_is_changed_while_one_is_asked_does_not_run(
    faulty: Path, tmp_path: Path
) -> None:
    with Keyboard("debug", "results/cup", place(faulty, "bob"), cwd=faulty) as keys:
        keys.until("Run it without the sandbox? [y/N]")
        plant(faulty, mark := tmp_path / "mark")
        keys.type("y\n")
        keys.until("(Pdb) ")
        keys.type("q\n")
        assert keys.end() == 0
    assert not mark.exists()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("bot", "typed"), [("bob", b"q\n"), ("cid", b"debug 1 + 1\nc\nq\n")], ids=["after", "before"]
)
def test_no_pdbrc_of_the_folder_or_the_home_runs(
    faulty: Path, tmp_path: Path, bot: str, typed: bytes
) -> None:
    (tmp_path / "home").mkdir()
    for folder in (tmp_path, tmp_path / "home"):
        (folder / ".pdbrc").write_text(f"!open({str(tmp_path / 'mark')!r}, 'a').write('ran')\n")
    done = arena(
        "debug", faulty / "results" / "cup", place(faulty, bot), "--yes",
        cwd=tmp_path, stdin=typed, environment={"HOME": str(tmp_path / "home")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert (b"ENTERING RECURSIVE DEBUGGER" in done.stdout) == typed.startswith(b"debug")
    assert not (tmp_path / "mark").exists()


@pytest.mark.whole
def test_an_exception_is_looked_at_where_it_was_raised(faulty: Path) -> None:
    code, shown, said = debug(faulty, place(faulty, "bob"), stdin="p prices, view.pot\nw\nq\n")
    assert code == 0, said
    assert "bob.py(7)decide()\n-> return prices[view.card]" in shown
    assert re.search(r"^\(Pdb\) \(\{\}, [3-9]", shown, re.MULTILINE), shown
    assert said.index("fails: error: KeyError") < said.index(WITHOUT) < said.index("pdb shows")
    assert "arena/author" not in shown  # of the bot's own lines alone


@pytest.mark.whole
def test_other_faults_are_stopped_at_before_the_decision(faulty: Path) -> None:
    code, shown, said = debug(faulty, place(faulty, "cid"), stdin="p view.legal\nn\nc\n")
    assert code == 0, said
    assert "cid.py(2)decide()" in shown
    assert "(Pdb) ('pass', 'take')" in shown
    assert said.rstrip().endswith("played 'PASS'; legal is pass or take")
    code, shown, said = debug(faulty, place(faulty, "cid"), stdin="q\n")
    assert (code, said.rstrip().splitlines()[-1][:10]) == (0, "pdb stops ")


@pytest.mark.whole
def test_the_bot_draws_the_numbers_that_it_drew_in_the_game(faulty: Path) -> None:
    at = place(faulty, "bob")
    numbers = {
        debug(faulty, at, stdin="p drawn\nq\n")[1].split("(Pdb) ")[1].split()[0] for _ in range(2)
    }
    traced = PLANTED.replace("prices = {}", "print('drew', drawn)\n        prices = {}")
    (faulty / "bots" / "bob.py").write_text(traced)
    _, shown, _ = debug(faulty, at, "--trace")
    assert numbers == set(re.findall(r"drew (\S+)", shown)), shown


@pytest.mark.whole
def test_a_bot_that_cannot_be_loaded_is_looked_at_while_it_loads(faulty: Path) -> None:
    for words in ("load", "load:dee", place(faulty, "dee")):
        code, shown, said = debug(faulty, words, stdin="p rate\nq\n")
        assert code == 0, said
        assert "dee.py(2)<module>()\n-> rate = rate / 0" in shown
        assert "(Pdb) 1\n" in shown
        assert WITHOUT in said
    (faulty / "bots" / "dee.py").write_text(FIRST)
    assert "dee loads now. This fault no longer occurs." in debug(faulty, "load")[2]
    (faulty / "bots" / "dee.py").write_text("def decide(view)\n    return 1\n")
    assert "so there is no line to stop at" in debug(faulty, "load")[2]


@pytest.mark.whole
def test_trace_prints_views_and_decisions_behind_the_walls(faulty: Path) -> None:
    at = place(faulty, "bob")
    done = main("debug", faulty / "results" / "cup", at, "--trace")
    shown = done.stdout.decode()
    assert done.returncode == 0
    steps = shown.split("decision ")[1:]
    assert [int(step.split(",")[0]) for step in steps] == [*range(1, len(steps) + 1)]
    assert all("View(table=" in step and "legal: " in step for step in steps)
    assert "KeyError" in steps[-1]
    assert WITHOUT not in done.stderr.decode()
    done = main("debug", faulty / "results" / "cup", f"{at.split(':')[0]}:{other(at)}", "--trace")
    assert done.returncode == 0  # any seat has decisions, or a reason why not


def other(at: str) -> int:
    return (int(at.split(":")[1]) + 1) % 3


@pytest.mark.whole
def test_another_file_and_another_debugger_are_taken(faulty: Path) -> None:
    (faulty / "loud.py").write_text("import pdb\nclass Loud(pdb.Pdb):\n    prompt = 'loud> '\n")
    (faulty / "bots" / "bob.py").rename(faulty / "elsewhere.py")
    at = place(faulty, "bob")
    words = (at, "--bot", "elsewhere.py", "--pdbcls", "loud:Loud", "--yes")
    done = arena(
        "debug", "results/cup", *words, cwd=faulty, stdin=b"q\n",
        environment={"PYTHONPATH": os.pathsep.join([str(faulty), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert b"elsewhere.py(7)decide()" in done.stdout
    assert b"KeyError" in done.stderr


DEBUGPY = """\
import socket
def listen(address):
    global waiting
    waiting = socket.create_server(address)
def wait_for_client():
    editor, _ = waiting.accept()
    with editor, editor.makefile() as sent:
        exec(sent.read())
def breakpoint(): print("breakpoint")
"""
"""What debugpy comes to: whoever attaches has their code run."""


@pytest.mark.whole
def test_who_may_attach_to_debugpy_is_told_before_anybody_can(faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "debugpy.py").write_text(DEBUGPY)
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    address, mark = ("127.0.0.1", port), tmp_path / "mark"
    words = ("debug", "results/cup", place(faulty, "bob"), "--debugpy", "--listen", port)
    done = arena(*words, cwd=faulty, environment=environment, stdin=b"")
    assert done.returncode == 2
    assert b"any user of this machine can attach" in done.stderr
    with Keyboard(*words, cwd=faulty, environment=environment, columns=300) as keys:
        keys.until(f"debugpy will wait at 127.0.0.1:{port}; any user of this machine can")
        keys.until("Run it without the sandbox? [y/N]")
        with pytest.raises(ConnectionRefusedError), socket.create_connection(address):
            pass
        keys.type("y\n")
        keys.until(f"Waiting for an editor (debugpy) at 127.0.0.1:{port}")
        with socket.create_connection(address) as anybody:
            anybody.sendall(f"open({str(mark)!r}, 'w')".encode())
        keys.until("breakpoint")
        assert keys.end() == 0
    assert mark.exists()  # the attack works, once it is let


@pytest.mark.whole
def test_wrong_words_are_answered_in_one_line(faulty: Path) -> None:
    at = place(faulty, "bob")
    game = at.split(":")[0]
    lines = main("records", faulty / "results" / "cup").stdout.splitlines()
    metas = [json.loads(line)["meta"] for line in lines]
    sound = next(meta["id"] for meta in metas if not meta["faults"])
    wrong = {
        ("zz",): "no game begins with 'zz'",
        (f"{game}:7",): "found seat '7'; expected one of 0 ",
        (sound,): "no seat has a fault; `arena faults` lists",
        (f"{sound}:0",): "has no fault; --trace shows its decisions",
        (sound, "--trace"): f"no seat has a fault; name one: {sound}:0 (",
        ("load:ann",): "ann loads without a fault; `arena faults` lists what failed",
        ("load:bbb",): "no bot 'bbb' played in it",
        ("load", "--trace"): "--trace: a bot is shown no view while it loads",
        (at, "--pdbcls", "pdb"): "--pdbcls: found 'pdb'; expected MODULE:CLASS",
        (at, "--pdbcls", "json:dumps"): "--pdbcls: json has no debugger dumps",
        (at, "--debugpy"): "--debugpy: debugpy is not installed",
        (at, "--bot", "none.py"): "none.py: no bot of that name",
    }
    (faulty / "bots" / "bob.py").unlink()
    wrong[(at,)] = "bots: bob is missing; put it back, or name its file with --bot PATH"
    for words, told in wrong.items():
        done = main("debug", faulty / "results" / "cup", *words)
        assert done.returncode == 2, (words, done.stderr)
        assert told in done.stderr.decode(), words
        assert done.stderr.count(b"\n") == 1, done.stderr.decode()
