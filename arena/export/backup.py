"""A backup: the whole of a results folder at one moment, also while a tournament plays there.

The store is copied with the secret, and the tables are made again from the copy: so both are of one
moment, and `arena verify` takes the backup as it takes the results.
"""

import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, UsageError
from arena.progress import SILENT, Progress
from arena.store import (
    FILE,
    SECRET_FILE,
    Store,
    copy_store,
    format_revealed,
    is_revealed,
    load_plan,
    read_timings,
    read_weeks,
)
from arena.system import find_free_path, read_ordinary_file, replace_folder, write_atomically
from arena.tables import make_document, publish_tables

MOST_BYTES = 1 << 16  # of secret.json


class Backup(NamedTuple):
    """A backup that was made."""

    place: Path
    size: int  # bytes
    secret: bool  # whether it holds a secret that is not public


def make_backup(store: Store, to: Path, now: datetime, steps: Progress = SILENT) -> Backup:
    """Write a backup into a new folder in `to`, whole or not at all.

    Raises UsageError for a published copy, and where no folder can be made in `to`; ArenaError
    where the store is damaged.
    """
    folder = store.path.parent.resolve()
    if store.public or store.path.name != FILE:
        what = "is not the store of a results folder; name such a folder"
        raise UsageError(f"{store.path}: {what}, or copy a published one yourself")
    if to.resolve().is_relative_to(folder):
        raise UsageError(f"{to}: lies in the results; name a folder elsewhere, on another disk")
    try:
        to.mkdir(exist_ok=True)  # without its parents: a disk may not be mounted
    except OSError as error:
        raise UsageError(f"{to}: cannot be made ({error.strerror}); name another") from None
    if not os.access(to, os.R_OK | os.W_OK | os.X_OK):
        raise UsageError(f"{to}: no permission to write; change its permissions, or name another")
    place = find_free_path(to / f"{folder.name}-{now:%Y%m%d-%H%M%S}", "-")

    def check() -> None:
        if place.exists():
            raise UsageError(f"{place}: was made by another backup; try again")

    with replace_folder(place, check, f".{folder.name}.arena-backup-") as draft:
        steps.begin("copying the store")
        copy_store(store, draft / FILE)
        secret = _publish(store, draft, now, steps)
        size = sum(path.stat().st_size for path in draft.rglob("*") if path.is_file())
    return Backup(place, size, secret)


def _publish(store: Store, draft: Path, now: datetime, steps: Progress) -> bool:
    """Check the copy, and write the other files; returns whether it holds a secret."""
    copy = Store.open_damaged(draft)
    try:
        if problems := copy.problems():
            what = "`arena tournament` repairs it; a copy by hand keeps the damage"
            raise ArenaError(f"{store.path}: is damaged ({problems[0]}); {what}")
        plan, revealed = load_plan(copy), is_revealed(store)
        if revealed:
            known = store.path.parent / SECRET_FILE
            text = format_revealed(copy, plan).encode() or read_ordinary_file(known, MOST_BYTES)
            with write_atomically(draft / SECRET_FILE) as stream:
                stream.write(text)
        weeks = [each.week for each in read_weeks(copy)[0]]
        document = make_document(copy, steps=steps)
        publish_tables(draft, document, read_timings(copy), plan.limits, now, weeks)
        return not (revealed or plan.seed_given)
    finally:
        copy.close()
