"""Finished games as the store takes them: columns ready to be written, and one blob of records.

Workers make them, so that the one process that writes has little to do for a game. Each game has a
checksum, which shows when the disk returns something else than was written. A results file may be a
hostile stranger's: its chunks are unpacked no further than to several times what arena packs.
"""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from arena.errors import ArenaError
from arena.model import MOST_BOTS, Bot, Forfeit, LineUp, Played, Pool, Reason
from arena.progress import Alike

GAMES, PART = 512, 1 << 24
"""Games of a chunk, and bytes of their records before the last, at most."""

BODIES = 1 << 14
"""Records of a chunk: twice the games of a session, for a file from elsewhere."""

BODY = 1 << 23
"""Bytes of a game's record, as of a line that `arena judge` reads: those of 17 have up to 22 kB,
and 5 MB with the most turns that its options allow; of the other games 3 kB."""

UNPACKED = 1 << 26
"""Bytes that a chunk unpacks to: over twice what arena packs."""

ROW_BYTES, FAULT_BYTES = 72, 40
"""Of a game and of a fault in a store, beside their texts: indices and pages that are not full
included. Counted in stores of 26,000 to 205,000 games."""


class _Recorded(Protocol):
    @property
    def body(self) -> bytes: ...


Game = TypeVar("Game", bound=_Recorded)


class Chunk(NamedTuple):
    """Finished games of one pool. Its columns are lists by game, in the order of the blob."""

    line_ups: list[LineUp]  # those that play in it
    ids: list[str]
    own_line_ups: list[int]  # indices in `line_ups`
    seatings: list[str]  # JSON
    deals: list[int]
    ranks: list[str]  # JSON
    scores: list[str]  # JSON
    checksums: list[int]
    faults: list[tuple[str, int, Bot, str, int, str]]  # game, seat, bot, kind, at, reason as JSON
    bodies: bytes  # packed

    def alike(self) -> Iterator[Alike]:
        """Count the games that ended alike: same bots by seat, same ranks."""
        many = Counter(zip(self.own_line_ups, self.seatings, self.ranks, strict=True))
        for (line_up, seating, ranks), count in many.items():
            bots = [self.line_ups[line_up][index].name for index in json.loads(seating)]
            yield Alike(tuple(bots), tuple(json.loads(ranks)), count)


def split_games(games: Iterable[Game], most: int = PART) -> Iterator[list[Game]]:
    """Split games, in the order given, into parts that fit into a chunk, their records into `most`
    bytes but for the last.
    """
    part, size = list[Game](), 0
    for game in games:
        part.append(game)
        size += len(game.body)
        if len(part) == GAMES or size > most:
            yield part
            part, size = [], 0
    if part:
        yield part


def make_chunk(pool: Pool, games: Sequence[Played]) -> Chunk:
    """Make a chunk of finished games, in the order given. Raises ArenaError where a record is
    longer than a store takes.
    """
    places: dict[LineUp, int] = {}
    chunk = Chunk(
        line_ups=[],
        ids=[],
        own_line_ups=[],
        seatings=[],
        deals=[],
        ranks=[],
        scores=[],
        checksums=[],
        faults=[],
        bodies=pack_bodies([game.body for game in games]),
    )
    for game in games:
        id, line_up, seats, deal = game.fixture
        if len(game.body) > BODY:
            raise ArenaError(
                f"game {id} of {pool.title}: its record has {len(game.body):,} bytes, "
                f"and the limit is {BODY:,}; end games sooner"
            )
        seating, ranks, scores = _to_text(seats), _to_text(game.ranks), str([*game.scores])
        written = (id, seating, deal, ranks, scores)
        chunk.ids.append(id)
        chunk.own_line_ups.append(places.setdefault(line_up, len(places)))
        chunk.seatings.append(seating)
        chunk.deals.append(deal)
        chunk.ranks.append(ranks)
        chunk.scores.append(scores)
        chunk.checksums.append(game_checksum(pool, line_up, written, game.body, game.forfeits))
        for seat, at, reason in game.faults:
            row = id, seat, line_up[seats[seat]], reason.kind, at, _write_reason(reason)
            chunk.faults.append(row)
    chunk.line_ups.extend(places)
    return chunk


def pack_bodies(bodies: Sequence[bytes]) -> bytes:
    """Pack bodies as the store keeps them: a zlib stream of lines, one body each.

    Level 1: of three players' No Thanks! 124 bytes a game in 3 us; level 6 has 70 in 17.
    """
    return zlib.compress(b"\n".join(bodies), 1)


def unpack_bodies(blob: bytes) -> list[bytes]:
    """Undo `pack_bodies`. Raises zlib.error if the blob is damaged, or holds more than a chunk."""
    lines = unpack_capped(blob, UNPACKED)
    if lines.count(b"\n") >= BODIES:
        raise zlib.error(f"it has more than {BODIES:,} bodies")
    return lines.split(b"\n")


def weigh_games(chunks: Sequence[Chunk]) -> float:
    """The bytes that each of these games, one or more, takes in a store, where bodies are packed in
    chunks that are full.
    """
    bodies = [body for chunk in chunks for body in unpack_bodies(chunk.bodies)]
    blobs = [pack_bodies(bodies[at : at + GAMES]) for at in range(0, len(bodies), GAMES)]
    total = sum(map(len, blobs)) + ROW_BYTES * len(bodies)
    for chunk in chunks:
        for texts in (chunk.ids, chunk.seatings, chunk.ranks, chunk.scores):
            total += sum(map(len, texts))
        for game, _, _, kind, _, detail in chunk.faults:
            total += FAULT_BYTES + len(game) + len(kind) + len(detail.encode())
    return total / len(bodies)


def unpack_capped(blob: bytes, most: int) -> bytes:
    """Unpack a zlib stream of at most so many bytes. Raises zlib.error where it is damaged or
    larger: a stream may unpack to a thousand times its size, so it is never unpacked any further.
    """
    stream = zlib.decompressobj()
    content = stream.decompress(blob, most + 1)
    if len(content) > most:
        raise zlib.error(f"it unpacks to more than {most:,} bytes")
    if not stream.eof:
        raise zlib.error("it is truncated")
    return content


def _write_reason(reason: Reason) -> str:
    """A reason as JSON; "" where nothing but its kind is kept."""
    return "" if reason == Reason(reason.kind) else msgspec.json.encode(reason).decode()


@lru_cache(1 << 13)
def _to_text(numbers: tuple[int, ...]) -> str:
    """The numbers as json.dumps has them; equal ones are one text, pickled once."""
    return str([*numbers])


@lru_cache(1 << 14)
def line_up_checksum(pool: Pool, line_up: LineUp) -> int:
    """The CRC-32 of the pool and the bots, from which the checksums of their games go on."""
    played = f"[{_in_json(pool)}, [{', '.join(map(_in_json, line_up))}]]"
    return zlib.crc32(played.encode())


_in_json = lru_cache(2 * MOST_BOTS)(json.dumps)  # of a pool, or of a bot


def game_checksum(
    pool: Pool, line_up: LineUp, written: Sequence[str | int], body: bytes,
    forfeits: Sequence[Forfeit],
) -> int:  # fmt: skip
    """The CRC-32 of everything stored of a game. `written` is (id, seating, deal, ranks, scores),
    the lists as JSON; forfeits come in any order.

    What is hashed is part of the schema: a change to it needs a new schema version.
    """
    text = "|".join(map(str, written))
    for seat, kind, at in sorted(forfeits):
        text += f"|{seat},{kind},{at}"
    return zlib.crc32(body, zlib.crc32(text.encode(), line_up_checksum(pool, line_up)))
