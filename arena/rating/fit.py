"""TrueSkill without an order: the update passed round until nothing moves.

A game's message is its evidence on its players, given the evidence of all other games. TrueSkill
as it is known makes a single pass in some order, and leaves the order in the numbers. Passes
repeated until they change nothing end in one place (expectation propagation: Minka 2001). So does
the package trueskillthroughtime where bots do not change, between two sides; of three and more its
`History` (1.1.0) does so only where they are given best first, else it ends some mu away. Games
that ended alike send one message, counted. The margin of ties is estimated on the way.

All messages are renewed at once, by a part of their change. In full, two bots that meet
only each other would swing for ever; so the part shrinks where a sweep undoes the one before, and
grows where it goes the same way.
"""

from typing import NamedTuple

import numpy as np
from trueskill import BETA, MU, SIGMA

from arena.rating import draw_margin
from arena.rating.gaussian import Array
from arena.rating.outcomes import Sites, find_distinct, sum_by
from arena.rating.update import Chain, Normal, empty_messages, new_chain, update_beliefs

PRIOR = SIGMA**-2
STEP, SHRINKS, GROWS = 0.5, 0.7, 1.1
"""The part of a change that is taken over: at first, and its factors; at most all of it."""
ENOUGH = 1e-7  # a sweep that moves no mu, sigma or margin by more is the last
MOST = 2000  # sweeps; a dozen bots that all meet take 10 to 200, twenty in a single file 800


class Fit(NamedTuple):
    """The fixed point of a pool's games, and the messages that another fit may start from."""

    mu: Array  # (bots,); the mean of the bots that played is 25
    sigma: Array
    margin: float  # of performances that tie
    draw_probability: float  # of two equal sides: the same, in other words
    messages: Normal  # (places, members, sites): of one game of a site
    chain: Chain
    sweeps: int
    converged: bool  # whether the last sweep moved no more than `ENOUGH`


def fit_sites(sites: Sites, bots: int, start: Fit | None = None) -> Fit:
    """Return the fixed point for so many bots; a bot without a game keeps the package's prior.

    There are sites, and each counts 1 or more. `start`, a fit of the same sites with other
    counts, saves sweeps.
    """
    places, members, number = sites.bots.shape
    ties = draw_margin.count_ties(sites)
    if start:
        margin, messages, chain = start.margin, start.messages, start.chain.copy()
    else:
        margin, messages = draw_margin.guess_margin(ties), empty_messages(places, members, number)
        chain = new_chain(places, number)
    messages, belief = _centred(messages, sites, bots)
    step, moved, sweeps, change = STEP, np.zeros(bots), 0, np.inf
    while change > ENOUGH and sweeps < MOST:
        sweeps += 1
        new = update_beliefs(
            belief[sites.bots] / messages, sites.ties, margin, BETA, chain, sweeps=1
        )
        messages, now = _centred(_between(messages, new, step), sites, bots)
        wider = draw_margin.correct_margin(ties, margin, now.mu, now.sigma**2 + BETA**2)
        last, moved = moved, now.mu - belief.mu
        change = max(abs(wider - margin), *np.abs(moved), *np.abs(now.sigma - belief.sigma))
        margin, belief = wider, now
        undone = (moved * last).sum() < -(ENOUGH**2)  # not by rounding, where nothing moves
        step = step * SHRINKS if undone else min(step * GROWS, 1.0)
    mu, played = belief.mu, find_distinct(sites.bots)
    mu[played] += MU - mu[played].mean()
    probability = draw_margin.probability_of(margin, members)
    converged = bool(change <= ENOUGH)
    return Fit(mu, belief.sigma, margin, probability, messages, chain, sweeps, converged)


def _between(old: Normal, new: Normal, part: float) -> Normal:
    """Return messages that lie so far on the way from old to new."""
    return Normal(
        old.precision + part * (new.precision - old.precision),
        old.shift + part * (new.shift - old.shift),
    )


def _centred(messages: Normal, sites: Sites, bots: int) -> tuple[Normal, Normal]:
    """Return the messages, and the belief they come to, moved alike to a mean of 25.

    They end there by themselves, but only after hundreds of sweeps: nothing but the prior pulls.
    """
    precision = sum_by(sites.bots, messages.precision * sites.counts, bots)
    shift = sum_by(sites.bots, messages.shift * sites.counts, bots)
    mu = (shift + PRIOR * MU) / (precision + PRIOR)
    off = MU - mu[find_distinct(sites.bots)].mean()
    messages = Normal(messages.precision, messages.shift + off * messages.precision)
    return messages, Normal(precision + PRIOR, shift + off * precision + PRIOR * MU)
