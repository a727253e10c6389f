"""The secret that all deals come from: drawn at the first start, kept in the store alone, and
revealed at a tournament's end, after which no game is played under it.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena import ids
from arena.errors import ArenaError, UsageError
from arena.model import StoredPlan
from arena.plan import Plan
from arena.runner.run import next_missing
from arena.schedule import choices
from arena.store.plans import load_choices, load_plan
from arena.store.public import REVEALED, SECRET_FILE, format_secret, is_revealed, load_secret
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system import write_atomically
from arena.words import amount


def kept_secret(store: Store, plan: Plan) -> bytes | None:
    """The tournament's secret; None before the first start. Raises UsageError if the plan has
    another seed, ArenaError if the store has lost it.
    """
    kept = store.meta("secret")
    if kept is None and not store.count():
        return None
    if not ids.is_secret(kept):
        raise ArenaError(
            f"{store.path}: holds games, but not the secret that their deals came from; put a copy "
            "in its place, or play anew with --fresh"
        )
    given = ids.secret_from_seed(plan.seed) if plan.seed is not None else None
    if given != kept and (given is not None or store.meta("seed_given")):
        raise UsageError(
            f"{plan.folder}: was played with another seed; set the seed it had, or play anew "
            "with --fresh"
        )
    return kept


def the_secret(store: Store, plan: Plan, committed: Callable[[str], None]) -> bytes:
    """The tournament's secret: at the first start made from the config's seed, or drawn. While no
    game was played, `committed` receives the commitment to a drawn one.
    """
    secret = kept_secret(store, plan)
    if secret is None:
        secret = ids.new_secret() if plan.seed is None else ids.secret_from_seed(plan.seed)
        store.set_meta("secret", secret)
        store.set_meta("seed_given", int(plan.seed is not None))
    if plan.seed is None and not store.count():
        committed(ids.commit(plan.name, secret))
    return secret


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
