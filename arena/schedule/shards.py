"""Shards: a tournament's line-ups dealt out to machines that know nothing of each other. Pure.

A line-up is one shard's whole: its games share decks. Which one's follows from what it is alone, so
that it stays there when bots come and go, and whatever stage a pool has come to.
"""

import re
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from arena import ids
from arena.model import LineUp, Pool
from arena.schedule.order import Schedule

MOST = 100_000


class Shard(NamedTuple):
    """One of some shards that together are all games."""

    number: int  # 1 .. of
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def holds(self, pool: Pool, line_up: LineUp) -> bool:
        """Return whether a line-up's games are in it: those whose id, as a number, is `number`
        modulo `of`.
        """
        return int(ids.line_up_id(pool, line_up), 16) % self.of == self.number % self.of


def shard_of(word: str) -> Shard:
    """Return the shard of a word such as `2/3`. Raises ValueError where it is none."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", word, re.ASCII)
    if found:
        shard = Shard(int(found[1]), int(found[2]))
        if 1 <= shard.number <= shard.of <= MOST:
            return shard
    raise ValueError(word)


def own(games: Schedule, numbers: Sequence[int], shard: Shard) -> Sequence[int]:
    """Return those of a schedule's games, given by number, that are in the shard."""
    pool = games.entry.pool
    mine = bytes(shard.holds(pool, line_up) for line_up in games.line_ups)
    return array("Q", (number for number in numbers if mine[games.line_up_of(number)]))


def by_shard(games: Schedule, numbers: Sequence[int], of: int) -> dict[int, int]:
    """Return how many of a schedule's games, given by number, are in each of so many shards that
    has any.
    """
    counts: dict[int, int] = {}
    for number in numbers:
        line_up = games.line_up_of(number)
        counts[line_up] = counts.get(line_up, 0) + 1
    found: dict[int, int] = {}
    for line_up, count in counts.items():
        id = ids.line_up_id(games.entry.pool, games.line_ups[line_up])
        number = int(id, 16) % of or of
        found[number] = found.get(number, 0) + count
    return dict(sorted(found.items()))
