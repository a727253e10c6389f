"""Exports and archives of strangers: each file is made again from the store, all else is named."""

import gzip
import json
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from arena.audit import exported
from arena.export.files import GAMES
from arena.system.folders import write_sums
from tests import bounded
from tests.audit.findings import findings
from tests.leagues import THREE, main, make, pairs

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("without_refits")]

OF_WEEKS = "the weeks' dates and labels"
WORD = f"{OF_WEEKS} and provenance.json (its maker's word)"
OTHER = "(not compared with the games)"


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with a secret, whose season was closed; to be read only."""
    folder = tmp_path_factory.mktemp("season")
    assert main("tournament", make(folder, pairs(1), THREE), "-q").returncode == 0
    done = main("season", "close", folder / "results" / "cup", "--yes")
    assert done.returncode == 0, done.stderr.decode()
    return folder


def sum_up(folder: Path) -> str:
    """What the last line of verify says, where it finds nothing."""
    done = main("verify", folder)
    assert done.returncode == 0, done.stdout.decode()
    return done.stdout.decode().splitlines()[-1]


@pytest.fixture
def archive(season: Path, tmp_path: Path) -> Path:
    (made,) = (season / "seasons").iterdir()
    return Path(shutil.copytree(made, tmp_path / "archive"))


Forge = Callable[[Path], object]


def unpack(path: Path) -> bytes:
    return (gzip.decompress if path.suffix == ".gz" else bytes)(path.read_bytes())


def write(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def lines(name: str, change: Callable[[list[bytes]], list[bytes]]) -> Forge:
    def forge(folder: Path) -> None:
        write(folder / name, b"".join(change(unpack(folder / name).splitlines(True))))

    return forge


def replace(name: str, old: str, new: str) -> Forge:
    """Change the first such text in a file."""

    def change(lines: list[bytes]) -> list[bytes]:
        before, old_, after = b"".join(lines).partition(old.encode())
        assert old_
        return [before, new.encode(), after]

    return lines(name, change)


def append(name: str, content: bytes) -> Forge:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + content)


def columns(name: str, change: Callable[[dict[str, list[Any]]], object], meta: Any = None) -> Forge:
    """Change the columns of a parquet file."""

    def forge(folder: Path) -> None:
        table = parquet.read_table(folder / name).to_pydict()
        change(table)
        table = pyarrow.table(table).replace_schema_metadata(meta)
        parquet.write_table(table, folder / name)

    return forge


def by(name: str, put: Callable[[Path], object]) -> Forge:
    """Put something else in the place of a file."""

    def forge(folder: Path) -> None:
        (folder / name).rename(folder.parent / name)
        put(folder / name)

    return forge


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")


ATTACKS: dict[str, tuple[Forge, str]] = {
    "a winner": (replace("games.csv", ",ann,", ",bob,"), "games.csv: line "),
    "a record": (replace("records.jsonl.gz", '"ann"', '"bob"'), "records.jsonl.gz: line "),
    "rows swapped": (lines("seats.csv", lambda of: [*of[:-2], of[-1], of[-2]]),
                     "seats.csv: line 12: found '"),
    "a row less": (lines("games.csv", lambda of: of[:-1]), "games.csv: line 7: it has no such"),
    "a row more": (append("games.csv", b"x\n"), "games.csv: line 8: it has one such line"),
    "no byte order": (lines("games.csv", lambda of: [b"\xef\xbb\xbf", *of]), "games.csv: line 1: "),
    "line ends": (lines("games.csv", lambda of: [line[:-1] + b"\r\n" for line in of]),
                  "games.csv: line 1: found '"),
    "a second member": (append("records.jsonl.gz", gzip.compress(b"{}\n")),
                        "records.jsonl.gz: line 7: it has one such line"),
    "cut off": (lambda folder: os.truncate(folder / "records.jsonl.gz", 200),
                "records.jsonl.gz: cannot be read (Compressed file ended before"),
    "no gzip": (by("records.jsonl.gz", lambda path: path.write_bytes(b"{}\n")),
                "records.jsonl.gz: cannot be read (Not a gzipped file"),
    "a parquet cell": (columns("seats.parquet", lambda of: of["score"].__setitem__(3, 99)),
                       "seats.parquet: line 5: found"),
    "a parquet type": (
        columns("seats.parquet", lambda of: of.update(seat=[float(n) for n in of["seat"]])),
        "seats.parquet: line 2: found",
    ),
    "a parquet row": (
        columns("games.parquet", lambda of: [*map(list.extend, of.values(), [*of.values()])]),
        "games.parquet: line 8: it has one such line",
    ),
    "a parquet column": (columns("games.parquet", lambda of: of.update(cheats=[1] * 6)),
                         "games.parquet: line 1: found"),
    "no parquet": (append("games.parquet", b"x"), "games.parquet: cannot be read (Parquet magic"),
    "CPU times": (by("games.csv", lambda path: (path.parent / "timing.csv").write_text("game\n")),
                  r"timing.csv: line 1: found 'game\n', recomputed 'game,players,"),
    "a folder": (by("games.csv", Path.mkdir), "games.csv: cannot be read (Is a directory)"),
    "a pipe": (by("games.csv", os.mkfifo), "games.csv: cannot be read (not a regular file)"),
    "a link": (by("games.csv", lambda path: path.symlink_to("../games.csv")),
               "games.csv: cannot be read (is a link)"),
    "a linked table": (by("standings.csv", lambda path: path.symlink_to("/etc/passwd")),
                       "standings.csv: cannot be read (is a link)"),
    "a linked secret": (by("secret.json", lambda path: path.symlink_to("/dev/zero")),
                        "secret.json: cannot be read (is a link)"),
    "a week more": (lambda folder: put(folder, "history/0009.json"),
                    "history/0009.json: belongs to no week of the store; remove it"),
    "names of columns for pandas": (
        columns("seats.parquet", lambda of: None, {"pandas": '{"columns": []}'}),
        "seats.parquet: cannot be read (has metadata, and those that Arena writes have none)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_a_forged_file_is_found_whatever_the_sums_say(archive: Path, name: str) -> None:
    forge, expected = ATTACKS[name]
    forge(archive)
    (archive / "SHA256SUMS").unlink()
    if "link" not in name:
        write_sums(archive)  # as a stranger does
    (found,) = findings(archive)
    assert found.startswith(expected), found


def test_all_is_checked_but_its_maker_s_word(season: Path, archive: Path, tmp_path: Path) -> None:
    results = next((season / "results").glob("cup.*"))
    assert main("export", results, "--to", tmp_path / "copy").returncode == 0
    (tmp_path / "copy" / "secret.json").unlink()
    assert main("backup", results, tmp_path / "backups").returncode == 0
    (backup,) = (tmp_path / "backups").iterdir()
    (tmp_path / "lone").mkdir()
    shutil.copy(tmp_path / "copy" / "arena-public.sqlite", tmp_path / "lone")
    times = WORD.replace(" and prov", ", CPU times and prov")
    for folder, checked, word in (
        (archive, "deals, 10 files and", WORD),
        (results, "deals, 6 files and", times),
        (backup, "deals, 6 files and", times),
        (tmp_path / "copy", "deals, 9 files and", WORD),
        (tmp_path / "lone", "deals and", f"{OF_WEEKS} (its maker's word)"),
    ):
        expected = f"OK: no problems found in 6 games, their {checked} 2 weeks; not checked: {word}"
        assert sum_up(folder) == expected


def test_other_bytes_of_the_same_content_are_no_finding(archive: Path) -> None:
    (archive / "SHA256SUMS").unlink()
    records, seats = archive / "records.jsonl.gz", archive / "seats.parquet"
    records.write_bytes(gzip.compress(unpack(records), 1))
    parquet.write_table(parquet.read_table(seats), seats, compression="gzip", row_group_size=5)
    assert findings(archive) == []


STRANGERS: dict[str, tuple[Forge, str]] = {
    "a page": (lambda to: put(to, "index.html"), f"index.html {OTHER}"),
    "pages": (lambda to: put(to, "site/a", "site/b"), f"site/ {OTHER}"),
    "a link": (lambda to: Path(to, "site").symlink_to("/etc"), f"site {OTHER}"),
    "another store": (lambda to: put(to, "arena-public.sqlite-wal", "arena.sqlite.damaged"),
                      f"arena.sqlite.damaged {OTHER}"),
    "colours": (lambda to: put(to, "a\x1b[31m\n"), f"a\\x1b[31m\\n {OTHER}"),
    "no text": (lambda to: Path(os.fsdecode(bytes(to) + b"/\xff")).touch(), f"\\udcff {OTHER}"),
    "a pipe": (lambda to: os.mkfifo(to / "pipe"), f"pipe {OTHER}"),
    "many": (lambda to: put(to, *"abcdefg"), f"a, b, c, d, e and 2 more {OTHER}"),
    "words": (replace("secret.json", "All deals", "No deals"),
              "secret.json (not as it is written here)"),
    "a name": (replace("secret.json", '"cup"', '"cap"'), "secret.json (not as it is written here)"),
}  # fmt: skip


@pytest.mark.parametrize("name", STRANGERS)
def test_what_is_no_file_of_arena_s_is_named(archive: Path, name: str) -> None:
    place, expected = STRANGERS[name]
    (archive / "SHA256SUMS").unlink()
    place(archive)
    shown = sum_up(archive).partition("not checked: ")[2].split("; ")
    assert sorted(shown) == sorted([WORD, expected])


def test_of_two_stores_the_other_is_named(archive: Path) -> None:
    shutil.copy(archive / "arena-public.sqlite", archive / "arena.sqlite")
    (archive / "arena-public.sqlite").write_text("forged")
    (archive / "SHA256SUMS").unlink()
    assert "arena-public.sqlite (another store; verify it by its path)" in sum_up(archive)


def test_a_log_that_mends_a_forged_store_is_found(archive: Path) -> None:
    """SQLite reads the log with the file; who gets the file alone, or reads a disc, does not."""
    path = archive / "arena-public.sqlite"
    with closing(sqlite3.connect(path)) as database:
        ((game, ranks),) = database.execute("SELECT id, ranks FROM game LIMIT 1")
        database.execute("PRAGMA journal_mode = WAL")
        forged = "[2, 1]" if ranks == "[1, 2]" else "[1, 2]"
        with database:
            database.execute("UPDATE game SET ranks = ? WHERE id = ?", (forged, game))
    with closing(sqlite3.connect(path)) as database:
        with database:
            database.execute("UPDATE game SET ranks = ? WHERE id = ?", (ranks, game))
        copied = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    for file, content in zip((path, Path(f"{path}-wal")), copied, strict=True):
        file.write_bytes(content)
    (archive / "SHA256SUMS").unlink()
    (found,) = findings(archive)
    assert found.startswith("database: arena-public.sqlite-wal changes what others read")
    for side in ("wal", "shm"):
        Path(f"{path}-{side}").unlink()
    assert any(game in found for found in findings(archive))


def test_a_million_files_are_not_all_looked_at(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exported, "MOST", 30)
    put(archive, *(f"x{number}" for number in range(40)))
    assert "; more than 30 files, x" in sum_up(archive)


def test_without_pyarrow_its_files_are_named(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exported, "find_spec", lambda name: None)
    assert "games.parquet and seats.parquet (needs Linux and pyarrow)" in sum_up(archive)


@pytest.mark.parametrize(("end", "most"), [("gz", 64), ("parquet", 1024)])
def test_a_bomb_is_read_no_further_than_it_is_right(
    archive: Path, monkeypatch: pytest.MonkeyPatch, end: str, most: int
) -> None:
    """A line of 128 MiB; and 1,024 cells, each one and the same text of 4 MiB."""
    if end == "gz":
        write(archive / "records.jsonl.gz", bytes(1 << 27))
        place, message = "records.jsonl.gz", "line 1: found "
    else:
        numbers = pyarrow.array([0] * 1024, pyarrow.int32())
        cells = pyarrow.DictionaryArray.from_arrays(numbers, ["x" * (1 << 22)])
        parquet.write_table(
            pyarrow.table(dict.fromkeys(GAMES, cells)), archive / "games.parquet",
            dictionary_pagesize_limit=1 << 30, compression="zstd",
        )  # fmt: skip
        assert (archive / "games.parquet").stat().st_size < 1 << 20  # else it is not read at all
        place, message = "games.parquet", "cannot be read ("
    (archive / "SHA256SUMS").unlink()
    bound = (6 << 30, 6 << 30)  # beyond Arena's own, which gives way to one of addresses
    monkeypatch.setattr(
        bounded, "limit_memory", lambda: resource.setrlimit(resource.RLIMIT_DATA, bound)
    )
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    ended = bounded.attempt(("verify", ".", "--json"), archive)
    assert (ended.code, ended.doubt) == (1, "")
    (found,) = json.loads(ended.out)["findings"]
    assert found["location"] == place
    assert found["message"].startswith(message)
    assert "longer than" not in found["message"]
    assert ended.mib < (pages * resource.getpagesize() >> 20) + most
