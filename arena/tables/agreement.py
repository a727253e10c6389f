"""A pool's `fit`: how far its results agree with its ratings, as it is published. Pure."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import numpy as np
from msgspec import structs
from trueskill import BETA

from arena.model import LEAST_DECKS
from arena.rating import p_values
from arena.rating.comparisons import CLOSE, LEVEL, tie_neighbours
from arena.rating.fit import margin_of
from arena.rating.model_fit import Cycle, assess_fit, find_cycles, find_pair_results, find_who_leads
from arena.rating.outcomes import Merged
from arena.rating.rate import Ratings
from arena.rating.sequential import BAND_MU
from arena.tables.document import Fit, PoolTable, Residual
from arena.tables.values import rounded

APART = round(NormalDist(sigma=sqrt(2) * BETA).cdf(BAND_MU) - 0.5, 3)
"""By how much the share ahead in a duel changes with a difference of mu that is none in practice.
With a million games the test finds smaller changes, and they do not matter."""
MOST = 10  # residuals and cycles published of a pool


def assess_pool(merged: Merged, ratings: Ratings, members: int, order: Sequence[str]) -> Fit | None:
    """Test how far a pool's results agree with its ratings; None where that cannot be tested, as on
    fewer than `LEAST_DECKS` decks.

    `members` is the number of bots on a side; `order` has the bots best first. `said` is False
    until `judge_fits` sets it.
    """
    if ratings.draw_probability is None or merged.line_ups.shape[1] < LEAST_DECKS:
        return None
    names, margin = ratings.names, margin_of(ratings.draw_probability, members)
    results = find_pair_results(merged, ratings.mu, margin)
    fit = assess_fit(results)
    if fit is None:
        return None
    size = tie_neighbours(np.abs(fit.standardised)).tolist()
    residuals = []
    for at in sorted(range(len(size)), key=lambda at: (-size[at], at))[:MOST]:
        one, other = (names[bot] for bot in results.pairs[at].tolist())
        games = float(results.games[at])
        observed, expected = (float(each[at]) / games for each in (results.ahead, results.expected))
        off = float(fit.standardised[at])
        if off < -CLOSE:
            one, other, off = other, one, -off
            observed, expected = 1 - observed, 1 - expected
        residuals.append(
            Residual(
                bot=one,
                other=other,
                games=int(games),
                observed=rounded(observed),
                expected=rounded(expected),
                standardised=rounded(off),
            )
        )
    circles = find_cycles(*find_who_leads(results, len(names)))
    return Fit(
        chi_square=rounded(fit.chi_square),
        freedom=rounded(fit.freedom),
        p=round(fit.p, 6),
        said=False,
        residuals=tuple(residuals),
        cycles=tuple(_best_first(each, names, order) for each in circles[:MOST]),
        cycles_total=len(circles),
    )


def judge_fits(pools: Sequence[PoolTable]) -> list[PoolTable]:
    """Decide for each pool whether the notes say that one number a bot does not explain its
    results.

    They do if that is significant among all pools (Holm) and matters in practice (`is_apart`).
    """
    tested = [pool.fit.p for pool in pools if pool.fit]
    chances = iter(p_values.adjust_by_holm(tested))
    out = []
    for pool in pools:
        if pool.fit:
            sure = next(chances) <= 1 - LEVEL
            said = sure and any(map(is_apart, pool.fit.residuals))
            pool = structs.replace(pool, fit=structs.replace(pool.fit, said=said))
        out.append(pool)
    return out


def is_apart(residual: Residual) -> bool:
    """Whether a pair's results differ from the ratings by enough to matter in practice."""
    return rounded(residual.observed - residual.expected) >= APART


def _best_first(cycle: Cycle, names: Sequence[str], order: Sequence[str]) -> tuple[str, str, str]:
    """A cycle's bots by name, in the order of the cycle, beginning with the best placed."""
    a, b, c = (names[bot] for bot in cycle.bots)
    turned = ((a, b, c), (b, c, a), (c, a, b))
    return min(turned, key=lambda bots: order.index(bots[0]))
