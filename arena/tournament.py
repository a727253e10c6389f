"""A tournament from its config to its tables: the schedule, less what is stored, is played.

Running again is resuming: what is stored is never played again, and nothing depends on when, in
what order or on how many workers it was played.
"""

import json
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, compress
from math import ceil
from operator import not_
from pathlib import Path
from typing import Any, NamedTuple

from arena import choices, opening, results, schedule, seeds
from arena.crew import Crew
from arena.errors import ArenaError, UsageError
from arena.model import Pool, Timing
from arena.plan import Plan
from arena.progress import Progress
from arena.publish import publish, versions
from arena.schedule import GAMES_PER_SESSION, Games, Schedule
from arena.schema import FILE
from arena.session import Job, Played, Tally
from arena.snapshots import snapshots, sweep
from arena.stopping import in_order
from arena.store import Store

GAMES_TO_SHARE = 100  # a session: with fewer, starting its bots costs more than sharing gains


class Ended(NamedTuple):
    """How a run ended."""

    document: dict[str, Any]  # the standings of all that is stored
    files: list[Path]  # published
    timings: list[Timing]  # what bots used, in all runs
    played: int  # games, in this run
    left: int  # games, not played yet
    stopped: bool  # by the user, before all was played


def play(plan: Plan, progress: Progress, say: Callable[[str], None]) -> Ended:
    """Play what is missing, and publish the tables of all there is.

    `say` is told what a user should know of the results that are there already.
    """
    sweep()
    store = Store.create_or_open(plan.folder, say)
    try:
        secret = _secret(store, plan)
        _look_after(store, say)
        for bot in plan.bots:
            store.keep_bot(bot, plan.sources[bot.name].files)
        entries, chosen = choices.made(plan.wanted, choices.chosen(store))
        choices.keep(store, chosen)
        stored = plan.stored(entries)
        results.keep_plan(store, stored)
        planned = results.schedules(stored)
        played, left, stopped = _play_missing(plan, planned, store, secret, progress)
        document = results.document_of(store)
        used = store.timings()
        files = publish(plan.folder, document, used, plan.limits)
        return Ended(document, files, used, played, left, stopped)
    finally:
        store.close()


def set_aside(folder: Path) -> Path | None:
    """Rename a tournament's results, to start anew; return their new place, None without any.

    Raises UsageError if the folder is not ours, or is being played in.
    """
    if not folder.exists():
        return None
    opening.check(folder)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime((folder / FILE).stat().st_mtime))
    aside = folder.with_name(f"{folder.name}.{stamp}")
    number = 2
    while aside.exists():
        aside = folder.with_name(f"{folder.name}.{stamp}.{number}")
        number += 1
    return folder.rename(aside)


def _look_after(store: Store, say: Callable[[str], None]) -> None:
    """Take out games that are damaged, and say once what differs from when others were played."""
    damaged = [row for row in store.games() if not row.sound]
    if damaged:
        store.drop(damaged)
        games = "game is" if len(damaged) == 1 else "games are"
        say(f"{store.path}: {len(damaged):,} {games} damaged; what the config names is played "
            "again")  # fmt: skip
    ours = versions()
    parts = [f"{name} {kept[name]}" for kept in store.versions() for name in ours
             if kept.get(name, ours[name]) != ours[name]]  # fmt: skip
    warned = json.dumps([ours, parts])
    if parts and store.meta("warned") != warned:
        say(f"warning: games here were played with {', '.join(dict.fromkeys(parts))}; bots may "
            "decide otherwise now")  # fmt: skip
        store.set_meta("warned", warned)


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


def kept_secret(store: Store, plan: Plan) -> bytes | None:
    """Return the tournament's secret; None before the first start. Raises UsageError if the plan
    has another seed, ArenaError if the store has lost it.
    """
    kept = store.meta("secret")
    if kept is None and not store.count():
        return None
    if not isinstance(kept, bytes):
        raise ArenaError(
            f"{store.path}: holds games, but not the secret that their deals came from; put a copy "
            "in its place, or play anew with --fresh"
        )
    given = seeds.secret_from(plan.seed) if plan.seed is not None else None
    if given != kept and (given is not None or store.meta("seed_given")):
        raise UsageError(
            f"{plan.folder}: was played with another seed; set the seed it had, or play anew "
            "with --fresh"
        )
    return kept


def _secret(store: Store, plan: Plan) -> bytes:
    """Return the tournament's secret: at the first start of the config's seed, or drawn."""
    secret = kept_secret(store, plan)
    if secret is None:
        drawn = plan.seed is None
        secret = seeds.new_secret() if plan.seed is None else seeds.secret_from(plan.seed)
        store.set_meta("secret", secret)
        store.set_meta("seed_given", int(not drawn))
    return secret


def _play_missing(
    plan: Plan, planned: Mapping[Pool, Schedule], store: Store, secret: bytes, progress: Progress
) -> tuple[int, int, bool]:
    """Play and store all games that are missing; return how many were and how many are left to
    play, and whether it was stopped.
    """
    left = {pool: missing(games, store) for pool, games in planned.items()}
    workers = min(plan.workers, len(cut(planned, left, plan.workers)))
    if not workers:
        return 0, 0, False
    taken = _Taken(plan, store, progress)
    crew = Crew(workers, plan.confined, taken.games, taken.session)

    def stop() -> bool:
        asked_before, crew.stopping = crew.stopping, True
        return asked_before

    jobs: list[Job] = []
    try:
        with snapshots(plan.sources, plan.bots) as paths, in_order(stop), crew:
            unloaded = crew.unloadable(paths, plan.limits)
            for pool, games in planned.items():
                if _keep_unplayed(store, games, left[pool], unloaded):
                    left[pool] = missing(games, store)
            jobs += [
                Job(pool, plan.limits, planned[pool].entry.duplicate, session, secret, paths,
                    unloaded)
                for pool, session in cut(planned, left, workers)
            ]  # fmt: skip
            jobs.sort(key=lambda job: -len(job.fixtures) * job.pool.players)  # the longest first
            progress.start(sum(len(job.fixtures) for job in jobs), workers)
            crew.play(jobs)
    finally:
        progress.stop()
    return taken.played, sum(len(job.fixtures) for job in jobs) - taken.played, crew.stopping


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
        for session in schedule.sessions(games, left[pool], most)
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
