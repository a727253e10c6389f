"""Copies that leave a store: of all games, the commitment to its secret, and the secret itself
once that was revealed; for its owner a whole copy, with the secret.

A public copy has no logs, and no sources unless asked for. The commitment says what the deals of a
tournament come from without telling it; until the secret is revealed nothing of it may get out.
"""

import errno
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Annotated, Literal

import msgspec

from arena import ids
from arena.errors import ArenaError
from arena.faults.reasons import publish, shorten
from arena.model import Author, StoredPlan
from arena.store import schema
from arena.store.history import read_weeks
from arena.store.loads import UNLOADABLE, FailedLoad, read_loads
from arena.store.plans import load_plan
from arena.store.schema import raise_cell_limit
from arena.store.store import Store
from arena.system.abilities import LINUX
from arena.system.folders import write_atomically
from arena.typed_json import encode

SECRET_FILE = "secret.json"
"""The revealed secret's file, beside the tables and in exports."""

COMMITMENT, REVEALED, AUTHORS = "commitment", "revealed", "authors"  # keys of `meta`

MEANING = (
    "All deals and all the bots' random numbers come from this secret. SHA-256 of "
    '["arena commitment",1,TOURNAMENT,SEEDS,SECRET], written without spaces, is the commitment '
    "printed with every table. `arena verify` repeats every deal with it. It was published "
    "when the tournament was over; no more games are played with it."
)


class Revealed(msgspec.Struct):
    """The parts of secret.json that are read; the rest of it is for people."""

    version: Literal[1]
    secret: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    commitment: Annotated[str, msgspec.Meta(pattern=rf"\A{ids.COMMITMENT}\Z")]


def load_secret(store: Store) -> bytes | None:
    """The secret; None where it is not kept, or damaged."""
    secret = store.meta("secret")
    return secret if ids.is_secret(secret) else None


def load_commitment(store: Store, plan: StoredPlan) -> str | None:
    """The commitment to the secret; in a public copy, the one that was copied. None where the seed
    is given, so that there is no secret, and where neither is kept.
    """
    if plan.seed_given:
        return None
    if store.public:
        text = store.meta(COMMITMENT)
        return text if type(text) is str and re.fullmatch(ids.COMMITMENT, text) else None
    secret = load_secret(store)
    return None if secret is None else ids.commit(plan.name, secret)


def is_revealed(store: Store) -> bool:
    """True if the secret was revealed. Its file proves it too: the store may be an older copy."""
    return bool(store.meta(REVEALED)) or (store.path.parent / SECRET_FILE).exists()


def publish_secret(store: Store, plan: StoredPlan, secret: bytes) -> Path:
    """Note that the tournament is over, and write the secret's file; returns its path. A second
    call writes the same file.
    """
    store.set_meta(REVEALED, 1)  # first: what is published must never be played under
    with write_atomically(store.path.parent, SECRET_FILE) as stream:
        stream.write(format_secret(plan, secret).encode())
    return store.path.parent / SECRET_FILE


def format_revealed(store: Store, plan: StoredPlan) -> str:
    """The text of secret.json; "" until the secret is revealed."""
    secret = load_secret(store) if store.meta(REVEALED) else None
    return "" if secret is None else format_secret(plan, secret)


def format_secret(plan: StoredPlan, secret: bytes) -> str:
    """The text of secret.json, whether the secret is revealed or not."""
    document = {
        "version": 1,
        "tournament": plan.name,
        "seeds": ids.SEEDS,
        "secret": secret.hex(),
        "commitment": ids.commit(plan.name, secret),
        "meaning": MEANING,
    }
    return json.dumps(document, indent=1) + "\n"


TABLES = (  # name, columns, order
    ("bot", "id, name, hash, source", "id"),
    ("pool", "id, game, players, options, partners", "id"),
    ("line_up", "id, pool, bots, unplayed", "id"),
    ("chunk", "id, bodies", "id"),
    ("played_on", "chunk, host", "chunk"),
    # as stored: verifying reads them so, and wants the games of a chunk together
    ("game", "id, line_up, seating, deal, ranks, scores, chunk, index_in_chunk, checksum", "rowid"),
    ("fault", "game_id, seat, bot, kind, action_number, ''", "game_id, seat"),
    ("timing", "id, pool, bot, decisions, cpu_s, versions, '[]', '[]', '', worst_s", "id"),
)
METAS = ("choices", "plan", "seed_given", "warned")  # keys of `meta` whose values are copied


def copy_store(store: Store, path: Path) -> None:
    """Write a whole copy of one moment, the secret in it, which only its owner may read; another
    process may be writing to the store. Raises ArenaError where the disk is full, OSError where
    another user puts a file in its place.
    """
    with (
        open(path, "xb", opener=lambda at, flags: os.open(at, flags, 0o600)) as file,
        _explain_full(path),
        _connect(path, file) as copy,
    ):
        store.db.backup(copy)


@contextmanager
def _connect(path: Path, file: IO[bytes]) -> Iterator[sqlite3.Connection]:
    """Connect to a file that is open. Raises OSError where another user put one in its place."""
    with closing(schema.connect(path, "rw&nolock=1")) as connection:
        if LINUX:  # SQLite opens by path: is it this file?
            opened = [fd.stat() for fd in Path("/proc/self/fd").iterdir() if fd.exists()]
            if sum(os.path.samestat(os.fstat(file.fileno()), status) for status in opened) < 2:
                raise FileExistsError(errno.EEXIST, "was replaced by another user", str(path))
        yield connection


@contextmanager
def _explain_full(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if schema.is_disk_full(error):
            what = f"cannot be written ({error}); free some space"
            raise ArenaError(f"{path.resolve()}: {what}") from None
        raise


def write_public(
    store: Store, folder: Path, with_sources: bool, authors: Mapping[str, Author]
) -> Path:
    """Write the public copy into a folder; `authors`, by bot, are those that may be known. Weeks
    that are damaged are left out.

    Raises ArenaError where the plan is damaged, or the disk full.
    """
    values: dict[str, object] = {"public": 1, COMMITMENT: load_commitment(store, load_plan(store))}
    if authors:
        values[AUTHORS] = encode(authors)
    for bot in load_plan(store).bots:
        for load in read_loads(store, [bot]).values():
            values[UNLOADABLE + bot.hash] = encode(FailedLoad(publish(shorten(load.why))))
    metas = [*METAS, *(f"history {stored.week.number:04}" for stored in read_weeks(store)[0])]
    if store.meta(REVEALED):
        values |= {REVEALED: 1, "secret": load_secret(store)}
    path = folder / schema.PUBLIC_FILE
    with _explain_full(path), write_atomically(folder, path.name) as stream:
        draft, *beside = schema.find_files(Path(stream.name))
        for file in beside:
            file.unlink(missing_ok=True)
        with _connect(draft, stream) as connection:
            schema.create(connection, "OFF")  # one file, also to be read from a disc
            with connection, raise_cell_limit(connection), raise_cell_limit(store.db):
                _copy_tables(store.db, connection, with_sources, metas)
                shown = [(key, value) for key, value in values.items() if value is not None]
                connection.executemany("INSERT INTO meta VALUES (?, ?)", shown)
    return path


def _copy_tables(
    db: sqlite3.Connection, public: sqlite3.Connection, with_sources: bool, metas: Sequence[str]
) -> None:
    for table, columns, order in TABLES:
        marks = ", ".join("?" * len(columns.split(", ")))
        if not with_sources:
            columns = columns.replace("source", "x''")
        rows = db.execute(f"SELECT {columns} FROM {table} ORDER BY {order}")
        public.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    marks = ", ".join("?" * len(metas))
    rows = db.execute(f"SELECT key, value FROM meta WHERE key IN ({marks}) ORDER BY key", metas)
    public.executemany("INSERT INTO meta VALUES (?, ?)", rows)
