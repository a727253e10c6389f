"""The standings: one document of plain values, made from outcomes alone.

Tables by pool, by game and overall, who did what against whom and beside whom, what each seat was
worth, and the faults. Only what play determines: no time, date or machine. Numbers are rounded to
three decimals before anything is ordered by them. `results/README.md` describes the document;
`arena.tables.formats` shows it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from arena.model import FAULTS, LEAST_DECKS, Bot, Outcome, Pool
from arena.rating import outcomes, student_t
from arena.rating import tallies as counts
from arena.rating.comparisons import LEVEL, verdicts
from arena.rating.rate import Ratings, combine, rate

VERSION = 2


class Played(NamedTuple):
    """A pool as it was played: what its table is made from."""

    pool: Pool
    names: tuple[str, ...]  # of all that entered
    shared: bool  # whether the seatings of a line-up share their decks
    not_played: int  # line-ups
    games: Iterable[tuple[Outcome, int]]  # with the number of their deal, in any order


class Tally(NamedTuple):
    """What a bot did, added up."""

    games: int  # in which it had a seat
    rated: int  # of these, those that count
    wins: float  # 1 for a win, a shared one divided among its sharers
    scores: float  # mean of its seats', summed over rated games
    faults: dict[str, int]  # by kind


class PoolTable(NamedTuple):
    """A pool, rated and counted: what `assemble` needs of it. Can be pickled."""

    pool: Pool
    ratings: Ratings
    tallies: dict[str, Tally]  # by bot
    document: dict[str, Any]  # the pool's part of the standings


def standings(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[Played],
    refits: int = 0,
) -> dict[str, Any]:
    """Return the standings. Intervals come from the fit, or from so many refits of each pool."""
    return assemble(
        name, seed_given, confinement, bots, [rated(pool, refits) for pool in pools], refits
    )


def rated(played: Played, refits: int = 0) -> PoolTable:
    """Return the pool's table. The slow part of the standings: pools may be done in parallel."""
    pool, names = played.pool, sorted(played.names)
    table = outcomes.columns(pool, names, played.games)
    those = outcomes.counted(table)
    merged = outcomes.merged(table, those, played.shared)
    ratings = rate(names, merged, refits)
    tallies = _tallies(table, those)
    rows = _rows(ratings, tallies, scores=True)
    document = {
        "game": pool.game,
        "players": pool.players,
        "options": pool.options,
        "partners": pool.partners,
        "title": pool.title,
        "games": len(table.deals),
        "decks": merged.line_ups.shape[1],
        "draw_probability": _rounded(ratings.draw_probability),
        "converged": ratings.converged,
        "line_ups_not_played": played.not_played,
        "table": rows,
        "crosstable": _crosstable(table, those, [row["bot"] for row in rows]),
        "seats": _seats(those, merged),
    }
    return PoolTable(pool, ratings, tallies, document)


def assemble(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    tables: Sequence[PoolTable],
    refits: int = 0,
) -> dict[str, Any]:
    """Return the standings of rated pools, in any order."""
    tables = sorted(tables, key=lambda table: table.pool)
    by_game: dict[str, list[PoolTable]] = {}
    for table in tables:
        by_game.setdefault(table.pool.game, []).append(table)
    of_game = {game: combine([t.ratings for t in own]) for game, own in by_game.items()}
    everything = _add([table.tallies for table in tables])
    overall = _rows(combine(list(of_game.values())), everything, False) if of_game else []
    return {
        "version": VERSION,
        "name": name,
        "seed": "given" if seed_given else "secret",
        "confinement": confinement,
        "refits": refits,
        "bots": [{"name": bot.name, "hash": bot.hash} for bot in sorted(bots)],
        "overall": overall,
        "games": [
            {
                "game": game,
                "pools": len(own),
                "table": _rows(of_game[game], _add([t.tallies for t in own]), len(own) == 1),
            }
            for game, own in by_game.items()
        ],
        "pools": [table.document for table in tables],
        "faults": [
            {"bot": bot.name, "faults": faults, "total": sum(faults.values())}
            for bot in sorted(bots)
            for faults in [_ordered(everything[bot.name].faults if bot.name in everything else {})]
        ],
    }


def _tallies(table: outcomes.Columns, those: outcomes.Counted) -> dict[str, Tally]:
    """Return what each bot did; faults of games that do not count are counted all the same."""
    faults: dict[str, dict[str, int]] = {name: {} for name in table.names}
    for (bot, kind), number in sorted(table.faults.items()):
        faults[bot][kind] = number
    games, rated, wins, scores = (column.tolist() for column in counts.tallies(table, those))
    return {
        name: Tally(games[at], rated[at], wins[at], scores[at], faults[name])
        for at, name in enumerate(table.names)
    }


def _add(tallies: Sequence[Mapping[str, Tally]]) -> dict[str, Tally]:
    """Return the sums, by bot."""
    out: dict[str, Tally] = {}
    for each in tallies:
        for bot, new in each.items():
            old = out.get(bot, Tally(0, 0, 0.0, 0.0, {}))
            kinds = old.faults.keys() | new.faults.keys()
            faults = {k: old.faults.get(k, 0) + new.faults.get(k, 0) for k in kinds}
            sums = [a + b for a, b in zip(old[:4], new[:4], strict=True)]
            out[bot] = Tally(int(sums[0]), int(sums[1]), sums[2], sums[3], faults)
    return out


def _rows(ratings: Ratings, tallies: Mapping[str, Tally], scores: bool) -> list[dict[str, Any]]:
    """Return the lines of a table, best first; bots of equal mu share the better place.

    With `scores`, the mean score: those of several pools or games are no one measure.
    """
    mus = [_round(mu) for mu in ratings.mu.tolist()]
    order = sorted(range(len(mus)), key=lambda bot: (-mus[bot], ratings.names[bot]))
    found = verdicts(
        [mus[bot] for bot in order],
        ratings.covariance[np.ix_(order, order)],
        ratings.freedom[order],
    )
    rows: list[dict[str, Any]] = []
    for index, (bot, verdict) in enumerate(zip(order, found, strict=True)):
        own, sigma = tallies[ratings.names[bot]], _round(float(ratings.sigma[bot]))
        shared = bool(rows) and rows[-1]["mu"] == mus[bot]
        faults = _ordered(own.faults)
        rows.append(
            {
                "place": rows[-1]["place"] if shared else index + 1,
                "places": verdict.places and list(verdict.places),
                "group": verdict.group,
                "bot": ratings.names[bot],
                "mu": mus[bot],
                "interval": verdict.interval and [_round(end) for end in verdict.interval],
                "better_than_next": _rounded(verdict.next),
                "sigma": sigma,
                "low": _round(mus[bot] - 3 * sigma),
                "wins": _mean(own.wins, own.rated),
                "score": _mean(own.scores, own.rated) if scores else None,
                "games": own.games,
                "decks": int(ratings.clusters[bot]),
                "faults": faults,
                "faults_total": sum(faults.values()),
            }
        )
    return rows


def _crosstable(
    table: outcomes.Columns, those: outcomes.Counted, names: Sequence[str]
) -> dict[str, Any]:
    """Return what the bots did against each other and beside each other, by row and column.

    Of their `games` against each other: the share in which the row's bot finished `ahead`, a tie
    half, and that which it won (`wins`). `left_games` and `left_wins`: the same with the column's
    to the left of the row's; None where nobody but opponents sits there, or partners do.
    """
    found = counts.pairs(table, those)
    order = [table.names.index(name) for name in names]

    def arranged(values: Any) -> list[list[Any]]:
        out: list[list[Any]] = values[np.ix_(order, order)].tolist()
        return out

    def shares(values: Any, of: Any) -> list[list[float | None]]:
        both = zip(arranged(values), arranged(of), strict=True)
        return [[_mean(v, n) for v, n in zip(*rows, strict=True)] for rows in both]

    neighbours = len(those.seats) > 2
    return {
        "bots": list(names),
        "games": arranged(found.games),
        "ahead": shares(found.ahead, found.games),
        "wins": shares(found.wins, found.games),
        "left_games": arranged(found.left_games) if neighbours else None,
        "left_wins": shares(found.left_wins, found.left_games) if neighbours else None,
    }


def _seats(those: outcomes.Counted, merged: outcomes.Rated) -> list[dict[str, Any]]:
    """Return by seat the share of games won, and its 95 % interval; a team's two seats both have
    the team's.
    """
    clusters = merged.line_ups.shape[1]
    if not clusters:
        return [{"wins": None, "interval": None} for _ in range(those.seats.size)]
    found = counts.seats(those, merged)
    sure = clusters >= LEAST_DECKS
    t = student_t.two_sided(LEVEL, clusters - 1) if sure else 0.0
    return [
        {
            "wins": _round(wins),
            "interval": [_round(wins - t * error), _round(wins + t * error)] if sure else None,
        }
        for wins, error in zip(found.wins.tolist(), found.error.tolist(), strict=True)
    ]


def _ordered(faults: Mapping[str, int]) -> dict[str, int]:
    """Return the faults in the order of the tables."""
    known = [kind for kind in FAULTS if kind in faults]
    return {kind: faults[kind] for kind in [*known, *sorted(faults.keys() - set(FAULTS))]}


def _mean(total: float, count: int) -> float | None:
    return _round(total / count) if count else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else _round(value)


def _round(value: float) -> float:
    """Return the value as published; never -0.0."""
    return round(value, 3) + 0.0
