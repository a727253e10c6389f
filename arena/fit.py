"""TrueSkill without an order: the update passed round until nothing moves.

A game's message is what it says of its players, given what all other games say. A single pass in
some order is what TrueSkill is known for, and leaves the order in the numbers; passes repeated
until they change nothing end in one place (expectation propagation: Minka 2001), the one where
TrueSkill Through Time ends for bots that do not change. Games that ended alike send one message,
counted. The margin of ties is found on the way.

All messages are renewed at once, by a part of what is new in them. In full, two bots that meet
only each other would swing for ever; so the part shrinks where a sweep undoes the one before, and
grows where it goes the same way.
"""

from typing import NamedTuple

import numpy as np
from trueskill import BETA, MU, SIGMA

from arena import draws
from arena.normal import Array
from arena.outcomes import Ints, Sites, added
from arena.update import Chain, Normal, unlinked, update

PRIOR = SIGMA**-2
STEP, SHRINKS, GROWS = 0.5, 0.7, 1.1
"""The part that is taken over of what is new, at first, and its changes; at most all of it."""
ENOUGH = 1e-7  # a sweep that moves no mu, sigma or margin by more is the last
MOST = 2000  # sweeps; a dozen bots that all meet take 10 to 200, twenty in a single file 800


class Fit(NamedTuple):
    """What a pool's games say of its bots, and what it takes to go on from there."""

    mu: Array  # (bots,); the mean of those that played is 25
    sigma: Array
    draw_probability: float  # of two equal sides
    messages: Normal  # (places, members, sites): what one game of a site says
    chain: Chain
    sweeps: int


def fit(sites: Sites, bots: int, start: Fit | None = None) -> Fit:
    """Return the fixed point for so many bots; those without a game keep the package's prior.

    There are sites, and each counts 1 or more. `start`, a fit of the same sites with other
    counts, saves sweeps.
    """
    places, members, number = sites.bots.shape
    messages, chain = Normal(*np.zeros((2, *sites.bots.shape))), unlinked(places, number)
    low, high = (draws.margin_of(p, members, BETA) for p in draws.BOUNDS)
    tied, tables = draws.observed(sites), draws.tables(sites)
    margin = draws.margin_of(min(tied, draws.BOUNDS[1]), members, BETA) if tied else low
    if start:
        messages, chain = start.messages, start.chain.copy()
        margin = draws.margin_of(start.draw_probability, members, BETA)
    played = np.unique(sites.bots)
    messages, belief = _centred(messages, sites, played, bots)
    mu, sigma = belief.shift / belief.precision, belief.precision**-0.5
    step, moved, sweeps = STEP, np.zeros(bots), 0
    while sweeps < MOST:
        sweeps += 1
        cavity = Normal(
            *(all_[sites.bots] - one for all_, one in zip(belief, messages, strict=True))
        )
        new = update(cavity, sites.ties, margin, BETA, chain, sweeps=1)
        messages = Normal(
            *(was + step * (now - was) for was, now in zip(messages, new, strict=True))
        )
        messages, belief = _centred(messages, sites, played, bots)
        last = mu, sigma, margin, moved
        mu, sigma = belief.shift / belief.precision, belief.precision**-0.5
        moved = mu - last[0]
        likely = draws.expected(tables, mu, sigma**2 + BETA**2, margin)
        margin = min(max(margin * tied / likely, low), high) if likely else low
        if max(abs(margin - last[2]), *np.abs(moved), *np.abs(sigma - last[1])) <= ENOUGH:
            break
        step = step * SHRINKS if (moved * last[3]).sum() < 0 else min(step * GROWS, 1.0)
    mu[played] += MU - mu[played].mean()
    return Fit(mu, sigma, draws.probability_of(margin, members, BETA), messages, chain, sweeps)


def _centred(messages: Normal, sites: Sites, played: Ints, bots: int) -> tuple[Normal, Normal]:
    """Return the messages, and the belief they come to, moved alike to a mean of 25.

    They end there by themselves, but only after hundreds of sweeps: nothing but the prior pulls.
    """
    precision, shift = (added(sites.bots, part * sites.counts, bots) for part in messages)
    mu = (shift + PRIOR * MU) / (precision + PRIOR)
    off = MU - mu[played].mean()
    messages = Normal(messages.precision, messages.shift + off * messages.precision)
    return messages, Normal(precision + PRIOR, shift + off * precision + PRIOR * MU)
