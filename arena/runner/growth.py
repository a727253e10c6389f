"""What a tournament would come to with more bots like these, for --dry-run: pure, and about.

Games are counted (`arena.schedule.growth`). What a game takes of a core and of the store is
measured in the dry run's own games, of each pool. Memory, and what tables take, are extrapolated
from runs of up to 400 bots and 400,000 games (`python -m tests.benchmarks.growth`); what a cluster
costs is `arena.runner.cluster_costs`.
"""

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.model import MOST_BOTS, Entry, Pool
from arena.plan.keys import MOST_LINE_UPS
from arena.runner import cluster_costs, estimate
from arena.runner.estimate import Cost
from arena.runner.weight import Weight
from arena.schedule.growth import Field, as_now, grown, line_ups_of
from arena.schedule.sessions import BOTS_PER_SESSION, GAMES_PER_SESSION, games_of_session

SIZES = (100, MOST_BOTS)
"""Bots of the fields that are shown, where they are twice as many as now or more."""

BEYOND = 100_000_000
"""Games from which on it is shown what drawing line-ups would save."""

PROCESS_BYTES = 75_000_000  # of Python, numpy and arena, before there is anything to rate

TABLES_BYTES_A_SEAT = 135  # of each game, while a pool is rated
TABLES_BYTES_A_PAIR = 50  # that met, for each bot of the pool: what would move its result
TABLES_BYTES_A_LINE_UP = 300

TABLES_NS_A_PAIR = 11.5
"""CPU time of each pair that met, for each two bots of the pool: where all met, it grows with their
fourth power. As much in a pool of a thousand as in one of 200."""

DOCUMENT_BYTES = 700  # of the standings, for each two bots of a pool, while they are written

PLAN_BYTES_A_GAME = 9  # that is left to be played, once some are stored
CUT_BYTES_A_GAME, CUT_BYTES_A_LINE_UP = 9, 300
"""More, where a session does not take all bots of a pool."""


class Measured(NamedTuple):
    """A pool, and what its games were found to take."""

    entry: Entry  # with nothing left open
    asked: int | None  # line-ups that the config has drawn; None: all
    cost: Cost  # of its sessions, in seconds of a worker
    weight: Weight  # of its games in the store


class Share(NamedTuple):
    """What a pool comes to."""

    pool: Pool
    field: Field
    play_s: float  # of one worker, and so of one core
    tables_s: float  # CPU time
    store_bytes: int
    tables_bytes: int  # of memory, while it is rated

    @property
    def messages(self) -> int:
        """That the scheduler of a cluster would pass for its sessions."""
        return round(cluster_costs.SESSION_MESSAGES * self.field.sessions)


class Size(NamedTuple):
    """What a tournament comes to with so many bots."""

    bots: int  # of the league
    drawn: bool  # whether line-ups are drawn, as many a bot as now, where now all are played
    shares: tuple[Share, ...]  # by pool
    wall_s: float
    memory_bytes: int  # of arena, where it plans or makes tables; bots are beside that

    @property
    def games(self) -> int:
        """Of all pools."""
        return sum(share.field.games for share in self.shares)

    @property
    def sessions(self) -> int:
        """Of all pools."""
        return sum(share.field.sessions for share in self.shares)

    @property
    def cpu_s(self) -> float:
        """For play and tables."""
        return sum(share.play_s + share.tables_s for share in self.shares)

    @property
    def store_bytes(self) -> int:
        """Of all pools."""
        return sum(share.store_bytes for share in self.shares)

    @property
    def messages(self) -> int:
        """Of all pools."""
        return sum(share.messages for share in self.shares)

    @property
    def scheduler_cpu_s(self) -> float:
        """For them."""
        return cluster_costs.SCHEDULER_CPU_S * self.sessions

    @property
    def scheduler_moved_bytes(self) -> int:
        """That go through the scheduler of a cluster, jobs and games."""
        a_game = cluster_costs.JOB_BYTES_A_GAME + cluster_costs.RESULT_BYTES_A_GAME
        return sum(
            share.field.sessions
            * (
                cluster_costs.SESSION_JOB_BYTES
                + cluster_costs.JOB_BYTES_A_BOT * min(share.field.bots, BOTS_PER_SESSION)
            )
            + a_game * share.field.games
            for share in self.shares
        )


def sizes(pools: Sequence[Measured], workers: int, processes: int) -> list[Size]:
    """Return what pools that share their bots come to: as they are, and with as many as `SIZES`
    has that are at least twice as many; then, if the largest field has more than `BEYOND` games,
    with line-ups drawn. `processes` make tables at once.
    """
    now = len({bot for each in pools for bot in each.entry.bots})
    fields = [now, *(size for size in SIZES if size >= 2 * now)]
    made = [size(pools, now, bots, False, workers, processes) for bots in fields]
    if made[-1].games > BEYOND and any(each.asked is None for each in pools) and len(made) > 1:
        made.append(size(pools, now, fields[-1], True, workers, processes))
    return made


def size(
    pools: Sequence[Measured], now: int, bots: int, drawn: bool, workers: int, processes: int
) -> Size:
    """Return what a league of `now` bots comes to with so many; each pool has its share of them."""
    line_ups = {}
    for each in pools:
        own = _share_of(each.entry, now, bots)
        line_ups[each.entry.pool] = own, _line_ups(each, own, drawn)
    games = sum(
        grown(each.entry, *line_ups[each.entry.pool], GAMES_PER_SESSION).games for each in pools
    )
    most = games_of_session(games, workers)
    shares = tuple(_taken(each, *line_ups[each.entry.pool], most) for each in pools)
    tables_s = [share.tables_s for share in shares]
    wall_s = (
        sum(share.play_s for share in shares) / workers
        + estimate.makespan(sorted(tables_s, reverse=True), processes)
    )  # fmt: skip
    return Size(bots, drawn, shares, wall_s, _memory(shares, processes))


def _share_of(entry: Entry, now: int, bots: int) -> int:
    """Return how many of a league's bots enter a pool, in proportion to those that do now."""
    return max(len(entry.bots), len(entry.bots) * bots // now)


def _line_ups(measured: Measured, bots: int, drawn: bool) -> int:
    entry = measured.entry
    line_ups = line_ups_of(entry, measured.asked, bots)
    if not drawn or measured.asked is not None:
        return line_ups
    now = line_ups_of(entry, None, len(entry.bots))
    return min(line_ups, as_now(entry, now, bots), MOST_LINE_UPS)


def _taken(measured: Measured, bots: int, line_ups: int, most: int) -> Share:
    """Return what a pool comes to with so many bots and line-ups."""
    entry = measured.entry
    field = grown(entry, bots, line_ups, most)
    return Share(
        entry.pool,
        field,
        field.sessions * measured.cost.of(field.games / field.sessions),
        estimate.TABLES_S * field.games + 1e-9 * TABLES_NS_A_PAIR * field.pairs * bots**2,
        measured.weight.of(field.games, line_ups),
        TABLES_BYTES_A_SEAT * field.games * entry.pool.players
        + TABLES_BYTES_A_PAIR * field.pairs * bots
        + TABLES_BYTES_A_LINE_UP * line_ups,
    )


def _memory(shares: Sequence[Share], processes: int) -> int:
    """Return the bytes that arena takes where it takes most: as all that is left is planned, or as
    tables are made, of so many pools at once.
    """
    plan = cluster_costs.ORGANISER_JOB_BYTES * sum(share.field.sessions for share in shares)
    for share in shares:
        plan += PLAN_BYTES_A_GAME * share.field.games
        if share.field.bots > BOTS_PER_SESSION:
            plan += CUT_BYTES_A_GAME * share.field.games
            plan += CUT_BYTES_A_LINE_UP * share.field.line_ups
    rating = heapq.nlargest(processes, (share.tables_bytes for share in shares))
    tables = sum(rating) + PROCESS_BYTES * (len(rating) if len(shares) > 1 else 0)
    document = DOCUMENT_BYTES * sum(share.field.bots**2 for share in shares)
    return PROCESS_BYTES + max(plan, tables, document)


def by_pool(made: Sequence[Size]) -> Mapping[Pool, list[dict[str, object]]]:
    """Return the sizes as JSON has them, by pool."""
    found: dict[Pool, list[dict[str, object]]] = {}
    for each in made:
        for share in each.shares:
            found.setdefault(share.pool, []).append(
                {
                    "league_bots": each.bots,
                    "drawn": each.drawn,
                    **share.field._asdict(),
                    "play_s": round(share.play_s, 3),
                    "tables_s": round(share.tables_s, 3),
                    "store_bytes": share.store_bytes,
                    "tables_memory_bytes": share.tables_bytes,
                    "messages": share.messages,
                }
            )
    return found
