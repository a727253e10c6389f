"""A backup: the whole of a results folder at one moment, also while a tournament plays there.

The store is copied with the secret, and the tables are made again from the copy: so both are of one
moment, and `arena verify` takes the backup as it takes the results.
"""

import os
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, UsageError
from arena.progress import SILENT, Progress
from arena.store.history import read_weeks
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE, copy_store, is_revealed
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system.folders import find_free_path, read_inside, replace_folder, write_atomically
from arena.tables.results import make_document, publish_tables

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
    place = find_free_path(to / f"{folder.name}-{now:%Y%m%d-%H%M%S}", "-")
    with replace_folder(to, place.name, f".{folder.name}.arena-backup-") as draft:
        draft.chmod(0o700)  # as an owner's: it holds the secret
        steps.begin("copying the store")
        copy_store(store, draft / FILE)
        steps.say_unread(*read_weeks(store)[1])
        secret = _publish(store, draft, now, steps)
        size = sum(path.stat().st_size for path in draft.rglob("*") if path.is_file())
    return Backup(place, size, secret)


def _publish(store: Store, draft: Path, now: datetime, steps: Progress) -> bool:
    """Check the copy, and write the other files; returns whether it holds a secret."""
    with closing(Store.open_damaged(draft.resolve())) as copy:
        if problems := copy.problems():
            what = "`arena tournament` repairs it; a copy by hand keeps the damage"
            raise ArenaError(f"{store.path}: is damaged ({problems[0]}); {what}")
        if copy.meta("plan") is None:  # a season that has just begun
            return not copy.meta("seed_given")
        publish_tables(copy, draft, make_document(copy, steps=steps), now)
        with suppress(FileNotFoundError):
            secret = read_inside(store.path.parent, SECRET_FILE, MOST_BYTES)
            with write_atomically(draft, SECRET_FILE) as stream:
                os.chmod(stream.name, 0o600)
                stream.write(secret)
        return not (is_revealed(store) or load_plan(copy).seed_given)
