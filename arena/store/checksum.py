"""What tells when the disk says otherwise than was written: a checksum of each stored game."""

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache

from arena.model import LineUp, Pool

Faults = tuple[tuple[int, str, int], ...]
"""(seat, kind, index in the record's actions), by seat."""


@lru_cache(1 << 14)
def of_line_up(pool: Pool, line_up: LineUp) -> int:
    """Return the CRC-32 of who plays what, with which that of their games begins."""
    told = [list(pool), [[bot.name, bot.hash] for bot in line_up]]
    return zlib.crc32(json.dumps(told).encode())


def of_game(
    pool: Pool, line_up: LineUp, written: Sequence[str | int], record: bytes,
    faults: Faults,
) -> int:  # fmt: skip
    """Return the CRC-32 of all that a stored game says; `written` is (id, seating, deal, ranks,
    scores), the lists as JSON; faults in any order.

    What is hashed is part of the schema: to change it is to write a migration.
    """
    told = "|".join([*map(str, written), *(f"{s},{kind},{at}" for s, kind, at in sorted(faults))])
    return zlib.crc32(record, zlib.crc32(told.encode(), of_line_up(pool, line_up)))


def by_game(rows: list[tuple[str, int, str, int]]) -> dict[str, Faults]:
    """Return rows of (game, seat, kind, at) by game."""
    found: dict[str, list[tuple[int, str, int]]] = {}
    for game, seat, kind, at in rows:
        found.setdefault(game, []).append((seat, kind, at))
    return {game: tuple(sorted(faults)) for game, faults in found.items()}
