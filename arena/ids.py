"""Ids, deals' seeds and bots' seeds: of what a game is, never of when it ran.

A game's id is a SHA-256 over all that determines it; deals come by keyed BLAKE2b (RFC 7693) under
the tournament's secret, bots' numbers by the same under a key of their own: as good as HMAC, and a
third of its time, which every game pays. What is hashed is canonical JSON, so that no two things
have one text. Pure but for `new_secret`.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from arena.model import Limits, LineUp, Pool, Seating

VERSION = 3
"""Of how deals and bots' numbers are made; part of every game's id, for they decide its course."""

SECRET_BYTES = 16
ID_DIGITS = 20


class Identity(NamedTuple):
    """What makes a pool's games what they are, beside line-up, seating and deal."""

    pool: Pool
    version: int  # of the game's rules
    limits: Limits
    confinement: str  # the word for what confines the bots
    duplicate: bool  # whether the seatings of a line-up share their decks


def new_secret() -> bytes:
    """Return a secret nobody has seen: 16 random bytes."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_from(seed: int) -> bytes:
    """Return the secret that a config's `seed` stands for: 16 bytes."""
    return hashlib.sha256(f"arena seed {seed}".encode()).digest()[:SECRET_BYTES]


def ids(identity: Identity, line_up: LineUp) -> Callable[[Seating, int], str]:
    """Return the function from (seating, deal) to the id of that game of the line-up."""
    begun = hashlib.sha256(_opened(["arena game", VERSION, *identity, line_up]))

    def game_id(seating: Seating, deal: int) -> str:
        digest = begun.copy()
        digest.update(b"%b,%d]" % (_written(seating), deal))
        return digest.hexdigest()[:ID_DIGITS]

    return game_id


def game_id(identity: Identity, line_up: LineUp, seating: Seating, deal: int) -> str:
    """Return the id of one game: 20 hex digits. Of many games of a line-up, by `ids`."""
    return ids(identity, line_up)(seating, deal)


def deal_seed(
    secret: bytes, pool: Pool, line_up: LineUp, deal: int, seating: Seating | None
) -> int:
    """Return the seed of a deal, 128 bits; `seating` is None where seatings share decks."""
    where = b"null" if seating is None else _written(seating)
    text = b"%b%d,%b]" % (_deals_of(pool, line_up), deal, where)
    return int.from_bytes(hashlib.blake2b(text, digest_size=16, key=secret).digest(), "big")


def bots_key(secret: bytes) -> bytes:
    """Return the key of all that bots may see: it tells nothing about the deals."""
    return hmac.digest(secret, b'["arena bots"]', "sha256")


def pilots_secret(secret: bytes) -> bytes:
    """Return the secret of a pilot's deals: none of them ever comes up in a game that counts."""
    return hmac.digest(secret, b'["arena pilot"]', "sha256")[:SECRET_BYTES]


def of_seats(key: bytes, game_id: str, seats: int) -> list[tuple[int, bytes]]:
    """Return by seat `view.table` in a game, and the seed of its `game.rng`: 16 bytes.

    The first has 53 bits, so that JSON keeps it, and is no count.
    """
    found = []
    for pair in range(0, seats, 2):
        text = b'["seats","%b",%d]' % (game_id.encode(), pair)
        digest = hashlib.blake2b(text, digest_size=48, key=key).digest()
        found.append((int.from_bytes(digest[:8], "big") >> 11, digest[8:24]))
        found.append((int.from_bytes(digest[24:32], "big") >> 11, digest[32:]))
    return found[:seats]


@lru_cache(1 << 14)
def _deals_of(pool: Pool, line_up: LineUp) -> bytes:
    return _opened(["arena deal", pool, line_up])


@lru_cache(1 << 13)
def _written(seating: Seating) -> bytes:
    return json.dumps(seating, separators=(",", ":")).encode()


def _opened(parts: list[object]) -> bytes:
    """Return the parts as a JSON list that goes on: closed by whoever adds the rest."""
    return json.dumps(parts, separators=(",", ":")).encode()[:-1] + b","
