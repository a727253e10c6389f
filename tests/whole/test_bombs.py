"""Small files that would cost gigabytes or hours: each command ends soon, and says what it left."""

import json
import re
import sqlite3
import time
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.audit import verify
from arena.audit.verify import verify_store
from arena.model import Bot
from arena.store.plans import format_plan, load_plan
from arena.store.store import SOURCE, Store
from tests.bounded import attempt
from tests.leagues import THREE, alter, copied, main, pairs, played_in
from tests.sessions import FIRST

pytestmark = pytest.mark.whole

SLACK_S = 30.0
"""Time that a command may take beyond its seconds, on a machine with eight times the load."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with a week. Change a copy."""
    return played_in(tmp_path_factory.mktemp("bombs"), pairs(2), THREE)


@pytest.fixture
def results(played: Path, tmp_path: Path) -> Path:
    return copied(played, tmp_path / "cup")


def set_weeks(results: Path, count: int, **changes: Any) -> None:
    """Have a store weeks that differ in their numbers, with another plan or other tables."""
    with closing(sqlite3.connect(results / "arena.sqlite")) as database, database:
        ((packed,),) = database.execute("SELECT value FROM meta WHERE key = 'history 0001'")
        stored = json.loads(zlib.decompress(packed))
        stored["week"]["tables"] = changes.pop("tables", stored["week"]["tables"])
        stored |= changes
        text = json.dumps(stored, separators=(",", ":"))
        assert '"number":1,' in text
        for number in range(1, count + 1):
            week = text.replace('"number":1,', f'"number":{number},', 1).encode()
            values = f"history {number:04}", zlib.compress(week, 1)
            database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", values)


def test_weeks_that_unpack_to_gigabytes_are_not_all_read(results: Path) -> None:
    """Each is a few dozen kB in the store; a row takes three times its text."""
    too_large = "week 2 and all before it were not read: later ones unpack to more than"
    with closing(Store.open_damaged(results)) as store:
        week = json.loads(zlib.decompress(store.meta("history 0001")))["week"]
    set_weeks(results, 4, plan=" " * (16 << 20))  # each is more than one may be
    assert too_large in main("history", results).stderr.decode()
    set_weeks(results, 40, plan="1")
    assert b"... and 20 more; `arena verify` lists all" in main("history", results).stderr
    alter(results / "arena.sqlite", "DELETE FROM meta WHERE key > 'history 0001' AND key < 'i'")
    row = week["tables"][0]["rows"][0]
    rows = [row] * ((15 << 20) // len(json.dumps(row, separators=(",", ":"))))
    set_weeks(results, 4, plan=None, tables=[{"title": "x", "rows": rows}])
    done = attempt(("verify", "."), results)
    assert (done.code, done.doubt, too_large in done.out) == (1, "", True), done


def test_weeks_of_other_plans_are_rated_as_long_as_there_is_time(results: Path) -> None:
    """A year of weeks costs seconds here, where plans have many bots hours."""
    with closing(Store.open(results)) as store:
        plan = format_plan(load_plan(store)._replace(name="cap"))
    set_weeks(results, 999, plan=plan)
    with closing(Store.open(results)) as store:
        finding, *_ = verify_store(store, seconds=0.5).findings
    late = r"over before \d+ of 999 weeks, exported files and ratings were checked; give more"
    assert re.match(late, finding.message)


def test_bots_whose_sources_are_large_are_read_as_long_as_there_is_time(results: Path) -> None:
    """A store of 7 MB took a minute, whatever it was given."""
    source, sql = zlib.compress(bytes(SOURCE - 1), 1), "INSERT INTO bot VALUES (NULL, ?, ?, ?)"
    for number in range(60):
        alter(results / "arena.sqlite", sql, f"z{number:02}", f"{number:064x}", source)
    done = attempt(("verify", ".", "--seconds", 1), results)
    assert (done.code, done.doubt) == (1, "")
    assert re.search(r"over before \d\d of 6\d bots, ", done.out), done.out[:500]


def test_what_time_does_not_suffice_for_is_a_finding_and_games_are_counted(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = "over before 2 of 3 bots, {}tables, weeks, exported files and ratings were checked; give"
    with closing(Store.open(played)) as store:
        assert verify_store(store).findings == []
        (finding,) = verify_store(store, seconds=0.0).findings
        assert finding.message == f"{late.format('')} more with --seconds 0"
        monkeypatch.setattr(verify, "BYTES_AT_ONCE", 1)  # a game at once
        (finding,) = verify_store(store, seconds=0.0).findings
        assert finding.message.startswith(late.format("11 of 12 games, "))


@pytest.mark.parametrize(("pools", "deals", "words", "code", "told"), [
    (4, 1, "standings .", 1, "its plan is damaged (its pools have too many bots)"),
    (4, 1, "verify .", 1, "its plan is damaged (its pools have too many bots)"),
    (1, 10_000_000, "season close .", 2, "9,989,999,999,988 games left; run"),
])  # fmt: skip
def test_plans_of_many_bots_and_games(
    results: Path, pools: int, deals: int, words: str, code: int, told: str
) -> None:
    """A plan of 300 kB took a gigabyte for tables, one of 80 kB asked for ten terabytes."""
    with closing(Store.open(results)) as store:
        plan = load_plan(store)
    bots = tuple(sorted([*plan.bots, *(Bot(f"z{i:03}", f"{i:064x}") for i in range(997))]))
    entry = plan.entries[0]._replace(bots=bots, deals=deals)
    options = ("{}", '{"match": false}', '{"wilds": false}', '{"bonus": true}')[:pools]
    entries = [entry._replace(pool=entry.pool._replace(options=one)) for one in options]
    text = format_plan(plan._replace(entries=tuple(entries)))
    alter(results / "arena.sqlite", "UPDATE meta SET value = ? WHERE key = 'plan'", text)
    done = attempt(tuple(words.split()), results)
    assert (done.code, done.doubt, told in done.out + done.err) == (code, "", True), done


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game takes a second and more: a tournament plays two at once, `explain` dozens."""
    limits = "\n[limits]\ncpu_ms = 5000\nwall_ms = 5000\n"
    wait = "end = time.process_time() + 0.03\n    while time.process_time() < end: pass\n"
    ann = f"import time\ndef decide(view):\n    {wait}    return view.legal[0]\n"
    bots = {"ann": ann, "bob": FIRST}
    return played_in(tmp_path_factory.mktemp("slow"), pairs(1) + limits, bots)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["explain", ""], "no decision could be played on in 1 s; give about --seconds"),
        (["rerun", "ann"], "Time was over before the other games were asked; give more with"),
        (["audit"], "time: over before 2 of 2 games were replayed; give more with --seconds"),
        (["verify", "--replay-bots", 2], "replay: over before 2 of 2 games were replayed"),
    ],
)
def test_slow_bots_are_asked_no_longer_than_given(slow: Path, words: list[Any], told: str) -> None:
    with closing(Store.open(slow)) as store:
        (game, *_) = (row.id for row in store.games())
    command, *others = [word or game for word in words]
    began_s = time.monotonic()
    done = main(command, slow, *others, "--seconds", 1)
    assert (done.returncode, told in (done.stdout + done.stderr).decode()) == (1, True), done
    assert time.monotonic() - began_s < 1 + SLACK_S
