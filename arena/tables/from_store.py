"""The standings of the games that a store holds and its plan names."""

import os
from typing import TYPE_CHECKING, NamedTuple

from arena.model import Anchor
from arena.progress import SILENT, Progress
from arena.schedule.order import Schedule, make_schedules
from arena.store.plans import load_plan
from arena.store.public import load_commitment
from arena.store.store import Store, map_over_store
from arena.system import tick
from arena.tables import settling
from arena.tables.caveats import group_identical

if TYPE_CHECKING:  # numpy takes its time
    from arena.tables.against import League
    from arena.tables.document import Standings
    from arena.tables.pool_table import PlayedPool, RatedPool

RATE_APART = 20_000  # games from which on pools are rated in processes of their own
"""Fewer are rated here, at some 50 us a game, sooner than others have started to."""


def make_document(
    store: Store, refits: int = 0, game: str | None = None, steps: Progress = SILENT
) -> "Standings":
    """The standings of the stored games that the stored plan names; of one game alone, if given,
    and then nothing else is rated.

    Intervals come from the fit, or from `refits` refits, if given.
    """
    return make_league(store, refits, game, steps).document


def make_league(
    store: Store, refits: int = 0, game: str | None = None, steps: Progress = SILENT
) -> "League":
    """The same standings, with the ratings that they show."""
    from arena.tables.against import League
    from arena.tables.standings import assemble

    plan = load_plan(store)
    schedules = [games for pool, games in make_schedules(plan).items() if game in (None, pool.game)]
    anchors = {anchor.pool: anchor for anchor in plan.anchors}
    refitted = f", {refits:,} times each" if refits else ""
    steps.begin(f"rating {len(schedules)} pools{refitted}", len(schedules) * refits)
    apart = store.count() >= RATE_APART and (os.cpu_count() or 1) > 1
    if apart:  # largest first
        schedules.sort(key=lambda games: -len(games))
    pieces = (_Piece(games, anchors.get(games.entry.pool), refits) for games in schedules)
    pools = list(map_over_store(store, _rate, pieces, steps, apart))
    committed = load_commitment(store, plan)
    document = assemble(
        plan.name, plan.seed_given, plan.confinement, plan.bots, pools, refits, committed
    )
    return League(document, {pool.pool: pool for pool in pools})


def comparisons(store: Store, games: Schedule) -> list[settling.Comparison]:
    """What the current look says of each pair in a pool that is to be settled."""
    from arena.tables.pool_table import rate_pool

    return settling.compare_neighbours(games.entry, rate_pool(_played(store, games)).ratings)


def _played(store: Store, own: Schedule) -> "PlayedPool":
    from arena.tables.pool_table import PlayedPool

    pool, bots = own.entry.pool, own.entry.bots
    unplayed = sum(own.line_ups.number(each) is not None for each in store.unplayed(pool))
    games = store.outcomes(pool, own.holds)
    names = tuple(bot.name for bot in bots)
    same = group_identical(bots)
    return PlayedPool(pool, names, own.entry.duplicate, unplayed, games, same=same)


class _Piece(NamedTuple):
    """A pool to be rated. Can be pickled."""

    games: Schedule
    anchor: Anchor | None
    refits: int


def _rate(store: Store, piece: _Piece) -> "RatedPool":
    from arena.tables.pool_table import rate_pool

    played = _played(store, piece.games)._replace(anchor=piece.anchor)
    return rate_pool(played, piece.refits, piece.games.entry, tick)
