"""A pool's part of the standings, made from its outcomes. Pure.

Its ranking, its crosstables of bots against and beside each other, what each seat was worth, and
how its test stands, if it is to be settled.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import UNSET

from arena.model import LEAST_DECKS, Anchor, Entry, Outcome, Pool
from arena.rating import anchor, outcomes, p_values
from arena.rating.comparisons import LEVEL
from arena.rating.gaussian import Array
from arena.rating.intervals import Tick, no_tick
from arena.rating.outcomes import Ints
from arena.rating.overall import Duels, duel_chances
from arena.rating.rate import Ratings, rate_bots
from arena.tables import agreement, settling
from arena.tables.caveats import Names
from arena.tables.document import AnchorPoint, Crosstable, PoolTable, Seat
from arena.tables.ranking import Totals, rank
from arena.tables.values import Counts, Shares, interval, mean, rounded, rounded_if_any


class PlayedPool(NamedTuple):
    """A pool as it was played: what its table is made from."""

    pool: Pool
    names: tuple[str, ...]  # of all that entered
    shared: bool  # whether the seatings of a line-up share their decks
    not_played: int  # line-ups
    games: Iterable[tuple[Outcome, int]]  # with the number of their deal, in any order
    anchor: Anchor | None = None  # one of the names
    same: tuple[Names, ...] = ()  # of the names: bots of the same files, in groups


class RatedPool(NamedTuple):
    """A pool, rated and counted: what `assemble` needs of it. Can be pickled."""

    pool: Pool
    ratings: Ratings  # with a mean of 25
    shown: Ratings | None  # the same, measured from the anchor; None where there is none
    totals: dict[str, Totals]  # by bot
    duels: Duels
    part: PoolTable  # of the standings


def rate_pool(
    played: PlayedPool, refits: int = 0, planned: Entry | None = None, tick: Tick = no_tick
) -> RatedPool:
    """Rate a pool and make its table. This is the slow part of the standings: pools may be rated in
    parallel.

    `tick` is called after each refit. With the pool's entry as `planned`, the table says how far
    its test is settled.
    """
    pool, names = played.pool, sorted(played.names)
    merged, added_up = _added_up(played, names)
    ratings = rate_bots(names, merged, refits, tick)
    shown, point = _anchored(ratings, added_up.counted, played.anchor)
    totals, members = added_up.totals, merged.sites.bots.shape[1]
    chances = duel_chances(ratings, members)
    rows, comparisons = rank(ratings, totals, chances, scores=True, shown=shown, same=played.same)
    order = [row.bot for row in rows]
    table = PoolTable(
        game=pool.game,
        players=pool.players,
        options=pool.options,
        partners=pool.partners,
        title=pool.title,
        games=added_up.games,
        decks=merged.line_ups.shape[1],
        draw_probability=rounded_if_any(ratings.draw_probability),
        converged=ratings.converged,
        anchor=point,
        line_ups_not_played=played.not_played,
        table=rows,
        comparisons=comparisons,
        crosstable=_crosstable(added_up.pairs, names, order, len(outcomes.find_sides(pool))),
        fit=agreement.assess_pool(merged, ratings, members, order),
        seats=added_up.seats,
        settle=settling.test_of(planned, ratings) if planned else UNSET,
    )
    return RatedPool(pool, ratings, shown, totals, chances, table)


class _AddedUp(NamedTuple):
    """What tables say of a pool's games beside the ratings."""

    games: int
    totals: dict[str, Totals]  # by bot
    pairs: outcomes.Pairs  # bots in order of name
    seats: tuple[Seat, ...]
    counted: outcomes.Counted | None  # only where an anchor is wanted


def _added_up(played: PlayedPool, names: Sequence[str]) -> tuple[outcomes.Merged, _AddedUp]:
    """Merge a pool's games, and count what tables say beside the ratings. The games themselves are
    let go before they are rated: 190,000 of them with five bots take 50 MB.
    """
    columns = outcomes.make_columns(played.pool, names, played.games)
    counted = outcomes.select_counted(columns)
    merged = outcomes.merge_games(columns, counted, played.shared)
    return merged, _AddedUp(
        len(columns.deals),
        _totals(columns, counted),
        outcomes.tally_pairs(columns, counted),
        _seats(counted, merged),
        counted if played.anchor else None,
    )


def _anchored(
    ratings: Ratings, counted: outcomes.Counted | None, wanted: Anchor | None
) -> tuple[Ratings | None, AnchorPoint | None]:
    """Measure ratings from the wanted anchor, if possible, and say what tables show of it."""
    if wanted is None or counted is None:
        return None, None
    bot, rating = wanted.bot, rounded(wanted.rating)
    why_not = anchor.find_objection(counted, ratings, bot)
    shown = None if why_not else anchor.measure_from(ratings, [bot], rating)
    point = AnchorPoint(
        bot=bot,
        rating=rating,
        moved=rounded(anchor.find_offset(ratings, shown)) if shown else 0.0,
        refused=why_not,
    )
    return shown, point


def _totals(columns: outcomes.Columns, counted: outcomes.Counted) -> dict[str, Totals]:
    """What each bot did. Faults of games that do not count are counted all the same."""
    faults: dict[str, dict[str, int]] = {name: {} for name in columns.names}
    for (bot, kind), number in sorted(columns.faults.items()):
        faults[bot][kind] = number
    games, counting, wins, scores = (
        column.tolist() for column in outcomes.tally_bots(columns, counted)
    )
    return {
        name: Totals(games[at], counting[at], wins[at], scores[at], faults[name])
        for at, name in enumerate(columns.names)
    }


def _crosstable(
    pairs: outcomes.Pairs, names: Sequence[str], bots: Sequence[str], sides: int
) -> Crosstable:
    """What the bots did against and beside each other, in the order of `bots`; the pairs are in
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
        ahead=shares(pairs.ahead, pairs.games),
        wins=shares(pairs.wins, pairs.games),
        left_games=numbers(pairs.left_games) if neighbours else None,
        left_wins=shares(pairs.left_wins, pairs.left_games) if neighbours else None,
    )


def _seats(counted: outcomes.Counted, merged: outcomes.Merged) -> tuple[Seat, ...]:
    """The share of games that each seat won, with its 95 % interval; a team's two seats both have
    the team's.
    """
    clusters = merged.line_ups.shape[1]
    if not clusters:
        return (Seat(wins=None, interval=None),) * counted.seats.size
    seats = outcomes.tally_seats(counted, merged)
    sure = clusters >= LEAST_DECKS
    t = p_values.t_critical(1 - LEVEL, clusters - 1) if sure else 0.0
    return tuple(
        Seat(
            wins=rounded(wins),
            interval=interval(wins - t * error, wins + t * error) if sure else None,
        )
        for wins, error in zip(seats.wins.tolist(), seats.error.tolist(), strict=True)
    )
