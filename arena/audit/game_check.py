"""Checks that a stored game is true: by the rules, and dealt from the tournament's secret.

All deals come from the secret, and so do all random numbers of bots (`arena.ids`). A record has its
deal and none of those numbers: they are checked where bots play again (`arena.audit.rerun`).

A public copy holds the commitment to the secret. The secret itself comes in a file once it is
revealed (`arena.store.public`). That file is treated as a stranger's: its secret has to be that of
the commitment before anything is dealt from it.
"""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import games
from arena import ids
from arena.errors import ArenaError, UsageError
from arena.model import Sharing, StoredPlan
from arena.records.record import read_options
from arena.schedule.order import make_schedules
from arena.store.public import COMMITMENT, SECRET_FILE, Revealed, load_commitment, load_secret
from arena.store.scan import StoredGame, find_illegal
from arena.store.store import Store
from arena.system.folders import read_inside, read_ordinary_file
from arena.typed_json import decode
from games import FORFEIT, IllegalAction, State

UNSOUND = (sqlite3.DatabaseError, ArenaError, LookupError, ValueError, TypeError)
"""Errors of reading a store whose contents are damaged or made up."""

DAMAGE = "is damaged: its checksum does not match"

STORE = "database"
"""The place of a store's own secret, in messages."""

MOST_BYTES = 1 << 16
"""Most bytes of a secret's file: ours has under 1 kB."""

Given = Path | int | None
"""The evidence of who verifies: the secret's file, or the seed of the config."""


class Evidence(NamedTuple):
    """The secret to deal again from, and how far it is proven."""

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
    committed, problems = load_commitment(store, plan), list[tuple[str, str]]()
    source, outside, announced = "", None, None
    beside = store.path.parent / SECRET_FILE
    if isinstance(given, int):
        if not plan.seed_given:
            raise UsageError(
                f"--seed: {plan.name} was dealt from a secret; name its file with --secret"
            )
        source, outside = f"--seed {given}", ids.secret_from_seed(given)
    elif given is not None or beside.exists():
        source = (given or beside).name
        try:
            if given:
                content = read_ordinary_file(given, MOST_BYTES + 1)
            else:
                content = read_inside(beside.parent, beside.name, MOST_BYTES + 1)
            revealed = _parse_revealed(content)
            outside, announced = bytes.fromhex(revealed.secret), revealed.commitment
        except OSError as error:
            if given is not None:
                raise UsageError(f"--secret: {given}: cannot be read ({error.strerror})") from None
            problems.append((source, f"cannot be read ({error.strerror})"))
        except ValueError as error:
            problems.append((source, str(error)))
    if store.public and store.meta(COMMITMENT) is not None and committed is None:
        problems.append((STORE, "its commitment is damaged or misplaced; get another copy"))
    secret, place = None, ""
    for at, candidate in ((STORE, load_secret(store)), (source, outside)):
        if candidate is not None and committed not in (None, ids.commit(plan.name, candidate)):
            problems.append((at, f"its secret does not match the commitment {committed}"))
        elif secret is None:
            secret, place = candidate, at
        elif candidate not in (None, secret):
            problems.append(
                (at, "is not the secret of these results; ask their owner for the right file")
            )
    proven = ids.commit(plan.name, outside) if outside else None
    if outside == secret and announced not in (None, proven):
        problems.append((source, "its commitment does not match its secret; ask for another copy"))
    return Evidence(secret, place, committed, problems)


def _parse_revealed(text: bytes) -> Revealed:
    """Parse the secret's file. Raises ValueError with what is wrong with it."""
    if len(text) > MOST_BYTES:
        raise ValueError(f"is longer than {MOST_BYTES:,} bytes")
    try:
        return decode(text, Revealed)
    except ValueError as error:
        raise ValueError(f"is not a secret from `arena reveal` ({error})") from None


def judge_games(
    plan: StoredPlan, secret: bytes | None, rows: list[StoredGame]
) -> tuple[list[tuple[str, str]], int, int]:
    """Find what is wrong with some games: (id, problem); how many of them are not in the plan's
    tables, and how many there are.
    """
    wrong, left_out = [], 0
    planned = make_schedules(plan)
    any_share = {False, True, *(entry.shared_decks for entry in plan.entries)}
    for row in rows:
        if not row.sound:
            wrong.append((row.id, DAMAGE))
            continue
        schedule = row.find_schedule(planned)
        left_out += schedule is None
        shares = any_share if schedule is None else (schedule.entry.shared_decks,)
        if problem := wrong_game(row, secret, shares):
            wrong.append((row.id, problem))
    return wrong, left_out, len(rows)


def wrong_game(row: StoredGame, secret: bytes | None, shares: Iterable[Sharing]) -> str:
    """The first thing that is wrong with a sound game, or an empty string. Without the secret its
    deal is not looked at; `shares` are those of `is_dealt`.
    """
    seating = json.loads(row.seating)
    if len(seating) != row.pool.players or set(seating) != set(range(len(row.line_up))):
        return f"its seating {row.seating} does not seat {len(row.line_up)} bots"
    problem, record = find_illegal(row)
    if problem:
        return problem
    result = record["result"]
    forfeits = [[at, entry[0]] for at, entry in enumerate(record["actions"]) if entry[1] == FORFEIT]
    for part, stored, recorded in (
        ("faults", sorted([at, seat] for seat, _, at in row.faults), forfeits),
        ("ranks", json.loads(row.ranks), result["ranks"]),
        ("scores", json.loads(row.scores), result["scores"]),
    ):
        if stored != recorded:
            return f"its {part}: the store has {stored}, its record {recorded}"
    if secret is not None and not is_dealt(secret, shares, row, record):
        return "its deal does not follow from the secret"
    return ""


def is_dealt(
    secret: bytes, shares: Iterable[Sharing], row: StoredGame, record: dict[str, Any]
) -> bool:
    """True if the setup of a record that the judge agrees with is what the secret deals, with decks
    shared by a line-up's seatings or not: any of `shares` will do.
    """
    game, options = games.load(row.pool.game), read_options(row.pool)
    for shared in shares:
        line_up, where = ids.find_deck(shared, row.line_up, row.fixture.seating)
        setup = ids.deal_setup(game, options, secret, row.pool, line_up, row.deal, where)
        state = game.State(options, row.pool.players, setup)
        first = games.initial_setup(game, record["setup"])
        start = state.setup()
        if games.initial_setup(game, start) == first and (
            start == record["setup"] or comes_to(state, record)  # all of its chance, or more comes
        ):
            return True
    return False


def comes_to(state: State, record: dict[str, Any]) -> bool:
    """True if the record's actions turn the state's setup into the record's. Chance outside the
    deal, such as reshuffles, comes as it is played.
    """
    try:
        for who, action, *also in record["actions"]:
            state.replay(who, action, *also)
    except IllegalAction:
        return False
    return bool(state.setup() == record["setup"])
