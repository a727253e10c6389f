"""A pool's part of the standings, made from its outcomes. Pure.

Its ranking, its crosstables of bots against and beside each other, what each seat was worth, how
far results agree with ratings, and how its test stands, if it is to be settled.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import UNSET

from arena.model import (
    LEAST_DECKS,
    LEVEL,
    Anchor,
    Entry,
    Mirrored,
    NotRanked,
    Outcome,
    Pool,
    Sharing,
)
from arena.rating.anchor import find_anchor_objection, find_rating_offset, measure_ratings_from
from arena.rating.gaussian import Array
from arena.rating.model_fit import compare_with_ratings
from arena.rating.outcomes import (
    CountedGames,
    GameColumns,
    Ints,
    MergedGames,
    PairTallies,
    count_differing,
    find_seats_of_sides,
    make_columns,
    merge_games,
    select_counted,
    tally_bots,
    tally_pairs,
    tally_seats,
)
from arena.rating.p_values import t_critical
from arena.rating.rate import Rated, Ratings, duel_chances, rate_bots
from arena.sequential.looks import make_test
from arena.tables.document import AnchorPoint, Crosstable, Fit, Names, PoolTable, Residual, Seat
from arena.tables.standings import RatedPool, Totals, rank
from arena.values import Counts, Shares, mean, rounded, rounded_if_any

MOST = 10  # residuals and cycles published of a pool


class PlayedPool(NamedTuple):
    """A pool as it was played: what its table is made from."""

    pool: Pool
    names: tuple[str, ...]  # of all that entered
    shared: Sharing
    not_played: int  # line-ups
    games: Iterable[tuple[Outcome, int]]  # with the number of their deal, in any order
    anchor: Anchor | None = None  # one of the names
    same: tuple[Names, ...] = ()  # of the names: bots of the same files, in groups
    not_ranked: tuple[NotRanked, ...] = ()  # bots that are not ranked, of any pool
    drawn: Mapping[Names, float] | None = None  # a game's weight by line-up; None: all are played
    records: Callable[[], Iterable[bytes]] = tuple  # of the same games, read if a match needs them


def rate_pool(played: PlayedPool, planned: Entry | None = None) -> RatedPool:
    """Rate a pool and make its table. This is the slow part of the standings: pools may be rated in
    parallel.

    With the pool's entry as `planned`, the table says how far its test is settled.
    """
    pool, names = played.pool, sorted(played.names)
    columns = make_columns(pool, names, played.games)
    counted = select_counted(columns)
    merged = merge_games(columns, counted, played.shared, played.drawn)
    games, totals = len(columns.deals), _totals(columns, counted)
    pairs, seats = tally_pairs(columns, counted), _seats(counted, merged)
    differing, same = None, False
    if isinstance(played.shared, Mirrored):
        differing = count_differing(counted, merged, *map(names.index, played.shared.bots))
        same = not differing and plays_same(played.records())
    to_anchor = counted if played.anchor else None
    del columns, counted  # before it rates: 190,000 games with five bots take 50 MB
    ratings = rate_bots(names, merged)
    shown, point = _anchor(ratings, to_anchor, played.anchor)
    rated = Rated(ratings, shown, duel_chances(ratings, merged.sites.bots.shape[1]))
    not_ranked = {one.bot: one.status for one in played.not_ranked}
    rows, comparisons = rank(rated, totals, scores=True, same=played.same, not_ranked=not_ranked)
    order = [row.bot for row in rows]
    table = PoolTable(
        game=pool.game,
        players=pool.players,
        options=pool.options,
        partners=pool.partners,
        title=pool.title,
        games=games,
        decks=merged.decks,
        draw_probability=rounded_if_any(ratings.draw_probability),
        converged=ratings.converged,
        anchor=point,
        line_ups_not_played=played.not_played,
        table=rows,
        comparisons=comparisons,
        crosstable=_crosstable(pairs, names, order, len(find_seats_of_sides(pool))),
        fit=_assess(merged, ratings, order),
        seats=seats,
        sequential_test=make_test(planned, ratings, games, differing, same) if planned else UNSET,
    )
    return RatedPool(
        pool=pool,
        rated=rated,
        totals=totals,
        part=table,
        not_ranked=not_ranked,
        differing=differing,
        same=same,
    )


def plays_same(records: Iterable[bytes]) -> bool:
    """True if the games of a match went alike on each deck, whichever of the two sat there: no
    decision of the two differed. A setup may tell of reshuffles, too: then it is in no other game.
    """
    ways = Counter((str(one["setup"]), str(one["actions"])) for one in map(json.loads, records))
    return len({deal for deal, _ in ways}) == len(ways) and min(ways.values(), default=0) > 1


def _anchor(
    ratings: Ratings, counted: CountedGames | None, wanted: Anchor | None
) -> tuple[Ratings | None, AnchorPoint | None]:
    if wanted is None or counted is None:
        return None, None
    bot, rating = wanted.bot, rounded(wanted.rating)
    why_not = find_anchor_objection(counted, ratings, bot)
    shown = None if why_not else measure_ratings_from(ratings, bot, rating)
    moved = rounded(find_rating_offset(ratings, shown)) if shown else 0.0
    return shown, AnchorPoint(bot=bot, rating=rating, shift=moved, problem=why_not)


def _totals(columns: GameColumns, counted: CountedGames) -> dict[str, Totals]:
    """The totals of each bot. Faults of games that do not count are counted all the same."""
    faults = {name: Counter[str]() for name in columns.names}
    for (bot, kind), number in sorted(columns.faults.items()):
        faults[bot][kind] = number
    tallied = (column.tolist() for column in tally_bots(columns, counted))
    return {
        name: Totals(games, counting, wins, scores, faults[name])
        for name, games, counting, wins, scores in zip(columns.names, *tallied, strict=True)
    }


def _crosstable(
    pairs: PairTallies, names: Sequence[str], bots: Sequence[str], sides: int
) -> Crosstable:
    """The bots' results against and beside each other, in the order of `bots`; the pairs are in
    that of `names`.
    """
    order = [names.index(bot) for bot in bots]

    def numbers(values: Ints) -> Counts:
        return tuple(map(tuple, values[np.ix_(order, order)].tolist()))

    def shares(sums: Array, games: Ints) -> Shares:
        rows = zip(sums[np.ix_(order, order)].tolist(), numbers(games), strict=True)
        return tuple(tuple(map(mean, totals, counts)) for totals, counts in rows)

    neighbours = sides > 2  # of two, only opponents sit to the left, or partners
    return Crosstable(
        bots=tuple(bots),
        games=numbers(pairs.games),
        ahead_share=shares(pairs.ahead, pairs.games),
        win_share=shares(pairs.wins, pairs.games),
        left_seat_games=numbers(pairs.left_games) if neighbours else None,
        left_seat_win_share=shares(pairs.left_wins, pairs.left_games) if neighbours else None,
    )


def _seats(counted: CountedGames, merged: MergedGames) -> tuple[Seat, ...]:
    clusters = merged.line_ups.shape[1]
    if not clusters:
        return (Seat(wins=None, interval=None),) * counted.seats.size
    seats = tally_seats(counted, merged)
    sure = clusters >= LEAST_DECKS
    t = t_critical(1 - LEVEL, clusters - 1) if sure else 0.0
    return tuple(
        Seat(
            wins=rounded(wins),
            interval=(rounded(wins - t * error), rounded(wins + t * error)) if sure else None,
        )
        for wins, error in zip(seats.wins.tolist(), seats.error.tolist(), strict=True)
    )


def _assess(merged: MergedGames, ratings: Ratings, order: Sequence[str]) -> Fit | None:
    """Test a pool's results against its ratings; None where that cannot be tested.

    `order` has the bots best first: a cycle begins with its best. `significant` is False until all
    pools are judged together (`arena.tables.standings`).
    """
    findings = compare_with_ratings(merged, ratings, MOST)
    return findings and Fit(
        chi_square=rounded(findings.fit.chi_square),
        degrees_of_freedom=rounded(findings.fit.freedom),
        p_value=round(findings.fit.p, 6),
        significant=False,
        residuals=tuple(
            Residual(
                bot=pair.bot,
                other=pair.other,
                games=pair.games,
                observed_share=rounded(pair.observed),
                expected_share=rounded(pair.expected),
                standardised=rounded(pair.standardised),
            )
            for pair in findings.misfits
        ),
        cycles=tuple(
            min(((a, b, c), (b, c, a), (c, a, b)), key=lambda bots: order.index(bots[0]))
            for a, b, c in findings.cycles[:MOST]
        ),
        cycles_total=len(findings.cycles),
    )
