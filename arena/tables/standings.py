"""The standings: one document, made from rated pools.

Rankings overall, by game and by pool, the faults, and which doubts about ratings are said. Only
what play determines: no time, date or machine. Numbers are rounded to three decimals before
anything is ordered by them. `arena.tables.document` has the document's types,
`arena.tables.pool_table` makes the pools' parts, `arena.tables.formats` shows it all. Pure.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from math import isnan
from operator import add
from typing import NamedTuple

import numpy as np
from msgspec import structs

from arena.faults.kinds import KINDS
from arena.model import LADDER, LEVEL, Bot, NotRankedStatus, Pool
from arena.rating.anchor import find_rating_offset
from arena.rating.comparisons import compare_bots
from arena.rating.gaussian import Array
from arena.rating.p_values import adjust_by_holm
from arena.rating.posterior import estimate_chances
from arena.rating.rate import Rated, combine_rated, find_rating_bounds, rank_by_majority
from arena.tables.columns import A_RUNG, Row, Status
from arena.tables.document import (
    VERSION,
    BotFaults,
    BotVersion,
    Comparisons,
    GameTable,
    Names,
    Order,
    PoolTable,
    Standings,
    group_identical,
)
from arena.values import Shares, interval_if_any, mean, round_drawn, rounded, rounded_if_any


class Totals(NamedTuple):
    """A bot's totals in some pools."""

    games: int  # in which it had a seat
    counted: int  # of these, those that count
    wins: float  # 1 for a win, a shared one divided among its sharers
    scores: float  # mean of its seats', summed over these
    faults: Counter[str]  # by kind


NOTHING = Totals(0, 0, 0.0, 0.0, Counter())


class RatedPool(NamedTuple):
    """A pool, rated and counted: what `assemble_standings` needs of it. Can be pickled."""

    pool: Pool
    rated: Rated
    totals: dict[str, Totals]  # by bot
    part: PoolTable  # of the standings
    not_ranked: Mapping[str, NotRankedStatus] = {}  # bots that are not to be ranked, and why
    differing: int | None = None  # in a match, the decks that are not even between the two
    same: bool = False  # in a match: no decision of the two differed

    def has_played(self, bot: str) -> bool:
        """True if a bot has a game here; before the first one, if it entered."""
        return bot in self.totals and bool(self.totals[bot].games or not self.part.games)


def assemble_standings(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[RatedPool],
    commitment: str | None = None,
) -> Standings:
    """Assemble the standings of rated pools, which come in any order."""
    pools = sorted(pools, key=lambda pool: pool.pool)
    same = group_identical(bots)
    by_game = {game: [*of_game] for game, of_game in groupby(pools, lambda pool: pool.pool.game)}
    overall: tuple[Row, ...] = ()
    overall_comparisons = None
    begun = _find_begun([*by_game.values()])
    if by_game:
        overall, overall_comparisons = _rank_means(begun, same)
    totals = add_totals(pools)
    return Standings(
        version=VERSION,
        tournament=name,
        seed="given" if seed_given else "secret",
        commitment=commitment,
        confinement=confinement,
        bots=tuple(BotVersion(name=bot.name, hash=bot.hash) for bot in sorted(bots)),
        overall=overall,
        overall_comparisons=overall_comparisons,
        majority_order=_orders(overall, begun),
        games=tuple(
            GameTable(game=game, pool_count=len(of_game), table=rows, comparisons=comparisons)
            for game, of_game in by_game.items()
            for rows, comparisons in [_rank_means(_find_begun([of_game]), same)]
        ),
        pools=tuple(judge_fits([pool.part for pool in pools])),
        faults=tuple(
            BotFaults(bot=bot.name, faults=faults, total=sum(faults.values()))
            for bot in sorted(bots)
            for faults in [order_faults(totals.get(bot.name, NOTHING).faults)]
        ),
    )


def _find_begun(games: Sequence[Sequence[RatedPool]]) -> Sequence[Sequence[RatedPool]]:
    """The pools of games that have a game; all where none has."""
    begun = [[pool for pool in of_game if pool.part.games] for of_game in games]
    return [*filter(None, begun)] or games


def _rank_means(
    games: Sequence[Sequence[RatedPool]], same: Sequence[Names]
) -> tuple[tuple[Row, ...], Comparisons | None]:
    """Make a table by the means of pools, games of the same weight. Bots that did not play in all
    pools have the mean of theirs, and no place.
    """
    pools = [*chain(*games)]
    totals, scores = add_totals(pools), len(pools) == 1
    lacks = {
        bot: tuple(pool.part.title for pool in pools if not pool.has_played(bot)) for bot in totals
    }
    lacking: dict[str, Status] = {bot: "partial" for bot, lack in lacks.items() if lack}
    not_ranked = {bot: status for pool in pools for bot, status in pool.not_ranked.items()}
    in_all, comparisons = rank(_average(games), totals, scores, same, lacking | not_ranked)
    rows = [row for row in in_all if row.bot not in lacking]
    for lack in sorted({lacks[bot] for bot in lacking}):
        bots = [bot for bot in lacking if lacks[bot] == lack]
        shared = [[pool for pool in of_game if pool.has_played(bots[0])] for of_game in games]
        entered = [[pool for pool in of_game if bots[0] in pool.totals] for of_game in games]
        rated = _average([*filter(None, shared)] or [*filter(None, entered)])
        none: dict[str, Status] = dict.fromkeys(rated.ratings.names, "partial")
        of_these = rank(rated, totals, scores, same, none | not_ranked)[0]
        rows += [structs.replace(row, missing_pools=lack) for row in of_these if row.bot in bots]
    return tuple(sorted(rows, key=lambda row: row.order)), comparisons


def _average(games: Iterable[Sequence[RatedPool]]) -> Rated:
    return combine_rated([combine_rated([pool.rated for pool in pools]) for pools in games])


def add_totals(pools: Sequence[RatedPool]) -> dict[str, Totals]:
    """Add up what bots did in pools, by name."""
    sums: dict[str, Totals] = {}
    for pool in pools:
        for bot, more in pool.totals.items():
            sums[bot] = Totals(*map(add, sums.get(bot, NOTHING), more))
    return sums


def order_faults(faults: Mapping[str, int]) -> dict[str, int]:
    return {kind: faults[kind] for kind in KINDS if kind in faults}


def rank(
    rated: Rated,
    totals: Mapping[str, Totals],
    scores: bool,
    same: Sequence[Names],
    not_ranked: Mapping[str, Status] = {},
) -> tuple[tuple[Row, ...], Comparisons | None]:
    """Make a table, best first; bots of equal mu share the better place. Then how sure it is of
    each two of its bots; None for too many bots to look up. Bots that are `not_ranked`, or
    forfeited half of their games, come last, and what is said of the others does not count them;
    ratings stay as they are.

    With `scores`, rows have the mean score: over several pools or games, scores are no single
    measure. Where there are anchored ratings, mu and its interval come from these, all else from
    the others, so that an anchor changes no place. Bots of the same files (`same`, in groups) are
    never told apart.
    """
    ratings, anchored, duels = rated
    moved = rounded(find_rating_offset(ratings, anchored)) if anchored and ratings.names else 0.0
    mus = [rounded(mu) for mu in ratings.mu.tolist()]
    by_mu = sorted(range(len(mus)), key=lambda bot: (-mus[bot], ratings.names[bot]))
    status = [_find_status(totals[name], not_ranked.get(name)) for name in ratings.names]
    order = [bot for bot in by_mu if status[bot] == "ranked"]
    square = np.ix_(order, order)
    covariance, freedom = ratings.covariance[square], ratings.freedom[order]
    last = [bot for bot in by_mu if status[bot] != "ranked"]  # the better or worse, at most
    above, below = (
        np.maximum(counts[order] - len(last), 0) for counts in (ratings.above, ratings.below)
    )
    names = [ratings.names[bot] for bot in order]
    group = {name: len(names) + number for number, twins in enumerate(same) for name in twins}
    files = np.array([group.get(name, at) for at, name in enumerate(names)])
    alike = (files[:, None] == files) & ~np.eye(len(names), dtype=bool)
    errors = np.where(alike, np.inf, ratings.errors[square])
    sure = compare_bots([mus[bot] for bot in order], covariance, errors, freedom, above, below)
    # In its pool a bot that won all is better than the others; in a mean of pools it may be by far.
    # So may be one of bots that it never met, not even through others.
    met = len({*ratings.group[order].tolist()}) < 2
    excess = None if scores and met else ratings.spread[square] - covariance
    held = ratings.shrinkage[order]
    chance = estimate_chances(ratings.mu[order].tolist(), covariance, freedom, held, excess)
    nexts = [
        0.5 if known is not None and alike[at, at + 1] else known
        for at, known in enumerate(chance.next)
    ]
    published = [rounded(mu + moved) for mu in mus]
    ends = find_rating_bounds(anchored or ratings, published)
    ranked = [published[bot] for bot in order]
    lines = zip(order, sure.places, nexts, chance.top, strict=True)
    rows: list[Row] = []
    for bot, places, following, top in chain(lines, ((bot, None, None, None) for bot in last)):
        did, sigma = totals[ratings.names[bot]], rounded(float(ratings.sigma[bot]))
        faults = order_faults(did.faults)
        rows.append(
            Row(
                status=status[bot],
                place=1 + sum(mu > published[bot] for mu in ranked)
                if status[bot] == "ranked"
                else None,
                place_range=places,
                bot=ratings.names[bot],
                mu=published[bot],
                interval=interval_if_any(ends[bot]),
                beats=rounded_if_any(duels.get(ratings.names[bot]) if ends[bot] else None),
                better_than_next=rounded_if_any(following),
                best_probability=round_drawn(top[0]) if top else None,
                top_probabilities=tuple(map(round_drawn, top)) if top else None,
                sigma=sigma,
                conservative_mu=rounded(published[bot] - 3 * sigma),
                wins=mean(did.wins, did.counted),
                score=mean(did.scores, did.counted) if scores else None,
                games=did.games,
                decks=int(ratings.clusters[bot]),
                faults=faults,
                faults_total=sum(faults.values()),
            )
        )
    rows.sort(key=lambda row: row.order)
    rows = score_ladder(rows)
    if sure.levels is None or chance.better is None:
        return tuple(rows), None
    better = _shares(np.where(alike & ~np.isnan(chance.better), 0.5, chance.better), rounded)
    level = _shares(sure.levels, round_drawn)
    return tuple(rows), Comparisons(bots=tuple(names), better_probability=better, confidence=level)


def score_ladder(rows: list[Row]) -> list[Row]:
    """Give a table's bots their points for the ladder, if all of it has intervals in the table: so
    many for each rung that they stand above. Rungs, guests and bots on too few decks have none.
    """
    mus = {row.bot: row.mu for row in rows if row.interval}
    if not mus.keys() >= {*LADDER}:
        return rows
    rungs = [mus[rung] for rung in LADDER]
    without = {*LADDER, *(row.bot for row in rows if row.status == "guest" or not row.interval)}
    points = {row.bot: A_RUNG * sum(row.mu > mu for mu in rungs) for row in rows}
    return [
        structs.replace(row, ladder=None if row.bot in without else points[row.bot]) for row in rows
    ]


def _find_status(did: Totals, not_ranked: Status | None) -> Status:
    """The status of a bot that did so much in a table's pools, and is in them all unless it is
    `not_ranked`.
    """
    if not_ranked not in (None, "partial"):
        return not_ranked
    if not did.games:
        return "unplayed"
    if did.games <= 2 * did.faults["load"]:
        return "not loaded"
    return "broken" if did.games <= 2 * sum(did.faults.values()) else not_ranked or "ranked"


def _shares(matrix: Array, published: Callable[[float], float]) -> Shares:
    """The matrix as it is published, with None for unknown values (nan)."""
    return tuple(
        tuple(None if isnan(share) else published(share) for share in row)
        for row in matrix.tolist()
    )


def _orders(overall: Sequence[Row], games: Iterable[Sequence[RatedPool]]) -> tuple[Order, ...]:
    """The bots ranked overall, by rating and by majority of pools, from published ratings."""
    if not overall:
        return ()
    ratings = [[{row.bot: row.mu for row in pool.part.table} for pool in rated] for rated in games]
    standing = rank_by_majority(ratings, [row.bot for row in overall if row.place])
    return tuple(
        Order(
            bot=row.bot,
            place=row.place,
            majority_place=standing[row.bot].place,
            majority_wins=standing[row.bot].majorities,
            mean_place=rounded(standing[row.bot].mean_place),
        )
        for row in overall
        if row.place
    )


def judge_fits(pools: Sequence[PoolTable]) -> list[PoolTable]:
    """Decide for each pool whether the notes say that one number a bot does not explain its
    results.

    They do if that is significant among all pools (Holm) and matters in practice.
    """
    chances = iter(adjust_by_holm([pool.fit.p_value for pool in pools if pool.fit]))
    out = []
    for pool in pools:
        if pool.fit:
            sure = next(chances) <= 1 - LEVEL
            significant = sure and any(residual.matters for residual in pool.fit.residuals)
            pool = structs.replace(pool, fit=structs.replace(pool.fit, significant=significant))
        out.append(pool)
    return out
