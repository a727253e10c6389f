"""One run: plays what is missing of a plan, and stores games as they finish.

Pools that are to be settled go from look to look (`arena.sequential.stages`); the store notes how
far they have come before they go on.
"""

import gc
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from arena.model import Entry, Pool, Reason, StoredPlan
from arena.plan.plan import Plan
from arena.progress import SILENT, Alike, Look, Progress
from arena.runner.executor import Executor, Finished, Hire
from arena.runner.loads import find_broken, find_unloadable
from arena.schedule.order import Schedule, make_schedule, make_schedules
from arena.schedule.sessions import Games, choose_session_size, cut_sessions
from arena.sequential.stages import find_look, limit_to_look, may_go_on, take_all_deals
from arena.session.session import Job
from arena.store.history import drop_weeks
from arena.store.loads import Owed, drop_owed, find_owed, has_lost_any
from arena.store.plans import count_missing, find_missing, keep_plan
from arena.store.public import is_revealed
from arena.store.store import Store
from arena.store.usage import keep_usage
from arena.system.machine import result_versions
from arena.system.signals import stop_in_order
from arena.tables.results import load_makers, look_at_pool
from arena.words import amount

GAMES_PER_WORKER = 8  # at least: to start one takes 0.15 s of CPU time, 8 games some 5 ms
GARBAGE = 100_000  # objects, as in a worker: each session makes many, and few in circles

Looked = Callable[[Look], object]
"""Takes what a look at a pool's table said."""

Enough = Callable[[], bool]
"""True to end play at the next look that settles nothing."""


def never() -> bool:
    """Play until all is settled."""
    return False


class Collector:
    """Takes finished games into the store, and shows them."""

    def __init__(self, plan: Plan, store: Store, progress: Progress) -> None:
        self.played, self.by_others = 0, False  # whether other machines played any
        self._store, self._progress = store, progress
        self._bots = {bot.name: bot for bot in plan.bots}
        self._versions = result_versions()

    def take(self, finished: Finished) -> None:
        """Store finished games, with what their bots used if their session is over, and show that
        they are. All at once: each write to the store waits for the disk.
        """
        job = finished.job
        self.by_others |= bool(finished.host)
        if not job.fixtures:
            return  # what was left of a session whose worker was lost after its last game
        with self._store.writing():
            for games in finished.games:
                self._store.add(job.pool, games, finished.host)
            if finished.tallies is not None:
                keep_usage(self._store, job.pool, self._bots, finished.tallies, self._versions)
        for games in finished.games:
            self.played += len(games.ids)
            self._progress.played(len(games.ids), games.alike())


class Stage(NamedTuple):
    """All games up to the look that each pool has come to, and which of them are missing."""

    planned: dict[Pool, Schedule]
    missing: dict[Pool, Sequence[int]]  # numbers in the pool's schedule, ascending

    @property
    def left(self) -> int:
        return sum(map(len, self.missing.values()))


def find_stage(plan: StoredPlan, store: Store | None) -> Stage:
    """The games of a plan, as far as it has come, and which of them the store lacks."""
    planned = make_schedules(plan)
    return Stage(planned, {pool: find_missing(store, games) for pool, games in planned.items()})


def play_missing(
    plan: Plan,
    stored: StoredPlan,
    store: Store,
    secret: bytes,
    progress: Progress,
    hire: Hire,
    enough: Enough = never,
    week_plans: Sequence[StoredPlan] = (),
    replaced: Sequence[int] = (),
) -> tuple[int, int, bool]:
    """Play and store all games that are missing, stage by stage. Returns how many were played, how
    many are left of the stage it came to, and whether it was stopped before all was played.

    Games that bots forfeited by not loading are played again once they load, unless a look that was
    passed counted them, or the plan of a week that is kept. Weeks that are `replaced`, by
    number, are dropped first.
    """
    progress.begin("looking for missing games")
    further = stages_left(stored, store, progress, enough)
    first = next(further, None)
    doubtful, owed = set[str](), list[Owed]()
    if not is_revealed(store):
        broken, doubtful = find_broken(plan, store)
        owed = [
            forfeit
            for forfeit in _find_owed(stored, store, week_plans)
            if forfeit.bot in doubtful or not (forfeit.counted or forfeit.bot in broken)
        ]
    if first is None and not doubtful and not owed:
        return 0, 0, False
    progress.begin("starting workers")
    collector = Collector(plan, store, progress)
    most = -(-len(owed) // GAMES_PER_WORKER)
    # a further stage lacks an unknown number of games
    if may_go_on(stored.entries):
        most = plan.workers
    elif first is not None:
        most += min(len(cut(first, plan.workers)), -(-first.left // GAMES_PER_WORKER))
    crew, left = hire(plan, most, progress.say), 0
    try:
        with stop_in_order(crew.stop), crew:
            load_makers()  # while the workers start
            unloaded = find_unloadable(plan, store, crew, progress)
            mended = [forfeit for forfeit in owed if forfeit.bot not in unloaded]
            if mended and not crew.stopping and _play_again(mended, store, replaced, progress):
                further = stages_left(stored, store, progress, enough)
                first = next(further, None)
            if first is not None:
                left = first.left
                progress.before(_stored_outcomes(store, first))
            for stage in chain([first] if first is not None else [], further):
                if crew.stopping:
                    break
                playable = _playable(stage, store, unloaded)
                jobs = jobs_of(plan, playable, secret, unloaded, crew.size)
                more = may_go_on(games.entry for games in stage.planned.values())
                left = play_stage(crew, jobs, collector, progress, more) if jobs else 0
                if crew.stopping:  # the next stage would look at a table that lacks games
                    break
    finally:
        progress.stop()
    if not collector.by_others:  # what this machine has just written need not be read again
        store.note_sound()
    return collector.played, left, crew.stopping


def _find_owed(stored: StoredPlan, store: Store, week_plans: Sequence[StoredPlan]) -> list[Owed]:
    """Find forfeits by not loading, and whether plans of weeks, or looks that were passed, counted
    them.
    """
    if not has_lost_any(store):  # as in most runs: what is below goes through plans and tables
        return []
    reached = _limit_to_played(stored, store, set(), SILENT.looked)
    passed = tuple(
        limit_to_look(entry, find_look(entry) - 1)
        for entry in reached.entries
        if entry.test and find_look(entry)
    )
    counted = [*week_plans, reached._replace(entries=passed)]
    return list(find_owed(store, make_schedules(reached), [*map(make_schedules, counted)]))


def _play_again(
    owed: Sequence[Owed], store: Store, replaced: Sequence[int], progress: Progress
) -> bool:
    """Drop forfeits that are not counted, and report both; return True if any was dropped."""
    free = [forfeit for forfeit in owed if not forfeit.counted]
    again = "{} are played after all: {} did not load before"
    stay = (
        "{} stay forfeited, because tables that are kept counted them: {} did not load then; "
        "--fresh plays all games again"
    )
    for some, words in ((free, again), ([forfeit for forfeit in owed if forfeit.counted], stay)):
        if games := {forfeit.game for forfeit in some} - {""}:
            bots = ", ".join(sorted({forfeit.bot for forfeit in some if forfeit.game}))
            progress.say(words.format(amount(len(games), "game"), bots))
    if free:
        drop_weeks(store, replaced)
        drop_owed(store, free)
    return bool(free)


def _stored_outcomes(store: Store, stage: Stage) -> Iterator[Alike]:
    for pool, games in stage.planned.items():
        if store.knows(pool):
            for outcome, _ in store.outcomes(pool, games.holds):
                yield Alike(outcome.bots, outcome.ranks, 1)


def stages_left(
    plan: StoredPlan, store: Store, progress: Progress, enough: Enough = never
) -> Iterator[Stage]:
    """The games that are missing, stage by stage: the next is made once the one before was played.

    The store first notes how far the plan has come. One stage is played in any case.
    """
    settled = set[Entry]()
    before = None

    def is_over() -> bool:
        return before is not None and enough()

    while (reached := _limit_to_played(plan, store, settled, progress.looked, is_over)) != before:
        keep_plan(store, reached)
        stage = find_stage(reached, store)
        if before is None and not stage.left:
            return
        yield stage
        before = plan = reached


def next_missing(plan: StoredPlan, store: Store) -> int:
    """The number of games missing of the stage that play has come to: 0 if it is over. The store
    notes nothing.
    """
    reached = _limit_to_played(plan, store, set(), SILENT.looked)
    return count_missing(store, make_schedules(reached).values())


def play_stage(
    crew: Executor, jobs: Sequence[Job], collector: Collector, progress: Progress, more: bool
) -> int:
    """Play the jobs, or until the crew is stopped; return how many of their games are left then.
    There are `more` if another stage may follow.
    """
    games, before = sum(len(job.fixtures) for job in jobs), collector.played
    progress.start(games, crew.size, more)
    thresholds = gc.get_threshold()
    gc.freeze()  # jobs and bots stay to the end: no need to go through them again and again
    gc.set_threshold(GARBAGE)
    try:
        for finished in crew.play(jobs, progress):
            collector.take(finished)
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
    left = games - (collector.played - before)
    assert not left or crew.stopping, f"{left} games were handed out and never returned"
    return left


def jobs_of(
    plan: Plan, stage: Stage, secret: bytes, unloaded: dict[str, Reason], workers: int
) -> list[Job]:
    """The stage's sessions, in the order they are played in."""
    shared = {pool: games.entry.shared_decks for pool, games in stage.planned.items()}
    return [
        Job(pool, plan.limits, shared[pool], session, secret, unloaded)
        for pool, session in cut(stage, workers)
    ]


def cut(stage: Stage, workers: int) -> list[tuple[Pool, Games]]:
    """Cut all games that are missing into sessions, with their pools, those with the most seats
    first: with enough games, as many as there are workers or a multiple of that, so that all
    workers are busy to the end.
    """
    sessions = [
        (pool, session)
        for pool, games in stage.planned.items()
        for session in cut_sessions(
            games,
            stage.missing[pool],
            choose_session_size(stage.left, workers, len(games.entry.bots)),
        )
    ]
    return sorted(sessions, key=lambda session: -len(session[1]) * session[0].players)


def _limit_to_played(
    plan: StoredPlan, store: Store, settled: set[Entry], looked: Looked, enough: Enough = never
) -> StoredPlan:
    """The plan with each pool that is to be settled at the first look that lacks games, or settles
    it, or is the last, or ended by `enough`. Those that are settled are noted in `settled`;
    `looked` receives each look.
    """
    entries = []
    for entry in plan.entries:
        while entry != take_all_deals(entry) and entry not in settled:
            games = make_schedule(plan, entry)
            if count_missing(store, [games]):
                break
            look = look_at_pool(store, games)
            looked(look)
            if look.words:
                if enough():
                    break
                entry = limit_to_look(entry, find_look(entry) + 1)
            else:
                settled.add(entry)
        entries.append(entry)
    return plan._replace(entries=tuple(entries))


def _playable(stage: Stage, store: Store, unloaded: Collection[str]) -> Stage:
    """The stage without the line-ups that have no bot that loads: the store notes them as
    unplayed.
    """
    lacking = dict(stage.missing)
    for pool, games in stage.planned.items():
        broken = [bot for bot in sorted(games.entry.bots) if bot.name in unloaded]
        numbers = map(games.line_ups.number, combinations(broken, pool.entrants))
        unplayed = {number for number in numbers if number is not None}
        unplayed &= {games.line_up_of(number) for number in lacking[pool]} if unplayed else set()
        if unplayed:
            store.keep_unplayed(pool, [games.line_ups[number] for number in sorted(unplayed)])
            left = (number for number in lacking[pool] if games.line_up_of(number) not in unplayed)
            lacking[pool] = array("Q", left)
    return stage._replace(missing=lacking)
