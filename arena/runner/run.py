"""One run: plays what is missing of a plan, and stores games as they finish.

Pools that are to be settled go from look to look (`arena.schedule.stages`); the store notes how far
they have come before they go on.
"""

import gc
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from arena.model import Entry, Pool, Reason, StoredPlan
from arena.plan import Plan
from arena.progress import Alike, Progress
from arena.runner.collector import Collector
from arena.runner.executor import Executor, Hire
from arena.runner.loads import find_unloadable
from arena.schedule import stages
from arena.schedule.order import Schedule, make_schedule, make_schedules
from arena.schedule.sessions import Games, choose_session_size, cut_sessions
from arena.session import Job
from arena.store.plans import find_missing, keep_plan
from arena.store.store import Store
from arena.system import stop_in_order
from arena.tables import results
from arena.tables.results import comparisons
from arena.tables.settling import is_settled, look_in_words

GARBAGE = 100_000  # objects, as in a worker: each session makes many, and few in circles

Looked = Callable[[str, str], object]
"""Takes what a look at a pool's table said: the pool's title, and words."""


class Run(NamedTuple):
    """How a run ended."""

    played: int  # games
    left: int  # games of the stage it came to
    stopped: bool  # before all was played


class Stage(NamedTuple):
    """All games up to the look that each pool has come to, and which of them are missing."""

    planned: dict[Pool, Schedule]
    missing: dict[Pool, Sequence[int]]  # numbers in the pool's schedule, ascending

    @property
    def left(self) -> int:
        """The number of missing games."""
        return sum(map(len, self.missing.values()))


def play_missing(
    plan: Plan, stored: StoredPlan, store: Store, secret: bytes, progress: Progress, hire: Hire
) -> Run:
    """Play and store all games that are missing, stage by stage."""
    progress.begin("looking for missing games")
    further = stages_left(stored, store, progress)
    first = next(further, None)
    if first is None:
        return Run(0, 0, False)
    left = first.left
    progress.begin("starting workers")
    collector = Collector(plan, store, progress)
    most = plan.workers if _goes_further(stored) else sessions_in(plan, first)
    crew = hire(plan, most, progress.say)
    try:
        with stop_in_order(crew.stop), crew:
            results.load_makers()  # this, and the next line, while the workers start
            progress.before(_stored(store, first))
            unloaded = find_unloadable(plan, store, crew, progress)
            for stage in chain([first], further):
                if crew.stopping:
                    break
                playable = _playable(stage, store, unloaded)
                jobs = jobs_of(plan, playable, secret, unloaded, crew.size)
                left = play_stage(crew, jobs, collector, progress)
                if crew.stopping:  # the next stage would look at a table that lacks games
                    break
    finally:
        progress.stop()
    return Run(collector.played, left, crew.stopping)


def _stored(store: Store, stage: Stage) -> Iterator[Alike]:
    for pool, games in stage.planned.items():
        if store.knows(pool):
            for outcome, _ in store.outcomes(pool, games.holds):
                yield Alike(outcome.bots, outcome.ranks, 1)


def stages_left(plan: StoredPlan, store: Store, progress: Progress) -> Iterator[Stage]:
    """The games that are missing, stage by stage: the next is made once the one before was played.

    The store first notes how far the plan has come.
    """
    settled = set[Entry]()
    before = None
    while (reached := _as_far_as_played(plan, store, settled, progress.looked)) != before:
        keep_plan(store, reached)
        stage = _stage_of(reached, store)
        if before is None and not stage.left:
            return
        yield stage
        before = plan = reached


def _stage_of(plan: StoredPlan, store: Store) -> Stage:
    """The games of a plan, as far as it has come, and which of them are missing."""
    planned = make_schedules(plan)
    return Stage(planned, {pool: find_missing(store, games) for pool, games in planned.items()})


def _untold(pool: str, words: str) -> None:
    """Ignore a look."""


def next_missing(plan: StoredPlan, store: Store) -> int:
    """The number of games missing of the stage that play has come to: 0 if it is over. The store
    notes nothing.
    """
    planned = make_schedules(_as_far_as_played(plan, store, set(), _untold))
    return sum(len(find_missing(store, games)) for games in planned.values())


def play_stage(
    crew: Executor, jobs: Sequence[Job], collector: Collector, progress: Progress
) -> int:
    """Play the jobs, or until the crew is stopped; return how many of their games are left then."""
    games, before = sum(len(job.fixtures) for job in jobs), collector.played
    progress.start(games, crew.size)
    thresholds = gc.get_threshold()
    gc.freeze()  # jobs and bots stay to the end: no need to go through them again and again
    gc.set_threshold(GARBAGE)
    try:
        for finished in crew.play(jobs, progress):
            stored = collector.played
            collector.take(finished)
            if finished.withdrawn:
                progress.start(stored - collector.played, crew.size)
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
    left = games - (collector.played - before)
    assert not left or crew.stopping, f"{left} games were given to be played, and never came back"
    return left


def _goes_further(stored: StoredPlan) -> bool:
    """Whether there may be a further stage, which lacks an unknown number of games."""
    return any(entry != stages.at_most(entry) for entry in stored.entries)


def sessions_in(plan: Plan, stage: Stage) -> int:
    """The number of sessions that a stage has for the plan's workers."""
    return len(cut(stage.planned, stage.missing, plan.workers))


def _playable(stage: Stage, store: Store, unloaded: Collection[str]) -> Stage:
    """The stage without the games that cannot be played, which are noted in the store."""
    lacking = dict(stage.missing)
    for pool, games in stage.planned.items():
        if unplayed := _keep_unplayed(store, games, lacking[pool], unloaded):
            left = (number for number in lacking[pool] if games.line_up_of(number) not in unplayed)
            lacking[pool] = array("Q", left)
    return stage._replace(missing=lacking)


def jobs_of(
    plan: Plan,
    stage: Stage,
    secret: bytes,
    unloaded: dict[str, Reason],
    workers: int,
) -> list[Job]:
    """The stage's sessions, the longest first."""
    return [
        Job(
            pool,
            plan.limits,
            games.entry.duplicate,
            session,
            secret,
            unloaded,
        )
        for pool, session in longest_first(cut(stage.planned, stage.missing, workers))
        for games in [stage.planned[pool]]
    ]


def longest_first(sessions: Iterable[tuple[Pool, Games]]) -> list[tuple[Pool, Games]]:
    """Sort sessions into the order they are played in: those with the most seats first."""
    return sorted(sessions, key=lambda each: -len(each[1]) * each[0].players)


def _as_far_as_played(
    plan: StoredPlan, store: Store, settled: set[Entry], looked: Looked
) -> StoredPlan:
    """The plan with each pool that is to be settled at the first look that lacks games, or settles
    it, or is the last. Those that are settled are noted in `settled`; `looked` receives each look.
    """
    return plan._replace(
        entries=tuple(
            _first_open_look(plan, entry, store, settled, looked) for entry in plan.entries
        )
    )


def _first_open_look(
    plan: StoredPlan, entry: Entry, store: Store, settled: set[Entry], looked: Looked
) -> Entry:
    while entry != stages.at_most(entry) and entry not in settled:
        games = make_schedule(plan, entry)
        if len(find_missing(store, games)):
            break
        compared = comparisons(store, games)
        looked(entry.pool.title, look_in_words(entry, compared))
        if is_settled(compared):
            settled.add(entry)
        else:
            entry = stages.at_look(entry, stages.look_of(entry) + 1)
    return entry


def cut(
    planned: Mapping[Pool, Schedule], left: Mapping[Pool, Sequence[int]], workers: int
) -> list[tuple[Pool, Games]]:
    """Cut all games that are left into sessions, with their pools: with enough games, as many as
    there are workers or a multiple of that, so that all workers are busy to the end.
    """
    most = choose_session_size(sum(map(len, left.values())), workers)
    return [
        (pool, session)
        for pool, schedule in planned.items()
        for session in cut_sessions(schedule, left[pool], most)
    ]


def _keep_unplayed(
    store: Store, games: Schedule, left: Sequence[int], unloaded: Collection[str]
) -> set[int]:
    """Note line-ups that are left, and have no bot that loads, as unplayed; return their
    numbers.
    """
    broken = [bot for bot in sorted(games.entry.bots) if bot.name in unloaded]
    numbers = map(games.line_ups.number, combinations(broken, games.entry.pool.entrants))
    unplayed = {number for number in numbers if number is not None}
    unplayed &= {games.line_up_of(number) for number in left} if unplayed else set()
    if unplayed:
        line_ups = [games.line_ups[number] for number in sorted(unplayed)]
        store.keep_unplayed(games.entry.pool, line_ups)
    return unplayed
