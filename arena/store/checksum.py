"""What tells when the disk says otherwise than was written: a checksum of each stored game."""

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache

from arena.model import Forfeit, LineUp, Pool


@lru_cache(1 << 14)
def of_line_up(pool: Pool, line_up: LineUp) -> int:
    """Return the CRC-32 of who plays what, with which that of their games begins."""
    told = [list(pool), [[bot.name, bot.hash] for bot in line_up]]
    return zlib.crc32(json.dumps(told).encode())


def of_game(
    pool: Pool, line_up: LineUp, written: Sequence[str | int], body: bytes,
    forfeits: Sequence[Forfeit],
) -> int:  # fmt: skip
    """Return the CRC-32 of all that a stored game says; `written` is (id, seating, deal, ranks,
    scores), the lists as JSON; forfeits in any order.

    What is hashed is part of the schema: to change it is to write a migration.
    """
    told = "|".join(map(str, written))
    for seat, kind, at in sorted(forfeits):
        told += f"|{seat},{kind},{at}"
    return zlib.crc32(body, zlib.crc32(told.encode(), of_line_up(pool, line_up)))
