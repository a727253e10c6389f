"""The store: batches whole or not at all, and what a failed one leaves behind."""

import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from arena.errors import ArenaError, UsageError
from arena.model import Fault, Reason
from arena.progress import Progress
from arena.store import chunk, scan, schema
from arena.store.store import Holds, Store, map_over_store
from arena.system.parallel import tick
from tests.store.games import BOTS, POOL, add, game, line, new


def these(*ids: str) -> Holds:
    return lambda game: game.id in ids


def played(store: Store) -> set[str]:
    return {id for id, *_ in store.fixtures(POOL)}


def test_what_is_stored_comes_back_by_seat_in_order_of_id(store: Store) -> None:
    add(store, game("b0", Fault(1, 4, Reason("time", "slow"))), game("a0"))
    (first, deal), (second, _) = store.outcomes(POOL, these("a0", "b0"))
    assert deal == 0
    assert (first.id, second.id) == ("a0", "b0")
    assert first.bots == ("c", "a", "b")  # the seating is (2, 0, 1)
    assert second.faults == ("", "time", "")
    assert [outcome.id for outcome, _ in store.outcomes(POOL, these("b0"))] == ["b0"]
    assert set(store.fixtures(POOL)) == {(id, BOTS, (2, 0, 1), 0) for id in ("a0", "b0")}
    lines = [line("a0"), line("b0", '[[1,"time",4]]')]
    assert list(store.lines(POOL, these("a0", "b0"))) == lines
    add(store, game("abc0"), game("abd0"))
    assert [row.id for row in store.find("abc")] == ["abc0"]
    assert len(store.find("ab")) == 2
    assert store.find("zz") == store.find("") == store.find("a%") == []
    store.keep_unplayed(POOL, [BOTS])
    assert store.unplayed_line_ups(POOL) == {BOTS}
    assert store.unplayed_line_ups(POOL._replace(players=4)) == set()


def test_a_batch_that_fails_is_not_there_and_the_next_one_is_whole(store: Store) -> None:
    """The first batch makes the rows of pool and line-up; undone, they must not be remembered."""
    abort = "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    store.db.execute(f"CREATE TRIGGER full BEFORE INSERT ON fault {abort}")
    with pytest.raises(ArenaError, match="disk full"):
        add(store, game("a0"), game("b0", Fault(0, 1, Reason("time", "slow"))))
    assert played(store) == set()
    add(store, game("c0"))
    assert played(store) == {"c0"}


def test_a_file_of_another_schema_or_program_is_refused_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    Store.create_or_open(folder).close()
    for version in (0, schema.VERSION - 1, schema.VERSION + 1):
        with closing(sqlite3.connect(folder / schema.FILE)) as database, database:
            database.execute(f"PRAGMA user_version = {version}")
        before = (folder / schema.FILE).read_bytes()
        for opened in (Store.open, Store.create_or_open):
            refusal = f"has schema {version}, and this arena reads only {schema.VERSION}"
            with pytest.raises(UsageError, match=refusal):
                opened(folder)
        assert (folder / schema.FILE).read_bytes() == before
        assert [path.name for path in folder.iterdir()] == [schema.FILE]
    with sqlite3.connect(folder / schema.FILE) as database:
        database.execute("PRAGMA application_id = 1")
    with pytest.raises(UsageError, match="another program"):
        Store.create_or_open(folder)


def test_results_that_may_not_be_written_can_be_read(public: Path) -> None:
    """As on a read-only disk; root tries as an ordinary user."""
    folder = public / "cup"
    with closing(new(folder)) as store:
        add(store, game("a0"))
    for path in (*folder.iterdir(), folder):
        path.chmod(path.stat().st_mode & ~0o222 | 0o444)
    script = (  # Python 3.13's pathlib imports urllib late, from where that user may not read
        "import os, urllib.parse; from pathlib import Path; from arena.store.store import Store\n"
        "os.getuid() or os.setuid(65534)\n"
        f"store = Store.open(Path({str(folder)!r})); print(store.count())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    folder.chmod(0o755)
    assert (done.returncode, done.stdout) == (0, b"1\n"), done.stderr.decode()


def test_what_was_written_is_in_the_file_at_the_end_though_somebody_reads(tmp_path: Path) -> None:
    store = new(tmp_path / "cup")
    add(store, game("a0"))
    readers = [Store.open(store.path), Store.open(store.path)]
    assert [reader.count() for reader in readers] == [1, 1]
    add(store, game("b0"))
    store.close()
    copy = tmp_path / "copy" / schema.FILE
    copy.parent.mkdir()
    copy.write_bytes(store.path.read_bytes())
    with closing(Store.open(copy)) as copied:
        assert [row.id for row in copied.games()] == ["a0", "b0"]
    for reader in readers:
        reader.close()


def test_readers_at_once_leave_nothing_beside_the_file(tmp_path: Path) -> None:
    new(tmp_path / "cup").close()
    first, second = (Store.open(tmp_path / "cup" / schema.FILE) for _ in range(2))
    first.close()
    assert second.bots()
    second.close()
    assert [path.name for path in (tmp_path / "cup").iterdir()] == [schema.FILE]


@pytest.mark.parametrize("harm", [
    "UPDATE game SET ranks = CAST(x'ff5b312c5d' AS TEXT)", "UPDATE game SET index_in_chunk = 1",
    "UPDATE game SET checksum = CAST(x'ff31' AS TEXT)", "UPDATE game SET chunk = 'text'",
    "UPDATE game SET index_in_chunk = 'text'", "UPDATE game SET deal = deal + 1",
    "UPDATE chunk SET bodies = CAST(x'ff' AS TEXT)", "UPDATE game SET deal = 1.5",
    "UPDATE line_up SET bots = '[1, 2, 99]'", "UPDATE fault SET kind = 'memory'",
    "DELETE FROM chunk", "DELETE FROM fault",
])  # fmt: skip
def test_what_is_not_as_it_was_written_is_found_and_can_be_stored_again(
    store: Store, harm: str
) -> None:
    late, early = Fault(2, 4, Reason("time", "slow")), Fault(0, 9, Reason("error", "raised"))
    add(store, game("a0", late, early))
    store.note_sound()
    store.db.execute("PRAGMA foreign_keys = OFF")  # as who harms it has them
    with store.db:
        store.db.execute(harm)
    store.db.execute("PRAGMA foreign_keys = ON")
    damaged = [row for row in store.new_games() if not row.sound]
    assert len(damaged) == 1
    assert played(store) <= {"a0"}
    assert store.leave_out_damaged() == ()
    assert (len(store.damaged), played(store)) == (1, set())
    with suppress(ArenaError, sqlite3.Error):  # as the command line takes both
        assert list(store.outcomes(POOL, lambda game: True)) == []
        assert list(store.lines(POOL, lambda game: True)) == []
    store.drop(damaged)
    assert played(store) == set()
    add(store, game("a0", late, early))
    assert store.leave_out_damaged() == ()
    assert not store.damaged
    assert [row.faults for row in store.games() if row.sound] == [((0, "error", 9), (2, "time", 4))]


@pytest.mark.parametrize("place", range(0, 20000, 661))
def test_a_flipped_bit_anywhere_is_found_or_harmless(tmp_path: Path, place: int) -> None:
    """Of a file that SQLite itself may find whole; Arena may say why it cannot go on."""
    folder = tmp_path / "cup"
    games = [game(f"{number:02x}", Fault(1, 4, Reason("time", "slow"))) for number in range(40)]
    with closing(new(folder)) as store:
        add(store, *games)
        store.note_sound()
    content = bytearray((folder / schema.FILE).read_bytes())
    at = 200 + place * (len(content) - 200) // 20000
    content[at] ^= 1 << place % 8
    (folder / schema.FILE).write_bytes(content)
    try:
        again = Store.create_or_open(folder, lambda text: None)
    except ArenaError:
        return  # it says what is damaged: without it the games mean nothing
    with closing(again):
        again.drop([row for row in again.new_games() if not row.sound])
        there = played(again)
        for bot in BOTS:
            again.keep_bot(bot, [("bot.py", b"x")])
        add(again, *(each for each in games if each.fixture.id not in there))
        assert sum(row.sound for row in again.games()) == 40
        assert len(list(again.outcomes(POOL, these(*(each.fixture.id for each in games))))) == 40


def test_games_that_were_sound_are_not_looked_through_again(store: Store) -> None:
    add(store, game("a0", Fault(1, 4, Reason("time", "slow"))), game("c0"))
    assert [row.id for row in store.new_games()] == ["a0", "c0"]
    store.note_sound()
    assert [*store.new_games()] == []
    add(store, game("b0"))
    assert [row.id for row in store.new_games()] == ["b0"]
    store.note_sound()
    store.drop([row for row in store.games() if row.id == "c0"])
    assert [row.id for row in store.new_games()] == ["a0", "b0"]
    for no_utf_8 in (b"\xff1", b"\xfe1"):
        store.db.execute("UPDATE bot SET hash = CAST(? AS TEXT) WHERE id = 1", (no_utf_8,))
        assert [*store.new_games()]
        store.note_sound()


def test_a_note_that_is_not_ours_is_not_believed(store: Store) -> None:
    add(store, game("a0"))
    for note in ("[]", '["", {"game": 99}]', "{", 3, None):
        store.set_meta("sound", note)
        assert [row.id for row in store.new_games()] == ["a0"]


def test_many_games_of_many_chunks_come_back_in_order_of_id(store: Store, seed: int) -> None:
    """More than are looked at together, and each chunk's all over that order."""
    ids = [f"{number:04x}" for number in range(1200)]
    mixed = Random(seed).sample(ids, len(ids))
    for start in range(0, len(mixed), 100):
        add(store, *map(game, mixed[start : start + 100]))
    wanted = [line(id) for id in ids]
    assert list(store.lines(POOL, lambda game: True)) == wanted
    assert [row.line for row in store.games(in_order_of_id=True)] == wanted
    assert [row.id for row in store.games()] == mixed
    assert [row.line for row in store.find(ids[77])] == [wanted[77]]


def test_of_a_damaged_chunk_its_games_are_lost_and_no_others(store: Store) -> None:
    for first in "abc":
        add(store, game(f"{first}0"), game(f"{first}1"), host="far" if first == "b" else "")
    assert [*store.db.execute("SELECT chunk, host FROM played_on")] == [(2, "far")]
    with store.db:
        store.db.execute("UPDATE chunk SET bodies = zeroblob(20) WHERE id = 2")
    damaged = [row for row in store.games() if not row.sound]
    assert [row.id for row in damaged] == ["b0", "b1"]
    with pytest.raises(ArenaError, match="game b0 is damaged"):
        list(store.lines(POOL, lambda game: True))
    with pytest.raises(ArenaError, match="game b1 is damaged"):
        store.find("b1")
    store.drop(damaged)
    assert played(store) == {"a0", "a1", "c0", "c1"}
    assert [*store.db.execute("SELECT id FROM chunk")] == [(1,), (3,)]
    assert not [*store.db.execute("SELECT * FROM played_on")]


def test_games_that_come_while_damage_is_looked_for_are_none(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = scan.read_line_ups

    def read_and_wait(*given: Any) -> dict[int, Any]:
        known = read(*given)
        add(store, game("a0"))  # of a line-up that is not known yet
        return known

    monkeypatch.setattr(scan, "read_line_ups", read_and_wait)
    with closing(Store.open(store.path)) as reader:
        assert reader.leave_out_damaged() == ()
        assert (reader.damaged, played(reader)) == (set(), {"a0"})


@pytest.mark.parametrize("size", [chunk.UNPACKED - 1, chunk.UNPACKED + 1])
def test_chunks_that_unpack_to_gigabytes_are_not_all_looked_at(
    store: Store, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        add(store, game(f"a{number}"))
    with store.db:
        bomb = zlib.compress(bytes(size))
        store.db.execute("UPDATE chunk SET bodies = ? WHERE id > 1", (bomb,))
    unpack = Mock(wraps=chunk.unpack_bodies)
    monkeypatch.setattr(chunk, "unpack_bodies", unpack)
    monkeypatch.setattr("arena.store.store.ROOM", 2 * chunk.UNPACKED)
    assert "too large to look" in "".join(store.leave_out_damaged())
    assert unpack.call_count == 3  # a game of its own, and two that fill the room


@pytest.mark.parametrize(("harm", "wrong"), [
    ("index_in_chunk = 1 - index_in_chunk WHERE chunk = 1", ["a0", "a1"]),
    ("chunk = 3 - chunk", ["a0", "a1", "b0", "b1"]),
    ("chunk = 2, index_in_chunk = 2 WHERE id = 'a0'", ["a0"]),
])  # fmt: skip
def test_a_body_in_another_s_place_is_not_taken_for_its_own(
    store: Store, harm: str, wrong: list[str]
) -> None:
    add(store, game("a0"), game("a1"))
    add(store, game("b0"), game("b1"))
    store.db.execute(f"UPDATE game SET {harm}")
    assert [row.id for row in store.games() if not row.sound] == wrong
    with pytest.raises(ArenaError, match="game a0 is damaged"):
        list(store.lines(POOL, these("a0")))


@pytest.mark.parametrize("harm", ["", "a page more", "a name after the header", "pages before"])
def test_a_file_whose_making_was_cut_off_is_made_anew_and_no_other_journal_is_played_back(
    tmp_path: Path, harm: str
) -> None:
    """Killed between SQLite's first page and the end of its journal: of 400 kills in the midst of
    makings, 42 left these bytes. By a name after the header SQLite would remove another file.
    """
    folder = tmp_path / "cup"
    folder.mkdir()
    with closing(sqlite3.connect(folder / schema.FILE)) as whole:
        whole.execute("PRAGMA journal_mode = WAL")
    file, journal = folder / schema.FILE, folder / f"{schema.FILE}-journal"
    header = bytearray.fromhex("d9d505f920a163d7 00000000 97fb8cdd 00000000 00000200 00001000")
    header[19] = harm == "pages before"
    journal.write_bytes(header.ljust(1024 if "name" in harm else 512, b"\0"))
    file.write_bytes(file.read_bytes() * (1 + (harm == "a page more")))
    if harm:
        with pytest.raises(UsageError, match="not left by an arena"):
            new(folder)
        return
    with pytest.raises(UsageError, match="no games here yet"):
        Store.open(folder)
    with closing(new(folder)) as store:
        assert store.bots()
    assert not journal.exists()


def multiply_count(store: Store, times: int) -> int:
    tick()
    return len(played(store)) * times


@pytest.mark.parametrize("apart", [False, pytest.param(True, marks=pytest.mark.whole)])
def test_work_on_a_store_gives_the_same_here_and_in_other_processes(
    apart: bool, store: Store
) -> None:
    add(store, game("a0"), game("b0"), game("c0"))
    with store.writing():
        store.db.execute("UPDATE game SET deal = 1.5 WHERE id = 'c0'")
    store.leave_out_damaged()
    assert [*map_over_store(store, multiply_count, [3, 1, 2], Progress(), apart)] == [6, 2, 4]


def test_a_quota_that_is_used_up_is_thought_of(store: Store) -> None:
    """SQLite has no word of its own for EDQUOT."""
    with pytest.raises(ArenaError, match="is a quota used up"), store.writing():
        raise sqlite3.OperationalError("disk I/O error")
