"""What a game takes in the store, from games that were played for it. Pure.

Bodies are packed together as a store's chunks are. What a row takes beside its texts was counted in
stores of 26,000 to 205,000 games, indices and pages that are not full included.
"""

from collections.abc import Sequence
from typing import NamedTuple

from arena.store.caps import GAMES
from arena.store.chunk import Chunk, packed, unpacked

ROW_BYTES = 72  # a game, beside its texts: 71 with few line-ups, 74 with 5,000
FAULT_BYTES = 40  # a fault, beside what it says
LINE_UP_BYTES, LINE_UP_BYTES_A_BOT = 30, 9  # in its table, and in that table's index


class Weight(NamedTuple):
    """What a pool's games take in a store."""

    game_bytes: float
    entrants: int  # of a line-up

    def of(self, games: int, line_ups: int) -> int:
        """Return the bytes of so many."""
        of_line_up = LINE_UP_BYTES + LINE_UP_BYTES_A_BOT * self.entrants
        return round(self.game_bytes * games) + of_line_up * line_ups


def weighed(chunks: Sequence[Chunk], entrants: int) -> Weight:
    """Return what games as these take, one or more, with so many bots to a line-up."""
    bodies = [body for chunk in chunks for body in unpacked(chunk.bodies)]
    blobs = [packed(bodies[at : at + GAMES]) for at in range(0, len(bodies), GAMES)]
    total = sum(map(len, blobs)) + ROW_BYTES * len(bodies)
    for chunk in chunks:
        for texts in (chunk.ids, chunk.seatings, chunk.ranks, chunk.scores):
            total += sum(map(len, texts))
        for game, _, _, kind, _, detail in chunk.faults:
            total += FAULT_BYTES + len(game) + len(kind) + len(detail.encode())
    return Weight(total / len(bodies), entrants)
