"""Who finished ahead of whom, compared by deck with what the model expects; and cycles. Pure.

All games that share a deck are one piece of evidence, so what a pair's results are off by is kept
by cluster. A cluster has a table's pairs alone; so nothing here is as large as all pairs by all
clusters.

In a cycle a finishes ahead of b, b of c, and c of a: ratings cannot show one. Three pairs that look
so by luck are found in any league, so each of the three has to be sure, all pairs of the pool taken
together. If two bots were equal, every deck might as well have favoured the other: then the lead,
over the root of its squares by deck, exceeds z with a probability of at most exp(-z^2 / 2),
whatever the decks are like and however few (Efron 1969; Hoeffding 1963).
"""

from itertools import combinations, product
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from trueskill import BETA

from arena.rating import gaussian, p_values
from arena.rating.comparisons import LEVEL
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints, Rated, Sites, find_distinct, sum_by


class PairResults(NamedTuple):
    """The results of every two bots that were opponents, added up over a pool's games."""

    pairs: Ints  # (pairs, 2): numbers of bots, the lower one first, ascending
    games: Array  # (pairs,): in which they were opponents
    decks: Array  # (pairs,): on which they were
    ahead: Array  # (pairs,): games in which the first finished ahead, a tie half
    expected: Array  # (pairs,): the same, by the ratings
    variance: Array  # (pairs,): of `ahead`, were the model right and games independent
    spread: Array  # (pairs,): squares of what single games differ from the pair's mean, added up
    squares: Array  # (pairs,): of the lead on each deck, games ahead less games behind, halved
    slopes: Array  # (pairs, bots): of `expected`, by the bots' mu. With three sides or more there
    # is a last column, by the margin: sides also tie whose neighbours tie, unlike in `expected`
    number: Ints  # (pairs at a table, clusters): which of the pairs they are
    deviations: Array  # by how much such a pair's games in the cluster differ from its mean


class _Model(NamedTuple):
    """What the model says of a game's two sides, by site: (sites,) each."""

    expected: Array  # that the first finishes ahead, a tie half
    variance: Array
    slope: Array  # of `expected`, by the first's mu
    widening: Array  # the same, by the margin


def find_pair_results(rated: Rated, mu: Array, margin: float) -> PairResults:
    """Add up the results of every two opponents, and what the ratings expect. There are games.

    Performances are independent normal, and two sides that differ by less than `margin` tie,
    whoever else sits at the table.
    """
    sites, bots = rated.sites, len(mu)
    places, members, number = sites.bots.shape
    who = sites.bots.reshape(places * members, number)
    seat = np.argsort(np.argsort(who, axis=0), axis=0).reshape(sites.bots.shape)
    at_table = [*combinations(range(len(who)), 2)]
    local = np.zeros((len(who), len(who)), dtype=np.int64)
    for index, (one, other) in enumerate(at_table):
        local[one, other] = local[other, one] = index
    columns = np.arange(number)
    met = np.zeros((len(at_table), number), dtype=bool)
    for upper, lower in combinations(range(places), 2):
        for one, other in product(seat[upper], seat[lower]):
            met[local[one, other], columns] = True
    ordered = np.sort(who, axis=0)
    key = np.array([ordered[one] * bots + ordered[other] for one, other in at_table])
    keys = find_distinct(key[met])  # partners alone are no pair
    count = len(keys)
    place = np.minimum(np.searchsorted(keys, key), count - 1)  # of partners any: they add nothing
    off, lead = np.zeros((2, len(at_table), number))
    varied, widened, by_bot = np.zeros(count), np.zeros(count), np.zeros(count * bots)
    for upper, lower in combinations(range(places), 2):
        tied = sites.ties[upper:lower].all(axis=0)
        model = _model(sites, upper, lower, mu, margin)
        ahead = np.where(tied, 0.5, 1.0)
        for one, other in product(seat[upper], seat[lower]):
            at, sign = local[one, other], np.where(one < other, 1, -1)
            pair = place[at, columns]
            off[at, columns] = sign * (ahead - model.expected)
            lead[at, columns] = sign * (ahead - 0.5)
            varied += sum_by(pair, model.variance * sites.counts, count)
            widened += sum_by(pair, sign * model.widening * sites.counts, count)
            slope = sign * model.slope * sites.counts
            for side, way in ((upper, 1), (lower, -1)):
                for bot in sites.bots[side]:
                    by_bot += sum_by(pair * bots + bot, way * slope, count * bots)

    def total(values: Array) -> Array:
        return sum_by(place, values * sites.counts, count)

    games, excess = total(met), total(off)
    mean = excess / games
    off -= met * mean[place]
    line_ups = rated.line_ups
    number = np.array([line_ups[one] * bots + line_ups[other] for one, other in at_table])
    number = np.minimum(np.searchsorted(keys, number), count - 1)
    deviations = np.empty(number.shape)
    decks, squares = np.zeros((2, count))
    order = np.lexsort((rated.site, rated.cluster))  # else sums would go by the order of games
    site, cluster = rated.site[order], rated.cluster[order]
    for index, pair in enumerate(number):
        by_cluster = [sum_by(cluster, each[index][site], len(pair)) for each in (off, met, lead)]
        deviations[index] = by_cluster[0]
        decks += sum_by(pair, by_cluster[1] > 0, count)
        squares += sum_by(pair, by_cluster[2] ** 2, count)
    ahead = total(lead) + games / 2
    columns_of = [by_bot.reshape(count, bots)]
    if places > 2:
        columns_of.append(widened[:, None])
    return PairResults(
        pairs=np.stack(np.divmod(keys, bots), axis=1),
        games=games,
        decks=decks,
        ahead=ahead,
        expected=ahead - excess,
        variance=varied,
        spread=total(off**2),
        squares=squares,
        slopes=np.hstack(columns_of),
        number=number,
        deviations=deviations,
    )


def _model(sites: Sites, upper: int, lower: int, mu: Array, margin: float) -> _Model:
    """What the model says of the sides in two places."""
    deviation = sqrt(2 * sites.bots.shape[1]) * BETA
    gap = mu[sites.bots[upper]].sum(axis=0) - mu[sites.bots[lower]].sum(axis=0)
    ends = np.array((gap - margin, gap + margin)) / deviation
    won, not_lost = gaussian.normal_cdf(ends)
    lower_end, upper_end = np.exp(-(ends**2) / 2) / (2 * sqrt(2 * pi) * deviation)
    expected = (won + not_lost) / 2
    # A win is 1 and a tie 1/4, squared.
    variance = won + (not_lost - won) / 4 - expected**2
    return _Model(expected, variance, lower_end + upper_end, upper_end - lower_end)


class Cycle(NamedTuple):
    """Three bots, each ahead of the next and the last ahead of the first."""

    bots: tuple[int, int, int]  # the lowest number first
    surety: float  # z of its least sure pair


def find_who_leads(results: PairResults, bots: int) -> tuple[Flags, Array]:
    """Whether the row's bot surely finishes ahead of the column's more often than behind, and z.

    (bots, bots) each.
    """
    lead = results.ahead - results.games / 2
    root = np.sqrt(results.squares)
    pair_z = np.divide(lead, root, out=np.zeros(len(lead)), where=root > 0)
    by_luck = np.minimum(2 * np.exp(-(pair_z**2) / 2), 1)
    sure = np.array(p_values.adjust_by_holm(by_luck.tolist())) <= 1 - LEVEL
    z = np.zeros((bots, bots))
    one, other = results.pairs.T
    z[one, other] = np.where(sure, pair_z, 0)
    z[other, one] = -z[one, other]
    return z > 0, z


def find_cycles(sure: Flags, z: Array) -> list[Cycle]:
    """All cycles of three, the surest first, then by number."""
    cycles: list[Cycle] = []
    for a in range(len(sure)):
        later = np.arange(len(sure)) > a
        circle = sure & (sure[a] & later)[:, None] & (sure[:, a] & later)
        for b, c in np.argwhere(circle).tolist():
            cycles.append(Cycle((a, b, c), float(min(z[a, b], z[b, c], z[c, a]))))
    return sorted(cycles, key=lambda cycle: (-cycle.surety, cycle.bots))
