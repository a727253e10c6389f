"""Recorded games as tests: what the bot did there it does again, in the sandbox and without."""

import json
import re
import subprocess
import sys
import warnings
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.author import decide
from arena.errors import UsageError
from arena.store.logs import Logs
from arena.store.store import Store
from arena.testing import NoDecision, at, replay_game
from tests.author.made import MARKS, first, run_tests
from tests.leagues import main, make, played_in
from tests.places import EXAMPLES
from tests.sessions import CHANCE, FIRST

pytestmark = [
    pytest.mark.usefixtures("kept_zygote"),
    pytest.mark.filterwarnings("ignore:replay_game:UserWarning"),
]

CONFIG = """\
seed = 3
limits.cpu_ms = 90
games = [{ game = "no_thanks", players = 3, deals = 1 }]
"""
REMEMBERS = """\
import random
class Bot:
    def __init__(self, game):
        self.decisions = []
    def decide(self, view):
        self.decisions.append(random.choice(view.legal))
        if len(self.decisions) == 12:
            raise ValueError(f"{self.decisions} {random.random()}")
        return self.decisions[-1]
"""
BOTS = {
    "ann": FIRST,
    "bob": REMEMBERS,
    "cid": "def decide(view):\n    return ('pass', 'PASS')[view.pot > 1]\n",
    "dee": "rate = 1 / 0\n\ndef decide(view):\n    return view.legal[0]\n",
    "eve": "def decide(view):\n    while view.pot > 2:\n        pass\n    return view.legal[0]\n",
}
NO_THANKS: dict[str, Any] = next(
    record for record in map(json.loads, EXAMPLES.read_text().splitlines())
    if record["game"] == "no_thanks"
)  # fmt: skip


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played_in(tmp_path_factory.mktemp("faulty"), CONFIG, BOTS)


@pytest.fixture
def results(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results whose league one is in, its bots as they played."""
    make(faulty.parents[1], CONFIG, BOTS)
    monkeypatch.chdir(faulty.parents[1])
    return faulty


@pytest.mark.whole
def test_each_cause_is_a_test_that_fails_until_the_bot_is_mended(results: Path) -> None:
    done = main("faults", results, "--as-test")
    assert done.stderr.startswith(b"4 tests for ")
    told = {
        "bob": r'"Decision 12: error: ValueError: ', "cid": r'"Decision \d+: illegal: played',
        "dee": '"load: ZeroDivisionError', "eve": r'"Decision \d+: time: ',
    }  # fmt: skip
    for bot, why in told.items():
        text = main("faults", results, bot, "--as-test").stdout.decode()
        assert len(re.findall(r"^def test_", text, re.M)) == 1
        assert re.search(rf"^    {why}", text, re.M), text
        assert '        limits={"cpu_ms": 90},\n' in text
        with pytest.raises(NoDecision, match=f"^{bot}: ") as wrong:
            run_tests(text)
        if bot == "cid":
            assert "it answered 'PASS', which is not legal" in str(wrong.value)
            assert "It was shown: View(table=" in str(wrong.value)
            assert re.fullmatch(r"in decision (\d+) of \1", wrong.value.__notes__[0])
        (results.parents[1] / "bots" / f"{bot}.py").write_text(FIRST)
        run_tests(text)
    run_tests(done.stdout.decode())
    assert main("faults", results, "ann", "--as-test").stderr == b"0 tests for 0 causes\n"


@pytest.mark.whole
def test_it_draws_and_remembers_what_it_did_in_the_game(results: Path) -> None:
    with closing(Store.open(results)) as store:
        (_, fault), *_ = Logs(store).faults_of("bob", 1)[0]
    text = main("faults", results, "bob", "--as-test").stdout.decode()
    with pytest.raises(NoDecision) as walled:
        run_tests(text)
    assert f"ValueError: {fault.reason.message}\n" in str(walled.value)
    with pytest.raises(ValueError, match="pass") as raised:  # as for a debugger
        run_tests(text.replace("        confined=True,\n", "        confined=False,\n"))
    assert str(raised.value) == fault.reason.message
    last = raised.traceback[-1]
    assert (last.path, last.lineno + 1) == (results.parents[1] / "bots" / "bob.py", 8)
    assert len(last.frame.f_locals["self"].decisions) == 12


@pytest.mark.whole
def test_without_the_secret_it_says_that_it_draws_others(results: Path, tmp_path: Path) -> None:
    main("export", results, "--to", tmp_path / "out")
    text = main("faults", tmp_path / "out", "bob", "--as-test").stdout.decode()
    assert "    # its random numbers in the game are unknown: it draws others, " in text
    assert "seed=" not in text
    with pytest.raises(NoDecision):
        run_tests(text)


def test_the_result_is_told_unless_the_seat_forfeited(tmp_path: Path) -> None:
    bot, file = tmp_path / "told.py", tmp_path / "games.jsonl"
    bot.write_text(
        "class Bot:\n    def __init__(self, game): pass\n"
        "    def decide(self, view): return view.legal[0]\n"
        "    def end(self, result): raise LookupError(result.ranks)\n"
    )
    file.write_text(json.dumps(NO_THANKS) + "\n")
    ranks = re.escape(str(NO_THANKS["result"]["ranks"]))
    with pytest.raises(NoDecision, match=f"LookupError: {ranks}"):
        replay_game(bot, NO_THANKS, 0)
    with pytest.raises(LookupError):
        replay_game(bot, file, 0, confined=False)
    actions = NO_THANKS["actions"][:6]
    given = {key: value for key, value in NO_THANKS.items() if key != "rounds"}
    replay_game(bot, given | {"actions": actions, "result": None}, actions[-1][0])


def test_sets_in_other_order_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    for on in (0, 1):
        flags = SimpleNamespace(hash_randomization=on)
        monkeypatch.setattr(decide, "sys", SimpleNamespace(**vars(sys) | {"flags": flags}))
        with warnings.catch_warnings(record=True, action="always") as caught:
            replay_game("first_legal", NO_THANKS, 0, confined=False)
        told = [str(each.message).split("; ")[-1] for each in caught]
        assert told == ["run with PYTHONHASHSEED=0"][:on]


def test_what_cannot_be_played_again_is_refused() -> None:
    with pytest.raises(UsageError, match="seat: found 3; expected 0 to 2"):
        replay_game(first, NO_THANKS, 3)
    with pytest.raises(UsageError, match="the record breaks the rules: v: found 9"):
        replay_game(first, NO_THANKS | {"v": 9}, 0)


@pytest.mark.whole
def test_of_a_game_a_seat_is_named_where_none_or_several_failed(results: Path) -> None:
    (cause, *_) = json.loads(main("faults", results, "cid", "--json").stdout)["causes"]
    of_cid = ("replay", results, cause["game_id"], "--as-test")
    of_file = ("replay", EXAMPLES, "--line", 3, "--as-test")
    asked = {of_cid: "no --as", (*of_cid, "--as", 9): "--as 9", of_file: "no --as"}
    for words, found in asked.items():
        done = main(*words)
        assert done.returncode == 2
        assert done.stderr.startswith(f"--as-test: found {found}; add --as SEAT, one of 0".encode())
    other = (cause["seat"] + 1) % 3
    assert f"_seat_{other}() ->".encode() in main(*of_cid, "--as", other).stdout
    told = b'def test_my_bot_seat_1() -> None:\n    "No forfeit in '
    assert told in main(*of_file, "--as", 1).stdout


@pytest.mark.whole
def test_a_stranger_s_bot_is_confined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    fails = MARKS.replace("return view", "assert view.pot < 3\n    return view")
    bots = {"ann": fails.format(mark=str(mark)), "bob": CHANCE, "cid": CHANCE}
    results = played_in(tmp_path, CONFIG, bots)
    (cause,) = json.loads(main("faults", results, "ann", "--json").stdout)["causes"]
    game = ("replay", results, cause["game_id"], "--as-test")
    at_action = (*game, "--at", cause["action_number"])
    for number, words in enumerate((("faults", results, "ann", "--as-test"), game, at_action)):
        text = main(*words).stdout
        assert b"# confined=True: in the sandbox" in text
        (tmp_path / f"test_{number}.py").write_bytes(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert not mark.exists()
    assert done.stdout.count("NoDecision: ann: ") >= 3, done.stdout
    assert "3 failed" in done.stdout, done.stdout
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError):
        run_tests(text.decode().replace("confined=True)", "confined=False)"))
    assert mark.exists()  # the attack works, once it is let


@pytest.mark.whole
def test_who_failed_in_play_fails_there_and_not_in_the_window_before(tmp_path: Path) -> None:
    """Whoever plays next is asked in the window too: the results keep what it failed at."""
    calls = "def decide(view):\n    return view.legal[-1]\n"
    fails = "def decide(view):\n    assert view.phase != 'play' or view.turns < 2\n"
    fails += "    return view.legal[0]\n"
    # With seed 1 or 5, say, no failing bot has passed a question on, and there is no such test.
    pool = 'seed = 4\n[[games]]\ngame = "diciassette"\nplayers = 3\ndeals = 4\n'
    results = played_in(tmp_path, pool, {"ann": fails, "bob": calls, "cid": CHANCE})
    with closing(Store.open(results)) as store:
        faults, _ = Logs(store).faults_of("ann", 1000)
    guessed, said = set(), set()
    for game, fault in Random(4).sample(faults, 8):
        text = main("replay", results, game, "--as-test", "--as", fault.seat).stdout.decode()
        shown: list[Any] = []
        space: dict[str, Any] = {}
        exec(text, space)
        space["replay_game"] = lambda bot, *given, confined, shown=shown, **named: replay_game(
            lambda view: shown.append(view) or first(view), *given, **named
        )
        (test,) = (value for name, value in space.items() if name.startswith("test_"))
        test()
        assert shown[-1].phase == "play"
        (record,) = (json.loads(value) for name, value in space.items() if name[:5] == "GAME_")
        guessed.add(at(record, fault.action).phase)
        said.add("failed={" in text)
        action = main("replay", results, game, "--at", fault.action, "--as-test")
        assert b'phase="play"' in action.stdout
    assert guessed == {"window", "play"}, "no record left it open"
    assert said == {True, False}
