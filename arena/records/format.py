"""Game records: the one JSON object a line that a game is kept as, and how it is packed.

The format is that of `results/README.md`; `arena.records.judge` reads it, this writes it. Pure.
"""

import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from games import Game, State

VERSION = 1

_WINDOW_BITS, _MEMORY_LEVEL = 12, 4

_encode = msgspec.json.Encoder().encode


def record_of(
    game: Game, players: int, options: dict[str, Any], state: State, meta: dict[str, Any]
) -> dict[str, Any]:
    """Return the record of a game that is over, its keys in the format's order."""
    record: dict[str, Any] = {
        "v": VERSION,
        "game": game.NAME,
        "players": players,
        "options": options,
        "setup": state.setup(),
        "actions": state.actions,
    }
    if game.KEEPS_ROUNDS:
        record["rounds"] = state.rounds
    record["result"] = state.result()
    record["meta"] = meta
    return record


def meta_of(id: str, bots: Sequence[str], faults: Sequence[tuple[int, str, int]]) -> dict[str, Any]:
    """Return the `meta` of our records: bots by seat, faults as (seat, kind, index in actions)."""
    return {"id": id, "bots": list(bots), "faults": [list(fault) for fault in faults]}


def line_of(record: dict[str, Any]) -> bytes:
    """Return the record as one line of JSON, without its end."""
    return _encode(record)


def packed(line: bytes) -> bytes:
    """Return a line as the store keeps it: a zlib stream.

    Level 1 is within a tenth of level 6 in size. The usual tables, 256 KiB, are cleared for every
    line, and push all else out of the cache: these are 32 KiB, and lose nothing on a line.
    """
    packing = zlib.compressobj(1, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL)
    return packing.compress(line) + packing.flush()


def unpacked(blob: bytes) -> bytes:
    """Return the line. Raises zlib.error if the blob is damaged."""
    return zlib.decompress(blob)
