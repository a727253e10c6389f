"""Stores with anything in any column: every command ends, in words, whatever it is told.

Checksums are made to fit afterwards, as a stranger would.
"""

import json
import resource
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.audit import refit
from arena.store import chunk
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
    "game": [
        "id",
        "line_up",
        "seating",
        "deal",
        "ranks",
        "scores",
        "chunk",
        "index_in_chunk",
        "checksum",
    ],
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
KEYS = ["plan", "plan", "plan", "secret", "seeds", "choices", "public", "revealed"]
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]  # a league serves all examples
SECONDS, BYTES = 60, 1 << 30  # a command; more than this process had before it


@contextmanager
def limited() -> Iterator[None]:
    """Fail what takes too long, or too much memory."""

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with within(SECONDS):
        yield
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10 < BYTES


def mixed_plan(text: object, junk: st.DataObject) -> object:
    """Return a plan with something else somewhere in it; junk as it is."""
    if not isinstance(text, str) or not text.startswith('{"name"'):
        return text
    plan = json.loads(text)
    at, key = plan, junk.draw(st.sampled_from(list(plan)))
    while isinstance(at[key], dict | list) and at[key] and junk.draw(st.booleans()):
        at = at[key]
        key = junk.draw(st.sampled_from(list(at) if isinstance(at, dict) else range(len(at))))
    words = [each for each in JUNK if not isinstance(each, bytes)]
    more = [*words, 10**18, [], {}, True, [[0, 1]], [[9, 9, 9]]]
    at[key] = junk.draw(st.sampled_from(more))
    return json.dumps(plan)


def harm(file: Path, junk: st.DataObject) -> None:
    """Put junk into a cell or a column, as far as SQLite takes it."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("PRAGMA ignore_check_constraints = ON")
        table = junk.draw(st.sampled_from(list(COLUMNS)))
        column, value = junk.draw(st.sampled_from(COLUMNS[table])), junk.draw(st.sampled_from(JUNK))
        where = ""
        if table == "meta":
            key = junk.draw(st.sampled_from(KEYS))
            where = f" WHERE key = '{key}'"
            if key == "plan":
                ((text,),) = database.execute(f"SELECT value FROM meta{where}")
                value = mixed_plan(text, junk)
        elif table != "fault" and junk.draw(st.booleans()):
            where = f" WHERE rowid = (SELECT rowid FROM {table} ORDER BY rowid LIMIT 1)"
        elif column in ("id", "name"):
            where = f" WHERE rowid = (SELECT max(rowid) FROM {table})"
        if table == "fault":
            database.execute(
                "INSERT OR IGNORE INTO fault SELECT id, 0, 1, 'time', 3, 'x' FROM game"
            )
        with suppress(sqlite3.Error):  # NULL where there is to be none, a text for a row's number
            database.execute(f"UPDATE OR IGNORE {table} SET {column} = ?{where}", (value,))


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
                crc = chunk.game_checksum(row.pool, row.line_up, written, row.body, row.faults)
                sums.append((crc, row.number))
    except Exception as error:  # whatever the commands say of it
        print(f"not forged: {error!r:.80}")
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany("UPDATE game SET checksum = ? WHERE rowid = ?", sums)


@pytest.fixture
def sound(league: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The league's store as it was."""
    monkeypatch.setattr(refit, "refit_store", lambda *_: [])  # takes its time, and rates outcomes
    return (league / STORE).read_bytes()


def fuzz(league: Path, sound: bytes, junk: st.DataObject) -> None:
    """`main` fails on an exception that the command line lets through."""
    outside = set(league.parent.iterdir())
    (league / STORE).write_bytes(sound)
    (league / CUP / "secret.json").unlink(missing_ok=True)
    if junk.draw(st.booleans(), "a secret was drawn"):
        draw(league / STORE)
    for _ in range(junk.draw(st.integers(1, 4))):
        harm(league / STORE, junk)
    if junk.draw(st.booleans(), "checksums fit"):
        forge(league / STORE)
    commands = junk.draw(st.lists(st.sampled_from(COMMANDS), min_size=4, max_size=4, unique_by=str))
    resumed: list[object] = ["tournament", "tournaments/cup.toml", "-q"]
    for words in [*commands, resumed]:  # the last writes
        with limited():
            done = main(*words, cwd=league)
        assert done.returncode in (0, 1, 2), words
        assert len(done.stderr) < 10_000, words
        assert b"\x1b" not in done.stderr, words
    assert set(league.parent.iterdir()) == outside


@settings(max_examples=12, suppress_health_check=SLOW)
@given(junk=st.data())
def test_whatever_is_in_a_store_every_command_ends_in_words(
    league: Path, sound: bytes, junk: st.DataObject
) -> None:
    fuzz(league, sound, junk)


@pytest.mark.long
@settings(max_examples=200, suppress_health_check=SLOW)
@given(junk=st.data())
def test_much_other_junk_ends_in_words_too(league: Path, sound: bytes, junk: st.DataObject) -> None:
    fuzz(league, sound, junk)
