"""Results of old code are read, verified and continued: `expected/old_store`, see its README."""

import gzip
import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.tables.publish import versions
from tests.leagues import main
from tests.places import EXPECTED
from tests.sessions import FIRST

pytestmark = pytest.mark.long

OLD = EXPECTED / "old_store"
CUP = Path("results") / "cup"
RECORDS = gzip.decompress((OLD / "records.jsonl.gz").read_bytes())
GREW = gzip.decompress((OLD / "grown.jsonl.gz").read_bytes())  # what `grow` comes to by old code
GAMES = 10 * 3 + 3 * 2 * 2 + 6 + 9 * 2 + 36  # line-ups x seatings x deals; 36 until it was settled
TABLES = {"csv": "csv", "github": "md", "html": "html", "json": "json"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the old league, which a test may change; by the versions of this machine: those of
    others are warned of.
    """
    league = Path(shutil.copytree(OLD, tmp_path / "league"))
    with closing(sqlite3.connect(league / CUP / "arena.sqlite")) as store, store:
        here = json.dumps(versions())
        store.execute("UPDATE timing SET versions = json_patch(versions, ?)", (here,))
    return league


def grow(league: Path) -> Path:
    """Double the deals, all but those of the pool to be settled, and add a bot; return the config.

    The bot enters those pools alone whose line-ups are not drawn: drawn ones are only extended, so
    that a league that grew may have others than one played afresh.
    """
    config = league / "tournaments" / "cup.toml"
    text = config.read_text("utf-8")
    config.write_text(
        text.replace("deals = 2\n", "deals = 4\n").replace("deals = 1\n", "deals = 2\n")
    )
    (league / "bots" / "gil.py").write_text(FIRST)
    return config


# 6 bots: 20 line-ups x 3 x 2 deals; 3 x 2 x 4; 6 x 2; 15 line-ups, but eve and flo's, x 2 x 2; 36
GROWN = 120 + 24 + 12 + 56 + 36


def rows(league: Path, query: str) -> set[Any]:
    with closing(sqlite3.connect(league / CUP / "arena.sqlite")) as store:
        return set(store.execute(query))


def files(folder: Path) -> dict[str, str]:
    """Return the hash of each file, but for SQLite's index of its log, which is made when read."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if not path.name.endswith("-shm")
    }


def killed(file: Path) -> None:
    """Leave a store as one that was killed while it wrote does: with what it wrote in the log."""
    aside = file.with_name("aside")
    with closing(sqlite3.connect(file)) as store:
        store.execute("PRAGMA journal_mode = WAL")
        with store:
            store.execute("INSERT INTO meta VALUES ('killed', 1)")
        shutil.copy(file, aside)
        shutil.copy(f"{file}-wal", f"{aside}-wal")
    aside.rename(file)
    aside.with_name("aside-wal").rename(f"{file}-wal")


READING = (
    ("standings", CUP), ("records", CUP), ("verify", CUP, "--replay-bots", 3),
    ("audit", CUP, "--games", 3), ("logs", CUP, "bob"), ("replay", CUP, "a23c4a18d39d982da779"),
    ("export", CUP, "--to", "exported"), ("tournament", Path("tournaments/cup.toml"), "--dry-run"),
)  # fmt: skip


@pytest.mark.parametrize("ended", ["well", "killed"])
@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_who_reads_it_changes_no_byte(old: Path, words: tuple[object, ...], ended: str) -> None:
    if ended == "killed":
        killed(old / CUP / "arena.sqlite")
    before = files(old / CUP)
    done = main(*words, cwd=old)
    assert done.returncode == 0, done.stderr.decode()
    assert files(old / CUP) == before


def test_who_reads_what_it_has_become_changes_no_byte(old: Path) -> None:
    assert main("tournament", old / "tournaments" / "cup.toml", "-q").returncode == 0
    for end in (lambda file: None, killed):
        end(old / CUP / "arena.sqlite")
        before = files(old / CUP)
        for words in READING:
            done = main(*words, cwd=old)
            assert done.returncode == 0, done.stderr.decode()
            assert files(old / CUP) == before, words


def test_only_a_tournament_brings_it_up_and_keeps_what_else_is_in_it(old: Path) -> None:
    others = [f"SELECT * FROM {table}" for table in ("bot", "pool", "line_up", "fault", "timing")]
    # noted from then on; the plan has also which bots are folders
    others.append("SELECT * FROM meta WHERE key NOT IN ('seeds', 'turning', 'plan')")
    others.append("SELECT json_remove(value, '$.folders') FROM meta WHERE key = 'plan'")
    before = [rows(old, query) for query in others]
    assert rows(old, "PRAGMA user_version") == {(3,)}
    assert main("tournament", old / "tournaments" / "cup.toml", "-q").returncode == 0
    assert rows(old, "PRAGMA user_version") == {(5,)}
    assert [rows(old, query) for query in others] == before
    assert rows(old, "PRAGMA integrity_check") == {("ok",)}


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7, 0.9])
def test_damaged_it_is_read_so_far_as_can_be_and_made_good(old: Path, place: float) -> None:
    file = old / CUP / "arena.sqlite"
    with file.open("r+b") as stream:
        stream.seek(int(file.stat().st_size / 4096 * place) * 4096)
        stream.write(b"\xa5" * 4096)
    before = files(old / CUP)
    done = main("verify", old / CUP)
    assert (done.returncode, b"database: " in done.stdout) == (1, True), done.stderr.decode()
    assert files(old / CUP) == before
    told = main("tournament", old / "tournaments" / "cup.toml", "-q")
    assert told.returncode == 0, told.stderr.decode()
    assert b"arena.sqlite.damaged" in told.stderr
    assert main("records", old / CUP).stdout == RECORDS
    assert main("verify", old / CUP).returncode == 0


@pytest.mark.parametrize("form", TABLES)
def test_its_tables_are_printed_as_they_were(old: Path, form: str) -> None:
    kept = (OLD / CUP / f"standings.{TABLES[form]}").read_text("utf-8")
    printed = main("standings", old / CUP, "--format", form).stdout.decode()
    assert printed == kept


def test_its_records_are_printed_as_they_were(old: Path) -> None:
    assert RECORDS.count(b"\n") == GAMES
    assert main("records", old / CUP).stdout == RECORDS


def test_it_is_verified_by_rules_deals_and_bots(old: Path) -> None:
    done = main("verify", old / CUP, "--replay-bots", 30)
    assert done.returncode == 0, done.stdout.decode()
    assert b"games: 102 of 102 are by the rules" in done.stdout
    assert b"deals: dealt again from the secret" in done.stdout


def test_run_again_nothing_is_played(old: Path) -> None:
    done = main("tournament", old / "tournaments" / "cup.toml", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert main("records", old / CUP).stdout == RECORDS


def test_continued_it_comes_to_what_old_code_plays_and_old_games_stay(old: Path) -> None:
    games = "SELECT id, seating, deal, ranks, scores FROM game"
    faults = "SELECT game, seat, bot, kind, at, detail FROM fault"
    before = rows(old, games), rows(old, faults)
    done = main("tournament", grow(old))
    assert done.returncode == 0, done.stderr.decode()
    assert f"{GROWN - GAMES} games played".encode() in done.stderr
    assert len(before[0]) == GAMES
    assert before[0] < rows(old, games)
    assert before[1] < rows(old, faults)

    assert GREW.count(b"\n") == GROWN
    assert main("records", old / CUP).stdout == GREW
    assert main("verify", old / CUP, "--replay-bots", 30).returncode == 0


def test_played_afresh_it_has_other_games_by_the_newest_seeds(old: Path) -> None:
    config = old / "tournaments" / "cup.toml"
    shutil.rmtree(old / "results")
    assert main("tournament", config, "-q").returncode == 0
    records = main("records", old / CUP).stdout
    ids = [[json.loads(line)["meta"]["id"] for line in text.splitlines()]
           for text in (records, RECORDS)]  # fmt: skip
    assert len(ids[0]) >= 10 * 3 + 3 * 2 * 2 + 6 + 9 * 2  # and those of the pool to be settled
    assert not set(ids[0]) & set(ids[1])
    assert main("verify", old / CUP).returncode == 0
    assert {row[0] for row in rows(old, "SELECT value FROM meta WHERE key = 'seeds'")} == {4}


def test_a_dry_run_counts_what_is_missing_under_its_own_seeds(old: Path) -> None:
    done = main("tournament", old / "tournaments" / "cup.toml", "--dry-run")
    assert done.returncode == 0, done.stderr.decode()
    (whole,) = [line.split() for line in done.stdout.decode().splitlines() if line[:3] == "all"]
    assert whole[:3] == ["all", "128", str(GAMES + 2)]  # two line-ups can be played by nobody
