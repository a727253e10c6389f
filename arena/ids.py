"""Games' ids, the secret, and what comes of it: deals' chance and bots' numbers.

A game's id is a SHA-256 over all that determines it, and nothing of when it ran. What is hashed is
canonical JSON, so that no two things have one text. Pure but for `new_secret`.

All numbers of a deal come from one digest of SHAKE128 (FIPS 202), and those of a game's seats from
another: a digest can have any length, and looks random without the key. A sponge may be keyed by
putting the key before the text (Bertoni et al., "Cryptographic sponge functions", 2011, 5.11); keys
here have one length. Another way of making them needs another `SEEDS`.
"""

import hashlib
import hmac
import json
import secrets
import struct
from collections.abc import Callable, Hashable
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple, TypeGuard, cast

from arena.model import MOST_BOTS, Fixture, Limits, LineUp, Mirrored, Pool, Seating, Sharing
from games import Game

SECRET_BYTES = 16
ID_DIGITS = 20
HASHED_LIMITS = 6  # of `Limits`, the first, whatever their values
COMMITMENT = "v1:[0-9a-f]{64}"  # the form of what `commit` returns, as a pattern

SEEDS: Final = 4
"""The version by which deals and bots' numbers are made (`arena.ids`). It decides a game's
course, so it is part of ids and commitments."""


LEAGUE: Final = "walls"
"""The origin of a league's games. With walls or without, a bot decides the same, so that its games
are the same; no store has both."""


class Identity(NamedTuple):
    """The identity of a pool's games, apart from line-up, seating and deal."""

    pool: Pool
    version: int  # of the game's rules
    limits: Limits
    origin: str  # `LEAGUE`, or how games outside a league came about
    shared_decks: Sharing


def new_secret() -> bytes:
    """Draw a new secret: 16 random bytes."""
    return secrets.token_bytes(SECRET_BYTES)


def is_secret(value: object) -> TypeGuard[bytes]:
    """True if a value is of the form of secrets."""
    return isinstance(value, bytes) and len(value) == SECRET_BYTES


def commit(name: str, secret: bytes) -> str:
    """Commit a tournament to its secret: `v1:` and 64 hex digits.

    They are the SHA-256 of a JSON list that no other name, version of the seeds or secret has. The
    `v1` is the list's version. To find a second secret for them is to find a collision; to find the
    first takes 2**128 guesses, since it is random: a hash commitment (Katz and Lindell,
    "Introduction to Modern Cryptography", 2nd edition, 2014, 5.6.5). It is in the list as hex
    digits, so that `printf '%s' LIST | sha256sum` does the same.
    """
    text = _write(["arena commitment", 1, name, SEEDS, secret.hex()])
    return f"v1:{hashlib.sha256(text).hexdigest()}"


def secret_from_seed(seed: int) -> bytes:
    """The secret that a config's `seed` stands for: 16 bytes."""
    return hashlib.sha256(f"arena seed {seed}".encode()).digest()[:SECRET_BYTES]


def make_id_function(identity: Identity, line_up: LineUp) -> Callable[[Seating, int], str]:
    """Make the function from (seating, deal) to the id of that game of the line-up."""
    begun = hashlib.sha256(_open_identity(identity) + _open_line_up(line_up))

    def game_id(seating: Seating, deal: int) -> str:
        digest = begun.copy()
        digest.update(b"%b,%d]" % (_write_seating(seating), deal))
        return digest.hexdigest()[:ID_DIGITS]

    return game_id


@lru_cache(64)
def _open_identity(identity: Identity) -> bytes:
    """The beginning that the hashed JSON of all games of a pool shares.

    Limits after the first six are in it by name, and only where they differ from their default: so
    a new limit leaves the ids of stored games as they are.
    """
    first, usual = identity.limits[:HASHED_LIMITS], identity.limits._field_defaults
    later = [*identity.limits._asdict().items()][HASHED_LIMITS:]
    changed = {name: value for name, value in later if value != usual[name]}
    parts = identity._asdict() | {"limits": [*first, changed] if changed else first}
    return _open_list(["arena game", SEEDS, *parts.values()])


def game_id(identity: Identity, line_up: LineUp, seating: Seating, deal: int) -> str:
    """The id of one game: 20 hex digits. For many games of a line-up, use `make_id_function`."""
    return make_id_function(identity, line_up)(seating, deal)


def bots_key(secret: bytes) -> bytes:
    """The key of all that bots may see: it reveals nothing about the deals."""
    return hmac.digest(secret, b'["arena bots"]', "sha256")


_in_json = json.JSONEncoder(separators=(",", ":")).encode


def _write(value: object) -> bytes:
    return _in_json(value).encode()


_write_seating = lru_cache(1 << 13)(_write)
_write_bot = lru_cache(MOST_BOTS)(_write)


def _open_line_up(line_up: LineUp) -> bytes:
    """Write a line-up as the next part of an open list, from what its bots are written as: in a
    league nearly every game has another line-up.
    """
    return b"[%b]," % b",".join(map(_write_bot, line_up))


def _open_list(parts: list[object]) -> bytes:
    """Write the parts as a JSON list that is still open: the caller adds the rest and closes it."""
    return _write(parts)[:-1] + b","


SeatNumbers = tuple[tuple[int, ...], tuple[bytes, ...]]
"""By seat: `view.table`, and the seed of its generator, 16 bytes. A table has 53 bits, so that JSON
keeps it, and is no count: it tells nothing of how many games there are."""

Where = Seating | None
"""The seating that a deal is for, as `find_deck` has it; None where all of a line-up share one."""


def find_deck(sharing: Sharing, line_up: LineUp, seating: Seating) -> tuple[LineUp, Where]:
    """Find the line-up and seating that a game's deck is dealt for.

    In a match they do not tell the two bots apart: by seat, the seating has the other bots' places
    among themselves, and -1 for each of the two.
    """
    if isinstance(sharing, bool):
        return line_up, None if sharing else seating
    others = tuple([bot for bot in line_up if bot.name not in sharing.bots])
    places = [others.index(bot) if bot in others else -1 for bot in line_up]
    return others if sharing.never_meet else line_up, tuple([places[at] for at in seating])


def _place(deal: int, where: Where) -> bytes:
    return b"%d,%b]" % (deal, b"null" if where is None else _write_seating(where))


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
        self._doubles: list[float] = [*struct.unpack(f"<{amount}d", digest)]
        self._drawn = 0

    def random(self) -> float:
        """Draw the next number. Raises _Spent if there is none left."""
        drawn = self._drawn
        if drawn == len(self._doubles):
            raise _Spent
        self._drawn = drawn + 1
        return self._doubles[drawn] - 1.0

    def keys(self, count: int) -> list[float]:
        """Draw the next numbers, each with 1 added. Raises _Spent if so many are not left."""
        first, self._drawn = self._drawn, self._drawn + count
        if self._drawn > len(self._doubles):
            raise _Spent
        return self._doubles[first : self._drawn]


_OF_ONE = bytes(byte | 0xF0 for byte in range(256))
"""By a double's seventh byte: the same with the last four bits of the exponent as 1.0 has them."""


def deal_setup(
    rules: Game, options: Any, secret: bytes, pool: Pool, line_up: LineUp, deal: int, where: Where
) -> Any:
    """Deal: the setup of a deal of a line-up."""
    text = _line_up_s_key(secret, pool, line_up) + _place(deal, where)
    amount = _drawn(cast(Hashable, rules), options, pool.players)
    while True:
        try:
            return rules.deal(options, pool.players, _Numbers(text, amount))
        except _Spent:
            amount = 2 * amount + 1  # dealt again, from the first number


@lru_cache(1 << 14)
def _line_up_s_key(secret: bytes, pool: Pool, line_up: LineUp) -> bytes:
    text = _open_deals(pool) + _open_line_up(line_up)
    return hashlib.blake2b(text, digest_size=32, key=secret).digest()


@lru_cache(64)
def _open_deals(pool: Pool) -> bytes:
    return _open_list(["arena deals", pool])


@lru_cache(64)
def _drawn(rules: Hashable, options: Any, seats: int) -> int:
    """Count the numbers that a deal draws; in some games, other deals draw more."""
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


def draw_numbers(key: bytes, sharing: Sharing, pool: Pool, game: Fixture) -> SeatNumbers:
    """The numbers of a game's seats, by the bots' key.

    Where dice are shared, a seat's seed is that of the deck, and `view.table` still that of the
    game: a bot must not see that two games are twins.
    """
    tables, seeds = draw_seat_numbers(key, game.id, pool.players)
    if isinstance(sharing, Mirrored):
        line_up, where = find_deck(sharing, game.line_up, game.seating)
        text = key + _write(["dice", pool, line_up, where, game.deal])
        digest = hashlib.shake_128(text).digest(16 * pool.players)
        seeds = struct.unpack("16s" * pool.players, digest)
    return tables, seeds


def draw_seat_numbers(key: bytes, game_id: str, seats: int) -> SeatNumbers:
    """The numbers of a game's seats, by the bots' key."""
    text = b'%b["seats","%b"]' % (key, game_id.encode())
    parts = struct.unpack("<" + "Q16s" * seats, hashlib.shake_128(text).digest(24 * seats))
    return tuple([word >> 11 for word in parts[::2]]), parts[1::2]
