"""What a stranger's store may hold: anchors that no config can have set are refused."""

from math import inf, nan

import pytest

from arena.model import Anchor, Bot, Entry, Pool
from arena.store.validation import are_anchors

POOL = Pool("sixteen", 2, "{}", "")
OTHER = Pool("no_thanks", 3, "{}", "")
ENTRY = Entry(POOL, (Bot("ann", ""), Bot("bob", "")), 1, "auto", True)


@pytest.mark.parametrize(
    ("anchors", "sound"),
    [
        ((), True),
        ((Anchor(POOL, "ann", 25.0),), True),
        ((Anchor(POOL, "ann", 25.0), Anchor(POOL, "bob", 25.0)), False),  # one pool, two anchors
        ((Anchor(POOL, "cid", 25.0),), False),
        ((Anchor(OTHER, "ann", 25.0),), False),
        ((Anchor(POOL, "ann", 10_001.0),), False),
        ((Anchor(POOL, "ann", nan),), False),
        ((Anchor(POOL, "ann", -inf),), False),
    ],
)
def test_anchors_are_bots_of_their_pools_one_a_pool(
    anchors: tuple[Anchor, ...], sound: bool
) -> None:
    assert are_anchors(anchors, [ENTRY]) is sound
