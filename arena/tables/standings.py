"""The standings: one document, made from outcomes alone.

Tables by pool, by game and overall, and the faults. Only what play determines: no time, date or
machine. Numbers are rounded to three decimals before anything is ordered by them.
`arena.tables.document` has the document's types, `arena.tables.pool_table` makes the pools' parts,
`arena.tables.formats` shows it all. Pure.
"""

from collections.abc import Iterable, Sequence

from arena.model import Bot
from arena.rating.overall import (
    combine_anchored,
    combine_ratings,
    mean_duel_chances,
    rank_by_majority,
)
from arena.tables import agreement
from arena.tables.caveats import group_identical
from arena.tables.columns import Row
from arena.tables.document import VERSION, BotFaults, BotVersion, GameTable, Order, Standings
from arena.tables.pool_table import PlayedPool, RatedPool, rate_pool
from arena.tables.ranking import NOTHING, Ranking, added, in_order, rank
from arena.tables.values import rounded


def make_standings(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[PlayedPool],
    refits: int = 0,
    commitment: str | None = None,
) -> Standings:
    """Rate the pools and assemble their standings. Intervals come from the fit, or from `refits`
    refits of each pool.
    """
    parts = [rate_pool(pool, refits) for pool in pools]
    return assemble(name, seed_given, confinement, bots, parts, refits, commitment)


def assemble(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[RatedPool],
    refits: int = 0,
    commitment: str | None = None,
) -> Standings:
    """Assemble the standings of rated pools, which come in any order."""
    pools = sorted(pools, key=lambda rated: rated.pool)
    same = group_identical(bots)
    by_game: dict[str, list[RatedPool]] = {}
    for pool in pools:
        by_game.setdefault(pool.pool.game, []).append(pool)
    of_game = {
        game: combine_ratings([pool.ratings for pool in rated]) for game, rated in by_game.items()
    }
    chances = {
        game: mean_duel_chances([pool.duels for pool in rated]) for game, rated in by_game.items()
    }
    shown = {
        game: combine_anchored([pool.ratings for pool in rated], [pool.shown for pool in rated])
        for game, rated in by_game.items()
    }
    everything = added([pool.totals for pool in pools])
    overall = Ranking((), None)
    if of_game:
        everywhere = combine_ratings(list(of_game.values()))
        overall = rank(
            everywhere,
            everything,
            mean_duel_chances(list(chances.values())),
            scores=False,
            shown=combine_anchored([*of_game.values()], [*shown.values()]),
            same=same,
        )
    return Standings(
        version=VERSION,
        name=name,
        seed="given" if seed_given else "secret",
        commitment=commitment,
        confinement=confinement,
        refits=refits,
        bots=tuple(BotVersion(name=bot.name, hash=bot.hash) for bot in sorted(bots)),
        identical=same,
        overall=overall.rows,
        overall_comparisons=overall.comparisons,
        orders=_orders(overall.rows, by_game.values()),
        games=tuple(
            GameTable(game=game, pools=len(rated), table=rows, comparisons=comparisons)
            for game, rated in by_game.items()
            for totals in [added([pool.totals for pool in rated])]
            for rows, comparisons in [
                rank(of_game[game], totals, chances[game], len(rated) == 1, shown[game], same)
            ]
        ),
        pools=tuple(agreement.judge_fits([pool.part for pool in pools])),
        faults=tuple(
            BotFaults(bot=bot.name, faults=faults, total=sum(faults.values()))
            for bot in sorted(bots)
            for faults in [in_order(everything.get(bot.name, NOTHING).faults)]
        ),
    )


def _orders(overall: Sequence[Row], games: Iterable[Sequence[RatedPool]]) -> tuple[Order, ...]:
    """The overall table's bots by rating and by majority of pools, from published ratings."""
    if not overall:
        return ()
    ratings = [[{row.bot: row.mu for row in pool.part.table} for pool in rated] for rated in games]
    standing = rank_by_majority(ratings, [row.bot for row in overall])
    return tuple(
        Order(
            bot=row.bot,
            place=row.place,
            majority_place=standing[row.bot].place,
            majorities=standing[row.bot].majorities,
            mean_place=rounded(standing[row.bot].mean_place),
        )
        for row in overall
    )
