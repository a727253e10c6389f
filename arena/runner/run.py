"""One run: what is missing of a plan is played by a crew, and stored as it is finished.

Pools that are to be settled go from look to look (`arena.schedule.stages`); the store is told how
far they have come before they go on.
"""

import json
from array import array
from collections.abc import Mapping, Sequence
from itertools import combinations, compress
from math import ceil
from operator import not_

from arena.league.snapshots import snapshots
from arena.model import Entry, Played, Pool, StoredPlan, Tally
from arena.plan.plan import Plan
from arena.runner.progress import Progress
from arena.runner.workers import Crew
from arena.schedule import stages
from arena.schedule.order import Schedule, schedule_for, schedules
from arena.schedule.sessions import GAMES_PER_SESSION, Games, sessions_of
from arena.session.session import Job
from arena.store.plans import keep_plan
from arena.store.store import Store
from arena.system.signals import in_order
from arena.tables.from_store import comparisons
from arena.tables.publish import versions
from arena.tables.settling import is_settled

GAMES_TO_SHARE = 100  # a session: with fewer, starting its bots costs more than sharing gains


def missing(games: Schedule, store: Store | None) -> Sequence[int]:
    """Return the numbers of the games that are neither stored nor impossible, ascending."""
    if store is None or not store.knows(games.entry.pool):
        return range(len(games))
    done = bytearray(len(games))
    for game in store.played(games.entry.pool):
        number = games.number(*game)
        if number is not None:
            done[number] = True
    for line_up in store.unplayed(games.entry.pool):
        own = games.line_ups.number(line_up)
        for numbers in games.of_line_up(own) if own is not None else ():
            done[numbers.start : numbers.stop] = b"\1" * len(numbers)
    kind = "I" if len(games) <= 1 << 32 else "Q"
    return array(kind, compress(range(len(games)), map(not_, done)))


def play_missing(
    plan: Plan, stored: StoredPlan, store: Store, secret: bytes, progress: Progress
) -> tuple[int, int, bool]:
    """Play and store all games that are missing, of pools that are to be settled stage by stage;
    keep in the store how far they come. Return how many were played and how many are left of the
    stage, and whether it was stopped.
    """
    settled = set[Entry]()
    stored = _as_far_as_played(stored, store, settled)
    keep_plan(store, stored)
    planned = schedules(stored)
    lacking = {pool: missing(games, store) for pool, games in planned.items()}
    left = sum(map(len, lacking.values()))
    if not left:
        return 0, 0, False
    taken = _Taken(plan, store, progress)
    in_stages = any(entry != stages.at_most(entry) for entry in stored.entries)
    workers = plan.workers
    if not in_stages:
        workers = min(workers, len(cut(planned, lacking, workers)))
    crew = Crew(workers, plan.confined)
    try:
        with snapshots(plan.sources, plan.bots) as paths, in_order(crew.stop), crew:
            unloaded = crew.unloadable(paths, plan.limits)
            while not crew.stopping:
                for pool, games in planned.items():
                    if _keep_unplayed(store, games, lacking[pool], unloaded):
                        lacking[pool] = missing(games, store)
                jobs = [
                    Job(pool, plan.limits, planned[pool].entry.duplicate, session, secret, paths,
                        unloaded)
                    for pool, session in cut(planned, lacking, workers)
                ]  # fmt: skip
                lacking.clear()
                jobs.sort(key=lambda job: -len(job.fixtures) * job.pool.players)  # longest first
                left, before = sum(len(job.fixtures) for job in jobs), taken.played
                progress.start(left, workers)
                crew.play(jobs, taken.games, taken.session)
                left -= taken.played - before
                further = stored if crew.stopping else _as_far_as_played(stored, store, settled)
                if further == stored:
                    break
                stored = further
                keep_plan(store, stored)
                planned = schedules(stored)
                lacking = {pool: missing(games, store) for pool, games in planned.items()}
    finally:
        progress.stop()
    return taken.played, left, crew.stopping


def _as_far_as_played(stored: StoredPlan, store: Store, settled: set[Entry]) -> StoredPlan:
    """Return the plan with each pool that is to be settled at the first look that lacks games, or
    settles it, or is the last. Those that are settled are noted in `settled`.
    """
    return stored._replace(
        entries=tuple(_first_open_look(stored, entry, store, settled) for entry in stored.entries)
    )


def _first_open_look(
    stored: StoredPlan, entry: Entry, store: Store, settled: set[Entry]
) -> Entry:  # fmt: skip
    while entry != stages.at_most(entry) and entry not in settled:
        games = schedule_for(stored, entry)
        if len(missing(games, store)):
            break
        if is_settled(comparisons(store, games)):
            settled.add(entry)
        else:
            entry = stages.at_look(entry, stages.look_of(entry) + 1)
    return entry


def cut(
    planned: Mapping[Pool, Schedule], left: Mapping[Pool, Sequence[int]], workers: int
) -> list[tuple[Pool, Games]]:
    """Return the sessions of all games that are left, with their pools: with enough games, as many
    as there are workers, so that few games of bots that think long keep all of them busy.
    """
    share = ceil(sum(map(len, left.values())) / workers)
    most = min(GAMES_PER_SESSION, max(GAMES_TO_SHARE, share))
    return [
        (pool, session)
        for pool, games in planned.items()
        for session in sessions_of(games, left[pool], most)
    ]


def _keep_unplayed(
    store: Store, games: Schedule, left: Sequence[int], unloaded: Mapping[str, str]
) -> bool:
    """Note line-ups that are left, and have no bot that loads, as unplayed; return whether any
    are.
    """
    broken = [bot for bot in sorted(games.entry.bots) if bot.name in unloaded]
    numbers = map(games.line_ups.number, combinations(broken, games.entry.pool.entrants))
    nobody = {number for number in numbers if number is not None}
    nobody &= {games.line_up_of(number) for number in left} if nobody else set()
    if nobody:
        line_ups = [games.line_ups[number] for number in sorted(nobody)]
        store.keep_unplayed(games.entry.pool, line_ups)
    return bool(nobody)


class _Taken:
    """Takes what the crew has played into the store."""

    def __init__(self, plan: Plan, store: Store, progress: Progress) -> None:
        self.played = 0
        self._store, self._progress = store, progress
        self._bots = {bot.name: bot for bot in plan.bots}
        self._versions = json.dumps(versions())

    def games(self, job: Job, finished: list[Played]) -> None:
        """Store finished games, and show that they are."""
        self._store.add(job.pool, finished)
        self.played += len(finished)
        self._progress.played(finished)

    def session(self, job: Job, tallies: list[Tally]) -> None:
        """Store what a finished session's bots used."""
        for tally in tallies:
            self._store.add_tally(job.pool, self._bots[tally.bot], self._versions, tally)
