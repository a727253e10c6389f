"""All figures of the site beyond standings.json, taken in one scan of the store.

Pools are scanned in processes of their own; each is read in order of id, as ratings read it, and
let go when its statistics are made. The same store gives the same ones, whatever the machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np

from arena.errors import UsageError
from arena.faults.causes import Cause
from arena.faults.kinds import KINDS
from arena.faults.reasons import line_of
from arena.model import Limits, Outcome, Pool, Timing
from arena.progress import SILENT, Progress
from arena.rating.rate import win_chance
from arena.schedule.order import Schedule, make_schedules
from arena.site.games_to_watch import Causes, choose_games, find_candidates, lead_in_words
from arena.site.stats_pool import (
    BotGames,
    Games,
    PoolStats,
    collect_games,
    find_extremes,
    find_lost,
    merge_bot_games,
    pool_stats,
)
from arena.site.stories import (
    Comeback,
    Strength,
    Tale,
    WatchedGame,
    Why,
    find_comeback,
    find_narrow,
    find_upsets,
)
from arena.store.logs import find_forfeit_steps
from arena.store.plans import load_plan
from arena.store.scan import read_record
from arena.store.store import Store, map_over_store
from arena.store.usage import read_sessions
from arena.system.parallel import tick
from arena.tables.cache import remember
from arena.tables.document import PoolTable, Standings
from arena.tables.results import RATE_APART

SEARCHED = 300
"""Games of a pool, those won by least, that are played through to find comebacks."""

MOST_ASKED = 20_000
"""Games to watch: some 20 kB each, they are 400 MB then."""

SHARES = (0.5, 0.9, 1.0)  # of sessions: the quantiles of CPU times


class Cpu(NamedTuple):
    """The cost of a bot's decisions, in a pool or in several, in seconds of CPU time.

    The time of a single decision is not kept. Of each session there are the CPU time of all of the
    bot's processes, loading too, its decisions, and the batch in which decisions took longest.
    """

    sessions: int  # with a decision
    decisions: int
    mean_s: float  # of a decision, all sessions together, loading in
    means_s: tuple[float, ...]  # of sessions' means, the `SHARES`
    worst_s: tuple[float, ...]  # of sessions' worst batches, without loading, the `SHARES`


CpuTimes = Mapping[tuple[str, Pool | None], Cpu]
"""By bot and pool, where it decided anything; under None of all its pools together."""


class Stats(NamedTuple):
    """The facts on pages beyond the standings."""

    pools: tuple[PoolStats, ...]  # in the order of the standings
    cpu: CpuTimes
    limits: Limits
    watched: tuple[WatchedGame, ...]  # by pool, in each by reason
    failed_at: Mapping[tuple[str, int], int]  # steps, by id and seat of the forfeits in the pools
    bots: Mapping[str, BotGames]  # by name: its best, worst and closest game of all pools

    def of(self, pool: PoolTable) -> PoolStats:
        """The statistics of a pool of the standings."""
        return next(stats for stats in self.pools if stats.pool == pool_of(pool))


def collect_stats(
    store: Store,
    document: Standings,
    per_line_up: int | None = None,
    steps: Progress = SILENT,
    causes: Mapping[str, Sequence[Cause]] = {},
) -> Stats:
    """Collect the statistics of the stored games that the stored plan names, and choose the games
    to watch.

    `document` has their standings, maybe of one game alone; `causes` are those of bots' faults, by
    bot. Raises UsageError if more games `per_line_up` are asked for than a site takes.
    """
    plan = load_plan(store)
    planned = make_schedules(plan)
    pieces: list[_Piece] = [
        (number, planned[pool], strength_of(table))
        for number, table in enumerate(document.pools)
        if (pool := pool_of(table)) in planned
    ]
    _check_number(per_line_up, [games for _, games, _ in pieces])
    steps.begin(f"looking through {len(pieces)} pools", len(pieces))
    pieces.sort(key=lambda piece: -len(piece[1]))  # the largest first
    scan = partial(_scan, per_line_up, find_causes(causes))
    scans = map_over_store(store, scan, pieces, steps, store.count() >= RATE_APART)
    by_pool = sorted(scans, key=itemgetter(0))
    pools = tuple(pool for _, pool, _ in by_pool)
    forfeited = {
        game
        for pool in pools
        for of_bot in pool.forfeits
        for of_kind in of_bot
        for game, _ in of_kind.games
    }
    bots = games_of_bots(pools)
    return Stats(
        pools,
        sum_up_cpu(read_sessions(store)),
        plan.limits,
        choose_games([candidates for *_, candidates in by_pool], per_line_up, bots),
        find_forfeit_steps(store, forfeited),
        bots,
    )


def find_causes(causes: Mapping[str, Iterable[Cause]]) -> Causes:
    """Find a game to watch for each cause of faults but `load`; `causes` are given by bot, and say
    what everybody may read.
    """
    reasons: dict[str, list[Why]] = {}
    for bot, of_bot in causes.items():
        for cause in of_bot:
            if cause.first and cause.kind != "load":
                short = ", ".join(filter(None, (cause.reason.error, line_of(cause.reason))))
                where = f" ({short})" if short else ""
                many = f"; one of {cause.times:,} such games" if cause.times > 1 else ""
                words = f"{bot} forfeits: {KINDS[cause.kind].description}{where}{many}"
                game, (seat, action, _) = cause.first
                why = Why("fault", words, -cause.times, bot, action, seat)
                reasons.setdefault(game, []).append(why)
    return reasons


def games_of_bots(pools: Iterable[PoolStats]) -> dict[str, BotGames]:
    """The best, worst and closest game of each bot, by name."""
    by_pool: dict[str, list[BotGames]] = {}
    for pool in pools:
        for name, of_bot in zip(pool.names, pool.extremes, strict=True):
            by_pool.setdefault(name, []).append(of_bot)
    return {name: merge_bot_games(by_pool[name]) for name in sorted(by_pool)}


def find_bot_games(store: Store, bot: str) -> BotGames:
    """Find the best, worst and closest game of one bot, as its page has them; `arena replay --bot`
    shows the worst. All are None where there is no such bot.
    """
    extremes = list[BotGames]()
    for games in make_schedules(load_plan(store)).values():
        names = [bot_there.name for bot_there in games.entry.bots]
        if bot in names:
            played = _collect(store, games)
            extremes += find_extremes(played, [played.columns.names.index(bot)])
    return merge_bot_games(extremes)


Which = Literal["all", "lost", "upset", "fault"]


class ListedGame(NamedTuple):
    """A game that was asked for, and how it ended."""

    pool: str  # title
    game: Outcome
    why: str  # in words; "" where nothing special was asked for
    weight: tuple[float, ...] = ()  # games with the least are listed first
    expected: float | None = None  # share of the opponents that the ratings gave a bot that lost


def list_games(
    store: Store, which: Which, bot: str | None = None, document: Standings | None = None,
    game: str | None = None,
) -> list[ListedGame]:  # fmt: skip
    """The games in the tables, of one bot or of all, and of one game or of all: all of them by pool
    and id; those that the bot lost, forfeits aside, those to learn from first; upsets, least likely
    first; or those with a forfeit, of that bot where one is given. Upsets and lost games need the
    standings.

    Most can be learned where the ratings gave the bot half of its opponents or more, and there from
    what it lost by most.
    """
    tables = {pool_of(table): table for table in document.pools} if document else {}
    listed = list[ListedGame]()
    for pool, planned in sorted(make_schedules(load_plan(store)).items()):
        names = [entry.name for entry in planned.entry.bots]
        if (bot is None or bot in names) and game in (None, pool.game):
            games = _collect(store, planned)
            at = None if bot is None else games.columns.names.index(bot)
            listed += _list_pool(games, which, at, tables.get(pool))
    return sorted(listed, key=lambda game: game.weight)


def find_lessons(store: Store, document: Standings) -> dict[str, ListedGame]:
    """The game to learn from most that each bot lost, forfeits aside; none of who lost no game."""
    tables = {pool_of(table): table for table in document.pools}
    lessons = dict[str, ListedGame]()
    for pool, planned in sorted(make_schedules(load_plan(store)).items()):
        games = _collect(store, planned)
        for at, name in enumerate(games.columns.names):
            for game in _list_pool(games, "lost", at, tables.get(pool)):
                if game.weight < lessons.setdefault(name, game).weight:
                    lessons[name] = game
    return lessons


def _list_pool(
    games: Games, which: Which, bot: int | None, table: PoolTable | None
) -> Iterator[ListedGame]:
    title, names = games.columns.pool.title, games.columns.names
    if which == "lost" and bot is not None and table:
        strength = strength_of(table)
        for extreme in find_lost(games, bot):
            share = _expect(games, strength, extreme.game, names[bot])
            hope, words = min(share, 0.5), lead_in_words(extreme)
            yield ListedGame(title, extreme.game, words, (-hope, extreme.weight), share)
    elif which == "upset" and table:
        for upset in find_upsets(Tale(games, strength_of(table)), len(games.ids)):
            if bot is None or names[bot] in upset.game.bots:
                yield ListedGame(title, upset.game, upset.reasons[0].words, upset.reasons[0][2:3])
    elif which == "fault":
        by_game = groupby(games.forfeits, itemgetter(0))
        for game, faults in ((games.outcome(number), [*rows]) for number, rows in by_game):
            failed = [(game.bots[seat], KINDS[kind].description) for _, seat, kind in faults]
            if bot is None or names[bot] in dict(failed):
                yield ListedGame(title, game, ", ".join(f"{who}: {what}" for who, what in failed))
    elif which == "all":
        played = games.columns.bots
        wanted = range(len(played)) if bot is None else (played == bot).any(axis=1).nonzero()[0]
        yield from (ListedGame(title, games.outcome(int(number)), "") for number in wanted)


def _expect(games: Games, strength: Strength, game: Outcome, bot: str) -> float:
    """The share of the opponents that the ratings give a bot in a game: a half if they cannot."""
    mu = dict(zip(games.columns.names, strength.mu, strict=True))
    sides = games.counted.seats.tolist()
    mine = next(side for side in sides if bot in [game.bots[seat] for seat in side])
    gaps = [
        sum(
            mu[game.bots[ours]] - mu[game.bots[theirs]]
            for ours, theirs in zip(mine, side, strict=True)
        )
        for side in sides
        if side is not mine
    ]
    if strength.draw_probability is None or not gaps:
        return 0.5
    return round(float(win_chance(np.array(gaps), strength.draw_probability, len(mine)).mean()), 3)


def _collect(store: Store, planned: Schedule) -> Games:
    entry = planned.entry
    outcomes = store.outcomes(entry.pool, planned.holds)
    return collect_games(entry.pool, [bot.name for bot in entry.bots], entry.shared_decks, outcomes)


def sum_up_cpu(sessions: Iterable[Timing]) -> CpuTimes:
    """Sum up what bots used in their sessions."""
    timings: dict[tuple[str, Pool | None], list[Timing]] = {}
    for session in sessions:
        if session.decisions:
            timings.setdefault((session.bot, session.pool), []).append(session)
    for (bot, _), of_pool in [*timings.items()]:
        timings.setdefault((bot, None), []).extend(of_pool)
    return {key: _sum_up(times) for key, times in timings.items()}


def _sum_up(timings: Sequence[Timing]) -> Cpu:
    decisions = sum(timing.decisions for timing in timings)
    return Cpu(
        len(timings),
        decisions,
        sum(timing.cpu_s for timing in timings) / decisions,
        _quantiles([timing.cpu_s / timing.decisions for timing in timings]),
        _quantiles([timing.worst_s for timing in timings]),
    )


def _quantiles(values: Sequence[float]) -> tuple[float, ...]:
    """The quantiles `SHARES`: for each, the least value that this share of all does not exceed."""
    ordered = sorted(values)
    return tuple(
        ordered[max(-(-round(share * len(ordered) * 1e6) // 10**6), 1) - 1] for share in SHARES
    )


def pool_of(table: PoolTable) -> Pool:
    return Pool(table.game, table.players, table.options, table.partners)


def strength_of(table: PoolTable) -> Strength:
    """The ratings of a pool's bots by the standings, in the order of names."""
    rows = sorted(table.table, key=lambda row: row.bot)
    return Strength(
        tuple(row.mu for row in rows),
        tuple(row.place for row in rows),
        table.draw_probability,
        [row.bot for row in rows if row.status == "guest"],
    )


def _check_number(per_line_up: int | None, schedules: Iterable[Schedule]) -> None:
    if per_line_up is None:
        return
    number = sum(min(len(pool.line_ups) * per_line_up, len(pool)) for pool in schedules)
    if number > MOST_ASKED:
        raise UsageError(
            f"--games {per_line_up}: that is {number:,} games, and a site takes {MOST_ASKED:,}, "
            "some 20 kB each; ask for fewer per line-up, or omit --games"
        )


_Piece = tuple[int, Schedule, Strength]
"""A pool to be scanned: its number, its planned games, and what ratings say of its bots."""


def _scan(
    per_line_up: int | None, causes: Causes, store: Store, piece: _Piece
) -> tuple[int, PoolStats, list[WatchedGame]]:
    number, planned, strength = piece
    games = _collect(store, planned)
    stats = pool_stats(games)
    come = list[Comeback]()
    if per_line_up is None:
        narrow = [*store.find_all(find_narrow(games, SEARCHED))]

        def tell() -> list[Comeback]:
            comebacks = (find_comeback(read_record(store.path, row), row.id) for row in narrow)
            return [comeback for comeback in comebacks if comeback]

        come = remember(lambda: (row.line for row in narrow), list[Comeback], tell)
    candidates = find_candidates(games, stats, strength, per_line_up, number, causes, come)
    tick()
    return number, stats, candidates
