"""Ids and keys, computed here a second way: plain JSON, hashlib and hmac."""

import hashlib
import hmac
import json
import re

from arena import ids
from arena.model import Bot, Limits, LineUp, Pool, Seating

POOL = Pool("no_thanks", 3, '{"chips":9}', "")
TRIO = (Bot("ann", "aa"), Bot("bob", "bb"), Bot("cid", "cc"))
IDENTITY = ids.Identity(POOL, 1, Limits(), "full", False)
SECRET = bytes(range(16))


def text(*parts: object) -> bytes:
    return json.dumps(parts, separators=(",", ":")).encode()


def test_an_id_is_twenty_digits_of_the_hash_of_all_that_determines_a_game() -> None:
    whole = text(
        "arena game", 4, ["no_thanks", 3, '{"chips":9}', ""], 1, [100, 2000, 3000, 512, 64, 3],
        "full", False, [["ann", "aa"], ["bob", "bb"], ["cid", "cc"]], [2, 0, 1], 7,
    )  # fmt: skip
    assert ids.game_id(IDENTITY, TRIO, (2, 0, 1), 7) == hashlib.sha256(whole).hexdigest()[:20]
    assert ids.ids(IDENTITY, TRIO)((2, 0, 1), 7) == hashlib.sha256(whole).hexdigest()[:20]


def test_whatever_changes_a_game_changes_its_id() -> None:
    def of(identity: ids.Identity = IDENTITY, line_up: LineUp = TRIO,
           seating: Seating = (0, 1, 2), deal: int = 0) -> str:  # fmt: skip
        return ids.game_id(identity, line_up, seating, deal)

    others = [
        of(IDENTITY._replace(pool=POOL._replace(game="sixteen"))),
        of(IDENTITY._replace(pool=POOL._replace(options="{}"))),
        of(IDENTITY._replace(pool=POOL._replace(partners="same"))),
        of(IDENTITY._replace(version=2)),
        of(IDENTITY._replace(limits=Limits(cpu_ms=101))),
        of(IDENTITY._replace(confinement="none")),
        of(IDENTITY._replace(duplicate=True)),
        of(line_up=(*TRIO[:2], Bot("cid", "dd"))),
        of(line_up=(*TRIO[:2], Bot("dot", "cc"))),
        of(seating=(0, 2, 1)),
        of(deal=1),
        of(),
    ]
    assert len(set(others)) == 12  # 11 changes and the game itself


def test_bots_numbers_come_under_a_key_of_their_own() -> None:
    key = hmac.new(SECRET, b'["arena bots"]', hashlib.sha256).digest()
    assert ids.bots_key(SECRET) == key
    assert key not in (SECRET, ids.pilots_secret(SECRET))


def test_a_given_seed_is_a_secret_of_sixteen_bytes() -> None:
    assert ids.secret_from(17) == hashlib.sha256(b"arena seed 17").digest()[:16]
    assert ids.secret_from(17) != ids.secret_from(18)


def test_a_commitment_is_the_hash_of_name_seeds_and_secret_and_says_its_version() -> None:
    """As a shell has it: printf '["arena commitment",1,"cup",4,"000102..."]' | sha256sum."""
    whole = b'["arena commitment",1,"cup",4,"000102030405060708090a0b0c0d0e0f"]'
    assert ids.commitment("cup", SECRET) == f"v1:{hashlib.sha256(whole).hexdigest()}"
    assert re.fullmatch(ids.COMMITMENT, ids.commitment("cup", SECRET))


def test_whatever_deals_come_of_changes_a_commitment() -> None:
    others = [("cup", SECRET), ("cup2", SECRET), ("cup", SECRET[::-1]), ('cup",4', SECRET)]
    assert len({ids.commitment(*each) for each in others}) == len(others)


def test_a_new_secret_is_never_the_same() -> None:
    assert len({ids.new_secret() for _ in range(100)}) == 100
    assert len(ids.new_secret()) == 16
