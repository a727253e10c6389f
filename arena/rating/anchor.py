"""Ratings measured from chosen bots, so that leagues can be compared; and how far bots moved.

Games say how far bots are apart; where the scale has its 25 is a choice, and the mean of the field
moves with whoever enters. An anchor is as good a choice, and stays where it is put, as with Ordo's
`-A` and BayesElo's `offset`. All ratings of a pool move alike, so no difference, place or test
changes. The intervals do change: a rating is now a difference to the anchor, and the anchor's own
rating is certain.

Two leagues are measured from the same bots; then a bot's move is a difference of two independent
estimates. Its degrees of freedom are Welch's (1947). Of a dozen bots that stay as they are some
look moved, so the intervals of a table hold together: each is drawn at a level that leaves the
table its 95 % (Bonferroni; Dunn 1961). Pure.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from arena.model import LEAST_DECKS, LEVEL
from arena.rating import p_values
from arena.rating.gaussian import Array
from arena.rating.outcomes import CountedGames, Ints
from arena.rating.rate import Ratings, add_freedom, combine_ratings, select_bots


def measure_ratings_from(ratings: Ratings, bots: Sequence[str], rating: float) -> Ratings:
    """Move ratings so that the mean of `bots`, one or more of them, is `rating`.

    The covariance, and what intervals add to it, become those of the differences to that mean. So
    do the degrees of freedom: the fewest that a difference rests on.
    """
    at = np.array([ratings.names.index(bot) for bot in bots])
    return ratings._replace(
        mu=ratings.mu + (rating - ratings.mu[at].sum() / len(at)),
        covariance=_differences(ratings.covariance, at),
        excess=None if ratings.excess is None else _differences(ratings.excess, at),
        freedom=np.minimum(ratings.freedom, ratings.freedom[at].min()),
    )


def _differences(covariance: Array, at: Ints) -> Array:
    """The covariance of the differences to the mean of the bots numbered `at`."""
    with_mean = covariance[:, at].sum(axis=1) / len(at)
    differences: Array = covariance - with_mean - with_mean[:, None] + with_mean[at].sum() / len(at)
    if len(at) == 1:
        differences[at] = differences[:, at] = 0.0  # rounding may leave another
    return differences


def find_rating_offset(ratings: Ratings, moved: Ratings) -> float:
    """How much was added to every mu to move some ratings, of one bot or more."""
    return float(moved.mu[0] - ratings.mu[0])


def find_anchor_objection(counted: CountedGames, ratings: Ratings, bot: str) -> str | None:
    """Why a pool cannot be measured from a bot, in words that follow its name; None if it can.

    If a bot finished ahead of no other bot, or behind none, games say only that it is weaker or
    stronger, not by how much. A tie counts as both. `counted` numbers the bots as `ratings` does.
    """
    number = ratings.names.index(bot)
    mine = (counted.bots == number).any(axis=2)  # (games, sides)
    decks = int(ratings.clusters[number])
    if not mine.any():
        return "played no rated game"
    my_rank = np.where(mine, counted.ranks, 0).sum(axis=1, keepdims=True)
    others = ~mine & mine.any(axis=1, keepdims=True)
    if not (others & (counted.ranks >= my_rank)).any():
        return "never finished ahead of another bot, nor tied"
    if not (others & (counted.ranks <= my_rank)).any():
        return "never finished behind another bot, nor tied"
    if decks < LEAST_DECKS:
        return f"played on {decks} decks, fewer than {LEAST_DECKS}"
    return None


class RatingMove(NamedTuple):
    """How far a bot moved."""

    difference: float  # of its mu now from that then
    interval: tuple[float, float] | None  # 95 % for all bots at once; None on too few decks


class LeaguePair(NamedTuple):
    """Ratings of two leagues, measured from the same bots."""

    then: Ratings
    now: Ratings
    reference: tuple[str, ...]  # these bots, ascending; of several pools, of any; maybe none


def measure_leagues(then: Ratings, now: Ratings, reference: Sequence[str]) -> LeaguePair:
    """Measure a pool's two ratings from the mean of bots in both; leave them as they are if none
    are.
    """
    if not reference:
        return LeaguePair(then, now, ())
    return LeaguePair(
        measure_ratings_from(then, reference, 0.0),
        measure_ratings_from(now, reference, 0.0),
        tuple(reference),
    )


def average_leagues(parts: Sequence[LeaguePair]) -> LeaguePair:
    """Average one or more parts, for the bots in all of them."""
    return LeaguePair(
        combine_ratings([part.then for part in parts]),
        combine_ratings([part.now for part in parts]),
        tuple(sorted({bot for part in parts for bot in part.reference})),
    )


def choose_reference(then: Ratings, now: Ratings, unchanged: Sequence[str]) -> tuple[str, ...]:
    """Choose the bots to measure both leagues from, ascending; none if the leagues have no bot in
    common.

    They are the `unchanged` bots with enough decks in both leagues, or else all bots, by name, with
    enough decks in both. If no bot has enough, they are the unchanged ones in both, or else all in
    both. A bot that won or lost all counts as changed: how far off its rating is is unknown.
    """
    common = sorted({*then.names} & {*now.names})
    endless = then.won_all | then.lost_all | now.won_all | now.lost_all
    steady = [bot for bot in common if bot in unchanged and bot not in endless]
    known = np.minimum(*(select_bots(ratings, common).freedom for ratings in (then, now))) > 0
    sure = {bot for bot, is_known in zip(common, known.tolist(), strict=True) if is_known}
    choices = ([bot for bot in steady if bot in sure], sorted(sure), steady, common)
    return tuple(next(filter(None, choices), ()))


def find_moves(part: LeaguePair) -> dict[str, RatingMove]:
    """The moves of the bots in both leagues; bots without a game that counts are left out."""
    names = [bot for bot in part.then.names if bot in part.now.names]
    both = then, now = select_bots(part.then, names), select_bots(part.now, names)
    variances = np.array([np.maximum(np.diag(ratings.spread), 0) for ratings in both])
    freedom = add_freedom(variances, np.array([ratings.freedom for ratings in both]))
    variance, played = variances.sum(axis=0), (then.clusters > 0) & (now.clusters > 0)
    free = int((played & (variance > 0)).sum())  # the only bot of a reference cannot move
    moves = {}
    for bot in np.flatnonzero(played).tolist():
        difference, ends = float(now.mu[bot] - then.mu[bot]), None
        if freedom[bot]:
            t = p_values.t_critical((1 - LEVEL) / max(free, 1), int(freedom[bot]))
            reach = t * sqrt(variance[bot])
            ends = (difference - reach, difference + reach)
        moves[names[bot]] = RatingMove(difference, ends)
    return moves
