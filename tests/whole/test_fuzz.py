"""Stores with anything in any column: every command ends, in words, whatever it is told.

Checksums are made to fit afterwards, as a stranger would.
"""

import json
import resource
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from arena.audit import refit
from arena.store import checksum
from arena.store.store import Store
from tests.leagues import main
from tests.processes import within
from tests.whole.test_strangers import COMMANDS, CUP, STORE

COLUMNS = {
    "meta": ["value"],
    "bot": ["id", "name", "hash", "source"],
    "pool": ["id", "game", "players", "options", "partners"],
    "line_up": ["id", "pool", "bots", "unplayed"],
    "chunk": ["id", "bodies"],
    "played_on": ["chunk", "host"],
    "game": ["id", "line_up", "seating", "deal", "ranks", "scores", "chunk", "place", "checksum"],
    "fault": ["game", "seat", "bot", "kind", "at", "reason"],
    "timing": [
        "pool",
        "bot",
        "decisions",
        "cpu_s",
        "versions",
        "ends",
        "notes",
        "printed",
        "worst_s",
    ],
}
DEEP = "[" * 50_000 + "]" * 50_000
JUNK: list[object] = [
    None, 0, 1, -1, 2**63 - 1, -(2**63), 1.5, 9e999, "", "x", "\0", "\x1b[31m", "é" * 99, b"",
    b"\xff\xfe", "[]", "{}", "null", "[1]", "[0, 0, 0]", "[1, 2, 3]", "[-1, 0, 1]", "[0, 1, 99]",
    '["a"]', "[1.5, 2, 3]", "[true, 1, 2]", "[1e400]", "[" + "9" * 400 + "]", '"\\ud800"', DEEP,
    '{"a":' * 40_000, '{"a": 1}', "1" * 200_000, zlib.compress(DEEP.encode()), bytes(200_000),
    zlib.compress(bytes(1 << 22)), zlib.compress(b"\n" * (1 << 20)), "../../x", "no_thanks",
    '{"setup":{},"actions":[],"result":null}', zlib.compress(b'{"setup":' + DEEP.encode() + b"}"),
    zlib.compress(b'{"setup":{},"actions":[[0,"pass"],[[],{}]],"result":{"ranks":[1]}}'),
]  # fmt: skip
SECONDS, BYTES = 60, 1 << 30  # a command; more than this process had before it


@contextmanager
def limited() -> Iterator[None]:
    """Fail what takes too long, or too much memory."""

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with within(SECONDS):
        yield
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < BYTES


def mixed_plan(text: object, rng: Random) -> object:
    """Return a plan with something else somewhere in it; junk as it is."""
    if not isinstance(text, str) or not text.startswith('{"name"'):
        return text
    plan = json.loads(text)
    at, key = plan, rng.choice(list(plan))
    while isinstance(at[key], dict | list) and at[key] and rng.random() < 0.8:
        at = at[key]
        key = rng.choice(list(at)) if isinstance(at, dict) else rng.randrange(len(at))
    words = [each for each in JUNK if not isinstance(each, bytes)]
    at[key] = rng.choice([*words, 10**18, [], {}, True, [[0, 1]], [[9, 9, 9]]])
    return json.dumps(plan)


def harm(file: Path, rng: Random) -> str:
    """Put junk into a cell or a column; return what was done."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("PRAGMA ignore_check_constraints = ON")
        table = rng.choice(list(COLUMNS))
        column, junk = rng.choice(COLUMNS[table]), rng.choice(JUNK)
        where = ""
        if table == "meta":
            key = rng.choice(
                ["plan", "plan", "plan", "secret", "seeds", "choices", "public", "revealed"]
            )
            where = f" WHERE key = '{key}'"
            if key == "plan":
                ((text,),) = database.execute(f"SELECT value FROM meta{where}")
                junk = mixed_plan(text, rng) if rng.random() < 0.8 else junk
        elif table != "fault" and rng.random() < 0.7:
            where = f" WHERE rowid = (SELECT rowid FROM {table} ORDER BY rowid LIMIT 1)"
        elif column in ("id", "name"):
            where = f" WHERE rowid = (SELECT max(rowid) FROM {table})"
        if table == "fault":
            database.execute(
                "INSERT OR IGNORE INTO fault SELECT id, 0, 1, 'time', 3, 'x' FROM game"
            )
        said = f"{table}.{column}{where}: {junk!r:.80}"
        try:
            database.execute(f"UPDATE OR IGNORE {table} SET {column} = ?{where}", (junk,))
        except sqlite3.Error as error:  # NULL where there is to be none, a text for a row's number
            said += f" refused: {error}"
    return said


def draw(file: Path) -> None:
    """Have the secret be one that was drawn, so that there is one to commit to and to reveal."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE meta SET value = 0 WHERE key = 'seed_given'")
        database.execute("UPDATE meta SET value = json_set(value, '$.seed_given', json('false')) "
                         "WHERE key = 'plan'")  # fmt: skip


def forge(file: Path) -> None:
    """Give every game that can be read the checksum that it would have."""
    sums = []
    try:
        with closing(Store.open(file)) as store:
            for row in store.games():
                written = (row.id, row.seating, row.deal, row.ranks, row.scores)
                crc = checksum.of_game(row.pool, row.line_up, written, row.body, row.faults)
                sums.append((crc, row.number))
    except Exception as error:  # whatever the commands say of it
        print(f"not forged: {error!r:.80}")
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany("UPDATE game SET checksum = ? WHERE rowid = ?", sums)


@pytest.mark.parametrize("round", [0, pytest.param(1, marks=pytest.mark.long)])
def test_whatever_is_in_a_store_every_command_ends_in_words(
    league: Path, round: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the same junk each time: what fails is of the change at hand."""
    fuzz(league, Random(f"a store's junk {round}"), round, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("round", range(36))
def test_other_junk_each_time(
    league: Path, seed: int, round: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuzz(league, Random(f"{seed} {round}"), round, monkeypatch)


def fuzz(league: Path, rng: Random, round: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`main` fails on an exception that the command line lets through."""
    monkeypatch.setattr(refit, "refits", lambda *_: [])  # takes its time, and rates outcomes
    before = (league / STORE).read_bytes()
    outside = set(league.parent.iterdir())
    for number in range(6):
        (league / STORE).write_bytes(before)
        (league / CUP / "secret.json").unlink(missing_ok=True)
        if rng.random() < 0.5:
            draw(league / STORE)
        said = [harm(league / STORE, rng) for _ in range(rng.choice([1, 1, 2, 4]))]
        if rng.random() < 0.7:
            forge(league / STORE)
        print(f"round {round}, {number}: {said}")
        resumed: list[object] = ["tournament", "tournaments/cup.toml", "-q"]
        for words in [*rng.sample(COMMANDS, 4), resumed]:  # the last writes
            print(" ".join(map(str, words)))
            with limited():
                done = main(*words, cwd=league)
            assert done.returncode in (0, 1, 2)
            assert len(done.stderr) < 10_000
            assert b"\x1b" not in done.stderr
    assert set(league.parent.iterdir()) == outside
