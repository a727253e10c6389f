"""Faults where one looks: at the end of a tournament and of a match, and in `arena faults`."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from arena.store import logs
from arena.store.logs import find_faulty_bots
from arena.store.store import Store
from tests.leagues import main, make
from tests.sessions import FIRST

DIVIDES = "def decide(view):\n    return view.legal[1 // 0]\n"
CONFIG = 'seed = 3\ngames = [{ game = "sixteen", players = 2, deals = 4 }]\n'
BOTS = {"ann": FIRST, "bob": DIVIDES, "cid": "def decied(view):\n    return view.legal[0]\n"}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("faults"), CONFIG, BOTS).parents[1]


@pytest.mark.whole
def test_a_tournament_ends_with_a_line_on_each_faulty_bot(league: Path) -> None:
    done = main("tournament", league / "tournaments" / "cup.toml")
    said = done.stderr.decode()
    assert re.search(
        r"^bob: forfeits 8 of \d+ games \(ZeroDivisionError, bob.py line 2\)$", said, re.M
    )
    assert "cid: forfeits all 16 games (no bot is defined; rename decied to decide" in said
    results = league / "results" / "cup"
    assert f"\narena faults {results} " in said
    assert "ann" not in said[said.index("cid: forfeits") :]
    told = main("faults", results).stdout.decode()
    assert told.index("cid: 16 games forfeited") < told.index("bob: 8 games forfeited")
    said = main("faults", results, "bob").stderr.decode()
    assert said.endswith(f"test: arena faults {results} bob --as-test > test_faults.py\n")
    (cause,) = json.loads(main("faults", results, "bob", "--json").stdout)["causes"]
    assert (cause["count"], cause["file"], cause["location"]) == (8, "bob.py", "line 2")
    replayed = main("replay", results, cause["game_id"], "--at", cause["action_number"])
    assert replayed.stderr.decode() == f"Why bots forfeited: arena faults {results}\n"
    assert main("faults", results, "ann").stderr == b"ann: no faults\n"


@pytest.mark.whole
def test_no_bot_is_better_because_the_other_cannot_be_loaded(league: Path) -> None:
    words = ("match", "ann", "cid", "--game", "sixteen", "--seed", 1)
    done = main(*words, cwd=league)
    assert b"  cid cannot be loaded  " in done.stdout
    assert b"better" not in done.stdout
    assert b"rename decied to decide" in done.stderr
    assert b"; tables and games are in results/match-ann-cid/" in done.stderr
    (pool,) = json.loads(main(*words, "--json", "-q", cwd=league).stdout)["pools"]
    assert (pool["verdict"], pool["not_loaded"]) == ("open", ["cid"])
    done = main("match", "ann", "bob", "--game", "sixteen", "--json", "-q", cwd=league)
    (pool,) = json.loads(done.stdout)["pools"]
    assert (pool["verdict"], pool["faults"]) == ("better", {"ann": 0, "bob": pool["games"]})


ENDS = """\
class Bot:
    def __init__(self, game): pass
    def decide(self, view): return view.legal[0]
    def end(self, result):
        print(result.scores)
        result.winner
"""


FOUR = """\
from zlib import crc32
def decide(view):
    hand = str(view) * 4
    at = crc32(hand.encode()) % 20
    if at == 1: raise ValueError(hand)
    if at == 2: raise KeyError(hand)
    if at == 3: return {}[hand]
    if at == 4: return hand.legal
    return view.legal[0]
"""


@pytest.mark.whole
def test_every_line_that_raises_is_a_cause_however_much_was_said_and_however_few_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = CONFIG.replace("deals = 4", "deals = 100") + "[limits]\nmax_output_kib = 1\n"
    path = make(tmp_path, config, {"ann": FIRST, "eve": FOUR, "cid": BOTS["cid"]})
    main("tournament", path)
    results = tmp_path / "results" / "cup"
    listed = json.loads(main("faults", results, "eve", "--json").stdout)["causes"]
    told = {(cause["message"].partition(":")[0], cause["location"]) for cause in listed}
    errors = ["ValueError", "KeyError", "KeyError", "AttributeError"]
    assert told == {(error, f"line {line}") for line, error in enumerate(errors, 5)}
    (broken,) = json.loads(main("faults", results, "cid", "--json").stdout)["causes"]
    assert broken["count"] == 400
    monkeypatch.setattr(logs, "TEXTS", 9)
    with closing(Store.open(results)) as store:
        for bot in find_faulty_bots(store):
            assert sum(cause.times for cause in bot.causes) == bot.kinds.total() > 99


@pytest.mark.whole
def test_what_goes_wrong_in_end_is_counted_and_reads_like_any_other_fault(tmp_path: Path) -> None:
    config = make(tmp_path, CONFIG, {"ann": FIRST, "eve": ENDS})
    done = main("tournament", config)
    assert done.returncode == 0
    cause = "AttributeError: 'Result' object has no attribute 'winner' (eve.py line 6)"
    assert b"\neve: end failed in 8 games (AttributeError, eve.py line 6)\n" in done.stderr
    results = tmp_path / "results" / "cup"
    told = main("faults", results).stdout.decode()
    assert told.splitlines()[:2] == ["eve: end failed in 8 games", f"    8 x in end: {cause}"]
    (entry,) = json.loads(main("faults", results, "--json").stdout)["causes"]
    assert (entry["kind"], entry["count"], entry["game_id"]) == ("end", 8, None)
    logs = main("logs", results, "eve")
    assert b"eve: 0 faults, end failed in 8 games, 8 lines printed" in logs.stderr
    told = logs.stdout.decode()  # a session's
    assert re.match(
        r"Sixteen 2p: in end, \d games\n    Traceback .*\n +File .*, line 6, in end\n", told
    )
