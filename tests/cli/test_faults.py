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
def test_a_tournament_ends_with_a_line_on_each_faulty_bot(league: Path) -> None:
    done = main("tournament", league / "tournaments" / "cup.toml")
    said = done.stderr.decode()
    assert re.search(
        r"^bob: forfeits 8 of \d+ games \(ZeroDivisionError, bob.py line 2\)$", said, re.M
    )
    assert "cid: forfeits all 16 games (no bot is defined; rename decied to decide" in said
    results = league / "results" / "cup"
    for told in (f"arena standings {results} --all ", f"arena faults {results} "):
        assert f"\n{told}" in said
    assert b"17 Diciassette 3p" not in done.stdout  # one table
    assert "ann" not in said[said.index("cid: forfeits") :]

    told = main("faults", results).stdout.decode()
    assert told.index("cid: 16 games forfeited") < told.index("bob: 8 games forfeited")
    said = main("faults", results, "bob").stderr.decode()
    assert (
        said == f"To repeat such a game in a test: arena faults {results} bob --as-test > "
        "test_faults.py\n"
    )
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
    (pool,) = json.loads(main(*words, "--json", "-q", cwd=league).stdout)["pools"]
    assert (pool["verdict"], pool["not_loaded"]) == ("open", ["cid"])
    (pool,) = json.loads(
        main("match", "ann", "bob", "--game", "sixteen", "--json", "-q", cwd=league).stdout
    )["pools"]
    assert pool["verdict"] == "better"
    assert pool["faults"] == {"ann": 0, "bob": pool["games"]}


@pytest.mark.whole
def test_every_command_calls_a_file_as_its_author_does(tmp_path: Path) -> None:
    bots = {"ann": FIRST, "foldy/bot": DIVIDES, "helped/bot": "from own import decide\n"}
    for name in ("foldy", "helped"):
        (tmp_path / "bots" / name).mkdir(parents=True)
    config = make(tmp_path, CONFIG, bots | {"helped/own": f"\n\n{DIVIDES}"})
    said = main("tournament", config).stderr.decode()
    results = tmp_path / "results" / "cup"
    for bot, place in {"foldy": "foldy/bot.py line 2", "helped": "helped/own.py line 4"}.items():
        assert re.search(rf"^{bot}: .* \(\w+, {place}\)$", said, re.MULTILINE)
        assert f"({place})" in main("faults", results, bot).stdout.decode()
        (cause,) = json.loads(main("faults", results, bot, "--json").stdout)["causes"]
        assert f"{cause['file']} {cause['location']}" == place
        wide = {"COLUMNS": "200"}
        assert f"({place})" in main("check", bot, cwd=tmp_path, environment=wide).stdout.decode()


STRUCK = "import os\n\ndef decide(view):\n    os.abort()\n"


@pytest.mark.whole
def test_strikes_come_last_for_they_follow_from_what_is_told_first(tmp_path: Path) -> None:
    many = CONFIG.replace("deals = 4", "deals = 40")
    config = make(tmp_path, many, {"ann": FIRST, "eve": STRUCK})
    said = main("tournament", config).stderr.decode()
    assert "\neve: forfeits all 80 games (its process died)\n" in said
    results = tmp_path / "results" / "cup"
    listed = main("faults", results).stdout.decode()
    told = re.match(r"eve: 80 games forfeited, (\d+) of them as its process was lost\n", listed)
    assert told, listed
    kinds = re.findall(r"^    ([\d,]+) x ([\w ]+):", listed, re.MULTILINE)
    assert kinds == [(str(80 - int(told[1])), "crash"), (told[1], "process lost")]


ENDS = """\
class Bot:
    def __init__(self, game):
        pass

    def decide(self, view):
        return view.legal[0]

    def end(self, result):
        print(result.scores)
        result.winner
"""


SEVEN = """\
from zlib import crc32

def decide(view):
    hand = str(view) * 4
    at = crc32(hand.encode()) % 40
    if at == 1: raise ValueError(hand)
    if at == 2: raise KeyError(hand)
    if at == 3: raise RuntimeError(hand)
    if at == 4: return {}[hand]
    if at == 5: return [][at]
    if at == 6: return at / 0
    if at == 7: return hand.legal
    return view.legal[0]
"""
SEVEN_CAUSES = {
    ("ValueError", 6), ("KeyError", 7), ("RuntimeError", 8), ("KeyError", 9), ("IndexError", 10),
    ("ZeroDivisionError", 11), ("AttributeError", 12),
}  # fmt: skip


@pytest.mark.whole
def test_every_line_that_raises_is_a_cause_however_much_was_said_and_however_few_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = CONFIG.replace("deals = 4", "deals = 100") + "[limits]\nmax_output_kib = 1\n"
    path = make(tmp_path, config, {"ann": FIRST, "eve": SEVEN, "cid": BOTS["cid"]})
    main("tournament", path)
    results = tmp_path / "results" / "cup"
    listed = json.loads(main("faults", results, "eve", "--json").stdout)["causes"]
    told = {(cause["message"].partition(":")[0], cause["location"]) for cause in listed}
    assert told == {(error, f"line {line}") for error, line in SEVEN_CAUSES}
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
    cause = "AttributeError: 'Result' object has no attribute 'winner' (eve.py line 10)"
    assert b"\neve: end failed in 8 games (AttributeError, eve.py line 10)\n" in done.stderr
    results = tmp_path / "results" / "cup"
    told = main("faults", results).stdout.decode()
    assert told.splitlines()[:2] == ["eve: end failed in 8 games", f"    8 x in end: {cause}"]
    (entry,) = json.loads(main("faults", results, "--json").stdout)["causes"]
    assert (entry["kind"], entry["count"], entry["game_id"]) == ("end", 8, None)
    logs = main("logs", results, "eve")
    assert b"eve: 0 faults, end failed in 8 games, 8 lines printed" in logs.stderr
    assert re.match(  # a session's
        r"Sixteen 2p: in end, \d games\n"
        r"    Traceback \(most recent call last\):\n"
        r'      File "eve.py", line 10, in end\n'
        r"        result.winner\n",
        logs.stdout.decode(),
    )
