"""A stranger's results folder: whatever is in it, no command writes, hangs or spills."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tests.leagues import main

CUP = Path("results") / "cup"
STORE = CUP / "arena.sqlite"


def change(league: Path, sql: str, *values: object) -> None:
    """Change the store as whoever made it could have."""
    with closing(sqlite3.connect(league / STORE)) as database, database:
        database.execute(sql, values)


def give(league: Path, *files: tuple[str, bytes]) -> None:
    """Have a bot of the store be other files, under the hash of its own."""
    blob = zlib.compress(msgspec.msgpack.encode(files))
    change(league, "UPDATE bot SET source = ? WHERE name = 'ann'", blob)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../../../../../../..{outside}", "lies outside its folder"),
        ("{outside}", "lies outside its folder"),
        ("a/../../../../../../../../..{outside}", "lies outside its folder"),
        ("a\0b.py", "has no plain name"),
        ("a//b.py", "has no plain name"),
        ("", "has no plain name"),
        (".", "has no plain name"),
        ("bot.py/b.py", "lies in 'bot.py', which is a file"),
        ("bot.py", "two of its files have one name"),
    ],
)
def test_a_bot_s_files_are_written_nowhere_but_in_its_own_folder(
    league: Path, tmp_path: Path, name: str, why: str
) -> None:
    outside = tmp_path / "written"
    named = name.format(outside=outside)
    give(league, ("bot.py", b"def decide(view): return view.legal[0]"), (named, b"evil"))
    told = main("verify", league / CUP)
    assert told.returncode == 1
    assert f"{why}\n" in told.stdout.decode()
    for words in (["audit", "--games", 3], ["verify", "--replay-bots", 3]):
        done = main(words[0], league / CUP, *words[1:])
        assert done.returncode == 1
        assert why in done.stderr.decode() + done.stdout.decode()
        assert not outside.exists()
