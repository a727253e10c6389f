"""Ratings measured from one bot, the anchor, whose rating is set: so that leagues can be compared.

Games say how far bots are apart; where the scale has its 25 is a choice, and the mean of the field
moves with whoever enters. An anchor is as good a choice, and stays where it is put, as with Ordo's
`-A` and BayesElo's `offset`. All ratings of a pool move alike, so no difference, place or test
changes. The intervals do change: a rating is now a difference to the anchor, and the anchor's own
rating is certain. Pure.
"""

from collections.abc import Sequence

import numpy as np

from arena.model import LEAST_DECKS
from arena.rating.gaussian import Array
from arena.rating.outcomes import Counted, Ints
from arena.rating.rate import Ratings, combine_ratings


def anchor_ratings(ratings: Ratings, bot: str, rating: float) -> Ratings:
    """Move a pool's ratings so that `bot`, one of them, has `rating`."""
    return measure_from(ratings, [bot], rating)


def measure_from(ratings: Ratings, bots: Sequence[str], rating: float) -> Ratings:
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


def combine_anchored(
    ratings: Sequence[Ratings], anchors: Sequence[Ratings | None]
) -> Ratings | None:
    """Average ratings, each of them anchored if it has an anchored version; None if none has."""
    if all(each is None for each in anchors):
        return None
    pairs = zip(ratings, anchors, strict=True)
    return combine_ratings([own if moved is None else moved for own, moved in pairs])


def find_offset(ratings: Ratings, moved: Ratings) -> float:
    """How much was added to every mu to move some ratings, of one bot or more."""
    return float(moved.mu[0] - ratings.mu[0])


def find_objection(counted: Counted, ratings: Ratings, bot: str) -> str | None:
    """Why a pool cannot be measured from a bot, in words that follow its name; None if it can.

    If a bot finished ahead of no other bot, or behind none, games say only that it is weaker or
    stronger, not by how much. A tie counts as both. `counted` numbers the bots as `ratings` does.
    """
    number = ratings.names.index(bot)
    mine = (counted.bots == number).any(axis=2)  # (games, sides)
    decks = int(ratings.clusters[number])
    if not mine.any():
        return "played no game that counts"
    my_rank = np.where(mine, counted.ranks, 0).sum(axis=1, keepdims=True)
    others = ~mine & mine.any(axis=1, keepdims=True)
    if not (others & (counted.ranks >= my_rank)).any():
        return "never finished ahead of another bot, nor tied"
    if not (others & (counted.ranks <= my_rank)).any():
        return "never finished behind another bot, nor tied"
    if decks < LEAST_DECKS:
        return f"played on {decks} decks, fewer than {LEAST_DECKS}"
    return None
