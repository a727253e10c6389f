"""Errors of ratings: how much they would vary with other deals.

Evidence is counted by *clusters*, the games that share a deck, within *strata*, the clusters of one
line-up (the sandwich: Liang and Zeger 1986). README.md beside this file derives it.
"""

from copy import deepcopy
from typing import NamedTuple

import numpy as np

from arena.model import LEAST_DECKS
from arena.rating.fit import MU, PRIOR, Fit, Normal, update_beliefs
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints, MergedGames, Sites, find_distinct, number_rows, sum_by

LEAST_FREEDOM = 20
"""Degrees of freedom that each bot keeps, or else larger strata do: Student's t is then at most 6 %
above the normal distribution's, and the variance itself right to a third."""

LEAST_TELLING, KURTOSIS = 20, 5
"""Decks that must tell of a difference like normal ones, where it is of such a kurtosis or more: a
normal one's is 3, and that of a few decks hardly more."""
_DECKS = 5_000  # that are looked at, at most: of 100 bots they take half a second
_NONE = 0.15  # in mu, were all decks like it: 2 % of what it takes to win them all

_ROUNDS, _STILL = 50, 1e-6
"""Of seats and line-ups in turn: where a sample of seatings is out of balance, each moves the means
of the other, until they move by less than such a part of the pulls. In balance that is at once."""


class Strata(NamedTuple):
    """The clusters of a pool, divided."""

    of_cluster: Ints  # (clusters,): numbers from 0
    sizes: Ints  # (strata,): clusters, 1 or more
    freedom: Ints  # (bots,): clusters with the bot, less one for each stratum and for each seat
    by_seat: bool = False  # whether a bot's seats have means of their own


def divide(merged: MergedGames, bots: int) -> Strata:
    """Divide a pool's clusters as finely as leaves enough degrees of freedom.

    That is `LEAST_FREEDOM` for every bot with an interval. Finest first: by line-up and seating, by
    line-up with each bot's mean by seat, by line-up, none. There are clusters.
    """
    clusters = sum_by(merged.line_ups, 1, bots)
    known = clusters >= LEAST_DECKS
    divisions: list[tuple[Ints, Ints | None]] = [(stratum, None) for stratum in merged.strata]
    if merged.seats is not None:
        divisions.insert(-1, (merged.strata[-1], merged.seats))
    for of_cluster, by_seat in divisions:
        sizes = np.bincount(of_cluster)
        freedom = sum_by(merged.line_ups, 1 - 1 / sizes[of_cluster], bots)
        if by_seat is not None:
            freedom = freedom - np.maximum(_seats_of(by_seat, merged.line_ups, bots) - 1, 0)
        if sizes.min() > 1 and (freedom[known] + 1e-9 >= LEAST_FREEDOM).all():
            left = (freedom + 1e-9).astype(np.int64)
            return Strata(of_cluster, sizes, left, by_seat is not None)
    whole = np.zeros(merged.line_ups.shape[1], dtype=np.int64)
    return Strata(whole, np.bincount(whole), np.maximum(clusters - 1, 0).astype(np.int64))


def _seats_of(seats: Ints, line_ups: Ints, bots: int) -> Ints:
    """The number of different seats of each bot: (bots,)."""
    most = int(seats.max()) + 1  # a team's members sit in more seats than there are teams
    sat = np.bincount((line_ups * most + seats).ravel(), minlength=bots * most)
    different: Ints = (sat.reshape(bots, most) > 0).sum(axis=1)
    return different


def remove_seats(pulls: Array, merged: MergedGames, of: Strata, bots: int) -> Array:
    """Take from pulls what the seat of each bot is worth on average.

    Pulls are at each bot of the line-ups, (bots at a table, clusters). By least squares, together
    with the means of strata. What is left is scaled up, as there are fewer degrees of freedom.
    """
    if not of.by_seat or merged.seats is None:
        return pulls
    line_ups, most = merged.line_ups, int(merged.seats.max()) + 1
    seat, size = line_ups * most + merged.seats, bots * most
    often = np.maximum(sum_by(seat, 1, size), 1)
    still = _STILL * np.abs(pulls).max()
    for _ in range(_ROUNDS):
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
    """The mean of its stratum, by cluster."""
    means: Array = (sum_by(of.of_cluster, pulls, len(of.sizes)) / of.sizes)[of.of_cluster]
    return means


_STEP = 1e-3  # in mu, of the differences for slopes
_SWEEPS = 2  # enough to pass such a step along a finishing order, to 3 digits


def respond_to_pulls(sites: Sites, fitted: Fit, bots: int) -> Array:
    """The moves of the bots' mu for a pull of 1 on each: (bots moved, bots pulled).

    The pool's mean is held at 25.
    """
    who = sites.bots.reshape(-1, sites.bots.shape[2])
    scores = _scores(sites, fitted)
    slopes = np.zeros((bots, bots))
    for place in range(len(who)):
        rise = (_scores(sites, fitted, place) - scores) / _STEP
        slopes += _sum_by_pair(bots, who, who[place], rise * sites.evidence)
    moves = np.linalg.inv(PRIOR * np.eye(bots) - slopes)
    moves -= moves[find_distinct(who)].mean(axis=0)
    return moves


def lift_pulls(pulls: Array, merged: MergedGames, fitted: Fit, moves: Array) -> Array:
    """Give back to line-ups' pulls, (bots at a table, clusters), what ratings have followed them:
    times (I - H)^(-1/2), of leverages H, as a power series (CR2: README.md beside this file).
    """
    sites, line_ups, size = merged.sites, merged.line_ups, len(pulls)
    who = sites.bots.reshape(size, -1)
    seat, (cluster, _) = np.argsort(np.argsort(who, axis=0), axis=0), number_rows(np.sort(who, 0).T)
    at = (seat[:, None] * size + seat) * pulls.shape[1] + cluster
    rises = np.array([_scores(sites, fitted, bot) for bot in range(size)]) - _scores(sites, fitted)
    slopes = sum_by(at, rises / _STEP * sites.evidence, size * pulls.size).reshape(size, size, -1)
    leverage = -np.einsum("lic,ljc->ijc", slopes, moves[line_ups[:, None], line_ups])
    lifted = term = pulls
    for number in range(1, 51):  # a leverage of 1 then counts as 0.984, one of 0.9 in full
        term = np.einsum("ijc,jc->ic", leverage, term) * (1 - 0.5 / number)
        lifted = lifted + term
    return lifted


def find_shrinkage(fitted: Fit, moves: Array) -> Array:
    """The distances by which the prior holds mu from where games alone would put it: (bots,).

    That is one step of Newton's from mu, with `moves` the response, and without the prior's pull.
    """
    return np.asarray(moves @ (PRIOR * (fitted.mu - MU)))


def sandwich_covariance(merged: MergedGames, moves: Array, pulls: Array) -> Array:
    """The covariance of the bots' mu, (bots, bots), from the pulls of two or more clusters.

    `moves` is the response.
    """
    line_ups, bots = merged.line_ups, len(moves)
    varied = np.zeros((bots, bots))
    for place in range(len(line_ups)):
        varied += _sum_by_pair(bots, line_ups, line_ups[place], pulls * pulls[place])
        if merged.twins is not None:  # a deck's luck is in both of its clusters
            at = np.flatnonzero(merged.twins >= 0)
            twin = merged.twins[at]
            both = pulls[:, at] * pulls[place, twin]
            varied += _sum_by_pair(bots, line_ups[:, at], line_ups[place, twin], both)
    return np.asarray(moves @ varied @ moves.T)


def find_pulls(merged: MergedGames, fitted: Fit, moves: Array, of: Strata) -> Array:
    """The pull of each cluster at its bots, from the mean of its stratum, if it has one:
    (bots at a table, clusters).
    """
    sites, clusters, bots = merged.sites, merged.line_ups.shape[1], len(moves)
    who = sites.bots.reshape(-1, sites.bots.shape[2])
    scores = _scores(sites, fitted) * (sites.evidence / sites.counts)
    of_game = np.take_along_axis(scores, np.argsort(who, axis=0), axis=0)[:, merged.site]
    pulls = np.array([sum_by(merged.cluster, row, clusters) for row in of_game])
    if not merged.strata:
        return lift_pulls(pulls, merged, fitted, moves)
    pulls = remove_seats(pulls, merged, of, bots)
    return np.array([center(row, of) for row in pulls])


def find_rare(merged: MergedGames, moves: Array, pulls: Array) -> Flags:
    """True where so few decks decide about the difference of two bots that these do not tell its
    spread: (bots, bots); about the mu of one on the diagonal.

    Decks tell like (sum x^2)^2 / sum x^4 normal ones, x being their influence: their number n over
    the kurtosis, T. T / (1 - T/n) makes up for a kurtosis that is only that of few decks.
    """
    bots, deck = len(moves), np.arange(pulls.shape[1])
    if merged.twins is not None:
        deck = np.where(merged.twins < 0, deck, np.minimum(deck, merged.twins))
    decks = find_distinct(deck)
    some = decks[:: 1 + len(decks) // _DECKS]  # enough to know the kurtosis by
    part = np.flatnonzero(np.isin(deck, some))
    part = part[np.argsort(deck[part], kind="stable")]
    lines = zip(merged.line_ups[:, part], pulls[:, part], strict=True)
    influence = np.array([moves[:, line] * pull for line, pull in lines]).sum(axis=0)
    begins = np.flatnonzero(np.diff(deck[part], prepend=-1))
    influence = np.add.reduceat(influence, begins, axis=1)
    both = sum(_sum_by_pair(bots, merged.line_ups, line, 1) for line in merged.line_ups)
    alone = np.diag(both)
    either = np.clip(alone[:, None] + alone - both, 1, len(decks))
    telling = np.zeros((bots, bots))
    for bot in range(bots):
        squares = (influence[bot] - influence) ** 2
        squares[bot] = influence[bot] ** 2
        squares[squares < (_NONE / either[bot][:, None]) ** 2] = 0.0
        fourths = (squares**2).sum(axis=1)
        telling[bot] = squares.sum(axis=1) ** 2 / np.where(fourths > 0, fourths, 1.0)
    share = np.minimum(telling * len(decks) / len(some) / either, 1.0)
    return (share < 1 / KURTOSIS) & (share * either < LEAST_TELLING * (1 - share))


def _sum_by_pair(bots: int, one: Ints, other: Ints, values: Array | int) -> Array:
    return sum_by(one * bots + other, values, bots * bots).reshape(bots, bots)


def _scores(sites: Sites, fitted: Fit, moved: int | None = None) -> Array:
    """The pull of one game of each site at the mu of its players, (players, sites).

    The other games' estimate of the player `moved` is taken a `_STEP` higher than it is.
    """
    precision = fitted.sigma**-2
    others = Normal(precision, precision * fitted.mu)[sites.bots] / fitted.messages
    if moved is not None:
        place, member = divmod(moved, sites.bots.shape[1])
        others.shift[place, member] += _STEP * others.precision[place, member]
    chain = deepcopy(fitted.chain)
    messages = update_beliefs(others, sites.ties, fitted.margin, chain, _SWEEPS)
    pull = messages.shift - messages.precision * others.mu
    pull *= others.precision / (others.precision + messages.precision)
    return pull.reshape(-1, sites.bots.shape[2])
