"""A class's first day: three bots with a mistake each, and every command says what it is."""

import html
import json
import shutil
from pathlib import Path

import pytest

from tests.leagues import main, make, pairs
from tests.sessions import FIRST

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("first day")]

BOTS = {
    "ann": "def decide(view)\n    return view.legal[0]\n",
    "bob": "import nmupy\n\n\ndef decide(view):\n    return view.legal[0]\n",
    "cid": "def agent(view):\n    return view.legal[0]\n",
}
IN_SHORT = (
    "ann does not load: SyntaxError, ann.py line 1",
    "bob does not load: ModuleNotFoundError, bob.py line 1",
    "cid does not load: no bot is defined",
)
CAUSES = (
    "SyntaxError: expected ':' (ann.py line 1)",
    "ModuleNotFoundError: No module named 'nmupy' (bob.py line 1)",
    "did you mean 'numpy'?",
    "no bot is defined; put the code into `def decide(view)`; found only agent",
)
CUP = Path("results") / "cup"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    done = main("tournament", make(folder, pairs(5), BOTS))
    assert done.returncode == 1
    hold(done.stdout + done.stderr, IN_SHORT)
    assert b"No game could be played: no bot of the 3 line-ups loads." in done.stdout
    return folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "league"))


def hold(said: bytes, words: tuple[str, ...]) -> None:
    flat = " ".join(said.decode().split())
    assert [each for each in words if each not in flat] == []


@pytest.mark.parametrize("words", [("-q", "--max-faults", 9), ("--json",)])
def test_no_run_ends_well_that_could_play_nothing(league: Path, words: tuple[object, ...]) -> None:
    done = main("tournament", league / "tournaments" / "cup.toml", *words)
    assert done.returncode == 1
    hold(done.stderr, IN_SHORT)


def test_every_command_tells_each_bot_s_mistake(league: Path) -> None:
    for command in ("standings", "watch"):
        hold(main(command, league / CUP).stdout, IN_SHORT)
    assert main("publish", league / CUP, "--to", league / "site").returncode == 0
    front = html.unescape((league / "site" / "index.html").read_text("utf-8"))
    hold(front.encode(), ("SyntaxError: expected ':' (ann.py line 1)", "(bob.py line 1)"))
    hold(main("faults", league / CUP).stdout, CAUSES)
    told = json.loads(main("faults", league / CUP, "--json").stdout)["causes"]
    assert {each["bot"]: each["count"] for each in told} == dict.fromkeys(BOTS, 0)
    hold(main("logs", league / CUP, "bob").stdout, ("No module named 'nmupy'",))
    doc = json.loads(main("standings", league / CUP, "--json").stdout)
    permanent = {each["bot"]: each["permanent"] for each in doc["not_loaded"]}
    assert permanent == dict.fromkeys(BOTS, True)
    assert doc["pools"][0]["line_ups_not_played"] == 3
    assert main("verify", league / CUP).returncode == 0


def test_a_match_of_two_broken_bots_does_not_end_well(league: Path) -> None:
    done = main("match", "ann", "bob", "--game", "sixteen", cwd=league)
    assert done.returncode == 1
    hold(done.stderr, IN_SHORT[:2])


def test_a_broken_bot_that_met_no_other_counts_for_max_faults_without_a_forfeit(
    league: Path,
) -> None:
    config = league / "tournaments" / "cup.toml"
    two = config.read_text() + 'bots = ["bots/ann.py", "bots/bob.py"]\n'
    game = '\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\nbots = ["bots/z*.py"]\n'
    make(league, two + game, {f"z{n}": f"{FIRST}# {n}\n" for n in range(3)})
    assert main("tournament", config, "-q").returncode == 0
    done = main("tournament", config, "-q", "--max-faults", 0)
    assert done.returncode == 3
    assert b"ann does not load, bob does not load" in done.stderr
