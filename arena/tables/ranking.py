"""The lines of a ranking: what is believed of bots' strength, and what they did, added up. Pure."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from arena.model import FAULTS
from arena.rating import anchor
from arena.rating.comparisons import compare_bots
from arena.rating.gaussian import Array
from arena.rating.posterior import estimate_chances
from arena.rating.rate import Ratings, find_bounds
from arena.tables.caveats import Names
from arena.tables.columns import Row
from arena.tables.document import Comparisons
from arena.tables.values import Shares, drawn, interval_if_any, mean, rounded, rounded_if_any


class Totals(NamedTuple):
    """What a bot did in some pools, added up."""

    games: int  # in which it had a seat
    counted: int  # of these, those that count
    wins: float  # 1 for a win, a shared one divided among its sharers
    scores: float  # mean of its seats', summed over these
    faults: Mapping[str, int]  # by kind


NOTHING = Totals(0, 0, 0.0, 0.0, {})


def added(totals: Sequence[Mapping[str, Totals]]) -> dict[str, Totals]:
    """Add up what bots did, by name."""
    sums: dict[str, Totals] = {}
    for each in totals:
        for bot, more in each.items():
            so_far = sums.get(bot, NOTHING)
            kinds = so_far.faults.keys() | more.faults.keys()
            sums[bot] = Totals(
                so_far.games + more.games,
                so_far.counted + more.counted,
                so_far.wins + more.wins,
                so_far.scores + more.scores,
                {kind: so_far.faults.get(kind, 0) + more.faults.get(kind, 0) for kind in kinds},
            )
    return sums


class Ranking(NamedTuple):
    """A table, and how sure it is of each two of its bots."""

    rows: tuple[Row, ...]
    comparisons: Comparisons | None  # None for too many bots to look up


def rank(
    ratings: Ratings,
    totals: Mapping[str, Totals],
    duels: Mapping[str, float],
    scores: bool,
    shown: Ratings | None = None,
    same: Sequence[Names] = (),
) -> Ranking:
    """Make a table, best first; bots of equal mu share the better place.

    With `scores`, rows have the mean score: over several pools or games, scores are no single
    measure. `shown` are the same ratings, measured from an anchor: mu and its interval come from
    these, all else from `ratings`, so that an anchor changes no place. Bots of the same files
    (`same`, in groups) are never told apart.
    """
    moved = rounded(anchor.find_offset(ratings, shown)) if shown and ratings.names else 0.0
    mus = [rounded(mu) for mu in ratings.mu.tolist()]
    order = sorted(range(len(mus)), key=lambda bot: (-mus[bot], ratings.names[bot]))
    square = np.ix_(order, order)
    covariance, freedom = ratings.covariance[square], ratings.freedom[order]
    above, below = ratings.above[order], ratings.below[order]
    names = [ratings.names[bot] for bot in order]
    group = {name: len(names) + number for number, each in enumerate(same) for name in each}
    files = np.array([group.get(name, at) for at, name in enumerate(names)])
    alike = (files[:, None] == files) & ~np.eye(len(names), dtype=bool)
    errors = np.where(alike, np.inf, ratings.errors[square])
    sure = compare_bots([mus[bot] for bot in order], covariance, errors, freedom, above, below)
    # In its pool a bot that won all is better than the others; in a mean of pools it may be by far.
    excess = None if scores else ratings.spread[square] - covariance
    held = ratings.shrinkage[order]
    chance = estimate_chances(ratings.mu[order].tolist(), covariance, freedom, held, excess)
    nexts = [
        0.5 if known is not None and alike[at, at + 1] else known
        for at, known in enumerate(chance.next)
    ]
    published = [rounded(mu + moved) for mu in mus]
    ends = find_bounds(shown or ratings, published)
    rows: list[Row] = []
    for index, (bot, places) in enumerate(zip(order, sure.places, strict=True)):
        did, sigma = totals[ratings.names[bot]], rounded(float(ratings.sigma[bot]))
        shared = bool(rows) and rows[-1].mu == published[bot]
        top = chance.top[index]
        faults = in_order(did.faults)
        rows.append(
            Row(
                place=rows[-1].place if shared else index + 1,
                places=places,
                bot=ratings.names[bot],
                mu=published[bot],
                interval=interval_if_any(ends[bot]),
                duel=rounded_if_any(duels.get(ratings.names[bot])),
                better_than_next=rounded_if_any(nexts[index]),
                first=drawn(top[0]) if top else None,
                top=tuple(map(drawn, top)) if top else None,
                sigma=sigma,
                low=rounded(published[bot] - 3 * sigma),
                wins=mean(did.wins, did.counted),
                score=mean(did.scores, did.counted) if scores else None,
                games=did.games,
                decks=int(ratings.clusters[bot]),
                faults=faults,
                faults_total=sum(faults.values()),
            )
        )
    if sure.levels is None or chance.better is None:
        return Ranking(tuple(rows), None)
    better = _shares(np.where(alike & ~np.isnan(chance.better), 0.5, chance.better), rounded)
    level = _shares(sure.levels, drawn)
    return Ranking(tuple(rows), Comparisons(bots=tuple(names), better=better, level=level))


def _shares(matrix: Array, published: Callable[[float], float]) -> Shares:
    """The matrix as it is published, with None for unknown values (nan)."""
    return tuple(
        tuple(None if isnan(share) else published(share) for share in row)
        for row in matrix.tolist()
    )


def in_order(faults: Mapping[str, int]) -> dict[str, int]:
    """Faults in the order of the tables."""
    known = [kind for kind in FAULTS if kind in faults]
    return {kind: faults[kind] for kind in [*known, *sorted(faults.keys() - set(FAULTS))]}
