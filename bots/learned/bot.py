"""Asks a network about No Thanks! for three, else gives the first legal decision."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import diciassette, no_thanks, sixteen

SEATS = 3
WIDTH = 40  # a place for each card, and some beside the highest
NEAR = (-2, -1, 1, 2)  # cards that may make a run with the one on offer
WEIGHTS = Path(__file__).with_name("weights.json")  # train.py makes it by self-play
HIDDEN, SHIFT, OUT = map(np.array, json.loads(WEIGHTS.read_text("utf-8")))

Whole = NDArray[np.int64]


def decide_many(
    views: Sequence[no_thanks.View | sixteen.View | diciassette.View], rngs: Sequence[Random]
) -> list[str]:
    """Return a decision for each view: "take" where the network finds it worth more than "pass"."""
    offers = [view for view in views if isinstance(view, no_thanks.View) and view.players == SEATS]
    if len(offers) < len(views):
        return [view.legal[0] for view in views]
    owner = np.full((len(offers), WIDTH), -1)
    for row, view in zip(owner, offers, strict=True):
        for place in range(SEATS):
            row[[*view.taken[(view.seat + place) % SEATS]]] = place
    card, pot, chips, left = np.array([(v.card, v.pot, v.chips, v.cards_left) for v in offers]).T
    # whole numbers: the last bit of other sums may depend on the CPU
    units = np.maximum(features(owner, card, pot, chips, left) @ HIDDEN + SHIFT, 0)
    take = (units @ OUT > 0) | (chips == 0)
    return [no_thanks.TAKE if taken else no_thanks.PASS for taken in take.tolist()]


def features(owner: Whole, card: Whole, pot: Whole, chips: Whole, left: Whole) -> NDArray[Any]:
    """Return what the network is shown, a row an offer.

    `owner` has a row an offer too: who has each card, 0 the seat that is asked, 1 and 2 those to
    its left, -1 none of them.
    """
    near = owner[np.arange(len(card))[:, None], card[:, None] + NEAR]
    _, below, above, _ = near.T
    costs = [
        np.where(below == place, 0, card) - np.where(above == place, card + 1, 0)
        for place in range(SEATS)
    ]
    return np.column_stack([pot, chips, left, card, *costs, 9 * (near == 0), 9 * (near < 0)])
