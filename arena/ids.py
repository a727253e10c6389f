"""Games' ids, of what a game is and never of when it ran; and the secret, with what comes of it.

A game's id is a SHA-256 over all that determines it. What is hashed is canonical JSON, so that no
two things have one text. `arena.seeds` has deals and bots' numbers. Pure but for `new_secret`.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple, TypeGuard

from arena.model import Limits, LineUp, Pool, Seating

SECRET_BYTES = 16
ID_DIGITS = 20
COMMITMENT = "v1:[0-9a-f]{64}"  # the form of what `commitment` returns, as a pattern


SEEDS: Final = 4
"""The version by which deals and bots' numbers are made (`arena.seeds`). It decides a game's
course, so it is part of ids and commitments."""


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


def is_secret(value: object) -> TypeGuard[bytes]:
    """Return whether a value is of the form of secrets."""
    return isinstance(value, bytes) and len(value) == SECRET_BYTES


def commitment(name: str, secret: bytes) -> str:
    """Return what commits a tournament to its secret: `v1:` and 64 hex digits.

    They are the SHA-256 of a JSON list that no other name, version of the seeds or secret has. The
    `v1` is the list's version. To find a second secret for them is to find a collision; to find the
    first takes 2**128 guesses, since it is random: a hash commitment (Katz and Lindell,
    "Introduction to Modern Cryptography", 2nd edition, 2014, 5.6.5). It is in the list as hex
    digits, so that `printf '%s' LIST | sha256sum` does the same.
    """
    text = json.dumps(["arena commitment", 1, name, SEEDS, secret.hex()], separators=(",", ":"))
    return f"v1:{hashlib.sha256(text.encode()).hexdigest()}"


def secret_from(seed: int) -> bytes:
    """Return the secret that a config's `seed` stands for: 16 bytes."""
    return hashlib.sha256(f"arena seed {seed}".encode()).digest()[:SECRET_BYTES]


def ids(identity: Identity, line_up: LineUp) -> Callable[[Seating, int], str]:
    """Return the function from (seating, deal) to the id of that game of the line-up."""
    begun = hashlib.sha256(_opened(identity) + json.dumps(line_up, separators=(",", ":")).encode())
    begun.update(b",")

    def game_id(seating: Seating, deal: int) -> str:
        digest = begun.copy()
        digest.update(b"%b,%d]" % (written(seating), deal))
        return digest.hexdigest()[:ID_DIGITS]

    return game_id


@lru_cache(64)
def _opened(identity: Identity) -> bytes:
    """Return how the ids of all games of a pool begin."""
    return opened(["arena game", SEEDS, *identity])


def game_id(identity: Identity, line_up: LineUp, seating: Seating, deal: int) -> str:
    """Return the id of one game: 20 hex digits. Of many games of a line-up, by `ids`."""
    return ids(identity, line_up)(seating, deal)


def line_up_id(pool: Pool, line_up: LineUp) -> str:
    """Return the id of a line-up, whatever it is played by: 20 hex digits."""
    text = json.dumps(["arena line-up", pool, line_up], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def bots_key(secret: bytes) -> bytes:
    """Return the key of all that bots may see: it tells nothing about the deals."""
    return hmac.digest(secret, b'["arena bots"]', "sha256")


def pilots_secret(secret: bytes) -> bytes:
    """Return the secret of a pilot's deals: none of them ever comes up in a game that counts."""
    return hmac.digest(secret, b'["arena pilot"]', "sha256")[:SECRET_BYTES]


@lru_cache(1 << 13)
def written(seating: Seating) -> bytes:
    """Return a seating as JSON."""
    return json.dumps(seating, separators=(",", ":")).encode()


def opened(parts: list[object]) -> bytes:
    """Return the parts as a JSON list that goes on: closed by whoever adds the rest."""
    return json.dumps(parts, separators=(",", ":")).encode()[:-1] + b","
