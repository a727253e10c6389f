"""What a results file says of itself: its plan, its standings, its records, its games' names."""

import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

import games
from arena import schedule, seeds
from arena.changes import changes
from arena.errors import ArenaError, UsageError
from arena.model import Entry, Fixture, Limits, Outcome, StoredPlan
from arena.parallel import in_turn
from arena.rows import Row
from arena.seatings import seatings
from arena.standings import PoolTable, assemble, rated
from arena.store import Store

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


def identity_of(entry: Entry, limits: Limits, confinement: str) -> seeds.Identity:
    """Return what makes a pool's games what they are, beside line-up, seating and deal."""
    version = games.load(entry.pool.game).VERSION
    return seeds.Identity(entry.pool, version, limits, confinement, entry.duplicate)


def fixtures_of(plan: StoredPlan, entry: Entry) -> Iterator[Fixture]:
    """Yield all games of one of the plan's entries, in the canonical order."""
    return schedule.fixtures(entry, identity_of(entry, plan.limits, plan.confinement))


def entry_of(plan: StoredPlan, row: Row) -> Entry | None:
    """Return the plan's entry that a sound game is of; None if it is in none of its tables."""
    seating = tuple(json.loads(row.seating))
    for entry in plan.entries:
        known = set(row.line_up) <= set(entry.bots) and row.deal < entry.deals
        if entry.pool == row.pool and known and seating in _seatings(entry):
            identity = identity_of(entry, plan.limits, plan.confinement)
            if seeds.game_id(identity, row.line_up, seating, row.deal) == row.id:
                return entry
    return None


@lru_cache(64)
def _seatings(entry: Entry) -> frozenset[tuple[int, ...]]:
    return frozenset(seatings(entry.pool, entry.seatings))


def document_of(store: Store) -> dict[str, Any]:
    """Return the standings of the stored games that the stored plan names."""
    plan = plan_in(store)
    pools = []
    for entry in plan.entries:
        outcomes = list(store.outcomes(entry.pool, _ids(plan, entry)))
        unplayed = store.unplayed(entry.pool) & set(schedule.line_ups(entry))
        pools.append((entry.pool, [bot.name for bot in entry.bots], outcomes, len(unplayed)))
    return assemble(plan.name, plan.seed_given, plan.confinement, plan.bots, _rated(pools))


def lines_of(store: Store) -> Iterator[bytes]:
    """Yield the records of the stored games that the stored plan names: by pool, then id."""
    plan = plan_in(store)
    for entry in sorted(plan.entries):
        yield from store.lines(entry.pool, _ids(plan, entry))


def counted(store: Store, entry: Entry) -> Iterator[tuple[Outcome, int]]:
    """Yield (outcome, deal) of each game of an entry that the tables count, in order of id."""
    deals = {fixture.id: fixture.deal for fixture in fixtures_of(plan_in(store), entry)}
    for outcome in store.outcomes(entry.pool, set(deals)):
        yield outcome, deals[outcome.id]


def _ids(plan: StoredPlan, entry: Entry) -> set[str]:
    return {fixture.id for fixture in fixtures_of(plan, entry)}


def _rated(pools: Sequence[tuple[Any, ...]]) -> list[PoolTable]:
    """Return the pools' tables; pools of many games are rated side by side."""
    if sum(len(outcomes) for _, _, outcomes, _ in pools) < RATE_APART or (os.cpu_count() or 1) < 2:
        return [rated(*pool) for pool in pools]
    largest_first = sorted(pools, key=lambda pool: -len(pool[2]))
    return list(in_turn(_rated_alone, largest_first))


def _rated_alone(pool: tuple[Any, ...]) -> PoolTable:
    return rated(*pool)
