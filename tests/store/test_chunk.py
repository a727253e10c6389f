"""Chunks say what games were, and a stranger's unpack to no more than arena would have written."""

import sqlite3
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from arena.errors import ArenaError
from arena.model import Bot, Entry, Fault, Fixture, Limits, Played, Reason
from arena.schedule.order import Schedule, make_identity
from arena.store import chunk, schema
from arena.store.chunk import make_chunk, split_games, unpack_bodies, weigh_games
from arena.store.schema import FILE
from arena.store.store import SOURCE, Store
from tests.store.games import BOTS, POOL, add, game, new


def test_columns_are_in_the_order_of_the_games_and_checksums_are_crc_32_of_it_all() -> None:
    ann, bob, cid, dee = (Bot(name, name * 8) for name in ("ann", "bob", "cid", "dee"))
    one = (Fault(1, 4, Reason("time", "slow")),)
    made = make_chunk(POOL, [
        Played(Fixture("b0", (ann, bob, cid), (2, 0, 1), 7), b'{"a":1}', (1, 2, 2), (-5, 6, 6), ()),
        Played(Fixture("a0", (ann, bob, dee), (0, 1, 2), 0), b'{"b":2}', (1, 2, 3), (1, 2, 3), one),
        Played(Fixture("c0", (ann, bob, cid), (1, 0, 2), 1), b"{}", (3, 1, 2), (9, 8, 7), ()),
    ])  # fmt: skip
    assert (made.ids, made.deals) == (["b0", "a0", "c0"], [7, 0, 1])
    assert made.line_ups == [(ann, bob, cid), (ann, bob, dee)]
    assert made.own_line_ups == [0, 1, 0]
    assert made.seatings == ["[2, 0, 1]", "[0, 1, 2]", "[1, 0, 2]"]
    assert made.ranks == ["[1, 2, 2]", "[1, 2, 3]", "[3, 1, 2]"]
    assert made.scores == ["[-5, 6, 6]", "[1, 2, 3]", "[9, 8, 7]"]
    assert made.faults == [("a0", 1, bob, "time", 4, '{"kind":"time","message":"slow"}')]
    assert unpack_bodies(made.bodies) == [b'{"a":1}', b'{"b":2}', b"{}"]
    told = (
        b'[["no_thanks", 3, "{}", ""], '
        b'[["ann", "annannannannannannannann"], ["bob", "bobbobbobbobbobbobbobbob"], '
        b'["dee", "deedeedeedeedeedeedeedee"]]]'
        b'a0|[0, 1, 2]|0|[1, 2, 3]|[1, 2, 3]|1,time,4{"b":2}'
    )
    assert made.checksums[1] == zlib.crc32(told)


def bomb() -> bytes:
    """Return 3 MB that unpack to 3 GiB of zeros: after a full flush a block stands by itself."""
    packer, zeros = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS), bytes(1 << 24)
    block = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = ((3 << 30) % 65521 << 16) + 1
    return b"\x78\xda" + block * (3 << 6) + packer.flush() + checksum.to_bytes(4, "big")


@contextmanager
def at_most(most_bytes: int) -> Iterator[None]:
    """Fail if Python takes more than that for its objects at any time within."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most_bytes
    finally:
        tracemalloc.stop()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A results folder of two chunks, a game each."""
    folder = tmp_path / "cup"
    with closing(new(folder)) as made:
        for id in ("a0", "b0"):
            add(made, game(id)._replace(body=b"{}"))
    return folder


def change(folder: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute(sql, values)


def test_a_stream_is_unpacked_to_its_cap_and_no_further_nor_to_more_bodies() -> None:
    assert chunk.unpack_capped(zlib.compress(bytes(100)), 100) == bytes(100)
    with pytest.raises(zlib.error, match="more than 99 bytes"):
        chunk.unpack_capped(zlib.compress(bytes(100)), 99)
    with pytest.raises(zlib.error, match="truncated"):
        chunk.unpack_capped(zlib.compress(bytes(100))[:-5], 100)
    assert len(unpack_bodies(zlib.compress(b"\n" * (chunk.BODIES - 1)))) == chunk.BODIES
    with pytest.raises(zlib.error, match="bodies"):
        unpack_bodies(zlib.compress(b"\n" * chunk.BODIES))


def test_a_chunk_that_unpacks_to_gigabytes_costs_its_games_and_little_memory(store: Path) -> None:
    change(store, "UPDATE chunk SET bodies = ? WHERE id = 1", bomb())
    with closing(Store.open(store)) as opened, at_most(4 * chunk.UNPACKED):
        assert [row.sound for row in opened.games()] == [False, True]


def test_a_bot_s_files_that_unpack_to_gigabytes_are_damaged(store: Path) -> None:
    change(store, "UPDATE bot SET source = ? WHERE name = 'a'", bomb())
    damaged = pytest.raises(ArenaError, match="is damaged")
    with closing(Store.open(store)) as opened, at_most(4 * SOURCE), damaged:
        opened.source_of(BOTS[0])


def test_a_record_is_read_as_long_as_it_is_written_and_no_longer(store: Path) -> None:
    longest = b'{"x":"%b"}' % (b"x" * (chunk.BODY - 8))
    with pytest.raises(ArenaError, match="end games sooner"):
        make_chunk(POOL, [game("c0")._replace(body=longest + b" ")])
    with closing(Store.create_or_open(store)) as made:
        add(made, game("c0")._replace(body=longest))
        assert [row.sound for row in made.games()] == [True, True, True]
    change(store, "UPDATE chunk SET bodies = ? WHERE id = 3", zlib.compress(longest + b" "))
    with closing(Store.open(store)) as opened:
        assert [row.body for row in opened.games()][2] == b""


def test_a_cell_longer_than_any_of_ours_is_stepped_over(store: Path) -> None:
    change(store, "UPDATE game SET ranks = ? WHERE id = 'a0'", "1" * (schema.CELL + 1))
    with closing(Store.open(store)) as opened:
        assert [row.id for row in opened.games()] == ["b0"]
        assert opened.count() == 2


@pytest.mark.whole
def test_records_of_far_more_than_a_chunk_together_are_read_a_few_at_once(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long ones in a few chunks that pack well: 2000 games name the same bodies."""
    monkeypatch.setattr(chunk, "UNPACKED", 1 << 21)
    long = b'{"x":"%b"}' % (b"x" * (1 << 13))
    lines = zlib.compress(b"\n".join([long] * 250))
    same = "line_up, seating, deal, ranks, scores"
    with closing(sqlite3.connect(store / FILE)) as database, database:
        for row in (11, 12, 13, 14):
            database.execute("INSERT INTO chunk VALUES (?, ?)", (row, lines))
        database.executemany(
            f"INSERT INTO game SELECT ?, {same}, ?, ?, 0 FROM game WHERE id = 'a0'",
            [(f"c{n:05}", 11 + n % 4, n // 4 % 250) for n in range(2000)],
        )
    with closing(Store.open(store)) as opened, at_most(6 * chunk.UNPACKED):
        read = sum(len(row.body) for row in opened.games(in_order_of_id=True))
    assert read > 15 << 20


def test_games_are_packed_in_parts_that_a_chunk_takes() -> None:
    short, long = (game("a0")._replace(body=body) for body in (b"{}", bytes(chunk.BODY)))
    assert [len(part) for part in split_games([short] * 1200)] == [512, 512, 176]
    assert [len(part) for part in split_games([long] * 7)] == [3, 3, 1]
    assert chunk.PART + chunk.BODY <= chunk.UNPACKED
    assert list(split_games([])) == []


@pytest.mark.whole
def test_a_few_games_say_to_a_tenth_what_many_take(tmp_path: Path) -> None:
    rng = Random(11)
    field = tuple(Bot(f"bot{number:03}", "") for number in range(9))
    own = Entry(POOL, field, 20, "auto", False)
    fixtures = [*Schedule(own, make_identity(own, Limits()))]
    rng.shuffle(fixtures)  # as they come from workers
    fault = Fault(0, 3, Reason("error", "line 1\n" * 30))
    played = [
        Played(fixture, b'"%s"' % rng.randbytes(60).hex().encode(), (1, 2, 3), (7, 80, 9),
               (fault,) * (rng.random() < 0.2))
        for fixture in fixtures
    ]  # fmt: skip
    some = [make_chunk(POOL, played[at : at + 16]) for at in range(0, 512, 16)]
    with closing(Store.create_or_open(tmp_path / "cup")) as store:
        for bot in field:
            store.keep_bot(bot, ())
        for games in split_games(played):
            store.add(POOL, make_chunk(POOL, games))
    taken = (tmp_path / "cup" / FILE).stat().st_size
    assert weigh_games(some) * len(played) == pytest.approx(taken, rel=0.1)
