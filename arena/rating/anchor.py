"""Ratings measured from one bot, the anchor, so that leagues can be compared. README.md beside this
file says what moves and what does not. Pure.
"""

import numpy as np

from arena.model import LEAST_DECKS
from arena.rating.gaussian import Array
from arena.rating.outcomes import CountedGames
from arena.rating.rate import Ratings


def measure_ratings_from(ratings: Ratings, bot: str, rating: float) -> Ratings:
    """Move ratings so that `bot`, one of them, has this `rating`.

    The covariance, and what intervals add to it, become those of the differences to the bot. So do
    the degrees of freedom: the fewest that a difference rests on.
    """
    at = ratings.names.index(bot)
    return ratings._replace(
        mu=ratings.mu + (rating - ratings.mu[at]),
        covariance=_differences(ratings.covariance, at),
        excess=None if ratings.excess is None else _differences(ratings.excess, at),
        freedom=np.minimum(ratings.freedom, ratings.freedom[at]),
    )


def _differences(covariance: Array, at: int) -> Array:
    """The covariance of the differences to the bot numbered `at`."""
    with_it = covariance[:, at]
    differences: Array = covariance - with_it - with_it[:, None] + with_it[at]
    differences[at] = differences[:, at] = 0.0  # rounding may leave another
    return differences


def find_rating_offset(ratings: Ratings, moved: Ratings) -> float:
    """The number that was added to every mu to move some ratings, of one bot or more."""
    return float(moved.mu[0] - ratings.mu[0])


def find_anchor_objection(counted: CountedGames, ratings: Ratings, bot: str) -> str | None:
    """Explain, in words after its name, why a pool cannot be measured from a bot; None if it can.

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
