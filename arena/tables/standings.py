"""The standings: one document, made from outcomes alone.

Tables by pool, by game and overall, who did what against whom and beside whom, what each seat was
worth, and the faults. Only what play determines: no time, date or machine. Numbers are rounded to
three decimals before anything is ordered by them. `arena.tables.document` has the document's types,
`arena.tables.formats` shows it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import UNSET

from arena.model import FAULTS, LEAST_DECKS, Bot, Entry, Outcome, Pool
from arena.rating import outcomes, student_t, tallies
from arena.rating.comparisons import LEVEL, verdicts
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints
from arena.rating.rate import Ratings, combine, rate
from arena.tables import settling
from arena.tables.document import (
    VERSION,
    BotFaults,
    BotVersion,
    Counts,
    Crosstable,
    GameTable,
    Interval,
    PoolTable,
    Row,
    Seat,
    Shares,
    Standings,
)


class PlayedPool(NamedTuple):
    """A pool as it was played: what its table is made from."""

    pool: Pool
    names: tuple[str, ...]  # of all that entered
    shared: bool  # whether the seatings of a line-up share their decks
    not_played: int  # line-ups
    games: Iterable[tuple[Outcome, int]]  # with the number of their deal, in any order


class Totals(NamedTuple):
    """What a bot did in some pools, added up."""

    games: int  # in which it had a seat
    rated: int  # of these, those that count
    wins: float  # 1 for a win, a shared one divided among its sharers
    scores: float  # mean of its seats', summed over rated games
    faults: Mapping[str, int]  # by kind


NOTHING = Totals(0, 0, 0.0, 0.0, {})


class RatedPool(NamedTuple):
    """A pool, rated and counted: what `assemble` needs of it. Can be pickled."""

    pool: Pool
    ratings: Ratings
    totals: dict[str, Totals]  # by bot
    part: PoolTable  # of the standings


def standings(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[PlayedPool],
    refits: int = 0,
) -> Standings:
    """Return the standings. Intervals come from the fit, or from so many refits of each pool."""
    return assemble(
        name, seed_given, confinement, bots, [rated(pool, refits) for pool in pools], refits
    )


def rated(played: PlayedPool, refits: int = 0, planned: Entry | None = None) -> RatedPool:
    """Return the pool's table. The slow part of the standings: pools may be done in parallel.

    Where the pool's entry is given as planned, the table says how its test stands of being settled.
    """
    pool, names = played.pool, sorted(played.names)
    columns = outcomes.columns(pool, names, played.games)
    counted = outcomes.counted(columns)
    merged = outcomes.merged(columns, counted, played.shared)
    ratings = rate(names, merged, refits)
    totals = _totals(columns, counted)
    rows = _rows(ratings, totals, scores=True)
    table = PoolTable(
        game=pool.game,
        players=pool.players,
        options=pool.options,
        partners=pool.partners,
        title=pool.title,
        games=len(columns.deals),
        decks=merged.line_ups.shape[1],
        draw_probability=_rounded(ratings.draw_probability),
        converged=ratings.converged,
        line_ups_not_played=played.not_played,
        table=rows,
        crosstable=_crosstable(columns, counted, [row.bot for row in rows]),
        seats=_seats(counted, merged),
        settle=settling.test_of(planned, ratings) if planned else UNSET,
    )
    return RatedPool(pool, ratings, totals, table)


def assemble(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[RatedPool],
    refits: int = 0,
) -> Standings:
    """Return the standings of rated pools, in any order."""
    pools = sorted(pools, key=lambda rated: rated.pool)
    by_game: dict[str, list[RatedPool]] = {}
    for each in pools:
        by_game.setdefault(each.pool.game, []).append(each)
    of_game = {game: combine([each.ratings for each in own]) for game, own in by_game.items()}
    everything = _add([each.totals for each in pools])
    return Standings(
        version=VERSION,
        name=name,
        seed="given" if seed_given else "secret",
        confinement=confinement,
        refits=refits,
        bots=tuple(BotVersion(name=bot.name, hash=bot.hash) for bot in sorted(bots)),
        overall=_rows(combine(list(of_game.values())), everything, False) if of_game else (),
        games=tuple(
            GameTable(
                game=game,
                pools=len(own),
                table=_rows(of_game[game], _add([each.totals for each in own]), len(own) == 1),
            )
            for game, own in by_game.items()
        ),
        pools=tuple(each.part for each in pools),
        faults=tuple(
            BotFaults(bot=bot.name, faults=faults, total=sum(faults.values()))
            for bot in sorted(bots)
            for faults in [_ordered(everything.get(bot.name, NOTHING).faults)]
        ),
    )


def _totals(columns: outcomes.Columns, counted: outcomes.Counted) -> dict[str, Totals]:
    """Return what each bot did; faults of games that do not count are counted all the same."""
    faults: dict[str, dict[str, int]] = {name: {} for name in columns.names}
    for (bot, kind), number in sorted(columns.faults.items()):
        faults[bot][kind] = number
    games, rated, wins, scores = (column.tolist() for column in tallies.tallies(columns, counted))
    return {
        name: Totals(games[at], rated[at], wins[at], scores[at], faults[name])
        for at, name in enumerate(columns.names)
    }


def _add(totals: Sequence[Mapping[str, Totals]]) -> dict[str, Totals]:
    """Return the sums, by bot."""
    sums: dict[str, Totals] = {}
    for each in totals:
        for bot, more in each.items():
            so_far = sums.get(bot, NOTHING)
            kinds = so_far.faults.keys() | more.faults.keys()
            sums[bot] = Totals(
                so_far.games + more.games,
                so_far.rated + more.rated,
                so_far.wins + more.wins,
                so_far.scores + more.scores,
                {kind: so_far.faults.get(kind, 0) + more.faults.get(kind, 0) for kind in kinds},
            )
    return sums


def _rows(ratings: Ratings, totals: Mapping[str, Totals], scores: bool) -> tuple[Row, ...]:
    """Return the lines of a table, best first; bots of equal mu share the better place.

    With `scores`, the mean score: those of several pools or games are no one measure.
    """
    mus = [_round(mu) for mu in ratings.mu.tolist()]
    order = sorted(range(len(mus)), key=lambda bot: (-mus[bot], ratings.names[bot]))
    evidence = verdicts(
        [mus[bot] for bot in order],
        ratings.covariance[np.ix_(order, order)],
        ratings.freedom[order],
    )
    rows: list[Row] = []
    for index, (bot, verdict) in enumerate(zip(order, evidence, strict=True)):
        own, sigma = totals[ratings.names[bot]], _round(float(ratings.sigma[bot]))
        shared = bool(rows) and rows[-1].mu == mus[bot]
        faults = _ordered(own.faults)
        rows.append(
            Row(
                place=rows[-1].place if shared else index + 1,
                places=verdict.places,
                group=verdict.group,
                bot=ratings.names[bot],
                mu=mus[bot],
                interval=verdict.interval and _interval(*verdict.interval),
                better_than_next=_rounded(verdict.next),
                sigma=sigma,
                low=_round(mus[bot] - 3 * sigma),
                wins=_mean(own.wins, own.rated),
                score=_mean(own.scores, own.rated) if scores else None,
                games=own.games,
                decks=int(ratings.clusters[bot]),
                faults=faults,
                faults_total=sum(faults.values()),
            )
        )
    return tuple(rows)


def _crosstable(
    columns: outcomes.Columns, counted: outcomes.Counted, names: Sequence[str]
) -> Crosstable:
    """Return what the bots did against each other and beside each other, in the order of `names`.

    Where there are two sides, nobody but opponents sits to the left, or partners do.
    """
    pairs = tallies.pairs(columns, counted)
    order = [columns.names.index(name) for name in names]

    def numbers(values: Ints) -> Counts:
        return tuple(map(tuple, values[np.ix_(order, order)].tolist()))

    def shares(sums: Array, games: Ints) -> Shares:
        rows = zip(sums[np.ix_(order, order)].tolist(), numbers(games), strict=True)
        return tuple(tuple(map(_mean, totals, counts)) for totals, counts in rows)

    neighbours = len(counted.seats) > 2
    return Crosstable(
        bots=tuple(names),
        games=numbers(pairs.games),
        ahead=shares(pairs.ahead, pairs.games),
        wins=shares(pairs.wins, pairs.games),
        left_games=numbers(pairs.left_games) if neighbours else None,
        left_wins=shares(pairs.left_wins, pairs.left_games) if neighbours else None,
    )


def _seats(counted: outcomes.Counted, merged: outcomes.Rated) -> tuple[Seat, ...]:
    """Return by seat the share of games won, and its 95 % interval; a team's two seats both have
    the team's.
    """
    clusters = merged.line_ups.shape[1]
    if not clusters:
        return (Seat(wins=None, interval=None),) * counted.seats.size
    seats = tallies.seats(counted, merged)
    sure = clusters >= LEAST_DECKS
    t = student_t.two_sided(LEVEL, clusters - 1) if sure else 0.0
    return tuple(
        Seat(
            wins=_round(wins),
            interval=_interval(wins - t * error, wins + t * error) if sure else None,
        )
        for wins, error in zip(seats.wins.tolist(), seats.error.tolist(), strict=True)
    )


def _ordered(faults: Mapping[str, int]) -> dict[str, int]:
    """Return the faults in the order of the tables."""
    known = [kind for kind in FAULTS if kind in faults]
    return {kind: faults[kind] for kind in [*known, *sorted(faults.keys() - set(FAULTS))]}


def _mean(total: float, count: int) -> float | None:
    return _round(total / count) if count else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else _round(value)


def _interval(low: float, high: float) -> Interval:
    return _round(low), _round(high)


def _round(value: float) -> float:
    """Return the value as published; never -0.0."""
    return round(value, 3) + 0.0
