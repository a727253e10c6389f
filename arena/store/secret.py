"""The secret as a store has it: what the tournament is committed to, and whether it was revealed.

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
    """What is read of secret.json; what else it says is for people."""

    version: Literal[1]
    secret: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    commitment: Annotated[str, msgspec.Meta(pattern=rf"\A{ids.COMMITMENT}\Z")]


def load_secret(store: Store) -> bytes | None:
    """Return the secret; None where it is not kept, or damaged."""
    kept = store.meta("secret")
    return kept if ids.is_secret(kept) else None


def load_commitment(store: Store, plan: StoredPlan) -> str | None:
    """Return the commitment to the secret; of a public copy as that has it. None where the seed is
    given, so that there is no secret, and where neither is kept.
    """
    if plan.seed_given:
        return None
    if store.public:
        kept = store.meta(COMMITMENT)
        return kept if is_commitment(kept) else None
    secret = load_secret(store)
    return None if secret is None else ids.commit(plan.name, secret)


def is_commitment(value: Any) -> bool:
    """Return whether a value is of the form of commitments."""
    return type(value) is str and bool(re.fullmatch(ids.COMMITMENT, value))


def is_revealed(store: Store) -> bool:
    """Return whether the secret was revealed. Its file says so too: the store may be a copy from
    before.
    """
    return bool(store.meta(REVEALED)) or (store.path.parent / SECRET_FILE).exists()


def format_secret(plan: StoredPlan, secret: bytes) -> str:
    """Return the text of secret.json."""
    told = {
        "version": 1,
        "tournament": plan.name,
        "seeds": ids.SEEDS,
        "secret": secret.hex(),
        "commitment": ids.commit(plan.name, secret),
        "meaning": MEANING,
    }
    return json.dumps(told, indent=1) + "\n"
