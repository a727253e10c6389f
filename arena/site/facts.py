"""All figures of the site beyond standings.json, taken in one scan of the store.

Pools are scanned in processes of their own; each is read in order of id, as ratings read it, and
let go when its facts are made. The same store gives the same facts, whatever the machine.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from arena.errors import UsageError
from arena.model import Limits, Pool
from arena.progress import SILENT, Progress
from arena.schedule.order import Schedule, schedules
from arena.site import facts_cpu
from arena.site.facts_cpu import Cpu
from arena.site.facts_games import taken
from arena.site.facts_pool import PoolFacts, facts_of
from arena.site.facts_watch import (
    USUAL,
    Candidate,
    Strength,
    Wanted,
    Watched,
    candidates,
    chosen,
)
from arena.store import faults
from arena.store.plans import plan_in
from arena.store.store import Store
from arena.store.usage import sessions
from arena.system.parallel import in_turn, tick
from arena.tables.document import PoolTable, Standings

SCAN_APART = 20_000
"""Games from which on pools are scanned in processes of their own: fewer are done before those have
started."""

MOST_ASKED = 20_000
"""Games to watch: some 20 kB each, they are 400 MB then."""


class Facts(NamedTuple):
    """What the pages say beyond the standings."""

    pools: tuple[PoolFacts, ...]  # in the order of the standings
    cpu: Mapping[str, Mapping[Pool, Cpu]]  # by bot and pool, where it decided anything
    cpu_overall: Mapping[str, Cpu]  # by bot, the pools of the standings together
    limits: Limits
    watched: tuple[Watched, ...]  # by pool, in each by reason
    failed_at: faults.Steps  # of the forfeits that the pools list

    def of(self, pool: PoolTable) -> PoolFacts:
        """Return the facts of a pool of the standings."""
        return next(each for each in self.pools if each.pool == pool_of(pool))


def facts_in(
    store: Store, document: Standings, wanted: Wanted = USUAL, steps: Progress = SILENT
) -> Facts:
    """Return the facts of the stored games that the stored plan names, and the games to watch;
    `document` has their standings, maybe of one game alone. Raises UsageError where more games are
    asked for than a site takes.
    """
    plan = plan_in(store)
    planned = schedules(plan)
    pieces = [
        _Piece(store.path, planned[pool], strength_of(each), wanted, number)
        for number, each in enumerate(document.pools)
        if (pool := pool_of(each)) in planned
    ]
    check_number(wanted, [piece.games for piece in pieces])
    steps.begin(f"looking through {len(pieces)} pools", len(pieces))
    if store.count() < SCAN_APART or (os.cpu_count() or 1) < 2:
        found = []
        for piece in pieces:
            found.append(_scanned(store, piece))
            steps.done()
    else:
        found = _in_processes(pieces, steps)
    by_bot = facts_cpu.by_bot(sessions(store))
    scanned = tuple(each for each, _ in found)
    return Facts(
        scanned,
        {
            bot: {pool: cpu for pool, own in pools.items() if (cpu := facts_cpu.cpu_of(own))}
            for bot, pools in by_bot.items()
        },
        {
            bot: cpu
            for bot, pools in by_bot.items()
            if (cpu := facts_cpu.cpu_of([each for own in pools.values() for each in own]))
        },
        plan.limits,
        chosen([(each.pool.title, own) for each, own in found], wanted),
        faults.failed_at(store, {game for own in scanned for game in _forfeited(own)}),
    )


def _forfeited(pool: PoolFacts) -> Iterator[str]:
    """Yield the ids of the games that a pool lists for a fault."""
    for forfeits in chain.from_iterable(pool.forfeits):
        yield from (each.game for each in forfeits.games)


def pool_of(table: PoolTable) -> Pool:
    """Return the pool of a table of the standings."""
    return Pool(table.game, table.players, table.options, table.partners)


def strength_of(table: PoolTable) -> Strength:
    """Return what the standings say of a pool's bots, in the order of names."""
    return Strength(
        tuple(row.mu for row in sorted(table.table, key=lambda row: row.bot)),
        table.draw_probability,
    )


def check_number(wanted: Wanted, schedules: Iterable[Schedule]) -> None:
    """Raise UsageError where more games are asked for than a site takes."""
    if wanted.what == "all":
        number = sum(map(len, schedules))
    elif wanted.what == "line-ups":
        number = sum(min(len(own.line_ups) * wanted.of_a_line_up, len(own)) for own in schedules)
    else:
        return
    if number > MOST_ASKED:
        asked = wanted.of_a_line_up if wanted.what == "line-ups" else wanted.what
        raise UsageError(
            f"--games {asked}: that is {number:,} games, and a site takes {MOST_ASKED:,}, some "
            "20 kB each; ask for fewer a line-up, or leave it to arena which"
        )


class _Piece(NamedTuple):
    """A pool to be scanned. Can be pickled."""

    path: Path  # of the store
    games: Schedule
    strength: Strength
    wanted: Wanted
    number: int  # of the pool


_Scanned = tuple[PoolFacts, list[Candidate]]


def _in_processes(pieces: list[_Piece], steps: Progress) -> list[_Scanned]:
    """Return what is found in each pool, in their order; the largest are scanned first."""
    order = sorted(range(len(pieces)), key=lambda at: -len(pieces[at].games))
    found = dict(
        zip(order, in_turn(_scanned_apart, [pieces[at] for at in order], steps), strict=True)
    )
    return [found[at] for at in range(len(pieces))]


def _scanned_apart(piece: _Piece) -> _Scanned:
    """Return what is found in a pool, in a process of its own."""
    with closing(Store.open(piece.path, checked=True)) as store:
        found = _scanned(store, piece)
    tick()
    return found


def _scanned(store: Store, piece: _Piece) -> _Scanned:
    entry = piece.games.entry
    outcomes = store.outcomes(entry.pool, piece.games.holds)
    games = taken(entry.pool, [bot.name for bot in entry.bots], entry.duplicate, outcomes)
    found = facts_of(games)
    return found, candidates(games, found, piece.strength, piece.wanted, piece.number)
