"""The secret of a store's deals: what the tournament is committed to, and whether it was revealed.

A store that was played in has its secret. A public copy has the commitment instead, and the secret
too once that was revealed: until then nothing of it may leave the store.
"""

import json
import re
from typing import Annotated, Any, Literal

import msgspec

from arena import ids
from arena.model import StoredPlan
from arena.store.store import Store

SECRET_FILE = "secret.json"
"""The revealed secret's file, beside the tables and in exports."""

COMMITMENT, REVEALED = "commitment", "revealed"  # keys in the store's table `meta`

MEANING = (
    "All deals and all random numbers of bots come of this secret. SHA-256 of "
    '["arena commitment",1,TOURNAMENT,SEEDS,SECRET], written without a space, is the commitment '
    "that stands in every table. `arena verify` deals every deal again with it. It was published "
    "when the tournament was over; no game is played under it any more."
)


class Revealed(msgspec.Struct):
    """The parts of secret.json that are read; the rest of it is for people."""

    version: Literal[1]
    secret: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    commitment: Annotated[str, msgspec.Meta(pattern=rf"\A{ids.COMMITMENT}\Z")]


def load_secret(store: Store) -> bytes | None:
    """The secret; None where it is not kept, or damaged."""
    kept = store.meta("secret")
    return kept if ids.is_secret(kept) else None


def load_commitment(store: Store, plan: StoredPlan) -> str | None:
    """The commitment to the secret; in a public copy, the one that was copied. None where the seed
    is given, so that there is no secret, and where neither is kept.
    """
    if plan.seed_given:
        return None
    if store.public:
        kept = store.meta(COMMITMENT)
        return kept if is_commitment(kept) else None
    secret = load_secret(store)
    return None if secret is None else ids.commit(plan.name, secret)


def is_commitment(value: Any) -> bool:
    """Whether a value has the form of a commitment."""
    return type(value) is str and bool(re.fullmatch(ids.COMMITMENT, value))


def is_revealed(store: Store) -> bool:
    """Whether the secret was revealed. Its file also proves it: the store may be a copy from
    before.
    """
    return bool(store.meta(REVEALED)) or (store.path.parent / SECRET_FILE).exists()


def format_secret(plan: StoredPlan, secret: bytes) -> str:
    """The text of secret.json."""
    document = {
        "version": 1,
        "tournament": plan.name,
        "seeds": ids.SEEDS,
        "secret": secret.hex(),
        "commitment": ids.commit(plan.name, secret),
        "meaning": MEANING,
    }
    return json.dumps(document, indent=1) + "\n"
