"""Folders that somebody has changed; each comes from the random numbers that it is given alone."""

import json
import os
import re
import shutil
import socket
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from arena.store import chunk
from arena.store.store import Store
from tests.mutants import DEEP, mutate_bytes, mutate_json, mutate_record

CELLS: list[object] = [
    None, 0, 1, -1, 2**63 - 1, -(2**63), 1.5, 9e999, "", "x", "\0", "\x1b[31m", "é" * 99, b"",
    b"\xff\xfe", "[]", "{}", "null", "[1]", "[0, 0, 0]", "[1, 2, 3]", "[-1, 0, 1]", "[0, 1, 99]",
    '["a"]', "[true, 1, 2]", "[1e400]", "[" + "9" * 400 + "]", '"\\ud800"', DEEP.decode(),
    '{"a":' * 40_000, "1" * 200_000, bytes(200_000), "../../x", "no_thanks",
]  # fmt: skip
PACKED = [
    (DEEP, 1), (b"\0", 1 << 22), (b"\n", 1 << 20), (b"\0", 1 << 29), (b"[", 1 << 27),
    (b"{}\n", 1 << 24), (b'{"setup":' + DEEP + b"}", 1), (b'{"week":{"number":1}}', 1),
]  # fmt: skip
"""What cells have compressed, and how often in a row."""


@cache
def _cells() -> list[object]:
    return [*CELLS, *(zlib.compress(text * count) for text, count in PACKED)]


WEEKS = "SELECT key, value FROM meta WHERE key LIKE 'history%' ORDER BY key"


def _edit(file: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """Change a store as its owner could, past its rules."""
    with closing(sqlite3.connect(file)) as database:
        for rule in ("foreign_keys = OFF", "ignore_check_constraints = ON"):
            database.execute(f"PRAGMA {rule}")
        with database:
            change(database)


def _change_cell(random: Random, database: sqlite3.Connection) -> None:
    kind = "type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    names = database.execute(f"SELECT name FROM sqlite_schema WHERE {kind}").fetchall()
    (table,) = random.choice(names)
    column = random.choice(database.execute(f"PRAGMA table_info({table})").fetchall())[1]
    key = "key" if table == "meta" else "game_id" if table == "fault" else "rowid"
    keys = database.execute(f"SELECT {key} FROM {table} ORDER BY {key}").fetchall()
    ((row,), (other,)) = random.choice([keys[0], keys[-1], *keys]), random.choice(keys)
    value = random.choice(_cells())
    if random.random() < 0.3:  # what another row has
        query = f"SELECT {column} FROM {table} WHERE {key} = ?"
        (value,) = database.execute(query, (other,)).fetchone()
    where = "" if random.random() < 0.3 and table != "meta" else f"WHERE {key} = ?2"
    sql = f"UPDATE OR IGNORE {table} SET {column} = ?1 {where}"
    database.execute(sql, (value, row)[: 1 + bool(where)])


def _change_rows(random: Random, database: sqlite3.Connection) -> None:
    some = f"ORDER BY id LIMIT {random.choice([1, 5, 1000])}"
    database.executescript(random.choice([
        f"DELETE FROM game WHERE id IN (SELECT id FROM game {some})",
        f"DELETE FROM chunk WHERE id IN (SELECT id FROM chunk {some})",
        "DELETE FROM bot", "DELETE FROM pool", "DELETE FROM line_up", "DELETE FROM meta",
        "DELETE FROM meta WHERE key = 'secret'", "DELETE FROM meta WHERE key = 'plan'",
        f"INSERT OR IGNORE INTO fault SELECT id, 0, 1, 'time', 3, 'x' FROM game {some}",
        f"INSERT OR IGNORE INTO game SELECT 'a' || id, line_up, seating, deal, ranks, scores, "
        f"chunk, index_in_chunk, checksum FROM game {some}",
        "UPDATE game SET seating = (SELECT seating FROM game ORDER BY id DESC LIMIT 1)",
        "UPDATE game SET chunk = 1", "UPDATE game SET line_up = line_up + 1",
        "UPDATE game SET deal = deal + 1", "UPDATE meta SET value = NULL",
        "UPDATE game SET ranks = replace(ranks, '1', '2')",
        "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END",
        "DROP INDEX game_line_up", "DROP VIEW seat; CREATE TABLE seat (a)", "DROP TABLE timing",
        "ALTER TABLE meta ADD COLUMN more", "ANALYZE", "VACUUM", "PRAGMA user_version = 11",
        "PRAGMA application_id = 0", "PRAGMA journal_mode = DELETE", "REINDEX",
    ]))  # fmt: skip


def _change_texts(random: Random, database: sqlite3.Connection) -> None:
    """Change JSON inside: the plan, a week, the bodies of games; and how large they unpack."""
    what = random.choice(["plan", "plan", "week", "week", "weeks", "bodies", "bodies"])
    if what == "plan":
        ((plan,),) = database.execute("SELECT value FROM meta WHERE key = 'plan'")
        mutant = mutate_json(random, plan.encode()).decode("utf-8", "surrogateescape")
        database.execute("UPDATE meta SET value = ? WHERE key = 'plan'", (mutant,))
    elif what == "bodies":
        number, packed = random.choice([*database.execute("SELECT id, bodies FROM chunk")])
        bodies = zlib.decompress(packed).split(b"\n")
        at = random.randrange(len(bodies))
        bodies[at] = mutate_record(random, bodies[at], bodies)
        packed = chunk.pack_bodies(bodies * random.choice([1, 1, 100]))
        database.execute("UPDATE chunk SET bodies = ? WHERE id = ?", (packed, number))
    else:
        key, packed = random.choice(database.execute(WEEKS).fetchall())
        text = zlib.decompress(packed)
        week = json.loads(text)
        if random.random() < 0.5:
            week["plan"] = mutate_json(random, week["plan"].encode()).decode("utf-8", "replace")
            text = json.dumps(week).encode()
        elif random.random() < 0.7:
            text = mutate_json(random, text)
        text += b" " * random.choice([0, 0, 15 << 20, 1 << 28])  # which packs to nothing
        numbers = range(1, 2 + (1 << 28) // len(text) % 300 if what == "weeks" else 2)
        for number in numbers:
            key = key if what == "week" else f"history {number:04}"
            text = re.sub(rb'"number":\d+', b'"number":%d' % number, text)
            row = key, zlib.compress(text, 1)
            database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)


def _forge(file: Path) -> None:
    """Give every game that can be read the checksum that it would have."""
    sums = []
    with suppress(Exception), closing(Store.open(file)) as store:  # whatever the commands say of it
        for row in store.games():
            written = (row.id, row.seating, row.deal, row.ranks, row.scores)
            crc = chunk.game_checksum(row.pool, row.line_up, written, row.body, row.faults)
            sums.append((crc, row.number))
    sql = "UPDATE game SET checksum = ? WHERE rowid = ?"
    _edit(file, lambda database: database.executemany(sql, sums))


def _change_pages(random: Random, file: Path) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(random.choice([1, 4, 64])):
        at = random.choice([random.randrange(100), random.randrange(len(content))])
        content[at : at + 1] = bytes([content[at] ^ 1 << random.randrange(8)])
    page = random.randrange(len(content) >> 12 or 1) << 12
    before, after = content[:page], content[page + 4096 :]
    others = [before, before + content[page : page + 100], content + random.randbytes(5000)]
    others += [before + other + after for other in (bytes(4096), content[:4096])]
    file.write_bytes(random.choice([content, content, *others]))


def make_hole(file: Path, size: int) -> None:
    file.touch()
    os.truncate(file, size)


def _replace_file(random: Random, file: Path, precious: Path) -> None:
    """Put something else where a file was: a link, a pipe, a folder, another content."""
    readable = file.is_file() and file.stat().st_size < 1 << 30  # no hole of an earlier change
    content = file.read_bytes() if readable else b"x"
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    else:
        file.unlink(missing_ok=True)
    links: list[str | Path] = [
        precious, "/dev/zero", "/dev/full", "/etc", "/proc/self/mem", file.name, ".", "nowhere",
        file.parent, precious.parent,
    ]  # fmt: skip
    texts = [
        b"", content[: len(content) // 2], b"\0" * 9999, DEEP, b"[" * 1_000_000, b"\x1b[31m\n" * 99,
    ]  # fmt: skip

    def listen() -> None:
        with socket.socket(socket.AF_UNIX) as made:  # which has no long path
            made.bind(str(file))

    mutate = mutate_json if file.suffix == ".json" else mutate_bytes
    puts: list[Callable[[], object]] = [
        lambda: file.symlink_to(random.choice(links)),
        lambda: file.symlink_to(random.choice(links)),
        lambda: os.mkfifo(file),
        lambda: (file / "inner").mkdir(parents=True),
        lambda: make_hole(file, random.choice([1 << 33, 1 << 42])),
        listen,
        lambda: file.hardlink_to(precious.with_name("other")),
        lambda: None,  # it is gone
        lambda: file.write_bytes(random.choice(texts)),
        lambda: file.write_bytes(mutate(random, content)),
        lambda: file.write_bytes(mutate_bytes(random, content)),
        lambda: file.write_bytes(mutate_bytes(random, content)),
    ]
    random.choice(puts)()


def _change_file(random: Random, folder: Path, precious: Path) -> str:
    file = random.choice(sorted(folder.rglob("*")))
    _replace_file(random, file, precious)
    return f" {file.relative_to(folder)}"


def _add_file(random: Random, folder: Path, precious: Path) -> str:
    names = [
        "secret.json", "SHA256SUMS", "site", "history", "history/0001.json", "index.html", "a\nb",
        "games.csv", "arena.sqlite-wal", "arena.sqlite-journal", "arena.sqlite-shm", "x" * 200,
        ".standings.csv.draft", "\udcff", "arena-public.sqlite", "arena.sqlite", "provenance.json",
        ".site.arena-publish-abcdefgh.draft", "standings.json", "timing.csv", "\x1b[31m.html",
    ]  # fmt: skip
    place = folder / random.choice(names)
    place.parent.mkdir(exist_ok=True)
    if not os.path.lexists(place):
        place.write_bytes(b"{}")
    _replace_file(random, place, precious)
    return f" {place.relative_to(folder)}"


def _change_sums(random: Random, folder: Path, precious: Path) -> str:
    sums = folder / "SHA256SUMS"
    if not sums.exists():
        names = [path.name for path in folder.iterdir()]
        sums.write_text("".join(f"{'0' * 64}  {name}\n" for name in names))
    lines = sums.read_bytes().splitlines(keepends=True)
    at = random.randrange(len(lines))
    odd = [
        b"\0", b"a\0b", b"../" * 40 + b"etc/passwd", bytes(precious), b"/dev/zero", b".", b"..",
        b"", b"x" * 5000, b"a/" * 2000 + b"b", b"\xff", b"\x1b[31m", b"loop", b"loop/x",
        b"hole", b"pipe", b"arena.sqlite/x", b"SHA256SUMS",
    ]  # fmt: skip
    named = [lines[at].partition(b"  ")[0] + b"  " + name + b"\n" for name in odd]
    match random.randrange(4):
        case 0:
            lines *= random.choice([2, 50, 20_000])
        case 1:
            (folder / "loop").symlink_to("loop")
            os.mkfifo(folder / "pipe")
            make_hole(folder / "hole", 1 << random.choice([20, 30, 40]))
            lines += [random.choice(named)] * random.choice([1, 9999])
        case 2:
            lines[at] = mutate_bytes(random, lines[at])
        case _:
            lines += named
    sums.write_bytes(b"".join(lines))
    return ""


def _change_week_and_file(random: Random, folder: Path, _: Path) -> str:
    """Change what a stored week says, and its file alike."""
    store = random.choice(sorted(folder.glob("arena*.sqlite")))
    with closing(sqlite3.connect(store)) as database, database:
        key, packed = random.choice(database.execute(WEEKS).fetchall())
        kept = json.loads(zlib.decompress(packed))
        week = kept["week"]
        rows = random.choice(week["tables"])["rows"]
        row, other = random.choice(rows), random.choice(rows)
        what = random.choice(["games", "games", *row, "rows", "bots", "arena"])
        if what == "games":
            week["games"] += random.choice([-1, -1, 1])
        elif what == "rows":
            rows.remove(row)
        elif what == "bots":
            week["bots"][row["bot"]] = "0" * 64
        elif what == "arena":
            week["arena"], row["mu"] = "0.0.9", row["mu"] + 1
        else:
            row[what] = random.choice([other[what], None, 7, [1, 2], "x", row["mu"] + 1])
        packed = zlib.compress(json.dumps(kept, separators=(",", ":")).encode())
        database.execute("UPDATE meta SET value = ? WHERE key = ?", (packed, key))
    file = folder / f"{key.replace(' ', '/')}.json"
    if not file.parent.is_symlink():
        file.unlink(missing_ok=True)  # or it may be a pipe
        file.write_text(f"{json.dumps(week)}\n")
    if random.random() < 0.5:
        (folder / "SHA256SUMS").unlink(missing_ok=True)
    return f" {key}: {what}"


NOTHING_LEFT = (
    sqlite3.Error, zlib.error, OSError, ValueError, LookupError, TypeError, AttributeError,
    RecursionError,
)  # fmt: skip


def mutate_folder(random: Random, folder: Path, precious: Path) -> str:
    """Change a folder in one to four places, by links to `precious` outside, too; return where."""
    done, stores = list[str](), sorted(folder.glob("arena*.sqlite"))
    for _ in range(random.choice([1, 1, 2, 4])):
        store = random.choice(stores)
        change = random.choice([*IN_STORE, *IN_STORE, *IN_FOLDER])
        done.append(change.__name__[1:].replace("_", " "))
        with suppress(*NOTHING_LEFT):
            if change in IN_FOLDER:
                done[-1] += change(random, folder, precious)
            elif store.is_file() and not store.is_symlink() and store.stat().st_size < 1 << 30:
                if change is _change_pages:
                    change(random, store)
                    continue
                _edit(store, partial(change, random))
                if random.random() < 0.5:
                    _forge(store)
                    done[-1] += " with checksums that fit"
    return ", ".join(done)


IN_STORE: list[Callable[..., Any]] = [_change_pages, _change_cell, _change_rows, _change_texts]
IN_FOLDER: list[Callable[..., str]] = [
    _change_file, _change_file, _add_file, _change_sums, _change_week_and_file,
]  # fmt: skip
