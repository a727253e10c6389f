"""What a tournament would come to, for --dry-run: counts, and a time from a short calibration."""

import os
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from arena.league.snapshots import snapshots, sweep
from arena.model import Pool
from arena.plan.changes import changes
from arena.plan.plan import Plan
from arena.process.loading import unloadable
from arena.process.zygote_client import ZygoteClient
from arena.runner.secret import kept_secret
from arena.schedule import choices, stages
from arena.schedule.order import Schedule, schedules
from arena.schedule.sessions import sessions_of
from arena.session.session import Job, Session
from arena.store import opening
from arena.store.plans import choices_in, missing, plan_in, seeds_in, was_planned
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system.cores import Group

SAMPLES = (8, 64, 256)  # games of a pool that are played for it: the last that was quick enough
ENOUGH_S = 0.3  # what takes longer tells enough


class Estimate(NamedTuple):
    """What a pool comes to, for --dry-run."""

    pool: Pool
    bots: int
    line_ups: int
    seatings: int
    games: int
    played: int  # of these, stored already
    seconds: float  # of one worker, for those that are missing


def dry_run(
    plan: Plan, fresh: bool, say: Callable[[str], None]
) -> tuple[list[str], list[Estimate]]:
    """Return what has changed since the last run (not asked if all is to be played anew, `fresh`),
    and what playing would come to. Raises what playing would.

    Nothing is played into the store. `say` is told of broken bots.
    """
    if not fresh:
        opening.check_place(plan.folder)
    elif plan.folder.exists():
        opening.check(plan.folder)
    sweep()
    there = (plan.folder / FILE).exists() and not fresh
    store = Store.open(plan.folder) if there else None
    try:
        if store:
            kept_secret(store, plan)
        entries, _ = choices.made(plan.wanted, choices_in(store))
        most = tuple(stages.at_most(entry) for entry in entries)
        stored = plan.stored(most, seeds_in(store))
        alike = Group(os.getpid() if plan.pinned else None)  # to a worker's, or it would be slower
        with snapshots(plan.sources, plan.bots) as paths, alike as group:
            zygote = ZygoteClient(plan.confined)
            try:
                unloaded = unloadable(paths, plan.limits, zygote)
                for name, why in unloaded.items():
                    first, *more = why.strip().splitlines() or [""]
                    say(f"{name}: cannot be loaded, all its games will be forfeit: {first}")
                    for line in more:  # a traceback's, which the bot may have written
                        say(f"    {line}")
                before = plan_in(store) if store and was_planned(store) else stored
                news = changes(before, stored)
                return news, [
                    _estimate(plan, games, store, paths, unloaded, zygote, group)
                    for games in schedules(stored).values()
                ]
            finally:
                zygote.close()
    finally:
        if store:
            store.close()


def _estimate(
    plan: Plan, games: Schedule, store: Store | None, paths: dict[str, str],
    unloaded: dict[str, str], zygote: ZygoteClient, group: Group,
) -> Estimate:  # fmt: skip
    todo = missing(store, games)
    pool, duplicate = games.entry.pool, games.entry.duplicate
    each = 0.0
    for size in SAMPLES:
        sample = todo[:: max(1, len(todo) // size)][:size]
        began = time.monotonic()
        for fixtures in sessions_of(games, sample):
            job = Job(pool, plan.limits, duplicate, fixtures, secrets.token_bytes(16),
                      games.identity.seeds, paths, unloaded)  # fmt: skip
            Session(job, zygote, lambda game: None, lambda: group.look(zygote.pids)).play()
        took = time.monotonic() - began
        each = took / max(1, len(sample))
        if took > ENOUGH_S or len(sample) == len(todo):
            break
    return Estimate(
        pool, len(games.entry.bots), len(games.line_ups), len(games.ways), len(games),
        len(games) - len(todo), each * len(todo),
    )  # fmt: skip
