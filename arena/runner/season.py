"""The end of a season: its secret is revealed, after which no game is played under it; its results
go into an archive, and the next season begins.
"""

import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from arena import ids
from arena.errors import ArenaError, UsageError
from arena.model import StoredPlan
from arena.progress import OutOfTime, Progress
from arena.runner import run
from arena.store.history import (
    ARCHIVED,
    LAST_PAGE,
    MOST_PAGE,
    PAGE,
    SEASONS,
    find_archive,
    find_shelf,
    keep_week,
)
from arena.store.plans import load_plan
from arena.store.public import is_revealed, load_secret, publish_secret
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system.folders import (
    MOST_SUMS,
    SUMS,
    find_free_path,
    find_wrong_sums,
    read_inside,
    remove_left_drafts,
    replace_folder,
    write_sums,
)
from arena.tables.history import make_week
from arena.tables.results import make_document, publish_tables
from arena.words import amount

FINAL = "final"  # the name of a season's last week
CHECK_S = 60.0  # to check the sums of one that was made before a kill


class Season(NamedTuple):
    """A tournament that revealing its secret would end."""

    folder: Path
    plan: StoredPlan
    secret: bytes
    missing: int  # games that could not be played any more
    revealed: bool  # before


def find_season(results: Path, reveals: bool = True) -> Season:
    """Look up what revealing or closing would end. Raises UsageError where it `reveals`, and there
    is no secret to reveal.
    """
    with closing(Store.open(results)) as store:
        if store.public:
            raise UsageError(f"{store.path}: is a published copy; name the original results folder")
        if store.path.name != FILE:
            raise UsageError(
                f"{store.path}: is not the {FILE} of a results folder; name such a folder"
            )
        plan, secret = load_plan(store), load_secret(store)
        if plan.seed_given and reveals:
            raise UsageError(
                f"{store.path}: its deals come from the seed in its config, not from a secret; "
                "publish the config"
            )
        if secret is None:
            raise ArenaError(f"{store.path}: the secret of the deals is damaged; restore a copy")
        if unread := store.leave_out_damaged():  # damaged games are played before the secret is out
            raise ArenaError(*unread)
        missing = run.next_missing(plan, store)
        return Season(store.path.parent, plan, secret, missing, is_revealed(store))


def reveal_secret(season: Season) -> Path:
    """End a tournament; returns the path of the secret's file."""
    with closing(Store.create_or_open(season.folder, lambda _: None)) as store:
        return publish_secret(store, season.plan, season.secret)


class Archived(NamedTuple):
    """A season that was closed."""

    archive: Path
    results: Path  # where its results lie now
    commitment: str  # to the secret of the next season; "" where the seed is given


def close_season(
    season: Season, now: datetime, seal: Callable[[Store, Path], object], progress: Progress
) -> Archived:
    """Keep the last tables as a week, reveal the secret, make an archive, which `seal` fills, and
    begin the next season in the same folder. After a kill the same call does what is left.

    Raises UsageError where games are missing, or archives cannot lie where they should.
    """
    folder = Path(os.path.abspath(season.folder))  # "." has no name for the old results to keep
    shelf = find_shelf(folder.resolve())
    if shelf.is_symlink() or (shelf.exists() and not shelf.is_dir()):
        what = "is a link or no folder; move it away, and close the season again"
        raise UsageError(f"{shelf}: {what}")
    with closing(Store.create_or_open(folder, progress.say)) as store:
        plan = load_plan(store)
        if missing := run.next_missing(plan, store):
            what = "run `arena tournament` first"
            raise UsageError(f"{folder}: {amount(missing, 'game')} left; {what}")
        document = make_document(store, steps=progress)
        keep_week(store, make_week(document, now.isoformat(timespec="seconds"), FINAL), plan)
        publish_tables(store, folder, document, now)
        progress.say(f'1/4 final tables, kept as "{FINAL}"')
        told = "no secret: the config gives the seed"
        if not plan.seed_given:
            told = str(publish_secret(store, plan, season.secret))
        progress.say(f"2/4 {told}")
        archive = _archive(store, now, seal)
        progress.say(f"3/4 {archive}")
    # closed: Windows moves no folder with an open file; and no game is played after the reveal
    past = find_free_path(folder.with_name(f"{folder.name}.{now:%Y-%m-%d}"), "-")
    folder.rename(past)
    secret = season.secret if plan.seed_given else ids.new_secret()
    with closing(Store.create_or_open(folder, progress.say)) as begun:
        page = sha256(read_inside(archive, PAGE, MOST_PAGE)).hexdigest()
        metas = {"secret": secret, "seed_given": int(plan.seed_given)}
        begun.set_metas({**metas, ARCHIVED: archive.name, LAST_PAGE: page})
    progress.say(f"4/4 next season: {folder}")
    return Archived(archive, past, "" if plan.seed_given else ids.commit(plan.name, secret))


def find_closed(results: Path) -> Path | None:
    """The last archive of a league that has begun a season, and not played a game of it yet."""
    with closing(Store.open(results)) as store:
        begun = not (store.public or store.count())
        return find_archive(store)[0] if begun else None


def _archive(store: Store, now: datetime, seal: Callable[[Store, Path], object]) -> Path:
    """Make the archive of a season; returns its folder, also where it was made before a kill.

    Others may write to the folder of archives: only what the store notes is believed, by content.
    """
    folder = store.path.parent.resolve()
    shelf, prefix = find_shelf(folder), f".{folder.name}.arena-season-"
    archive, noted = find_archive(store)
    if archive and _is_made(archive, noted):
        remove_left_drafts(shelf, prefix)  # it was killed before it had removed its own
        return archive
    place = find_free_path(shelf / f"{folder.name}-{now:%Y-%m-%d}", "-")
    with replace_folder(shelf.parent, f"{SEASONS}/{place.name}", prefix) as draft:
        seal(store, draft)
        store.set_meta(ARCHIVED, f"{place.name} {write_sums(draft)}")
    return place


def _is_made(archive: Path, noted: str) -> bool:
    """True if an archive is the one whose sums were noted, all of it and nothing else."""
    with suppress(OSError, OutOfTime):
        sums = read_inside(archive.parent, f"{archive.name}/{SUMS}", MOST_SUMS)
        most = sums.count(b"\n") + 1  # and the sums themselves
        others = (path for path in archive.rglob("*") if path.is_symlink() or not path.is_dir())
        return (
            sha256(sums).hexdigest() == noted
            and sum(1 for _ in islice(others, most + 1)) == most
            and not any(find_wrong_sums(archive, time.monotonic() + CHECK_S))
        )
    return False
