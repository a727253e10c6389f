"""What a results file says of itself: its plan, its standings, its records, its games' names."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import games
from arena import ids
from arena.errors import ArenaError, UsageError
from arena.model import Entry, Limits, Pool, StoredPlan
from arena.plan.changes import changes
from arena.schedule import stages
from arena.schedule.order import Schedule
from arena.store.scan import Row
from arena.store.store import Store
from arena.system.parallel import in_turn

if TYPE_CHECKING:  # numpy takes its time
    from arena.tables.standings import Played, PoolTable

RATE_APART = 5_000  # games from which on pools are rated in processes of their own


def plan_in(store: Store) -> StoredPlan:
    """Return the plan of the last run. Raises UsageError if there was none."""
    kept = store.meta("plan")
    if kept is None:
        raise UsageError(f"{store.path}: nothing was ever played here")
    try:
        told = json.loads(kept)
        entries = msgspec.convert(told["entries"], tuple[Entry, ...])
        limits = Limits(**told["limits"])
        return StoredPlan(
            told["name"], told["seed_given"], told["confinement"], limits, entries
        )  # fmt: skip
    except (ValueError, LookupError, TypeError, msgspec.MsgspecError):
        raise ArenaError(
            f"{store.path}: its plan is damaged; `arena tournament` with its config writes it again"
        ) from None


def keep_plan(store: Store, plan: StoredPlan) -> None:
    """Keep the plan in the store: tables and records can be made from that alone."""
    told = plan._asdict() | {"limits": plan.limits._asdict()}
    store.set_meta("plan", json.dumps(told))


def changes_since(store: Store, plan: StoredPlan) -> list[str]:
    """Return what has changed since the last run, a line each."""
    return [] if store.meta("plan") is None else changes(plan_in(store), plan)


def replanned(store: Store, plan: StoredPlan) -> list[Pool]:
    """Return the pools whose test of being settled is not the one that was planned at first; none
    where the plan that was kept is damaged.
    """
    before = {}
    with suppress(ArenaError):  # nothing was played yet, or nobody knows by what plan
        before = {entry.pool: entry for entry in plan_in(store).entries}
    return [
        entry.pool
        for entry in plan.entries
        if entry.pool in before and stages.replanned(before[entry.pool], entry)
    ]


def identity_of(entry: Entry, limits: Limits, confinement: str) -> ids.Identity:
    """Return what makes a pool's games what they are, beside line-up, seating and deal."""
    version = games.load(entry.pool.game).VERSION
    return ids.Identity(entry.pool, version, limits, confinement, entry.duplicate)


def schedules(plan: StoredPlan) -> dict[Pool, Schedule]:
    """Return all games of a plan, by pool, pools in the order of the config."""
    return {entry.pool: schedule_for(plan, entry) for entry in plan.entries}


def schedule_for(plan: StoredPlan, entry: Entry) -> Schedule:
    """Return all games of one entry, under the plan's limits and walls."""
    return Schedule(entry, identity_of(entry, plan.limits, plan.confinement))


def schedule_of(planned: Mapping[Pool, Schedule], row: Row) -> Schedule | None:
    """Return which of the schedules a sound game is of; None if it is in none of the tables."""
    own, seating = planned.get(row.pool), tuple(json.loads(row.seating))
    if own is None or not own.holds(row.id, row.line_up, seating, row.deal):
        return None
    return own


def document_of(store: Store, refits: int = 0) -> dict[str, Any]:
    """Return the standings of the stored games that the stored plan names.

    Intervals come from the fit; or from so many refits, if given.
    """
    from arena.tables.standings import assemble

    plan = plan_in(store)
    own = schedules(plan)
    if store.count() < RATE_APART or (os.cpu_count() or 1) < 2:
        tables = [_rated(store, games, refits) for games in own.values()]
    else:
        largest_first = sorted(own.values(), key=lambda each: -len(each))
        pieces = ((store.path, each, refits) for each in largest_first)
        tables = list(in_turn(_rated_apart, pieces))
    return assemble(plan.name, plan.seed_given, plan.confinement, plan.bots, tables, refits)


def lines_of(store: Store) -> Iterator[bytes]:
    """Yield the records of the stored games that the stored plan names: by pool, then id."""
    for pool, own in sorted(schedules(plan_in(store)).items()):
        yield from store.lines(pool, own.holds)


def comparisons(store: Store, games: Schedule) -> list[stages.Comparison]:
    """Return what the look says that a pool has come to which is to be settled."""
    from arena.tables.standings import rated

    return stages.compared(games.entry, rated(_played(store, games)).ratings)


def _played(store: Store, own: Schedule) -> "Played":
    from arena.tables.standings import Played

    pool, bots = own.entry.pool, own.entry.bots
    unplayed = sum(own.line_ups.number(each) is not None for each in store.unplayed(pool))
    games = store.outcomes(pool, own.holds)
    return Played(pool, tuple(bot.name for bot in bots), own.entry.duplicate, unplayed, games)


def _rated_apart(piece: tuple[Path, Schedule, int]) -> "PoolTable":
    """Return the table of a pool, in a process of its own."""
    path, games, refits = piece
    with closing(Store.open(path)) as store:
        return _rated(store, games, refits)


def _rated(store: Store, games: Schedule, refits: int) -> "PoolTable":
    from arena.tables.standings import rated

    table = rated(_played(store, games), refits)
    test = stages.told(games.entry, table.ratings) if games.entry.settle else None
    return table._replace(document=table.document | {"settle": test})
