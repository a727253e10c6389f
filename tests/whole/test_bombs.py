"""Small files that would cost gigabytes or hours: each command ends soon, in little memory, and
says what it did not read.
"""

import json
import os
import re
import sqlite3
import subprocess
import time
import zlib
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

import pytest

from arena.audit import verify
from arena.audit.verify import verify_store
from arena.model import Bot
from arena.store.plans import format_plan, load_plan
from arena.store.store import SOURCE, Store
from tests.leagues import PROGRAM, THREE, alter, copied, pairs, played_in
from tests.sessions import FIRST

pytestmark = pytest.mark.whole

SECONDS, MIB = 60.0, 900
"""Bounds of a command; with numpy it has 70 MiB, and most take a second."""


SLACK_S = 30.0  # `explain` alone may take 15 more than its seconds (`Pace.grace`)
"""Time that a command may take beyond its seconds, on a machine with eight times the load."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with a week. Change a copy."""
    return played_in(tmp_path_factory.mktemp("bombs"), pairs(2), THREE)


class Run(NamedTuple):
    code: int
    text: str


def run(*words: object) -> Run:
    """Run a command, which must keep within the bounds."""
    began_s = time.monotonic()
    command = [*PROGRAM, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        timer = Timer(2 * SECONDS, process.kill)
        timer.start()
        text = process.stdout.read().decode()
        _, status, used = os.wait4(process.pid, 0)  # its own children included
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    print(f"{words[0]}: {time.monotonic() - began_s:.1f} s, {used.ru_maxrss >> 10} MiB")
    assert time.monotonic() - began_s < SECONDS, text[-1000:]
    assert used.ru_maxrss >> 10 < MIB
    assert "Traceback" not in text
    return Run(process.returncode, text)


def swell_rows(stored: dict[str, Any], length: int) -> None:
    """Give a week a table of so many characters: in memory it has three times as many."""
    row = stored["week"]["tables"][0]["rows"][0] | {"place_range": None, "interval": None}
    stored["week"]["tables"] = [{"title": "x", "rows": [row] * (length // len(json.dumps(row)))}]


def swell_line_ups(stored: dict[str, Any], length: int) -> None:
    """Give its plan line-ups instead: in memory they have twelve times as many."""
    plan = json.loads(stored["plan"])
    plan["entries"][0][5] = [[0, 1]] * (length // 8)
    stored["plan"] = json.dumps(plan)


@pytest.mark.parametrize("swell", [swell_rows, swell_line_ups])
def test_weeks_that_unpack_to_gigabytes_are_not_all_read(
    played: Path, tmp_path: Path, swell: Any
) -> None:
    """Each of the forty is a few dozen kB in the store. `verify` knows that it read a few."""
    results = copied(played, tmp_path / "cup")
    with closing(Store.open_damaged(results)) as store:
        stored = json.loads(zlib.decompress(store.meta("history 0001")))
        path = store.path
    set_weeks(path, stored | {"plan": " " * (16 << 20)}, 40)  # each is more than one may be
    assert "week 38 and all before it were not read" in run("history", results).text
    set_weeks(path, stored | {"plan": "1"}, 40)
    assert "... and 20 more; `arena verify` lists all" in run("history", results).text
    swell(stored, 15 << 20)
    set_weeks(path, stored, 40)
    for command, *others in (["history"], ["export", "--to", tmp_path / "to"], ["verify"]):
        done = run(command, results, *others)
        assert "week 38 and all before it were not read: later ones" in done.text
        assert done.code == 1


def test_weeks_of_other_plans_are_rated_as_long_as_there_is_time(
    played: Path, tmp_path: Path
) -> None:
    """A year of weeks costs seconds here, where plans have many bots hours."""
    results = copied(played, tmp_path / "cup")
    with closing(Store.open_damaged(results)) as store:
        stored = json.loads(zlib.decompress(store.meta("history 0001")))
        path = store.path
    stored["plan"] = stored["plan"].replace('"name": "cup"', '"name": "cap"')
    set_weeks(path, stored, 999)
    done = run("verify", results, "--seconds", 2)
    assert done.code == 1
    late = r"time: over before \d+ of 999 weeks, exported files and ratings were checked; give more"
    assert re.search(late, done.text), done.text[:500]


def test_bots_whose_sources_are_large_are_read_as_long_as_there_is_time(
    played: Path, tmp_path: Path
) -> None:
    """A store of 7 MB took a minute, whatever it was given."""
    results = copied(played, tmp_path / "cup")
    with closing(Store.open(results)) as store:
        path = store.path
    source = zlib.compress(bytes(SOURCE - 1), 9)
    for number in range(60):
        row = f"z{number:02}", f"{number:064x}", source
        alter(path, "INSERT INTO bot (name, hash, source) VALUES (?, ?, ?)", *row)
    done = run("verify", results, "--seconds", 1)
    assert done.code == 1
    assert re.search(r"over before \d\d of 6\d bots, ", done.text), done.text[:500]


@pytest.mark.parametrize("seconds", [0.0, None])
def test_what_time_does_not_suffice_for_is_a_finding(played: Path, seconds: float | None) -> None:
    with closing(Store.open(played)) as store:
        verification = verify_store(store, seconds=seconds)
    late = (
        "over before 2 of 3 bots, tables, weeks, exported files and ratings were checked; give "
        "more with"
    )
    messages = [finding.message for finding in verification.findings]
    assert messages == ([] if seconds is None else [f"{late} --seconds 0"])


def test_games_that_were_not_looked_at_are_counted(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "BYTES_AT_ONCE", 1)  # a game at once
    with closing(Store.open(played)) as store:
        (finding,) = verify_store(store, seconds=0.0).findings
    assert finding.message.startswith(
        "over before 2 of 3 bots, 11 of 12 games, tables, weeks, exported files"
    )


@pytest.mark.parametrize(
    ("pools", "deals", "words", "code", "told"),
    [
        (4, 1, ["standings"], 1, "its plan is damaged (its pools have too many bots)"),
        (4, 1, ["verify"], 1, "its plan is damaged (its pools have too many bots)"),
        (1, 10_000_000, ["season", "close"], 2, "9,989,999,999,988 games left; run"),
    ],
)
def test_plans_of_many_bots_and_games(
    played: Path, tmp_path: Path, pools: int, deals: int, words: list[str], code: int, told: str
) -> None:
    """A plan of 300 kB took a gigabyte for tables, one of 80 kB asked for ten terabytes."""
    results = copied(played, tmp_path / "cup")
    with closing(Store.open(results)) as store:
        plan, path = load_plan(store), store.path
    bots = tuple(sorted([*plan.bots, *(Bot(f"z{i:03}", f"{i:064x}") for i in range(997))]))
    entry = plan.entries[0]._replace(bots=bots, deals=deals)
    options = ("{}", '{"match": false}', '{"wilds": false}', '{"bonus": true}')[:pools]
    entries = [entry._replace(pool=entry.pool._replace(options=one)) for one in options]
    plan = plan._replace(entries=tuple(entries))
    alter(path, "UPDATE meta SET value = ? WHERE key = 'plan'", format_plan(plan))
    done = run(*words, results)
    assert (done.code, told in done.text) == (code, True), done.text[-1000:]


SLOW = """
import time

def decide(view):
    began_s = time.process_time()
    while time.process_time() < began_s + 0.5:
        pass
    return view.legal[0]
"""
"""Half a second a decision: a tournament asks about two games at once, `explain` about dozens."""


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    limits = "\n[limits]\ncpu_ms = 5000\nwall_ms = 5000\n"
    bots = {"ann": SLOW, "bob": FIRST}
    return played_in(tmp_path_factory.mktemp("slow"), pairs(1) + limits, bots)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["explain", ""], {1: "no decision could be played on in 2 s; give about --seconds"}),
        (
            ["explain", "ann"],  # what was sampled in time may suggest a rule to test, or none
            {
                0: "(0 rules tested, too few deals for a verdict|not searched to the end)",
                1: "0 fresh deals in this time, too few for a test; give about --game sixteen",
            },
        ),
        (["rerun", "ann"], {1: "Time was over before the other games were asked; give more with"}),
        (["audit"], {1: "time: over before 2 of 2 games were replayed; give more with --seconds"}),
        (["verify", "--replay-bots", 2], {1: "replay: over before 2 of 2 games were replayed"}),
    ],
)
def test_slow_bots_are_asked_no_longer_than_given(
    slow: Path, words: list[Any], told: dict[int, str]
) -> None:
    with closing(Store.open(slow)) as store:
        (game, *_) = (row.id for row in store.games())
    command, *others = [word or game for word in words]
    began_s = time.monotonic()
    done = run(command, slow, *others, "--seconds", 2)
    assert re.search(told[done.code], done.text), done.text
    assert time.monotonic() - began_s < 2 + SLACK_S


def set_weeks(path: Path, stored: dict[str, Any], count: int) -> None:
    """Have a store such weeks, which differ in their numbers."""
    text = json.dumps(stored, separators=(",", ":"))
    assert '"number":1,' in text
    weeks = [
        (f"history {number:04}", zlib.compress(text.replace(
            '"number":1,', f'"number":{number},', 1).encode(), 9))
        for number in range(1, count + 1)
    ]  # fmt: skip
    with closing(sqlite3.connect(path)) as database, database:
        database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", weeks)
