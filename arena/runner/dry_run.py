"""The costs of a tournament before it is played, for --dry-run: games left, time, disk, and the
games needed to tell neighbours apart.

Time and disk are those of a few games played now, by this machine's clock, as many at once as there
are workers: four at work on four cores are each slower than one alone.
"""

import secrets
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext, suppress
from math import ceil, pi
from random import Random
from statistics import NormalDist
from typing import Annotated

from msgspec import Struct

from arena.errors import UsageError
from arena.faults.reasons import in_full
from arena.faults.remedies import remedy
from arena.league.files import sweep_snapshots
from arena.model import LEAST_DECKS, LEVEL, Entry, Pool, Reason, StoredPlan, file_of
from arena.plan.plan import Plan
from arena.progress import SILENT, Progress
from arena.rating.fit import BETA
from arena.rating.p_values import BAND_MU
from arena.runner.executor import Executor, Hire
from arena.runner.loads import find_unloadable, hire_here
from arena.runner.run import cut, find_stage
from arena.runner.tournament import check_kind, check_may_play, find_secret
from arena.schedule.choices import make_choices
from arena.schedule.line_ups import LineUps
from arena.schedule.order import Schedule
from arena.schedule.seatings import count_decks_of_deal
from arena.schedule.sessions import BOTS_PER_SESSION, Games
from arena.sequential.stages import take_all_deals
from arena.session.session import Job
from arena.store.chunk import Chunk, weigh_games
from arena.store.opening import check_place, hold_folder
from arena.store.plans import load_choices, load_plan
from arena.store.schema import FILE
from arena.store.store import Store
from arena.system.signals import Stopped, stop_in_order
from arena.typed_json import First, means

SIZES = (4, 24, 192)
"""Games that each worker plays of a pool: to see if its bots are slow; so many that all bots of a
session play; and more, to tell what a game takes from what the bots' start takes."""
MOST_S = 3.0  # no sample is so large that it would take longer
MOST_CUT = 2_000_000  # games that are cut into sessions, to count these
TABLES_S = 0.2  # a pool, in the end

SPREAD_MU = 4.0
"""The standard deviation of a field's skills; of the house bots 3.4 in 17, 6.0 in No Thanks!, 7.7
in Sixteen (results/sample)."""
UNEVEN = 1.1
"""Variance of a difference, as a multiple of that among equals: uneven games tell less. Simulated
fields of such a spread have 1.18 at tables of two, 1.10 of three, 1.04 of four."""


class PoolForecast(Struct, frozen=True):
    """A pool's costs."""

    pool: Annotated[str, means("Its title.")]
    bots: int
    line_ups: int
    possible_line_ups: Annotated[int, means("That its bots fill; `max_games` may draw fewer.")]
    deals: Annotated[int, means("Of each line-up and seating.")]
    games: Annotated[int, means("The most, if play stops once places are settled.")]
    games_left: Annotated[int, means("Of these, not stored yet.")]
    worker_s: Annotated[float, means("Time of one worker for the games left.")]
    disk_bytes: Annotated[int, means("Space that they will take in the store.")]
    games_needed: Annotated[int, means("Games that usually tell neighbours apart.")]
    deals_needed: Annotated[int, means("The `deals` that so many games take.")]


class Forecasts(Struct, frozen=True, kw_only=True):
    """The games left to play, as `arena tournament --dry-run --json` prints it."""

    version: First = 1
    pools: list[PoolForecast]


def forecast(
    plan: Plan, fresh: bool, steps: Progress = SILENT, hire: Hire = hire_here
) -> tuple[list[PoolForecast], float]:
    """Say what has changed since the last run (not if all is to be played anew, `fresh`); forecast
    each pool, and the seconds by the clock from the start to the tables. Raises what playing would.
    Nothing is played into the store.
    """
    began_s = time.monotonic()
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
            check_kind(store, plan)
            find_secret(store, plan)
            check_may_play(store, plan)
            steps.say_unread(*store.leave_out_damaged())  # as a run would
        entries, _ = make_choices(plan.wanted, load_choices(store))
        stored = plan.make_stored(tuple(map(take_all_deals, entries)))
        with suppress(UsageError):
            steps.say(*find_changes(load_plan(store), stored) if store else ())
        stage = find_stage(stored, store)
        sessions, at_once = Counter[Pool](), plan.workers
        if stage.left <= MOST_CUT:  # of more, the bots' start is a small part of the time
            sessions.update(pool for pool, _ in cut(stage, plan.workers))
            at_once = max(1, min(sessions.total(), at_once))
        steps.begin("starting workers")
        crew, pools = hire(plan, at_once, steps.say), list[PoolForecast]()
        with stop_in_order(crew.stop), crew:
            unloaded = find_unloadable(plan, store, crew, steps, keeps=False)
            ready_s = time.monotonic() - began_s
            _say_unloaded(plan, unloaded, steps)
            secret = secrets.token_bytes(16)
            steps.begin("playing a few games of each pool", len(stage.planned))
            for pool, schedule in stage.planned.items():
                job = Job(pool, plan.limits, schedule.entry.shared_decks, (), secret, unloaded)
                left = len(stage.missing[pool])
                session_s, game_s, game_bytes = _sample(crew, schedule, job, left)
                line_ups, deals = len(schedule.line_ups), schedule.entry.deals
                every = len(LineUps(schedule.entry._replace(line_ups=None)))
                a_line_up = len(schedule) // line_ups // deals
                needed = a_line_up * line_ups * count_deals_needed(schedule.entry, line_ups)
                pools.append(
                    PoolForecast(
                        pool.title,
                        bots=len(schedule.entry.bots),
                        line_ups=line_ups,
                        possible_line_ups=every,
                        deals=deals,
                        games=len(schedule),
                        games_left=left,
                        worker_s=session_s * sessions[pool] + game_s * left,
                        disk_bytes=round(game_bytes * left),
                        games_needed=needed,
                        deals_needed=-(-needed // (a_line_up * every)),
                    )
                )
                steps.done()
    if crew.stopping:
        raise Stopped
    play_s = sum(pool.worker_s for pool in pools) / at_once
    return pools, ready_s + play_s + TABLES_S * len(pools) if stage.left else 0.0


def _say_unloaded(plan: Plan, unloaded: Mapping[str, Reason], steps: Progress) -> None:
    for name, why in unloaded.items():
        steps.say(f"{name}: does not load, so it will forfeit all its games:")
        file = file_of(name, name in plan.folders)
        for line in in_full(why, file).splitlines():  # a bot's words
            steps.say(f"    {line}")
        advice = remedy(why, file, plan.beside)
        if advice:
            steps.say(f"    hint: {advice}")


def _sample(crew: Executor, schedule: Schedule, job: Job, left: int) -> tuple[float, float, float]:
    """Play some games with all workers, not those that are left, for none of them is kept; return
    the seconds that a session and each of its games take, and the bytes of a game. Raises Stopped.
    """
    points, chunks = [(0, 0.0)], list[Chunk]()  # games of a session, and its seconds
    for size in SIZES:
        few, took_s = points[-1]
        size = min(size, ceil(left / crew.size), int(MOST_S * few / took_s) if few else size)
        if size <= 2 * few:  # it would tell little more
            break
        hands = [choose_games(schedule, worker, size) for worker in range(crew.size)]
        began_s, ended_s = time.monotonic(), list[float]()
        for finished in crew.play([job._replace(fixtures=games) for games in hands]):
            chunks += finished.games
            if finished.tallies is not None:
                ended_s.append(time.monotonic() - began_s)
        if crew.stopping:
            raise Stopped
        points.append((size, sum(ended_s) / len(ended_s)))
    return (*fit_line(*points[-2:]), weigh_games(chunks)) if chunks else (0.0, 0.0, 0.0)


def choose_games(schedule: Schedule, worker: int, size: int) -> Games:
    """Choose games of as many bots as a session has; of a large field, others for each worker."""
    entry, rng = schedule.entry, Random(worker)
    others = [bot.name for bot in entry.bots if bot.name not in entry.fixed_bots]
    room = min(BOTS_PER_SESSION - len(entry.fixed_bots), len(others))
    some = {*entry.fixed_bots, *rng.sample(others, room)}
    bots = tuple([bot for bot in entry.bots if bot.name in some])
    entry = entry._replace(bots=bots, deals=SIZES[-1], line_ups=None, seating_turns=None)
    games = Schedule(entry, schedule.identity)
    return Games(games, rng.sample(range(len(games)), size))


def fit_line(less: tuple[int, float], more: tuple[int, float]) -> tuple[float, float]:
    """Fit the seconds of a session's start, and of a game, to two sizes: (games, seconds).

    A clock that was held up may show anything: twice the games take at most twice as long, and a
    start takes two thirds of the time at most.
    """
    (few, soon_s), (many, late_s) = less, more
    if few:
        late_s = min(late_s, soon_s * many / few)
    game_s = max((late_s - soon_s) / (many - few), late_s / many / 3)
    return late_s - game_s * many, game_s


def count_deals_needed(entry: Entry, line_ups: int) -> int:
    """The deals with which so many line-ups tell neighbours apart, by the places of their table, in
    half of such leagues: if skills spread as usual, and decks suit no bot.

    In TrueSkill's model a game among equals tells a fixed amount about the difference of two of its
    bots: Fisher's information of the order of normal performances (Thurstone, Psychological Review
    34 (1927) 273). Over the games of a pool these amounts add up as conductances of a network do.
    """
    bots, seats = len(entry.bots), entry.pool.entrants
    others = bots - 1
    met = 1.0 if entry.fixed_bots else (seats - 1) / others  # by two bots, in games of one of them
    between = (seats - 2) / max(others - 1, 1) if entry.fixed_bots else met  # by two of the others
    network = 1 / (others * met) + (1 - 1 / others) / (met + others * between)
    told = sum(_mean(place, seats) ** 2 for place in range(1, seats + 1)) / (seats - 1)
    if entry.pool.partners == "mixed":  # two teams of two, in all ways to pair them
        told = 2 / (3 * pi)
    variance = UNEVEN * network * float(BETA) ** 2 * seats / told
    usual_mu = max(2 * _mean(bots, bots) * SPREAD_MU / others, BAND_MU)
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / (bots * others))  # Bonferroni's, for all pairs
    games = variance * (z / usual_mu) ** 2 + (z * z + 1) / 2  # the latter for Student's t
    a_deal = count_decks_of_deal(entry._replace(shared_decks=False), line_ups)
    return ceil(max(games, LEAST_DECKS) / a_deal)


def _mean(place: int, of: int) -> float:
    """The mean of a place, 1 the lowest, in the order of so many standard normal numbers, to 2 %
    (Tukey, Annals of Mathematical Statistics 33 (1962) 1).
    """
    return NormalDist().inv_cdf((3 * place - 1) / (3 * of + 1))


def find_changes(before: StoredPlan, now: StoredPlan) -> Iterator[str]:
    """Describe the changes that make games be played anew, a line each."""
    stay = "stay in the store but not in the tables"
    was, new = before.limits._asdict(), now.limits._asdict()
    if changed := [f"{key} {was[key]} -> {new[key]}" for key in was if was[key] != new[key]]:
        yield f"changed: {', '.join(changed)}; games under the old ones {stay}"
    old, bots = ({bot.name: bot.hash for bot in plan.bots} for plan in (before, now))
    gone, pools = ([entry.pool.title for entry in plan.entries] for plan in (before, now))
    for what, names, rest in (
        ("new bots", sorted(bots.keys() - old.keys()), ""),
        ("changed bots", sorted(name for name in old if bots.get(name, old[name]) != old[name]),
         f"; the old versions' games {stay}"),
        ("removed bots", sorted(old.keys() - bots.keys()), f"; their games {stay}"),
        ("new pools", [title for title in pools if title not in gone], ""),
        ("removed pools", [title for title in gone if title not in pools], f"; their games {stay}"),
    ):  # fmt: skip
        if names:
            yield f"{what}: {', '.join(names)}{rest}"
