"""What a stranger's store may hold: what no config can have set is refused."""

import json
from datetime import datetime
from math import inf, nan
from typing import Any

import pytest

from arena.model import Anchor, Bot, Entry, Limits, NotRanked, Pool, StoredPlan
from arena.store.plans import format_plan, parse_plan
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


PLAN = StoredPlan("cup", False, "full", Limits(), (ENTRY,))


def test_a_plan_comes_back() -> None:
    plan = PLAN._replace(
        not_ranked=(NotRanked("ann", "guest"), NotRanked("bob", "unranked", "twice", "2026-12-01")),
        show_authors=("bob",), run_began=datetime.fromisoformat("2026-11-02T09:00:00Z"),
        entries_close=datetime.fromisoformat("2026-12-01T18:00:00+01:00"),
    )  # fmt: skip
    kept = format_plan(plan)
    assert '"entries_close": "2026-12-01T18:00:00+01:00"' in kept
    assert parse_plan(kept) == plan


@pytest.mark.parametrize(
    "change",
    [
        {"not_ranked": [{"bot": "ann", "status": "away", "reason": "why", "ranked_again": ""}]},
        {
            "not_ranked": [
                {"bot": "ann", "status": "guest", "reason": "b" * 201, "ranked_again": ""}
            ]
        },
        {"show_authors": True},
        {"run_began": "2026-12-01T18:00:00"},
        {"entries_close": "soon"},
        {"entries_close": ["2026-12-01T18:00:00+01:00"]},
    ],
)
def test_a_plan_that_no_config_can_have_made_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_plan(json.dumps(json.loads(format_plan(PLAN)) | change))
