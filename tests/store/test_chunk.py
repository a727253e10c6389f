"""Chunks: what a worker hands over says what its games were."""

import json
import pickle
import zlib

from arena.model import Bot, Fault, Fixture, Played, Pool, Reason
from arena.store import chunk
from arena.store.chunk import make_chunk, pack_bodies, unpack_bodies

POOL = Pool("no_thanks", 3, "{}", "")
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
    assert made.faults == [("a0", 1, BOB, "time", 4, '{"kind":"time","what":"slow"}')]
    assert unpack_bodies(made.bodies) == [b'{"a":1}', b'{"b":2}', b"{}"]


def test_checksums_are_crc_32_of_pool_line_up_row_faults_and_body() -> None:
    told = (
        b'[["no_thanks", 3, "{}", ""], '
        b'[["ann", "annannannannannannannann"], ["bob", "bobbobbobbobbobbobbobbob"], '
        b'["dee", "deedeedeedeedeedeedeedee"]]]'
        b'a0|[0, 1, 2]|0|[1, 2, 3]|[1, 2, 30]|1,time,4{"b":2}'
    )
    assert make_chunk(POOL, GAMES).checksums[1] == zlib.crc32(told)


def test_forfeits_are_hashed_by_seat() -> None:
    one, other = (0, "error", 9), (2, "time", 4)
    both = ((one, other), (other, one))
    first, second = (chunk.game_checksum(POOL, (ANN,), ("a0",), b"{}", each) for each in both)
    assert first == second != chunk.game_checksum(POOL, (ANN,), ("a0",), b"{}", (one,))


def test_equal_seatings_and_ranks_are_sent_once() -> None:
    many = [GAMES[0]._replace(fixture=GAMES[0].fixture._replace(id=f"{n:020}")) for n in range(100)]
    sent = pickle.dumps(make_chunk(POOL, many), pickle.HIGHEST_PROTOCOL)
    assert sent.count(b"[2, 0, 1]") == 1
    assert len(sent) < 100 * 60


def test_a_chunk_is_one_zlib_stream_of_lines() -> None:
    assert zlib.decompress(pack_bodies([b"{}", b'{"a":1}'])) == b'{}\n{"a":1}'
