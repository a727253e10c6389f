"""The standings: one document of plain values, made from outcomes alone.

Tables by pool, by game and overall, who finished ahead of whom, what each seat was worth, and the
faults. Only what play determines: no time, date or machine. Numbers are rounded to three decimals
before anything is ordered by them. `results/README.md` describes the document; `arena.report`
shows it.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple

from arena.model import FAULTS, Bot, Outcome, Pool
from arena.rating import Rating, Side, combine, in_order, rate, rated_games

VERSION = 1


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
    ratings: dict[str, Rating]  # by bot, not rounded
    tallies: dict[str, Tally]  # by bot
    document: dict[str, Any]  # the pool's part of the standings


def standings(
    name: str,
    seed_given: bool,
    confinement: str,
    bots: Sequence[Bot],
    pools: Iterable[tuple[Pool, Iterable[str], Iterable[Outcome], int]],
) -> dict[str, Any]:
    """Return the standings. Each of `pools`: the pool, its entrants' names, the outcomes in any
    order, and how many line-ups were not played.
    """
    return assemble(name, seed_given, confinement, bots, [rated(*pool) for pool in pools])


def rated(
    pool: Pool, names: Iterable[str], outcomes: Iterable[Outcome], not_played: int = 0
) -> PoolTable:
    """Return the pool's table. The slow part of the standings: pools may be done in parallel."""
    names, outcomes = sorted(names), in_order(outcomes)
    return tabulate_pool(pool, outcomes, rate(pool, outcomes, names), not_played)


def assemble(
    name: str, seed_given: bool, confinement: str, bots: Sequence[Bot], tables: Sequence[PoolTable]
) -> dict[str, Any]:
    """Return the standings of rated pools, in any order."""
    tables = sorted(tables, key=lambda table: table.pool)
    by_game: dict[str, list[PoolTable]] = {}
    for table in tables:
        by_game.setdefault(table.pool.game, []).append(table)
    of_game = {game: combine([t.ratings for t in own]) for game, own in by_game.items()}
    everything = _add([table.tallies for table in tables])
    return {
        "version": VERSION,
        "name": name,
        "seed": "given" if seed_given else "secret",
        "confinement": confinement,
        "bots": [{"name": bot.name, "hash": bot.hash} for bot in sorted(bots)],
        "overall": _rows(combine(list(of_game.values())), everything, scores=False),
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


def tabulate_pool(
    pool: Pool, outcomes: Sequence[Outcome], ratings: Mapping[str, Rating], not_played: int = 0
) -> PoolTable:
    """Return the pool's table, for the bots of `ratings` and the outcomes in the order of ids."""
    counted = list(rated_games(pool, outcomes))
    tallies = _tallies(ratings, outcomes, counted)
    table = _rows(ratings, tallies, scores=True)
    document = {
        "game": pool.game,
        "players": pool.players,
        "options": pool.options,
        "partners": pool.partners,
        "title": pool.title,
        "games": len(outcomes),
        "line_ups_not_played": not_played,
        "table": table,
        "crosstable": _crosstable([row["bot"] for row in table], counted),
        "seats": _seats(pool, counted),
    }
    return PoolTable(pool, dict(ratings), tallies, document)


def _win_shares(sides: Sequence[Side]) -> list[float]:
    """Return the part of the win by side."""
    best = min(side.rank for side in sides)
    winners = sum(side.rank == best for side in sides)
    return [1 / winners if side.rank == best else 0.0 for side in sides]


def _tallies(
    names: Iterable[str], outcomes: Iterable[Outcome], counted: Iterable[tuple[Outcome, list[Side]]]
) -> dict[str, Tally]:
    """Return what each bot did; faults of games that do not count are counted all the same."""
    games = dict.fromkeys(names, 0)
    faults: dict[str, dict[str, int]] = {name: {} for name in games}
    for outcome in outcomes:
        for bot in set(outcome.bots):
            games[bot] += 1
        for bot, kind in zip(outcome.bots, outcome.faults, strict=True):
            if kind:
                faults[bot][kind] = faults[bot].get(kind, 0) + 1
    wins: dict[str, list[float]] = {name: [] for name in games}
    scores: dict[str, list[float]] = {name: [] for name in games}
    for outcome, sides in counted:
        for side, share in zip(sides, _win_shares(sides), strict=True):
            for bot in side.bots:
                own = [outcome.scores[seat] for seat in side.seats if outcome.bots[seat] == bot]
                wins[bot].append(share)
                scores[bot].append(sum(own) / len(own))
    return {
        name: Tally(games[name], len(wins[name]), fsum(wins[name]), fsum(scores[name]), own)
        for name, own in faults.items()
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


def _rows(
    ratings: Mapping[str, Rating], tallies: Mapping[str, Tally], scores: bool
) -> list[dict[str, Any]]:
    """Return the lines of a table, best first; bots of equal mu share the better place.

    With `scores`, the mean score: those of several pools or games are no one measure.
    """
    rounded = [(_round(r.mu), _round(r.sigma), bot) for bot, r in ratings.items()]
    rows: list[dict[str, Any]] = []
    for index, (mu, sigma, bot) in enumerate(sorted(rounded, key=lambda row: (-row[0], row[2]))):
        own = tallies[bot]
        shared = bool(rows) and rows[-1]["mu"] == mu
        faults = _ordered(own.faults)
        rows.append(
            {
                "place": rows[-1]["place"] if shared else index + 1,
                "bot": bot,
                "mu": mu,
                "sigma": sigma,
                "low": _round(mu - 3 * sigma),
                "wins": _mean(own.wins, own.rated),
                "score": _mean(own.scores, own.rated) if scores else None,
                "games": own.games,
                "faults": faults,
                "faults_total": sum(faults.values()),
            }
        )
    return rows


def _crosstable(
    names: Sequence[str], counted: Iterable[tuple[Outcome, list[Side]]]
) -> dict[str, Any]:
    """Return, by row and column, how often the row's bot finished ahead of the column's.

    `ahead` is the share of their `games` at one table against each other, a tie half, or None.
    """
    place = {name: index for index, name in enumerate(names)}
    halves = [[0] * len(names) for _ in names]  # two for ahead, one for a tie
    meetings = [[0] * len(names) for _ in names]
    for _, sides in counted:
        for mine in sides:
            for other in sides:
                if mine is other:
                    continue
                worth = 2 * (mine.rank < other.rank) + (mine.rank == other.rank)
                for a in mine.bots:
                    for b in other.bots:
                        halves[place[a]][place[b]] += worth
                        meetings[place[a]][place[b]] += 1
    ahead = [
        [_mean(half / 2, met) for half, met in zip(row, games, strict=True)]
        for row, games in zip(halves, meetings, strict=True)
    ]
    return {"bots": list(names), "ahead": ahead, "games": meetings}


def _seats(pool: Pool, counted: Sequence[tuple[Outcome, list[Side]]]) -> list[float | None]:
    """Return the win share by seat; a team's two seats both have the team's."""
    shares: list[list[float]] = [[] for _ in range(pool.players)]
    for _, sides in counted:
        for side, share in zip(sides, _win_shares(sides), strict=True):
            for seat in side.seats:
                shares[seat].append(share)
    return [_mean(fsum(own), len(own)) for own in shares]


def _ordered(faults: Mapping[str, int]) -> dict[str, int]:
    """Return the faults in the order of the tables."""
    known = [kind for kind in FAULTS if kind in faults]
    return {kind: faults[kind] for kind in [*known, *sorted(faults.keys() - set(FAULTS))]}


def _mean(total: float, count: int) -> float | None:
    return _round(total / count) if count else None


def _round(value: float) -> float:
    """Return the value as published; never -0.0."""
    return round(value, 3) + 0.0
