"""A tournament from its config to its tables: the schedule, less what is stored, is played.

Running again is resuming: what is stored is never played again, and nothing depends on when, in
what order or on how many workers it was played.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import games
from arena import config as configs
from arena import league, schedule, seeds
from arena.confine import NONE, WALLS, libraries, prepare
from arena.crew import Crew
from arena.errors import UsageError
from arena.model import Bot, Entry, Fixture, Limits
from arena.process import Unconfinable
from arena.progress import Progress
from arena.publish import publish, versions
from arena.session import Job, Played, Tally
from arena.snapshots import snapshots, unloadable
from arena.standings import PoolTable, assemble, rated
from arena.stopping import in_order, out_of_reach
from arena.store import FILE, Store

RATE_APART = 5_000  # games from which on pools are rated in processes of their own


class Plan(NamedTuple):
    """What is to be played, with whom, and where it goes."""

    name: str
    folder: Path  # of the results
    seed: int | None
    workers: int
    limits: Limits
    confinement: str  # confine.WALLS, or confine.NONE by --unconfined
    entries: tuple[Entry, ...]
    sources: dict[str, league.Source]  # by bot's name

    @property
    def confined(self) -> bool:
        """Whether bots play behind the walls."""
        return self.confinement == WALLS

    @property
    def bots(self) -> list[Bot]:
        """All bots that enter any pool, by name."""
        return sorted({bot for entry in self.entries for bot in entry.bots})


class Ended(NamedTuple):
    """How a run ended."""

    document: dict[str, Any]  # the standings of all that is stored
    files: list[Path]  # published
    played: int  # games, in this run
    left: int  # games, not played yet
    stopped: bool  # by the user, before all was played


def plan_of(
    path: Path, results: Path | None = None, workers: int | None = None, confined: bool = True
) -> Plan:
    """Return the plan of a config file; nothing is written. Raises UsageError.

    `results` replaces the tournament's results folder, `workers` the config's number of them.
    Raises Unconfinable if bots are to be confined and cannot be on this machine.
    """
    folder = league.folder_of(path)
    if confined:
        check_walls(folder / league.BOTS, folder / "results")
    config = configs.load(path)
    found = league.find_bots(folder, config.bots)
    sources = {bot.name: league.read_bot(bot) for bot in found}
    bots = [Bot(bot.name, league.content_hash(sources[bot.name])) for bot in found]
    entries = league.entries(config, bots)
    return Plan(
        config.name,
        results or folder / "results" / config.name,
        config.seed,
        workers or config.workers or os.cpu_count() or 1,
        config.limits,
        WALLS if confined else NONE,
        tuple(entries),
        sources,
    )


def check_walls(*private: Path) -> None:
    """Raise Unconfinable if this machine has no walls to offer, or if they would let `private` be
    read: what lies among Python's libraries, every bot may read.
    """
    try:
        prepare()
        for library in map(Path, libraries()):
            for path in private:
                if path.resolve().is_relative_to(library.resolve()):
                    raise LookupError(
                        f"{path} lies in {library}, which every bot may read; move the league"
                    )
    except (OSError, LookupError, AttributeError) as error:  # the last: no Linux
        what = error.strerror if isinstance(error, OSError) else error
        raise Unconfinable(
            f"bots cannot be confined here: {what}. `arena doctor` says more; --unconfined plays "
            "with limits only, for bots you trust"
        ) from None


def play(plan: Plan, progress: Progress) -> Ended:
    """Play what is missing, and publish the tables of all there is."""
    store = Store.create_or_open(plan.folder)
    try:
        secret = _secret(store, plan)
        for bot in plan.bots:
            store.keep_bot(bot, plan.sources[bot.name].files)
        keep_plan(store, plan)
        played, left, stopped = _play_missing(plan, store, secret, progress)
        document = document_of(store)
        files = publish(plan.folder, document, store.timings())
        return Ended(document, files, played, left, stopped)
    finally:
        store.close()


def set_aside(folder: Path) -> Path | None:
    """Rename a tournament's results, to start anew; return their new place, None without any.

    Raises UsageError if the folder is not ours, or is being played in.
    """
    if not folder.exists():
        return None
    Store.create_or_open(folder).close()  # says if it is not ours, or not free
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime((folder / FILE).stat().st_mtime))
    aside = folder.with_name(f"{folder.name}.{stamp}")
    number = 2
    while aside.exists():
        aside = folder.with_name(f"{folder.name}.{stamp}.{number}")
        number += 1
    return folder.rename(aside)


def missing(
    plan: Plan, entry: Entry, played: set[str], unplayed: set[tuple[Bot, ...]]
) -> list[Fixture]:
    """Return the games of an entry that are neither stored nor impossible."""
    return [
        fixture
        for fixture in schedule.fixtures(entry, identity_of(entry, plan.limits, plan.confinement))
        if fixture.id not in played and fixture.line_up not in unplayed
    ]


def identity_of(entry: Entry, limits: Limits, confinement: str) -> seeds.Identity:
    """Return what makes a pool's games what they are, beside line-up, seating and deal."""
    version = games.load(entry.pool.game).VERSION
    return seeds.Identity(entry.pool, version, limits, confinement, entry.duplicate)


def document_of(store: Store) -> dict[str, Any]:
    """Return the standings of the stored games that the stored plan names."""
    kept = json.loads(store.meta("plan"))
    entries = msgspec.convert(kept["entries"], list[Entry])
    pools = []
    for entry in entries:
        ids = _ids(entry, kept)
        outcomes = list(store.outcomes(entry.pool, ids))
        unplayed = store.unplayed(entry.pool) & set(schedule.line_ups(entry))
        pools.append((entry.pool, [bot.name for bot in entry.bots], outcomes, len(unplayed)))
    bots = sorted({bot for entry in entries for bot in entry.bots})
    return assemble(kept["name"], kept["seed_given"], kept["confinement"], bots, _rated(pools))


def lines_of(store: Store) -> Iterator[bytes]:
    """Yield the records of the stored games that the stored plan names: by pool, then id."""
    kept = json.loads(store.meta("plan"))
    for entry in sorted(msgspec.convert(kept["entries"], list[Entry])):
        ids = _ids(entry, kept)
        yield from store.lines(entry.pool, ids)


def _ids(entry: Entry, kept: dict[str, Any]) -> set[str]:
    """Return the ids of all games of an entry of a kept plan."""
    identity = identity_of(entry, Limits(**kept["limits"]), kept["confinement"])
    return {fixture.id for fixture in schedule.fixtures(entry, identity)}


def keep_plan(store: Store, plan: Plan) -> None:
    """Keep the plan in the store: tables and records can be made from that alone."""
    kept = {
        "name": plan.name,
        "seed_given": plan.seed is not None,
        "confinement": plan.confinement,
        "limits": plan.limits._asdict(),
        "entries": plan.entries,
    }
    store.set_meta("plan", json.dumps(kept))


def _rated(pools: Sequence[tuple[Any, ...]]) -> list[PoolTable]:
    """Return the pools' tables; pools of many games are rated side by side."""
    if sum(len(outcomes) for _, _, outcomes, _ in pools) < RATE_APART or (os.cpu_count() or 1) < 2:
        return [rated(*pool) for pool in pools]
    import multiprocess

    largest_first = sorted(pools, key=lambda pool: -len(pool[2]))
    with out_of_reach():
        pool = multiprocess.get_context("spawn").Pool(min(os.cpu_count() or 1, len(pools)))
    with pool:
        return list(pool.starmap(rated, largest_first, chunksize=1))


def _secret(store: Store, plan: Plan) -> bytes:
    """Return the tournament's secret: of the config's seed, or drawn at the first start."""
    given = seeds.secret_from(plan.seed) if plan.seed is not None else None
    kept = store.meta("secret")
    if kept is None:
        kept = given or seeds.new_secret()
        store.set_meta("secret", kept)
        store.set_meta("seed_given", int(given is not None))
    if given != kept and (given is not None or store.meta("seed_given")):
        raise UsageError(
            f"{plan.folder}: was played with another seed; set the seed it had, or play anew "
            "with --fresh"
        )
    return bytes(kept)


def _play_missing(
    plan: Plan, store: Store, secret: bytes, progress: Progress
) -> tuple[int, int, bool]:
    """Play and store all games that are missing; return how many were and how many are left to
    play, and whether it was stopped.
    """
    todo = []
    for entry in plan.entries:
        fixtures = missing(plan, entry, store.played(entry.pool), store.unplayed(entry.pool))
        todo.append((entry, fixtures))
    if not any(fixtures for _, fixtures in todo):
        return 0, 0, False
    with snapshots(plan.sources, plan.bots) as paths:
        unloaded = unloadable(paths, plan.limits, plan.confined)
        jobs: list[Job] = []
        for entry, fixtures in todo:
            nobody = {
                fixture.line_up
                for fixture in fixtures
                if all(bot.name in unloaded for bot in fixture.line_up)
            }
            store.keep_unplayed(entry.pool, nobody)
            rest = [fixture for fixture in fixtures if fixture.line_up not in nobody]
            limits, confined, shared = plan.limits, plan.confined, entry.duplicate
            jobs += [
                Job(entry.pool, limits, confined, shared, session, secret, paths, unloaded)
                for session in schedule.sessions(entry, rest)
            ]
        jobs.sort(key=lambda job: -len(job.fixtures) * job.pool.players)  # the longest first
        return _play_jobs(plan, store, jobs, progress)


def _play_jobs(
    plan: Plan, store: Store, jobs: list[Job], progress: Progress
) -> tuple[int, int, bool]:
    wanted = {bot.name: bot for bot in plan.bots}
    fixtures: dict[str, Fixture] = {}
    played = 0
    ours = json.dumps(versions())

    def take(job: Job, finished: list[Played]) -> None:
        nonlocal played
        if job.fixtures[0].id not in fixtures:
            fixtures.update((fixture.id, fixture) for fixture in job.fixtures)
        done = [(fixtures[game.id], game) for game in finished]
        store.add(job.pool, done)
        played += len(done)
        progress.played(
            (tuple(f.line_up[i].name for i in f.seating), game.ranks) for f, game in done
        )

    def end(job: Job, tallies: list[Tally]) -> None:
        for fixture in job.fixtures:
            fixtures.pop(fixture.id, None)
        for tally in tallies:
            store.add_tally(job.pool, wanted[tally.bot], ours, tally)

    crew = Crew(plan.workers, take, end)

    def stop() -> bool:
        asked_before, crew.stopping = crew.stopping, True
        return asked_before

    total = sum(len(job.fixtures) for job in jobs)
    progress.start(total, min(plan.workers, len(jobs)))
    try:
        with in_order(stop):
            crew.play(jobs)
    finally:
        progress.stop()
    return played, total - played, crew.stopping
