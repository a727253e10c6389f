"""What has changed since the last run, in words."""

from arena.model import Anchor, Bot, Entry, Limits, Pool, StoredPlan
from arena.plan.changes import find_changes
from arena.sandbox.walls import WALLS

POOL = Pool("sixteen", 2, "{}", "")
ANN, BOB, CID, DEE = (Bot(name, name * 8) for name in ("ann", "bob", "cid", "dee"))


def plan(*bots: Bot, drawn: tuple[tuple[int, ...], ...] | None, deals: int = 2) -> StoredPlan:
    """A plan of one pool, whose line-ups are places in the list of bots."""
    entry = Entry(POOL, bots, deals, "auto", True, line_ups=drawn)
    return StoredPlan("cup", False, WALLS, Limits(), (entry,))


def test_the_same_line_ups_of_a_changed_bot_are_no_change_of_line_ups() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    changed = plan(ANN, BOB._replace(hash="other"), CID, drawn=((0, 1), (0, 2)))
    (line,) = find_changes(before, changed)
    assert line.startswith("changed bots: bob;")


def test_the_same_line_ups_under_other_numbers_are_no_change() -> None:
    """As where a bot comes in before others, and no line-up has it yet."""
    before = plan(BOB, CID, DEE, drawn=((0, 1), (0, 2)))
    after = plan(ANN, BOB, CID, DEE, drawn=((1, 2), (1, 3)))
    assert not [line for line in find_changes(before, after) if "line-ups" in line]


def test_as_many_line_ups_that_are_others_are_counted() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    after = plan(ANN, BOB, CID, drawn=((0, 1), (1, 2)))
    assert find_changes(before, after) == ["sixteen 2p: 1 of 2 line-ups drawn anew"]


def test_more_line_ups_are_told_by_their_numbers() -> None:
    before = plan(ANN, BOB, CID, drawn=((0, 1), (0, 2)))
    assert find_changes(before, plan(ANN, BOB, CID, drawn=None)) == ["sixteen 2p: line-ups 2 -> 3"]


def test_an_anchor_is_told_of_with_the_pools_it_is_set_in() -> None:
    before = plan(ANN, BOB, CID, drawn=None)
    after = before._replace(anchors=(Anchor(POOL, "bob", 20.5),))
    assert find_changes(before, after) == [
        "anchor none -> bob at 20.5 (sixteen 2p); no game is played anew for it"
    ]
    assert find_changes(after, before) == [
        "anchor bob at 20.5 -> none (sixteen 2p); no game is played anew for it"
    ]
    assert find_changes(after, after) == []
