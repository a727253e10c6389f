"""Strata: decks of one line-up (and one seating, where each has its own), as the schedule has them.

What a seat is worth, and how a bot fares against just these opponents, is no luck: other deals come
up in the same seats against the same bots. So the pull of a deck is held against the mean of its
stratum, not against 0. The schedule fixes how many decks a stratum has, and each but one tells of
the spread (stratified sampling: Cochran, Sampling Techniques (1977), 5.4; of estimates by maximum
likelihood: Wooldridge, Econometric Theory 17 (2001) 451). Where a seating has a single deck,
nothing tells one from the other; but each seat has several decks, and what seats are worth to a bot
adds to what its line-ups are.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from arena.model import LEAST_DECKS
from arena.rating.gaussian import Array
from arena.rating.outcomes import Ints, Rated, sum_by

LEAST_FREEDOM = 20
"""Degrees of freedom that each bot keeps, or else larger strata do: Student's t is then at most 6 %
above the normal distribution's, and the variance itself right to a third."""


_SWEEPS, _STILL = 50, 1e-6
"""Of seats and line-ups in turn: where a sample of seatings is out of balance, each moves the means
of the other, until they move by less than such a part of the pulls. In balance that is at once."""


class Strata(NamedTuple):
    """The clusters of a pool, divided."""

    of_cluster: Ints  # (clusters,): numbers from 0
    sizes: Ints  # (strata,): clusters, 1 or more
    freedom: Ints  # (bots,): clusters with the bot, less one for each stratum and for each seat
    by_seat: bool = False  # whether a bot's seats have means of their own


def divide(rated: Rated, bots: int) -> Strata:
    """Divide a pool's clusters as finely as leaves enough degrees of freedom.

    That is `LEAST_FREEDOM` for every bot with an interval. Finest first: by line-up and seating, by
    line-up with each bot's mean by seat, by line-up, none. There are clusters.
    """
    clusters = sum_by(rated.line_ups, 1, bots)
    known = clusters >= LEAST_DECKS
    for of_cluster, by_seat in _divisions(rated):
        sizes = np.bincount(of_cluster)
        freedom = sum_by(rated.line_ups, 1 - 1 / sizes[of_cluster], bots)
        if by_seat is not None:
            freedom = freedom - np.maximum(_seats_of(by_seat, rated.line_ups, bots) - 1, 0)
        if sizes.min() > 1 and (freedom[known] + 1e-9 >= LEAST_FREEDOM).all():
            left = (freedom + 1e-9).astype(np.int64)
            return Strata(of_cluster, sizes, left, by_seat is not None)
    whole = np.zeros(rated.line_ups.shape[1], dtype=np.int64)
    return Strata(whole, np.bincount(whole), np.maximum(clusters - 1, 0).astype(np.int64))


def _divisions(rated: Rated) -> Iterator[tuple[Ints, Ints | None]]:
    """Yield strata, finest first, each with the seats whose means are to be taken out as well."""
    *finer, by_line_up = rated.strata
    yield from ((of_cluster, None) for of_cluster in finer)
    if rated.seats is not None:
        yield by_line_up, rated.seats
    yield by_line_up, None


def _seats_of(seats: Ints, line_ups: Ints, bots: int) -> Ints:
    """In how many different seats each bot sat: (bots,)."""
    most = int(seats.max()) + 1  # a team's members sit in more seats than there are teams
    sat = np.bincount((line_ups * most + seats).ravel(), minlength=bots * most)
    different: Ints = (sat.reshape(bots, most) > 0).sum(axis=1)
    return different


def remove_seats(pulls: Array, rated: Rated, of: Strata, bots: int) -> Array:
    """Take from pulls what the seat of each bot is worth on average.

    Pulls are at each bot of the line-ups, (bots at a table, clusters). By least squares, together
    with the means of strata. What is left is scaled up, as there are fewer degrees of freedom.
    """
    if not of.by_seat or rated.seats is None:
        return pulls
    line_ups, most = rated.line_ups, int(rated.seats.max()) + 1
    seat, size = line_ups * most + rated.seats, bots * most
    often = np.maximum(sum_by(seat, 1, size), 1)
    still = _STILL * np.abs(pulls).max()
    for _ in range(_SWEEPS):
        worth = sum_by(seat, pulls, size) / often
        pulls = pulls - worth[seat]
        pulls = np.array([row - _means(row, of) for row in pulls])
        if np.abs(worth).max() <= still:
            break
    before = sum_by(line_ups, 1 - 1 / of.sizes[of.of_cluster], bots)
    scale: Array = np.sqrt(before / np.maximum(of.freedom, 1))
    return pulls * scale[line_ups]


def center(pulls: Array, of: Strata) -> Array:
    """Take the mean of each stratum from pulls, (clusters,), and scale what is left.

    Its squares then add up to the variance of the sum. Undivided, pulls keep their mean. All pulls
    of a stratum are at the same bot.
    """
    scale = np.sqrt(of.sizes / np.maximum(of.sizes - 1, 1))
    if len(of.sizes) > 1:
        pulls = pulls - _means(pulls, of)
    spread: Array = pulls * scale[of.of_cluster]
    return spread


def _means(pulls: Array, of: Strata) -> Array:
    """By cluster, the mean of its stratum."""
    means: Array = (sum_by(of.of_cluster, pulls, len(of.sizes)) / of.sizes)[of.of_cluster]
    return means


def draw_clusters(of: Strata, rng: np.random.Generator) -> Array:
    """Draw a resample: how often each cluster counts in it, (clusters,).

    From each stratum one cluster less than it has is drawn, which then counts for more: the
    variance of a sum is then that of `center` (Rao and Wu, J. Am. Stat. Assoc. 83 (1988) 231).
    Undivided, as many clusters are drawn as there are.
    """
    clusters = len(of.of_cluster)
    if len(of.sizes) == 1:
        return np.bincount(rng.integers(0, clusters, clusters), minlength=clusters).astype(float)
    order = np.argsort(of.of_cluster, kind="stable")
    first = np.cumsum(of.sizes) - of.sizes
    draws = np.repeat(np.arange(len(of.sizes)), of.sizes - 1)
    at = order[first[draws] + rng.integers(0, of.sizes[draws])]
    times: Array = np.bincount(at, minlength=clusters) * (of.sizes / (of.sizes - 1))[of.of_cluster]
    return times
