"""What a tournament comes to before it is played, for --dry-run: what has changed since the last
run, games, time, disk, and which bots its tables will tell apart (`arena.tables.power`).

Time and disk are those of a few games played now (`arena.runner.samples`), by this machine's clock.
"""

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, nullcontext, suppress
from functools import partial
from heapq import heapreplace
from math import ceil, gcd
from typing import Annotated, NamedTuple

from msgspec import Struct

from arena.errors import UsageError
from arena.league import sweep_snapshots
from arena.model import Entry, Limits, Pool, Reason, StoredPlan, file_of
from arena.plan import Plan
from arena.progress import SILENT, Progress
from arena.reasons import in_full
from arena.runner.executor import Executor, Hire
from arena.runner.loads import hire_and_load, hire_here
from arena.runner.run import Stage, cut, find_stage
from arena.runner.samples import MOST_CUT, Cost, Sample, Sampler, take_samples
from arena.runner.tournament import check_may_play, kept_secret
from arena.schedule import (
    LineUps,
    choose_session_size,
    cut_sessions,
    make_choices,
    take_all_deals,
)
from arena.session import Job
from arena.store import (
    FILE,
    Chunk,
    Store,
    check_place,
    hold_folder,
    load_choices,
    load_plan,
    remedy,
    weigh_games,
)
from arena.system import Stopped
from arena.tables import Power, power_of
from arena.typed_json import means

TABLES_S = 60e-6  # a game, for ratings and tables in the end; four cores, two to ten bots a pool


class PoolForecast(Struct, frozen=True):
    """What a pool comes to, as `arena tournament --dry-run --json` prints a list of them."""

    pool: Annotated[str, means("Its title.")]
    bots: int
    line_ups: int
    seatings: int
    games: Annotated[int, means("The most, if play stops once places are settled.")]
    played: Annotated[int, means("Of these, already stored.")]
    sessions: Annotated[int, means("For the games left.")]
    seconds: Annotated[float, means("Time of one worker for the games left.")]
    disk_bytes: Annotated[int, means("Space that they will take in the store.")]
    power: Power

    @property
    def left(self) -> int:
        return self.games - self.played


Forecasts = list[PoolForecast]


class Forecast(NamedTuple):
    """What a tournament comes to."""

    news: list[str]  # what has changed since the last run
    pools: Forecasts
    seconds: float  # by the clock, from its start to its tables
    sampled: int  # games that were played to find out


class _Measured(NamedTuple):
    """What the samples of a pool show."""

    cost: Cost  # of its sessions
    game_bytes: float
    games: int


def forecast(plan: Plan, fresh: bool, steps: Progress = SILENT, hire: Hire = hire_here) -> Forecast:
    """Find out what has changed since the last run (not if all is to be played anew, `fresh`) and
    what playing would come to. Raises what playing would.

    Nothing is played into the store.
    """
    if not fresh:
        check_place(plan.folder)
    elif plan.folder.exists():
        with hold_folder(plan.folder):
            pass  # it is free
    sweep_snapshots()
    steps.say(*plan.left_out)
    there = (plan.folder / FILE).exists() and not fresh
    with closing(Store.open(plan.folder)) if there else nullcontext() as store:
        if store:
            kept_secret(store, plan)
            check_may_play(store, plan)
        entries, _ = make_choices(plan.wanted, load_choices(store))
        stored = plan.stored(tuple(map(take_all_deals, entries)))
        before = stored
        with suppress(UsageError):
            before = load_plan(store) if store else stored
        stage = find_stage(stored, store)
        measured, start_s = _measure(plan, store, stage, steps, hire)
    sessions, seconds, play_s = _work_left(plan, stage, measured)
    pools = []
    for pool, schedule in stage.planned.items():
        left = len(stage.missing[pool])
        a_game = measured[pool].game_bytes if left else 0.0
        pools.append(
            PoolForecast(
                pool.title,
                bots=len(schedule.entry.bots),
                line_ups=len(schedule.line_ups),
                seatings=len(schedule.ways),
                games=len(schedule),
                played=len(schedule) - left,
                sessions=sessions[pool],
                seconds=seconds[pool],
                disk_bytes=round(a_game * left),
                power=power_of(schedule.entry, len(schedule.line_ups)),
            )
        )
    tables_s = TABLES_S * sum(pool.games for pool in pools)
    return Forecast(
        find_changes(before, stored),
        pools,
        tables_s + (start_s + play_s if stage.left else 0.0),
        sum(each.games for each in measured.values()),
    )


def _work_left(
    plan: Plan, stage: Stage, measured: dict[Pool, _Measured]
) -> tuple[dict[Pool, int], dict[Pool, float], float]:
    """The number of sessions that each pool has left, the seconds of one worker that they take, and
    the seconds by the clock until the last of all ends.
    """
    sessions, seconds = dict.fromkeys(stage.planned, 0), dict.fromkeys(stage.planned, 0.0)
    if stage.left <= MOST_CUT:
        jobs = cut(stage, plan.workers)
        each = [measured[pool].cost.of(len(games)) for pool, games in jobs]
        for (pool, _), session_s in zip(jobs, each, strict=True):
            sessions[pool] += 1
            seconds[pool] += session_s
        return sessions, seconds, makespan(each, plan.workers)
    for pool, sample in measured.items():
        schedule, left = stage.planned[pool], stage.missing[pool]
        most = choose_session_size(stage.left, plan.workers, len(schedule.entry.bots))
        step = -(-len(left) // MOST_CUT)
        while gcd(step, len(schedule)) > 1:  # or it passes over the same line-ups in every deal
            step += 1
        size = min(most, len(left) / len(cut_sessions(schedule, left[::step], most)))
        sessions[pool] = ceil(len(left) / size)
        seconds[pool] = sample.cost.of(size) * len(left) / size
    return sessions, seconds, sum(seconds.values()) / plan.workers


def makespan(seconds: Sequence[float], workers: int) -> float:
    """When the last session ends, in s, each being given, in this order, to the first worker that
    is free.
    """
    free = [0.0] * workers
    for each in seconds:
        heapreplace(free, free[0] + each)
    return max(free)


def _measure(
    plan: Plan, store: Store | None, stage: Stage, steps: Progress, hire: Hire
) -> tuple[dict[Pool, _Measured], float]:
    """Play samples of each pool that lacks games; return their costs, and the seconds until play
    began. Raises Stopped if the user wants it to end before.
    """
    began_s = time.monotonic()
    sessions = len(cut(stage, plan.workers)) if stage.left <= MOST_CUT else plan.workers
    with hire_and_load(plan, store, sessions, steps, hire) as (crew, unloaded):
        start_s = time.monotonic() - began_s
        _say_unloaded(plan, unloaded, steps)
        secret, measured = secrets.token_bytes(16), dict[Pool, _Measured]()
        lacking = {pool: left for pool, left in stage.missing.items() if len(left)}
        steps.begin("playing a few games of each pool", len(lacking))
        for pool, left in lacking.items():
            schedule, chunks = stage.planned[pool], list[Chunk]()
            job = Job(pool, plan.limits, schedule.entry.duplicate, (), secret, unloaded)
            play = partial(_play_sample, crew, Sampler(schedule, left, crew.size), job, chunks)
            if not measured:
                play(1)  # not counted: a worker's first session loads what the others have
            cost = Cost(take_samples(play, len(left), crew.size))
            games = sum(len(chunk.ids) for chunk in chunks)
            measured[pool] = _Measured(cost, weigh_games(chunks), games)
            steps.done()
    return measured, start_s


def _say_unloaded(plan: Plan, unloaded: Mapping[str, Reason], steps: Progress) -> None:
    """Say which bots cannot be loaded, why, and what would help."""
    for name, why in unloaded.items():
        steps.say(f"{name}: does not load, so it will forfeit all its games:")
        file = file_of(name, name in plan.folders)
        for line in in_full(why, file).splitlines():  # a bot's words
            steps.say(f"    {line}")
        advice = remedy(why, file, plan.beside)
        if advice:
            steps.say(f"    hint: {advice}")


def _play_sample(
    crew: Executor, sampler: Sampler, job: Job, chunks: list[Chunk], size: int
) -> Sample:
    """Play sessions with about `size` games for each worker and return how long they took. Their
    games are added to `chunks`, to be weighed: games played here are in no table.

    Raises Stopped if that was asked for: the choice of a sample takes seconds in a large pool.
    """
    jobs = [job._replace(fixtures=games) for games in sampler.sessions(size)]
    began_s, ended_s = time.monotonic(), list[float]()
    for finished in crew.play(jobs):
        chunks += finished.games
        if finished.tallies is not None:
            ended_s.append(time.monotonic() - began_s)
    if crew.stopping:
        raise Stopped
    games = sum(len(job.fixtures) for job in jobs)
    # The last to end are the workers' last ones: until then each was at work.
    return Sample(games / len(jobs), sum(ended_s[-crew.size :]) / len(jobs))


STAY = "stay in the store but not in the tables"


def find_changes(before: StoredPlan, now: StoredPlan) -> list[str]:
    """Describe what has changed, a line for each change."""
    return [
        *_of_all_games(before, now),
        *_of_bots(before, now),
        *_of_pools(before, now),
        *_of_anchors(before, now),
        *_of_tables(before, now),
    ]


def _of_all_games(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    pairs = zip(Limits._fields, before.limits, now.limits, strict=True)
    changed = [f"{name} {old} -> {new}" for name, old, new in pairs if old != new]
    if before.confinement != now.confinement:
        changed.append(f"confinement {before.confinement} -> {now.confinement}")
    if changed:
        yield f"changed: {', '.join(changed)}; games under the old ones {STAY}"


def _of_bots(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    old, new = ({bot.name: bot.hash for bot in plan.bots} for plan in (before, now))
    added = sorted(new.keys() - old.keys())
    changed = sorted(name for name in new.keys() & old.keys() if new[name] != old[name])
    gone = sorted(old.keys() - new.keys())
    if added:
        yield f"new bots: {', '.join(added)}"
    if changed:
        yield f"changed bots: {', '.join(changed)}; the old versions' games {STAY}"
    if gone:
        yield f"removed bots: {', '.join(gone)}; their games {STAY}"


def _of_pools(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    old = {entry.pool: entry for entry in before.entries}
    new = {entry.pool: entry for entry in now.entries}
    added = [entry.pool.title for pool, entry in new.items() if pool not in old]
    gone = [entry.pool.title for pool, entry in old.items() if pool not in new]
    if added:
        yield f"new pools: {', '.join(added)}"
    if gone:
        yield f"removed pools: {', '.join(gone)}; their games {STAY}"
    both = {bot.name for bot in before.bots} & {bot.name for bot in now.bots}
    for pool, entry in new.items():
        if pool in old and (what := _of_entry(old[pool], entry, both)):
            yield f"{pool.title}: {', '.join(what)}"


def _of_anchors(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    """Yield the changed anchors of pools that were there before; only tables change by them."""
    old, new = ({each.pool: each for each in plan.anchors} for plan in (before, now))
    there = {entry.pool for entry in before.entries}
    pools: dict[str, list[str]] = {}
    for pool in (entry.pool for entry in now.entries if entry.pool in there):
        if old.get(pool) != new.get(pool):
            words = [f"{each.bot} at {each.rating:.15g}" if each else "none"
                     for each in (old.get(pool), new.get(pool))]  # fmt: skip
            pools.setdefault(" -> ".join(words), []).append(pool.title)
    for what, titles in pools.items():
        yield f"anchor {what} ({', '.join(titles)}); no game is replayed for it"


def _of_tables(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    """Yield what changed in who has no place, who is shown, and when it closes."""
    then, new = (
        (", ".join(each.bot for each in plan.aside), ", ".join(plan.authors), plan.closes)
        for plan in (before, now)
    )
    for what, *each in zip(("not ranked", "authors shown", "closes"), then, new, strict=True):
        if each[0] != each[1]:
            old, after = (value or "none" for value in each)
            yield f"{what}: {old} -> {after}; no game is replayed for it"


def _of_entry(old: Entry, new: Entry, both: AbstractSet[str]) -> list[str]:
    """Describe the other changes of a pool. Of its entrants, only those count that were in the
    league before and still are.
    """
    was, terms = _terms(old), _terms(new)
    what = [f"{key} {was[key]} -> {terms[key]}" for key in was if was[key] != terms[key]]
    if old.line_ups != new.line_ups:
        what += _of_line_ups(LineUps(old), LineUps(new))
    if old.duplicate != new.duplicate:
        word = "now share decks" if new.duplicate else "now have their own decks"
        what.append(f"seatings {word}; all its games are played again")
    before, now = ({bot.name for bot in entry.bots} & both for entry in (old, new))
    return [*what, *(f"with {name}" for name in sorted(now - before)),
            *(f"without {name}" for name in sorted(before - now))]  # fmt: skip


def _terms(entry: Entry) -> dict[str, object]:
    settle = entry.settle
    return {
        "deals": take_all_deals(entry).deals,
        "seatings": entry.seatings,
        "gauntlet": ", ".join(entry.always) or "none",
        "settle": settle.level if settle else "none",
        "goal": settle.goal if settle else "all",
        "within": settle.within if settle else 0,
    }


def _of_line_ups(old: LineUps, new: LineUps) -> list[str]:
    """Describe how drawn line-ups differ. Their bots are compared by name: a line-up stays the same
    where a bot has changed, or another stands before it in the list.
    """
    if len(old) != len(new):
        return [f"line-ups {len(old):,} -> {len(new):,}"]
    before, now = ({tuple(bot.name for bot in each) for each in own} for own in (old, new))
    others = len(now - before)
    return [f"{others:,} of {len(new):,} line-ups redrawn"] if others else []
