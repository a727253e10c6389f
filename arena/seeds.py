"""Deals' chance and bots' numbers: how they come of the secret, and of what a game is.

All numbers of a deal come from one digest of SHAKE128 (FIPS 202), and those of a game's seats from
another: it is as long as one likes, and random to whoever has not the key. A sponge may be keyed by
putting the key before the text (Bertoni et al., "Cryptographic sponge functions", 2011, 5.11); keys
here have one length. Another way of making them needs another `arena.ids.SEEDS`.
"""

import hashlib
import struct
from collections.abc import Hashable
from functools import lru_cache
from random import Random
from typing import Any, cast

from arena.ids import opened, written
from arena.model import LineUp, Pool, Seating
from games import Game

SeatNumbers = tuple[tuple[int, ...], tuple[bytes, ...]]
"""By seat: `view.table`, and the seed of its generator, 16 bytes. A table has 53 bits, so that JSON
keeps it, and is no count: it tells nothing of how many games there are."""

Where = Seating | None
"""The seating that a deal is for; None where the seatings of a line-up share their decks."""


def _place(deal: int, where: Where) -> bytes:
    return b"%d,%b]" % (deal, b"null" if where is None else written(where))


class _Spent(Exception):
    """A deal draws more numbers than were made."""


class _Numbers:
    """The numbers of a deal, as many as were made: multiples of 2**-52 in [0, 1).

    They are the little-endian words of a digest, 52 bits of each. With the exponent of 1.0 these
    make a double in [1, 2), which takes half of the time of making it from an integer.
    """

    __slots__ = ("_doubles", "_drawn")

    def __init__(self, text: bytes, amount: int) -> None:
        digest = bytearray(hashlib.shake_128(text).digest(8 * amount))
        digest[6::8] = digest[6::8].translate(_OF_ONE)
        digest[7::8] = b"\x3f" * amount
        self._doubles = [*_layout_of_doubles(amount).unpack(digest)]
        self._drawn = 0

    def random(self) -> float:
        """Return the next number. Raises _Spent if there is none left."""
        return self.keys(1)[0] - 1.0

    def keys(self, count: int) -> list[float]:
        """Return the next numbers, each with 1 added. Raises _Spent if so many are not left."""
        first, self._drawn = self._drawn, self._drawn + count
        if self._drawn > len(self._doubles):
            raise _Spent
        return self._doubles[first : self._drawn]


_OF_ONE = bytes(byte | 0xF0 for byte in range(256))
"""By a double's seventh byte: the same with the last four bits of the exponent as 1.0 has them."""


@lru_cache(64)
def _layout_of_doubles(amount: int) -> struct.Struct:
    return struct.Struct(f"<{amount}d")


def deal_of(
    rules: Game, options: Any, secret: bytes, pool: Pool, line_up: LineUp, deal: int, where: Where
) -> Any:
    """Return the setup of a deal of a line-up."""
    text = _line_up_s_key(secret, pool, line_up) + _place(deal, where)
    amount = _drawn(cast(Hashable, rules), options, pool.players)
    while True:
        try:
            return rules.deal(options, pool.players, _Numbers(text, amount))
        except _Spent:
            amount = 2 * amount + 1  # dealt anew, from the first number


@lru_cache(1 << 14)
def _line_up_s_key(secret: bytes, pool: Pool, line_up: LineUp) -> bytes:
    text = opened(["arena deals", pool, line_up])
    return hashlib.blake2b(text, digest_size=32, key=secret).digest()


@lru_cache(64)
def _drawn(rules: Hashable, options: Any, seats: int) -> int:
    """Return how many numbers a deal draws; another deal may draw more, if the game is so."""
    counting = _Counting()
    cast(Game, rules).deal(options, seats, counting)
    return counting.drawn


class _Counting:
    """Numbers whose drawing is counted."""

    def __init__(self) -> None:
        self._own, self.drawn = Random(0), 0

    def random(self) -> float:
        self.drawn += 1
        return self._own.random()


@lru_cache
def _layout(seats: int) -> struct.Struct:
    return struct.Struct("<" + "Q16s" * seats)


def of_seats(key: bytes, game_id: str, seats: int) -> SeatNumbers:
    """Return the numbers of a game's seats, by the bots' key."""
    layout = _layout(seats)
    digest = hashlib.shake_128(b'%b["seats","%b"]' % (key, game_id.encode())).digest(layout.size)
    parts = layout.unpack(digest)
    return tuple([word >> 11 for word in parts[::2]]), parts[1::2]
