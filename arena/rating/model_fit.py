"""Does one number for each bot suffice? A test of the model against who finished ahead of whom;
and cycles, which ratings cannot show. README.md beside this file derives both. Pure.
"""

from collections.abc import Iterator
from itertools import combinations, product
from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from arena.model import LEAST_DECKS, LEVEL
from arena.rating import gaussian, p_values
from arena.rating.comparisons import CLOSE, tie_neighbours
from arena.rating.fit import BETA, margin_of
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints, MergedGames, Sites, find_distinct, number_rows, sum_by
from arena.rating.rate import Ratings


class Misfit(NamedTuple):
    """Two opponents of whom one did better than the ratings say."""

    bot: str  # who did better
    other: str
    games: int  # in which they were opponents
    observed: float  # share in which `bot` finished ahead, a tie half
    expected: float  # by the ratings
    standardised: float  # the difference in its standard errors


class Findings(NamedTuple):
    """The results of a pool that its ratings do not show."""

    fit: "ModelFit"
    misfits: list[Misfit]  # those most standard errors off, these first
    cycles: list[tuple[str, str, str]]  # of bots, each surely ahead of the next; the surest first


def compare_with_ratings(merged: MergedGames, ratings: Ratings, most: int) -> Findings | None:
    """Find out how far a pool's results agree with its ratings, with `most` misfits at most; None
    where that cannot be tested, as on fewer than `LEAST_DECKS` decks.
    """
    if ratings.draw_probability is None or merged.line_ups.shape[1] < LEAST_DECKS:
        return None
    names, members = ratings.names, merged.sites.bots.shape[1]
    results = find_pair_results(merged, ratings.mu, margin_of(ratings.draw_probability, members))
    fit = assess_fit(results)
    if fit is None:
        return None
    size = tie_neighbours(np.abs(fit.standardised)).tolist()
    misfits = []
    for at in sorted(range(len(size)), key=lambda at: (-size[at], at))[:most]:
        one, other = (names[bot] for bot in results.pairs[at].tolist())
        games = float(results.games[at])
        observed, expected = (float(sums[at]) / games for sums in (results.ahead, results.expected))
        off = float(fit.standardised[at])
        if off < -CLOSE:
            one, other, off = other, one, -off
            observed, expected = 1 - observed, 1 - expected
        misfits.append(Misfit(one, other, int(games), observed, expected, off))
    circles = (cycle.bots for cycle in find_cycles(*find_who_leads(results, len(names))))
    return Findings(fit, misfits, [(names[a], names[b], names[c]) for a, b, c in circles])


class Sparse(NamedTuple):
    """A matrix of which most is zero: the other entries, by row and column."""

    rows: Ints  # ascending
    columns: Ints
    values: Array


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
    slopes: "Sparse"  # pairs x bots: of `expected`, by the bots' mu
    widening: Array | None  # (pairs,): with three sides or more, the slope by the margin: sides
    # also tie whose neighbours tie, unlike in `expected`
    number: Ints  # (pairs at a table, clusters): which of the pairs they are
    deviations: Array  # by how much such a pair's games in the cluster differ from its mean


def find_pair_results(merged: MergedGames, mu: Array, margin: float) -> PairResults:
    """Add up the results of every two opponents, and what the ratings expect. There are games.

    Performances are independent normal, and two sides that differ by less than `margin` tie,
    whoever else sits at the table.
    """
    sites, bots = merged.sites, len(mu)
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
    varied, widened = np.zeros((2, count))
    by_bot: list[tuple[Ints, Array]] = []
    for upper, lower in combinations(range(places), 2):
        tied = sites.ties[upper:lower].all(axis=0)
        expected, variance, slope_of, widening = _model(sites, upper, lower, mu, margin)
        ahead = np.where(tied, 0.5, 1.0)
        for one, other in product(seat[upper], seat[lower]):
            at, sign = local[one, other], np.where(one < other, 1, -1)
            pair = place[at, columns]
            off[at, columns] = sign * (ahead - expected)
            lead[at, columns] = sign * (ahead - 0.5)
            varied += sum_by(pair, variance * sites.counts, count)
            widened += sum_by(pair, sign * widening * sites.counts, count)
            slope = sign * slope_of * sites.counts
            for side, way in ((upper, 1), (lower, -1)):
                for bot in sites.bots[side]:
                    by_bot.append(_add_up(pair * bots + bot, way * slope))

    def total(values: Array) -> Array:
        return sum_by(place, values * sites.counts, count)

    games, excess = total(met), total(off)
    mean = excess / games
    off -= met * mean[place]
    line_ups = merged.line_ups
    number = np.array([line_ups[one] * bots + line_ups[other] for one, other in at_table])
    number = np.minimum(np.searchsorted(keys, number), count - 1)
    deviations = np.empty(number.shape)
    decks, squares = np.zeros((2, count))
    order = np.lexsort((merged.site, merged.cluster))  # else sums would go by the order of games
    site, cluster = merged.site[order], merged.cluster[order]
    for index, pair in enumerate(number):
        by_cluster = [sum_by(cluster, sums[index][site], len(pair)) for sums in (off, met, lead)]
        deviations[index] = by_cluster[0]
        decks += sum_by(pair, by_cluster[1] > 0, count)
        squares += sum_by(pair, by_cluster[2] ** 2, count)
    ahead = total(lead) + games / 2
    where, slopes = _add_up(*map(np.concatenate, zip(*by_bot, strict=True)))
    return PairResults(
        pairs=np.stack(np.divmod(keys, bots), axis=1),
        games=games,
        decks=decks,
        ahead=ahead,
        expected=ahead - excess,
        variance=varied,
        spread=total(off**2),
        squares=squares,
        slopes=Sparse(*np.divmod(where, bots), slopes),
        widening=widened if places > 2 else None,
        number=number,
        deviations=deviations,
    )


def _model(
    sites: Sites, upper: int, lower: int, mu: Array, margin: float
) -> tuple[Array, Array, Array, Array]:
    """The model's expectations of sides in two places, by site: how often the first finishes ahead,
    a tie half; the variance of that; its slope by the first's mu, and by the margin.
    """
    deviation = sqrt(2 * sites.bots.shape[1]) * BETA
    gap = mu[sites.bots[upper]].sum(axis=0) - mu[sites.bots[lower]].sum(axis=0)
    ends = np.array((gap - margin, gap + margin)) / deviation
    won, not_lost = gaussian.normal_cdf(ends)
    lower_end, upper_end = np.exp(-(ends**2) / 2) / (2 * sqrt(2 * pi) * deviation)
    expected = (won + not_lost) / 2
    # A win is 1 and a tie 1/4, squared.
    variance = won + (not_lost - won) / 4 - expected**2
    return expected, variance, lower_end + upper_end, upper_end - lower_end


_LEAST = 1e-9  # of a direction's length: what is left of one that others span is rounding
_LEAST_SQUARE = 1e-12  # of the largest of squared lengths: nothing is 0 that is a millionth as long
_FLOOR = 0.1
"""Added to the variance of each pair's result, in games squared. Without it the first upset of a
sure winner outweighs all else; with more of it none counts. In leagues as 17 with two, that the
model explains, 2 % are then named; the house bots there, whom it does not, were named in 6
tournaments of 6, and with 0.25 in 3 (`python -m tests.benchmarks.model_fit`)."""

LEAST_FREEDOM = 0.5
"""With less, all games but a few were sure beforehand: bots that load against bots that do not had
0.0003 degrees of freedom, and a p of 0.003 that meant nothing."""


class ModelFit(NamedTuple):
    """A test that one number for each bot explains who finished ahead of whom."""

    chi_square: float  # scaled so that its mean is `freedom` where the model is right
    freedom: float  # not whole: by the covariance; at most the pairs less the ratings
    p: float  # how likely so much or more would be by luck, were the model right
    standardised: Array  # (pairs,): what each pair is off by, in its standard errors


def assess_fit(results: PairResults) -> ModelFit | None:
    """Test whether one number for each bot explains the results.

    None if there are no more pairs than the ratings explain anyway, if no two bots met on two
    decks, or if hardly any result was open.
    """
    covariance = _covariance(results)
    count, bots = len(results.pairs), int(results.pairs.max()) + 1
    weight = 1 / np.sqrt(results.variance + _FLOOR)
    slopes = results.slopes
    slopes = slopes._replace(values=slopes.values * weight[slopes.rows])
    inverse, rank = _invert(_multiply(slopes, slopes, count, bots))
    margin = np.zeros(count)  # the part of its slope that no mu has, 1 long; 0 if there is none
    if results.widening is not None:
        margin = _project(weight * results.widening, slopes, inverse, margin)
        longest = np.sqrt(sum_by(slopes.columns, slopes.values**2, bots)).max()
        length = float(np.sqrt((margin**2).sum()))
        margin = margin / length if length > _LEAST * longest else np.zeros(count)
        rank += bool(margin.any())
    if count <= rank or covariance is None:
        return None
    one, other, values = covariance
    values = values * weight[one] * weight[other]
    apart = one != other
    both = np.concatenate([one, other[apart]]), np.concatenate([other, one[apart]])
    every = np.concatenate([values, values[apart]])
    moved = _multiply_rows(Sparse(*both, every), slopes, count, bots)
    moved_margin = sum_by(both[0], every * margin[both[1]], count)
    # With P the projection on the slopes and M = 1 - P: the diagonal of MVM, and tr MVMV.
    inner = _multiply(slopes, moved, count, bots)
    aside = sum_by(slopes.columns, slopes.values * moved_margin[slopes.rows], bots)
    shared = inverse @ inner
    variances = sum_by(one, values * ~apart, count)
    variances += _weigh_rows(slopes, slopes, shared @ inverse, count)
    variances -= 2 * _weigh_rows(slopes, moved, inverse, count)
    turned = inverse @ aside
    across = sum_by(slopes.rows, slopes.values * turned[slopes.columns], count)
    margin_square = float((margin * moved_margin).sum())
    variances += margin * (2 * across - 2 * moved_margin + margin_square * margin)
    variances = np.maximum(variances, 0)
    off = weight * (results.ahead - results.expected)
    off = _project(off, slopes, inverse, margin)
    mean, total = float(variances.sum()), float((off**2).sum())
    square = (values**2 * (1 + apart)).sum()
    square -= 2 * ((inverse * _multiply(moved, moved, count, bots)).sum() + (moved_margin**2).sum())
    square += (shared * shared.T).sum() + 2 * (aside * turned).sum() + margin_square**2
    peak = results.variance * np.maximum(1 - 6 * results.variance / results.games, 0)
    square = float(square + (weight**4 * peak).sum() / 2)
    if mean <= _LEAST * count:
        return None
    freedom = mean**2 / square
    if freedom < LEAST_FREEDOM:
        return None
    return ModelFit(
        chi_square=total * mean / square,
        freedom=freedom,
        p=p_values.f_tail(total / mean, freedom, results.number.shape[1] - 1),
        standardised=off / np.sqrt(variances + _FLOOR * weight**2),
    )


def _invert(squares: Array) -> tuple[Array, int]:
    """A g-inverse of A'A, and its rank. Columns are scaled to the same length, so that bots whose
    games were nearly all sure count as any other; what is left of dependent ones is rounding.
    """
    scale = np.sqrt(squares.diagonal())
    scale = np.divide(1, scale, out=np.zeros(len(scale)), where=scale > 0)
    lengths, ways = np.linalg.eigh(squares * scale * scale[:, None])
    large = lengths > _LEAST_SQUARE * lengths.max(initial=0)
    ways = ways[:, large] * scale[:, None]
    return np.asarray(ways / lengths[large] @ ways.T), int(large.sum())


def _project(values: Array, slopes: Sparse, inverse: Array, margin: Array) -> Array:
    """The part that slopes do not explain. Twice: the rest of nearly all is nearly all rounding."""
    rows, columns, entries = slopes
    for _ in range(2):
        by_bot = sum_by(columns, entries * values[rows], len(inverse))
        explained = sum_by(rows, entries * (inverse @ by_bot)[columns], len(values))
        values = values - explained - margin * (margin * values).sum()
    return values


CHUNK = 1 << 20  # products at a time


def _pair_entries(
    one: Sparse, other: Sparse, keys: Ints, count: int
) -> Iterator[tuple[Ints, Ints]]:
    """Yield, some at a time, the numbers of entries of two matrices where the first's key, one for
    each of its entries, is the second's row.
    """
    starts = np.searchsorted(other.rows, np.arange(count + 1))
    sizes = starts[keys + 1] - starts[keys]
    ends = np.cumsum(sizes)
    first = 0
    while first < len(keys):
        before = int(ends[first - 1]) if first else 0
        last = max(int(np.searchsorted(ends, before + CHUNK, "right")), first + 1)
        some = sizes[first:last]
        at = np.repeat(np.arange(first, last), some)
        within = np.arange(len(at)) - np.repeat(ends[first:last] - some - before, some)
        yield at, starts[keys[at]] + within
        first = last


def _multiply(one: Sparse, other: Sparse, count: int, bots: int) -> Array:
    """A'B of two matrices with rows for pairs and columns for bots: (bots, bots)."""
    product = np.zeros(bots * bots)
    for at, to in _pair_entries(one, other, one.rows, count):
        where = one.columns[at] * bots + other.columns[to]
        product += sum_by(where, one.values[at] * other.values[to], bots * bots)
    return product.reshape(bots, bots)


def _multiply_rows(square: Sparse, other: Sparse, count: int, bots: int) -> Sparse:
    """VA of pairs x pairs and pairs x bots. The first's rows may come in any order."""
    sums = [
        _add_up(square.rows[at] * bots + other.columns[to], square.values[at] * other.values[to])
        for at, to in _pair_entries(square, other, square.columns, count)
    ]
    where, values = _add_up(*map(np.concatenate, zip(*sums, strict=True)))
    return Sparse(*np.divmod(where, bots), values)


def _weigh_rows(one: Sparse, other: Sparse, weights: Array, count: int) -> Array:
    """The products of both matrices' entries by row, weighted by their columns: (pairs,)."""
    total = np.zeros(count)
    for at, to in _pair_entries(one, other, one.rows, count):
        weight = weights[one.columns[at], other.columns[to]]
        total += sum_by(one.rows[at], weight * one.values[at] * other.values[to], count)
    return total


def _add_up(keys: Ints, values: Array) -> tuple[Ints, Array]:
    """The distinct keys, ascending, and the sum of each one's values."""
    place, first = number_rows(keys[:, None])
    return keys[first], sum_by(place, values, len(first))


def _covariance(results: PairResults) -> tuple[Ints, Ints, Array] | None:
    """The covariances of pairs that met at one table: both pairs, each two once, and the value.

    None if no pair has two decks.
    """
    number, spread, decks = results.number, results.spread, results.decks
    count, at_table = len(results.pairs), len(number)
    varied = (decks > 1) & (spread > _LEAST * results.games)
    if not varied.any():
        return None
    # both are taken round the pair's own mean: squares of games lose a game, those of decks a deck
    games = results.games
    fair = np.divide(decks * (games - 1), (decks - 1) * games, out=np.zeros(count), where=varied)
    scale = np.sqrt(np.divide(results.variance * fair, spread, out=np.zeros(count), where=varied))
    new = np.ones(number.shape[1], dtype=bool)
    new[1:] = (number[:, 1:] != number[:, :-1]).any(axis=0)
    table, tables = np.cumsum(new) - 1, number[:, new]
    keys, products = [], []
    for one in range(at_table):
        for other in range(one, at_table):
            keys.append(tables[one] * count + tables[other])
            both = results.deviations[one] * results.deviations[other]
            products.append(sum_by(table, both, tables.shape[1]))
    key = np.concatenate(keys)
    place, first = number_rows(key[:, None])
    values = sum_by(place, np.concatenate(products), len(first))
    one_of, other_of = np.divmod(key[first], count)
    alone = one_of == other_of
    alike = (values[alone] * fair)[varied].sum() / spread[varied].sum()
    values *= scale[one_of] * scale[other_of]
    values[alone] = np.where(varied, values[alone], alike * results.variance)
    return one_of, other_of, values


class Cycle(NamedTuple):
    """Three bots, each ahead of the next and the last ahead of the first."""

    bots: tuple[int, int, int]  # the lowest number first
    surety: float  # z of its least sure pair


def find_who_leads(results: PairResults, bots: int) -> tuple[Flags, Array]:
    """True where the row's bot surely finishes ahead of the column's more often than behind, and z.

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
        led, leading = (a + 1 + np.flatnonzero(of_a[a + 1 :]) for of_a in (sure[a], sure[:, a]))
        for b, c in np.argwhere(sure[np.ix_(led, leading)]).tolist():
            circle = (a, int(led[b]), int(leading[c]))
            surety = min(z[one, other] for one, other in zip(circle, (*circle[1:], a), strict=True))
            cycles.append(Cycle(circle, float(surety)))
    return sorted(cycles, key=lambda cycle: (-cycle.surety, cycle.bots))
