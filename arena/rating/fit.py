"""TrueSkill without an order: updates passed round until nothing moves (expectation propagation:
Minka 2001). README.md beside this file says why, and how the margin of ties is estimated.

An update has the messages and formulas of the `trueskill` package, passed along the same graph in
the same order, with an array over games where the package has a number (a test compares the two).
The dynamic factor is 0: fixed bots learn nothing between games. Arrays have places first, best
first, and games last.
"""

import warnings
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from arena.rating import gaussian
from arena.rating.gaussian import Array, Flags
from arena.rating.outcomes import Ints, Sites, find_distinct, number_rows, sum_by

with warnings.catch_warnings():  # Python 3.12 and later warn of an escape in its source
    warnings.simplefilter("ignore", SyntaxWarning)
    from trueskill import BETA as BETA
    from trueskill import MU as MU
    from trueskill import SIGMA as SIGMA
    from trueskill import Rating as Rating
    from trueskill import TrueSkill as TrueSkill
    from trueskill.mathematics import Gaussian as Gaussian

PRIOR = SIGMA**-2
STEP, SHRINKS, GROWS = 0.5, 0.7, 1.1
"""The part of a change that is taken over: at first, and its factors; at most all of it."""
ENOUGH = 1e-7  # a sweep that moves no mu, sigma or margin by more is the last
MOST = 2000  # sweeps; a dozen bots that all meet take 10 to 200, twenty in a single file 800
_LEAST = 1e-9  # of the variance left: rounding may take the rest, tens of thousands of sigma out


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal distributions, or messages, in natural parameters; 0 and 0 say nothing.

    Messages multiply, and in natural parameters that is adding.
    """

    precision: Array  # 1 / sigma^2
    shift: Array  # mu times precision

    @property
    def mu(self) -> Array:
        return self.shift / self.precision

    @property
    def sigma(self) -> Array:
        sigma: Array = self.precision**-0.5
        return sigma

    def __mul__(self, other: "Normal") -> "Normal":
        return Normal(self.precision + other.precision, self.shift + other.shift)

    def __truediv__(self, other: "Normal") -> "Normal":
        return Normal(self.precision - other.precision, self.shift - other.shift)

    def __getitem__(self, index: Any) -> "Normal":
        return Normal(self.precision[index], self.shift[index])

    def __setitem__(self, index: int, new: "Normal") -> None:
        self.precision[index], self.shift[index] = new.precision, new.shift


def empty_messages(*shape: int) -> Normal:
    return Normal(np.zeros(shape), np.zeros(shape))


class Chain(NamedTuple):
    """The messages to each place, from its comparisons with the place above and the place below.

    Kept from one update to the next, it lets one sweep do where a first update takes ten.
    """

    above: Normal  # (places, games)
    below: Normal


def new_chain(places: int, games: int) -> Chain:
    return Chain(empty_messages(places, games), empty_messages(places, games))


def update_beliefs(cavity: Normal, ties: Flags, margin: float, chain: Chain, sweeps: int) -> Normal:
    """Update once: each game's messages to its players, (places, members of a side, games).

    `cavity`, of the same shape, is the belief in them without the game. `ties`, (places - 1,
    games), says whether a place is shared with the next. Sides whose performances differ by less
    than `margin` tie. The sweeps, along the finishing order, go on from `chain`, and bring it up to
    date in place; from a new chain it takes 10, the package's limit.
    """
    mean, variance = cavity.mu, 1 / cavity.precision + BETA**2
    precision = 1 / variance.sum(axis=1)
    messages = _messages_to_sides(
        Normal(precision, precision * mean.sum(axis=1)), ties, margin, chain, sweeps
    )
    side, shift = messages.precision[:, None], messages.shift[:, None]
    partners = mean.sum(axis=1, keepdims=True) - mean
    others = variance.sum(axis=1, keepdims=True) - variance
    left = 1 / (1 + side * (others + BETA**2))
    return Normal(left * side, left * (shift - side * partners))


def _messages_to_sides(
    seen: Normal, ties: Flags, margin: float, chain: Chain, sweeps: int
) -> Normal:
    """The results' messages to the sides' performances; `seen` are those of their players."""
    last = len(ties) - 1
    above, below = chain

    def compare(place: int) -> tuple[Normal, Normal]:
        """The messages of a place's comparison with the next: to it, and to the next."""
        upper = seen[place] * above[place]
        lower = seen[place + 1] * below[place + 1]
        return _compare(upper, lower, ties[place], margin)

    for _ in range(sweeps if last else 0):
        for place in range(last):
            above[place + 1] = compare(place)[1]
        for place in range(last, 0, -1):
            below[place] = compare(place)[0]
    # The two ends, which no sweep has told.
    first = compare(0)
    below[0] = first[0]
    above[last + 1] = compare(last)[1] if last else first[1]
    return above * below


def _compare(upper: Normal, lower: Normal, tied: Flags, margin: float) -> tuple[Normal, Normal]:
    """The messages of a result to two performances: the first won, or they tied."""
    p, s = upper.precision, upper.shift
    q, t = lower.precision, lower.shift
    precision = p * q / (p + q)
    shift = (q * s - p * t) / (p + q)
    root = np.sqrt(precision)
    v, w = _correct(shift / root, margin * root, tied)
    left = np.maximum(1 - w, _LEAST)
    d, e = precision * w / left, (shift * w + root * v) / left
    return (
        Normal(d * q / (d + q), (q * e + d * t) / (d + q)),
        Normal(d * p / (d + p), (d * s - p * e) / (d + p)),
    )


def _correct(gap: Array, margin: Array, tied: Flags) -> tuple[Array, Array]:
    """TrueSkill's v and w of differences, won or tied."""
    if not tied.any():
        return gaussian.correct_for_win(gap, margin)
    v, w = np.empty_like(gap), np.empty_like(gap)
    for some, moved in ((tied, gaussian.correct_for_tie), (~tied, gaussian.correct_for_win)):
        v[some], w[some] = moved(gap[some], margin[some])
    return v, w


BOUNDS = (0.001, 0.99)
"""Bounds of a pool's draw probability: the update needs both a margin and room outside it."""

_AT, _WORTH = np.polynomial.hermite_e.hermegauss(8)  # nodes and weights: good to 1 in 10,000
_TABLES = 5000  # looked at; of more, as many or half, evenly taken from all
_AT_ONCE = 256  # of these: with all others of a side they fit into a core's cache


class Ties(NamedTuple):
    """The number of a pool's games that tied, and who sat together in them."""

    share: float  # of ties among neighbours in the finishing orders
    sides: Ints  # (sides, members, tables): the bots of different tables, of many a sample
    counts: Array  # (tables,): games, weighted


def count_ties(sites: Sites) -> Ties:
    """Count how often the games of the sites, one or more, tied."""
    places, members, number = sites.bots.shape
    share = (sites.ties * sites.evidence).sum() / (len(sites.ties) * sites.evidence.sum())
    order = np.argsort(sites.bots[:, 0], axis=0)
    sides = np.take_along_axis(sites.bots, order[:, None], axis=0)
    table, example = number_rows(sides.reshape(places * members, number).T)
    counts = sum_by(table, sites.evidence, len(example))
    some = slice(None, None, -(-len(counts) // _TABLES))
    return Ties(float(share), sides[:, :, example[some]], counts[some])


def correct_margin(observed: Ties, margin: float, mu: Array, variance: Array) -> float:
    """A margin with which the model ties more nearly as often as the games did; within `BOUNDS`.

    The bots' performances are normal, with these means and variances.
    """
    low, high = (margin_of(bound, observed.sides.shape[1]) for bound in BOUNDS)
    if not observed.share:
        return low
    likely = expect_ties(observed, mu, variance, margin)
    return min(max(margin * observed.share / likely, low), high) if likely else low


def expect_ties(observed: Ties, mu: Array, variance: Array, margin: float) -> float:
    """The share of ties among neighbours that the model expects at the same tables.

    A side ties with the next if another performs at most the margin below it: the probability is
    taken by Gauss-Hermite quadrature over the side's own performance.
    """
    means = mu[observed.sides].sum(axis=1)
    deviations = np.sqrt(variance[observed.sides].sum(axis=1))
    tied = np.empty(len(observed.counts))
    for first in range(0, len(tied), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        tied[some] = _expect_tied(means[:, some], deviations[:, some], margin)
    return float((tied * observed.counts).sum() / ((len(means) - 1) * observed.counts.sum()))


def _expect_tied(means: Array, deviations: Array, margin: float) -> Array:
    """Sides that the model expects to tie with the next, (tables,), by the means and deviations of
    sides' performances, (sides, tables).
    """
    tied = np.zeros(means.shape[1])
    for side in range(len(means)):
        at = means[side] + deviations[side] * _AT[:, None]  # (nodes, tables)
        mean, deviation = (np.delete(array, side, axis=0)[:, None] for array in (means, deviations))
        gap = (at - mean) / deviation  # (others, nodes, tables)
        likely, less = gaussian.normal_cdf(np.array((gap, gap - margin / deviation)))
        no_tie = (1 - (likely - less)).prod(axis=0)
        tied += (_WORTH[:, None] * (1 - no_tie)).sum(axis=0) / _WORTH.sum()
    return tied


def margin_of(probability: float, members: int) -> float:
    """The margin with which two equal sides of so many members tie with a probability."""
    return NormalDist(sigma=sqrt(2 * members) * BETA).inv_cdf((1 + probability) / 2)


def probability_of(margin: float, members: int) -> float:
    """The probability that two equal sides of so many members tie."""
    return 2 * NormalDist(sigma=sqrt(2 * members) * BETA).cdf(margin) - 1


class Fit(NamedTuple):
    """The fixed point of a pool's games, and the messages that lead there."""

    mu: Array  # (bots,); the mean of the bots that played is 25
    sigma: Array
    margin: float  # of performances that tie
    draw_probability: float  # of two equal sides: the same, in other words
    messages: Normal  # (places, members, sites): of one game of a site
    chain: Chain
    sweeps: int
    converged: bool  # whether the last sweep moved no more than `ENOUGH`


def fit_sites(sites: Sites, bots: int) -> Fit:
    """Find the fixed point of a pool's games; a bot without a game keeps the package's prior.

    There are sites, and each counts 1 or more.
    """
    places, members, number = sites.bots.shape
    ties = count_ties(sites)
    margin = margin_of(min(max(ties.share, BOUNDS[0]), BOUNDS[1]), members)  # as of equals
    chain = new_chain(places, number)
    messages, belief = _centre(empty_messages(places, members, number), sites, bots)
    step, moved, sweeps, change = STEP, np.zeros(bots), 0, np.inf
    while change > ENOUGH and sweeps < MOST:
        sweeps += 1
        new = update_beliefs(belief[sites.bots] / messages, sites.ties, margin, chain, sweeps=1)
        messages, now = _centre(_between(messages, new, step), sites, bots)
        wider = correct_margin(ties, margin, now.mu, now.sigma**2 + BETA**2)
        last, moved = moved, now.mu - belief.mu
        change = max(abs(wider - margin), *np.abs(moved), *np.abs(now.sigma - belief.sigma))
        margin, belief = wider, now
        undone = (moved * last).sum() < -(ENOUGH**2)  # not by rounding, where nothing moves
        step = step * SHRINKS if undone else min(step * GROWS, 1.0)
    mu, played = belief.mu, find_distinct(sites.bots)
    mu[played] += MU - mu[played].mean()
    probability = probability_of(margin, members)
    converged = bool(change <= ENOUGH)
    return Fit(
        mu=mu,
        sigma=belief.sigma,
        margin=margin,
        draw_probability=probability,
        messages=messages,
        chain=chain,
        sweeps=sweeps,
        converged=converged,
    )


def _between(old: Normal, new: Normal, part: float) -> Normal:
    return Normal(
        old.precision + part * (new.precision - old.precision),
        old.shift + part * (new.shift - old.shift),
    )


def _centre(messages: Normal, sites: Sites, bots: int) -> tuple[Normal, Normal]:
    """The messages, and the belief they add up to, shifted alike to a mean of 25.

    They end there by themselves, but only after hundreds of sweeps: nothing but the prior pulls.
    """
    precision = sum_by(sites.bots, messages.precision * sites.evidence, bots)
    shift = sum_by(sites.bots, messages.shift * sites.evidence, bots)
    mu = (shift + PRIOR * MU) / (precision + PRIOR)
    off = MU - mu[find_distinct(sites.bots)].mean()
    messages = Normal(messages.precision, messages.shift + off * messages.precision)
    return messages, Normal(precision + PRIOR, shift + off * precision + PRIOR * MU)
