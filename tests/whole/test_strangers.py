"""A stranger's results or league: whatever is in it, no command writes, hangs or spills."""

import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.league.files import Source, check_source
from tests.leagues import alter, main, make, pairs

CUP = Path("results") / "cup"
STORE = CUP / "arena.sqlite"
BOT = b"def decide(view): return view.legal[0]"


def test_a_bot_s_files_have_names_within_its_folder() -> None:
    for why, names in {
        "lies outside its folder": ("/tmp/evil", "a/../../evil"),
        "has a name that is not allowed": ("a\0b.py", "a//b.py", "", "."),
        "lies in 'bot.py', which is a file": ("bot.py/b.py",),
        "two of its files have one name": ("bot.py",),
    }.items():
        for name in names:
            assert check_source(Source((("bot.py", BOT), (name, b"evil"))), "").endswith(why), name


def test_a_bot_s_files_are_written_nowhere_but_in_its_own_folder(
    league: Path, tmp_path: Path
) -> None:
    outside, why = tmp_path / "written", b"lies outside its folder"
    files = (("bot.py", BOT), (f"../../../../../../../..{outside}", b"evil"))
    blob = zlib.compress(msgspec.msgpack.encode(files))
    alter(league / STORE, "UPDATE bot SET source = ? WHERE name = 'ann'", blob)
    for words in (["verify"], ["audit", "--games", 3], ["verify", "--replay-bots", 3]):
        done = main(words[0], league / CUP, *words[1:])
        assert (done.returncode, why in done.stderr + done.stdout) == (1, True)
        assert not outside.exists()


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
COMMANDS: tuple[list[object], ...] = (
    ["verify", CUP, "--json"], ["verify", CUP, "--replay-bots", 2], ["audit", CUP, "--games", 2],
    ["standings", CUP], ["records", CUP], ["replay", CUP, "00"], ["logs", CUP, "ann"],
    ["rerun", CUP, "ann"], ["faults", CUP, "--as-test"], ["export", CUP, "--to", "exported"],
    ["replay", CUP, "00", "--as-test", "--as", 0], ["publish", CUP, "--with-logs"],
    ["reveal", CUP, "--yes"], ["tournament", "tournaments/cup.toml", "-q", "--dry-run"],
)  # fmt: skip
"""Every command that reads a store, and those that play on in one."""


def test_a_word_of_the_plan_that_is_too_long_is_not_repeated(league: Path) -> None:
    long = "1" * 200_000
    sql = "UPDATE meta SET value = json_set(value, '$.confinement', ?) WHERE key = 'plan'"
    alter(league / STORE, sql, long)
    for words in (["verify", CUP], ["tournament", "tournaments/cup.toml", "--dry-run"]):
        told = main(*words, cwd=league)
        assert len(told.stdout + told.stderr) < 10_000
        assert b"its plan is damaged (a name is too long)" in told.stdout + told.stderr


@pytest.mark.parametrize("table", ["meta", "bot", "pool", "line_up", "game", "fault", "timing"])
def test_a_view_in_a_table_s_place_is_told_and_not_read(league: Path, table: str) -> None:
    with closing(sqlite3.connect(league / STORE)) as database:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(f"i AS {column}" for column in columns)
        database.executescript(
            f"DROP VIEW seat; DROP TABLE {table}; "
            f"CREATE VIEW {table} AS {ENDLESS} SELECT {values} FROM n"
        )
    told = main("verify", league / CUP, "--json")
    assert told.returncode == 1
    assert f"table {table}: is missing" in told.stdout.decode()
    for words in COMMANDS[1:]:
        done = main(*words, cwd=league)
        assert done.returncode == 1, words
        assert len((done.stdout + done.stderr).splitlines()) < 8


POOL = (
    "CREATE TABLE pool (id INTEGER PRIMARY KEY, game TEXT NOT NULL, players INTEGER NOT NULL, "
    "options TEXT NOT NULL{}, partners TEXT NOT NULL{}, UNIQUE (game, players, options, partners))"
)


@pytest.mark.parametrize("harm", [
    "CREATE TRIGGER sqlite_evil AFTER INSERT ON game BEGIN DELETE FROM game; END",
    POOL.format("", ", more AS (hex(zeroblob(id * 1000)))"),
    "CREATE VIRTUAL TABLE pool USING json_each",
    POOL.format(" COLLATE NOCASE", ""),
])  # fmt: skip
def test_what_the_schema_says_otherwise_is_seen(league: Path, harm: str) -> None:
    """Written where SQLite itself would refuse it."""
    with closing(sqlite3.connect(league / STORE)) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        if "TRIGGER" in harm:
            values = ("trigger", "sqlite_evil", "game", 0, harm)
            database.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", values)
        else:
            database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'pool'", (harm,))
    told = main("verify", league / CUP)
    assert told.returncode in (1, 2)
    assert b"is not ours" in told.stdout + told.stderr or b"schema" in told.stdout + told.stderr
    assert main("standings", league / CUP).returncode in (1, 2)


@pytest.mark.parametrize("name", ["arena.sqlite-shm", "arena.sqlite-wal", "arena.sqlite-journal"])
def test_a_link_beside_the_store_is_not_written_through(league: Path, name: str) -> None:
    mine = league / "mine"
    mine.write_bytes(b"precious" * 1000)
    (league / CUP / name).unlink(missing_ok=True)
    (league / CUP / name).symlink_to(mine)
    for words in COMMANDS:
        done = main(*words, cwd=league)
        assert done.returncode == 2, words
        assert b"remove it" in done.stderr
    assert mine.read_bytes() == b"precious" * 1000


def test_a_journal_that_no_arena_left_is_not_played_back(league: Path) -> None:
    (league / CUP / "arena.sqlite-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" * 100)
    for words in COMMANDS:
        done = main(*words, cwd=league)
        assert done.returncode == 2, words
        assert b"not left by an arena" in done.stderr


def test_a_link_in_a_draft_s_place_is_not_written_through(league: Path) -> None:
    mine = league / "mine"
    mine.write_bytes(b"precious")
    for name in ("standings.csv", "timing.csv", "arena-public.sqlite", "games.csv"):
        (league / CUP / f".{name}.draft").symlink_to(mine)
    for side in ("wal", "shm", "journal"):
        (league / CUP / f".arena-public.sqlite.draft-{side}").symlink_to(mine)
    assert main("export", league / CUP, "--to", league / CUP).returncode == 0
    assert main("tournament", league / "tournaments" / "cup.toml", "-q").returncode == 0
    assert mine.read_bytes() == b"precious"
    assert not list((league / CUP).glob(".*"))


def test_no_file_of_the_folder_where_one_plays_is_imported(tmp_path: Path) -> None:
    """A league that a stranger wrote is played in its folder, and its bots alone are code."""
    config = make(tmp_path, pairs(1))
    for name in ("multiprocess", "resource", "random", "secrets"):
        (tmp_path / f"{name}.py").write_text(f"open('{tmp_path}/stolen', 'w')\n")
    program = Path(sys.executable).with_name("arena")  # `python -m` itself would look there
    done = subprocess.run([program, "tournament", config, "-q"], cwd=tmp_path, capture_output=True)
    assert not (tmp_path / "stolen").exists()
    assert done.returncode == 0, done.stderr.decode()
