"""Chunks: what a worker hands over says what its games were, and a stranger's unpack to no more
than arena itself would have written."""

import json
import pickle
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
from arena.store.chunk import make_chunk, pack_bodies, split_games, unpack_bodies, weigh_games
from arena.store.schema import FILE
from arena.store.store import SOURCE, Store
from tests.store.games import BOTS, POOL, add, game, new

ANN, BOB, CID, DEE = (Bot(name, name * 8) for name in ("ann", "bob", "cid", "dee"))
SLOW = (Fault(1, 4, Reason("time", "slow")),)
GAMES = [
    Played(Fixture("b0", (ANN, BOB, CID), (2, 0, 1), 7), b'{"a":1}', (1, 2, 2), (-5, 6, 6), ()),
    Played(Fixture("a0", (ANN, BOB, DEE), (0, 1, 2), 0), b'{"b":2}', (1, 2, 3), (1, 2, 30), SLOW),
    Played(Fixture("c0", (ANN, BOB, CID), (1, 0, 2), 1), b"{}", (3, 1, 2), (9, 8, 7), ()),
]


def test_columns_are_in_the_order_of_the_games() -> None:
    made = make_chunk(POOL, GAMES)
    assert made.ids == ["b0", "a0", "c0"]
    assert made.line_ups == [(ANN, BOB, CID), (ANN, BOB, DEE)]
    assert made.own_line_ups == [0, 1, 0]
    assert made.seatings == ["[2, 0, 1]", "[0, 1, 2]", "[1, 0, 2]"]
    assert made.deals == [7, 0, 1]
    assert made.ranks == [json.dumps(game.ranks) for game in GAMES]
    assert made.scores == [json.dumps(game.scores) for game in GAMES]
    assert made.faults == [("a0", 1, BOB, "time", 4, '{"kind":"time","message":"slow"}')]
    assert unpack_bodies(made.bodies) == [b'{"a":1}', b'{"b":2}', b"{}"]


def test_checksums_are_crc_32_of_pool_line_up_row_faults_and_body() -> None:
    told = (
        b'[["no_thanks", 3, "{}", ""], '
        b'[["ann", "annannannannannannannann"], ["bob", "bobbobbobbobbobbobbobbob"], '
        b'["dee", "deedeedeedeedeedeedeedee"]]]'
        b'a0|[0, 1, 2]|0|[1, 2, 3]|[1, 2, 30]|1,time,4{"b":2}'
    )
    assert make_chunk(POOL, GAMES).checksums[1] == zlib.crc32(told)


def test_equal_seatings_and_ranks_are_sent_once() -> None:
    many = [GAMES[0]._replace(fixture=GAMES[0].fixture._replace(id=f"{n:020}")) for n in range(100)]
    sent = pickle.dumps(make_chunk(POOL, many), pickle.HIGHEST_PROTOCOL)
    assert sent.count(b"[2, 0, 1]") == 1
    assert len(sent) < 100 * 60


def test_a_chunk_is_one_zlib_stream_of_lines() -> None:
    assert zlib.decompress(pack_bodies([b"{}", b'{"a":1}'])) == b'{}\n{"a":1}'


HUGE = 3 << 30  # bytes of zeros; packed 3 MB


def bomb() -> bytes:
    """Return a stream that unpacks to `HUGE` zeros.

    Packed blocks stand by themselves after a full flush, so one is repeated (RFC 1951, and 1950 for
    what stands around them).
    """
    packer, zeros = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS), bytes(1 << 24)
    block = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = (HUGE % 65521 << 16) + 1
    return b"\x78\xda" + block * (HUGE // len(zeros)) + packer.flush() + checksum.to_bytes(4, "big")


BOMB = bomb()


def played(id: str, body: bytes) -> Played:
    return game(id)._replace(body=body)


@contextmanager
def at_most(most_bytes: int) -> Iterator[None]:
    """Fail if more than that is held at any time within, of what Python takes for its objects."""
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
            add(made, played(id, b"{}"))
    return folder


def change(folder: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute(sql, values)


def test_a_stream_is_unpacked_to_its_cap_and_no_further() -> None:
    assert chunk.unpack_capped(zlib.compress(bytes(100)), 100) == bytes(100)
    with pytest.raises(zlib.error, match="more than 99 bytes"):
        chunk.unpack_capped(zlib.compress(bytes(100)), 99)
    with pytest.raises(zlib.error, match="truncated"):
        chunk.unpack_capped(zlib.compress(bytes(100))[:-5], 100)


def test_a_chunk_that_unpacks_to_gigabytes_costs_its_games_and_little_memory(store: Path) -> None:
    change(store, "UPDATE chunk SET bodies = ? WHERE id = 1", BOMB)
    with closing(Store.open(store)) as opened, at_most(4 * chunk.UNPACKED):
        assert [row.sound for row in opened.games()] == [False, True]


def test_a_bot_s_files_that_unpack_to_gigabytes_are_damaged(store: Path) -> None:
    change(store, "UPDATE bot SET source = ? WHERE name = 'a'", BOMB)
    damaged = pytest.raises(ArenaError, match="is damaged")
    with closing(Store.open(store)) as opened, at_most(4 * SOURCE), damaged:
        opened.source_of(BOTS[0])


def test_more_bodies_than_a_chunk_has_are_not_made() -> None:
    lines = zlib.compress(b"\n" * (chunk.BODIES - 1))
    assert len(unpack_bodies(lines)) == chunk.BODIES
    with pytest.raises(zlib.error, match="bodies"):
        unpack_bodies(zlib.compress(b"\n" * chunk.BODIES))


def test_a_record_is_read_as_long_as_it_is_written_and_no_longer(store: Path) -> None:
    longest = b'{"x":"%b"}' % (b"x" * (chunk.BODY - 8))
    with pytest.raises(ArenaError, match="end games sooner"):
        make_chunk(POOL, [played("c0", longest + b" ")])
    with closing(Store.create_or_open(store)) as made:
        made.add(POOL, make_chunk(POOL, [played("c0", longest)]))
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
    with closing(sqlite3.connect(store / FILE)) as database, database:
        for row in (11, 12, 13, 14):
            database.execute("INSERT INTO chunk VALUES (?, ?)", (row, lines))
        database.executemany(
            "INSERT INTO game SELECT ?, line_up, seating, deal, ranks, scores, ?, ?, 0 FROM game "
            "WHERE id = 'a0'",
            [(f"c{n:05}", 11 + n % 4, n // 4 % 250) for n in range(2000)],
        )
    with closing(Store.open(store)) as opened, at_most(6 * chunk.UNPACKED):
        read = sum(len(row.body) for row in opened.games(in_order_of_id=True))
    assert read > 15 << 20


def test_games_are_packed_in_parts_that_a_chunk_takes() -> None:
    short, long = played("a0", b"{}"), played("b0", bytes(chunk.BODY))
    assert [len(part) for part in split_games([short] * 1200)] == [512, 512, 176]
    assert [len(part) for part in split_games([long] * 7)] == [3, 3, 1]
    assert chunk.PART + chunk.BODY <= chunk.UNPACKED
    assert list(split_games([])) == []


@pytest.mark.whole
def test_a_few_games_say_to_a_tenth_what_many_take(tmp_path: Path) -> None:
    """Of made-up games, in no order, as they come from workers."""
    field = tuple(Bot(f"bot{number:03}", "") for number in range(9))
    own = Entry(POOL, field, 20, "auto", False)
    rng, played = Random(11), list[Played]()
    for fixture in Schedule(own, make_identity(own, Limits(), "none")):
        words = rng.choices(("take", "pass", "card"), k=60)
        body = json.dumps({"actions": words, "seed": rng.getrandbits(64)}).encode()
        fails = rng.random() < 0.2
        faults = (Fault(0, 3, Reason("error", "line 1\n" * 30)),) if fails else ()
        played.append(Played(fixture, body, (1, 2, 3), tuple(rng.choices(range(99), k=3)), faults))
    rng.shuffle(played)
    some = [make_chunk(POOL, played[at : at + 16]) for at in range(0, 512, 16)]
    with closing(Store.create_or_open(tmp_path / "cup")) as store:
        for bot in field:
            store.keep_bot(bot, ())
        for games in split_games(played):
            store.add(POOL, make_chunk(POOL, games))
    taken = (tmp_path / "cup" / FILE).stat().st_size
    assert weigh_games(some) * len(played) == pytest.approx(taken, rel=0.1)
