"""A tournament's end: its secret is published, and no game is played under it any more."""

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.errors import ArenaError, UsageError
from arena.model import StoredPlan
from arena.plan import Plan
from arena.runner.run import next_missing
from arena.schedule import choices
from arena.store.plans import load_choices, load_plan
from arena.store.schema import FILE
from arena.store.secret import REVEALED, SECRET_FILE, format_secret, is_revealed, load_secret
from arena.store.store import Store
from arena.system import write_atomically
from arena.words import amount


class Season(NamedTuple):
    """What revealing a tournament's secret would end."""

    folder: Path
    plan: StoredPlan
    secret: bytes
    missing: int  # games that could not be played any more
    revealed: bool  # before


def season(results: Path) -> Season:
    """Look up what revealing would end. Raises UsageError where there is no secret to reveal."""
    with closing(Store.open(results)) as store:
        if store.public:
            raise UsageError(
                f"{store.path}: is a published copy; name the results folder that it was made of"
            )
        if store.path.name != FILE:
            raise UsageError(f"{store.path}: is no results folder's {FILE}; name such a folder")
        plan, secret = load_plan(store), load_secret(store)
        if plan.seed_given:
            raise UsageError(
                f"{store.path}: its deals come of the seed in its config, not of a secret; publish "
                "the config"
            )
        if secret is None:
            raise ArenaError(
                f"{store.path}: the secret that deals come from is damaged; put a copy in its place"
            )
        missing = next_missing(plan, store)
        return Season(store.path.parent, plan, secret, missing, bool(store.meta(REVEALED)))


def reveal_secret(season: Season) -> Path:
    """End a tournament: note that it is over, and write the secret's file; returns its path. A
    second call writes the same file.
    """
    with closing(Store.create_or_open(season.folder, lambda _: None)) as store:
        store.set_meta(REVEALED, 1)  # first: what is published must never be played under
    path = season.folder / SECRET_FILE
    with write_atomically(path) as stream:
        stream.write(format_secret(season.plan, season.secret).encode())
    return path


def hold_ended(store: Store, plan: Plan) -> None:
    """Raise UsageError if the secret was revealed, and games of the plan are missing or damaged."""
    if not is_revealed(store):
        return
    damaged = sum(not row.sound for row in store.games())
    if damaged:
        raise UsageError(
            f"{store.path}: {amount(damaged, 'game')} damaged, and none is played again: its "
            "secret was revealed; put a copy in its place"
        )
    entries, _ = choices.make_choices(plan.wanted, load_choices(store))
    stored = plan.stored(entries)
    missing = next_missing(stored, store)
    if missing:
        raise UsageError(
            f"{plan.folder}: {amount(missing, 'game')} of its plan cannot be played: its secret "
            "was revealed, so that deals can be known before; play anew with --fresh, or in "
            "another folder with --results"
        )
