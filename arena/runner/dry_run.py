"""What a tournament would come to, for --dry-run: counts, and a time from games played for it.

And what it would come to with more bots (`arena.runner.growth`), from the same games.
"""

import os
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from typing import NamedTuple

from arena.league.remedies import as_author_has_it, remedy
from arena.league.snapshots import sweep
from arena.model import Pool, Reason, file_of
from arena.plan.changes import changes
from arena.plan.plan import Plan
from arena.progress import SILENT, Progress
from arena.runner import estimate, growth
from arena.runner.estimate import Cost, Sample
from arena.runner.executor import Executor
from arena.runner.executor_of import executor_of
from arena.runner.growth import Measured, Size
from arena.runner.loads import unloadable
from arena.runner.reveal import hold_ended
from arena.runner.run import Stage, cut, longest_first, sessions_in
from arena.runner.secret import kept_secret
from arena.runner.trials import CUT, Trials
from arena.runner.weight import Weight, weighed
from arena.schedule import choices, stages
from arena.schedule.growth import grown
from arena.schedule.order import Schedule, schedules
from arena.schedule.sessions import games_of_session
from arena.session.session import Job
from arena.store import opening
from arena.store.chunk import Chunk
from arena.store.plans import choices_in, missing, plan_in, was_planned
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system.signals import Stopped, in_order

FEW, SOME, ALL_BEGUN = 4, 16, 64
"""Games that each worker plays of a pool in a first sample; in a second, where bots are slow; and
so many that all of some ten bots have begun: what more games take is theirs alone."""
ENOUGH_S = 0.15  # between such two: more than a clock errs
MOST_S = 4.0  # no sample is played that would take longer


class Estimate(NamedTuple):
    """What a pool comes to, for --dry-run."""

    pool: Pool
    bots: int
    line_ups: int
    seatings: int
    games: int
    played: int  # of these, stored already
    seconds: float  # of one worker, for those that are missing


class DryRun(NamedTuple):
    """What a tournament would come to."""

    news: list[str]  # what has changed since the last run
    pools: list[Estimate]
    seconds: float  # by the clock, from its start to its tables
    sizes: list[Size]  # as planned, and with more bots; none where a pool lacks no games


def dry_run(
    plan: Plan, fresh: bool, say: Callable[[str], None], steps: Progress = SILENT
) -> DryRun:
    """Return what has changed since the last run (not asked if all is to be played anew, `fresh`),
    and what playing would come to. Raises what playing would.

    Nothing is played into the store. `say` is told of broken bots.
    """
    if not fresh:
        opening.check_place(plan.folder)
    elif plan.folder.exists():
        opening.check(plan.folder)
    sweep()
    for line in plan.left_out:
        say(line)
    there = (plan.folder / FILE).exists() and not fresh
    with closing(Store.open(plan.folder)) if there else nullcontext() as store:
        if store:
            kept_secret(store, plan)
            hold_ended(store, plan)
        entries, _ = choices.made(plan.wanted, choices_in(store))
        most = tuple(stages.at_most(entry) for entry in entries)
        stored = plan.stored(most)
        before = plan_in(store) if store and was_planned(store) else stored
        planned = schedules(stored)
        stage = Stage(planned, {pool: missing(store, games) for pool, games in planned.items()})
        costs, weights, start_s = _measured(plan, store, stage, say, steps)
    took, play_s = _taken(plan, stage, costs)
    games = sum(map(len, planned.values()))
    measured = [
        Measured(entry, asked.line_ups, costs[entry.pool], weights[entry.pool])
        for entry, asked in zip(most, plan.wanted, strict=True)
        if entry.pool in weights
    ]
    whole = len(measured) == len(most)
    return DryRun(
        changes(before, stored),
        [_estimate(own, len(stage.missing[pool]), took[pool]) for pool, own in planned.items()],
        (start_s + play_s if stage.left else 0.0) + estimate.TABLES_S * games,
        growth.sizes(measured, plan.workers, os.cpu_count() or 1) if whole else [],
    )


def _taken(plan: Plan, stage: Stage, costs: dict[Pool, Cost]) -> tuple[dict[Pool, float], float]:
    """Return the seconds of one worker that each pool takes, and those until the last one ends."""
    took = dict.fromkeys(stage.planned, 0.0)
    if stage.left <= CUT:
        jobs = longest_first(cut(stage.planned, stage.missing, plan.workers))
        each = [costs[pool].of(len(games)) for pool, games in jobs]
        for (pool, _), seconds in zip(jobs, each, strict=True):
            took[pool] += seconds
        return took, estimate.makespan(each, plan.workers)
    most = games_of_session(stage.left, plan.workers)
    for pool, cost in costs.items():
        own = stage.planned[pool]
        field = grown(own.entry, len(own.entry.bots), len(own.line_ups), most)
        whole_s = field.sessions * cost.of(field.games / field.sessions)
        took[pool] = whole_s * len(stage.missing[pool]) / field.games
    return took, sum(took.values()) / plan.workers


def _estimate(own: Schedule, left: int, seconds: float) -> Estimate:
    entry = own.entry
    line_ups, ways = len(own.line_ups), len(own.ways)
    played = len(own) - left
    return Estimate(entry.pool, len(entry.bots), line_ups, ways, len(own), played, seconds)


def _measured(
    plan: Plan, store: Store | None, stage: Stage, say: Callable[[str], None], steps: Progress
) -> tuple[dict[Pool, Cost], dict[Pool, Weight], float]:
    """Return what sessions cost, and what games take in a store, of each pool that lacks games, and
    the seconds until play begins.

    Raises Stopped if the user wants it to end before.
    """
    began_s = time.monotonic()
    steps.begin("starting workers")
    sessions = sessions_in(plan, stage) if stage.left <= CUT else plan.workers
    crew = executor_of(plan, sessions, say)
    with in_order(crew.stop), crew:
        unloaded = unloadable(plan, store, crew, steps, keeps=False)
        start_s = time.monotonic() - began_s
        for name, why in unloaded.items():
            say(f"{name}: cannot be loaded, all its games will be forfeit:")
            file = file_of(name, name in plan.folders)
            for line in as_author_has_it(file, why).strip().splitlines():  # a bot's words
                say(f"    {line}")
            told = remedy(Reason("load", why), file, plan.beside)
            if told:
                say(f"    remedy: {told}")
        secret, costs = secrets.token_bytes(16), dict[Pool, Cost]()
        games = dict[Pool, list[Chunk]]()
        lacking = {pool: left for pool, left in stage.missing.items() if len(left)}
        steps.begin("playing a few games of each pool", len(lacking))
        for pool, left in lacking.items():
            own = stage.planned[pool]
            kept, trials = games.setdefault(pool, []), Trials(own, left, crew.size)

            def played(
                size: int,
                own: Schedule = own,
                trials: Trials = trials,
                kept: list[Chunk] = kept,
            ) -> Sample:
                jobs = [
                    Job(own.entry.pool, plan.limits, own.entry.duplicate, some, secret,
                        unloaded)
                    for some in trials.of(size)
                ]  # fmt: skip
                return _timed(crew, jobs, kept)

            if not costs:
                played(1)  # not counted: a worker's first session loads what the others have
            costs[pool] = Cost(_samples(played, len(left), crew.size))
            steps.done()
    if crew.stopping:
        raise Stopped
    weights = {pool: weighed(kept, pool.entrants) for pool, kept in games.items()}
    return costs, weights, start_s


def _samples(played: Callable[[int], Sample], games: int, workers: int) -> list[Sample]:
    """Return samples of rising size: until two tell enough, or more would take too long, or there
    are no more games.
    """
    samples, size, before_s = [played(FEW)], FEW, 0.0
    while size * workers < games:
        cost, wanted = Cost(samples), [2 * size] if size >= ALL_BEGUN else [ALL_BEGUN, SOME]
        affordable = [each for each in wanted if each > size and cost.of(each) <= MOST_S]
        if not affordable:
            break
        samples.append(played(affordable[0]))
        seconds = samples[-1].seconds / samples[-1].sessions
        if size >= ALL_BEGUN and seconds - before_s > ENOUGH_S:
            break
        size, before_s = affordable[0], seconds
    return samples


def _timed(crew: Executor, jobs: Sequence[Job], kept: list[Chunk]) -> Sample:
    """Play sessions and return how long they took. Their games are `kept` to be weighed: what is
    played here is in no table. Raises Stopped if that was asked for: a sample is not worth the
    choosing then, which takes seconds of a large pool.
    """
    began_s, ended_s = time.monotonic(), list[float]()
    for finished in crew.play(jobs):
        kept += finished.games
        if finished.tallies is not None:
            ended_s.append(time.monotonic() - began_s)
    if crew.stopping:
        raise Stopped
    games = sum(len(job.fixtures) for job in jobs)
    # The last to end are the workers' last ones: until then each was at work.
    return Sample(len(jobs), games, sum(ended_s[-crew.size :]))
