"""The deals of a tournament, dealt again: from its own secret, the revealed one, or a seed.

All deals come from the secret, and so do all random numbers of bots (`arena.ids`). A record has its
deal and none of those numbers: they are checked where bots play again (`arena.audit.rerun`). Decks
of a pilot come from it too, and are kept nowhere.

A public copy holds the commitment to the secret. The secret itself comes in a file once it is
revealed (`arena.store.public`). That file is treated as a stranger's: its secret has to be that of
the commitment before anything is dealt from it.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import games
from arena import ids
from arena.audit.published import read_file
from arena.errors import UsageError
from arena.model import StoredPlan
from arena.store.public import COMMITMENT, SECRET_FILE, Revealed, load_commitment, load_secret
from arena.store.scan import StoredGame
from arena.store.store import Store
from arena.typed_json import decode
from games import IllegalAction, State

STORE = "database"
"""The place of a store's own secret, in messages."""

MOST_BYTES = 1 << 16
"""Of a secret's file: ours has under 1 kB."""


class Origin(NamedTuple):
    """The facts that a game has to come from. Can be pickled."""

    plan: StoredPlan
    secret: bytes | None


Given = Path | int | None
"""What whoever verifies has of his own: the secret's file, or the seed of the config."""


class Evidence(NamedTuple):
    """What deals can be dealt again from, and how far it is proven."""

    secret: bytes | None  # None: they cannot be
    source: str  # where the secret is from, as a place in messages
    commitment: str | None  # that the store has, or that its own secret gives
    problems: list[tuple[str, str]]  # (place, what is wrong there)


def find_evidence(store: Store, plan: StoredPlan, given: Given = None) -> Evidence:
    """Find what the deals of a store can be dealt again from: its own secret; for a copy what is
    `given`, or the secret's file beside it. A secret that is not the commitment's counts as none.

    Raises UsageError where the file that was given cannot be read, or where a seed is given and
    there is none.
    """
    stored, committed = load_secret(store), load_commitment(store, plan)
    if isinstance(given, int):
        source, outside, problems = _seeded(plan, given)
    else:
        source, outside, problems = _read(store.path.parent / SECRET_FILE, given)
    if store.public and store.meta(COMMITMENT) is not None and committed is None:
        problems.append((STORE, "its commitment is damaged, or out of place; get another copy"))
    secret, place = None, ""
    for at, candidate in ((STORE, stored), (source, outside.secret if outside else None)):
        if candidate is not None and committed not in (None, _commitment(plan, candidate)):
            problems.append((at, f"its secret is not that of the commitment {committed}"))
        elif secret is None:
            secret, place = candidate, at
        elif candidate not in (None, secret):
            problems.append((at, "is not the secret of these results; ask their owner for it"))
    if (
        outside
        and outside.secret == secret
        and outside.commitment not in (None, _commitment(plan, secret))
    ):
        problems.append((source, "its commitment is not that of its secret; ask for another"))
    return Evidence(secret, place, committed, problems)


def _commitment(plan: StoredPlan, secret: bytes) -> str:
    return ids.commit(plan.name, secret)


class _Told(NamedTuple):
    """A secret as it is given from outside the store."""

    secret: bytes
    commitment: str | None  # None: of a seed


Problems = list[tuple[str, str]]


def _seeded(plan: StoredPlan, seed: int) -> tuple[str, _Told | None, Problems]:
    """The secret of a seed. Raises UsageError where the config had no seed."""
    if not plan.seed_given:
        raise UsageError(f"--seed: {plan.name} was dealt from a secret; --secret takes its file")
    return f"--seed {seed}", _Told(ids.secret_from_seed(seed), None), []


def _read(beside: Path, given: Path | None) -> tuple[str, _Told | None, Problems]:
    """Read the secret's file: its name, its contents, and what is wrong with it."""
    path = given or beside
    if given is None and not path.exists():
        return "", None, []
    try:
        text = read_file(path, MOST_BYTES + 1)
    except OSError as error:
        if given is not None:
            raise UsageError(f"--secret: {given}: cannot be read ({error.strerror})") from None
        return path.name, None, [(path.name, f"cannot be read ({error.strerror})")]
    if len(text) > MOST_BYTES:
        return path.name, None, [(path.name, f"is longer than {MOST_BYTES:,} bytes")]
    try:
        revealed = decode(text, Revealed)
    except ValueError as error:
        return path.name, None, [(path.name, f"is no secret that `arena reveal` wrote ({error})")]
    return path.name, _Told(bytes.fromhex(revealed.secret), revealed.commitment), []


def is_dealt(
    secret: bytes, shares: Iterable[bool], row: StoredGame, record: dict[str, Any]
) -> bool:
    """Whether the record's setup is what the secret deals, with decks shared by a line-up's
    seatings or not: any of `shares` will do.
    """
    game = games.load(row.pool.game)
    options = games.options_from(game.Options, json.loads(row.pool.options))
    seating = tuple(json.loads(row.seating))
    for shared in shares:
        where = None if shared else seating
        setup = ids.deal_setup(game, options, secret, row.pool, row.line_up, row.deal, where)
        state = game.State(options, row.pool.players, setup)
        first = games.dealt(game, record["setup"])
        if games.dealt(game, state.setup()) == first and comes_to(state, record):
            return True
    return False


def comes_to(state: State, record: dict[str, Any]) -> bool:
    """Whether the record's actions turn the state's setup into the record's. Chance outside the
    deal, such as reshuffles, comes as it is played.
    """
    try:
        for who, action, *also in record["actions"]:
            state.replay(who, action, *also)
    except IllegalAction:
        return False
    return bool(state.setup() == record["setup"])
