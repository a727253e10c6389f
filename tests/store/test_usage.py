"""What is kept of bots for their authors: what they used, why and where they forfeited."""

import pytest

from arena.model import Bot, Entry, Fault, Limits, Pool, Reason, StoredPlan, Tally, Timing
from arena.store import usage
from arena.store.logs import find_failed_phases, find_forfeit_steps
from arena.store.plans import keep_plan
from arena.store.store import Store
from tests.store.games import BOTS, POOL, add, game

OTHER, VERSIONS = Pool("sixteen", 2, "{}", ""), {"python": "3.11.7"}


def used(store: Store, pool: Pool, bot: Bot, decisions: int, cpu_s: float, worst_s: float) -> None:
    entries = tuple(Entry(pool, BOTS, 1, "all", False) for pool in (POOL, OTHER))
    keep_plan(store, StoredPlan("cup", True, "", Limits(), entries))
    tally = Tally(bot.name, decisions, cpu_s, worst_s, ("in end: a note",), "printed")
    usage.keep_usage(store, pool, {bot.name: bot}, [tally], VERSIONS)


def test_sessions_of_the_present_files_are_added_up_by_pool_and_bot(store: Store) -> None:
    before = Bot("a", "another file")
    store.keep_bot(before, ())
    used(store, OTHER, BOTS[0], 7, 0.5, 0.25)
    used(store, POOL, BOTS[1], 1, 0.125, 0.125)
    used(store, POOL, BOTS[0], 10, 1.5, 0.0625)
    used(store, POOL, before, 20, 0.25, 0.5)
    used(store, POOL, BOTS[0], 20, 0.25, 0.5)
    assert usage.read_timings(store) == [
        Timing(POOL, "a", 30, 1.75, 0.5),
        Timing(POOL, "b", 1, 0.125, 0.125),
        Timing(OTHER, "a", 7, 0.5, 0.25),
    ]


def test_versions_of_sessions_are_told_once_each_and_what_is_damaged_is_left_out(
    store: Store,
) -> None:
    used(store, POOL, BOTS[0], 1, 0.5, 0.25)
    used(store, POOL, BOTS[1], 1, 0.5, 0.25)
    used(store, POOL, BOTS[1], 2, 0.5, 0.25)
    with store.writing():
        store.db.execute("UPDATE timing SET versions = '[', cpu_s = 'x' WHERE id = 1")
        store.db.execute("UPDATE timing SET worst_s = 'x' WHERE id = 1")
    assert usage.read_versions(store) == [VERSIONS]
    assert [timing.bot for timing in usage.read_timings(store)] == ["b"]


def test_each_seat_of_each_game_has_its_own_step(store: Store) -> None:
    slow, wrong = Reason("time", "slow"), Reason("error", "raised")
    add(store, game("a0"), game("b0", Fault(2, 4, slow), Fault(0, 9, wrong)))
    add(store, game("c0", Fault(1, 0, wrong)), game("d0", Fault(1, 7, slow)))
    known = {("b0", 2): 4, ("b0", 0): 9, ("c0", 1): 0}
    assert find_forfeit_steps(store, ["a0", "b0", "c0", "nowhere"]) == known
    assert find_forfeit_steps(store, []) == {}
    store.db.execute("UPDATE fault SET action_number = -5 WHERE game_id = 'd0'")
    store.db.execute("UPDATE fault SET action_number = 'x' WHERE game_id = 'c0'")
    assert find_forfeit_steps(store, ["c0", "d0"]) == {}


@pytest.mark.parametrize("damage", ["x", "{}", '{"kind":"slow"}', "[[[", b"\xff", 7])
def test_a_seat_s_phase_is_known_unless_what_is_kept_is_damaged(
    store: Store, damage: object
) -> None:
    wrong = Reason("error", "raised", phase="window", view="View()")
    faults = Fault(1, 4, wrong), Fault(2, 6, Reason("strikes", "lost")), Fault(0, 9, wrong)
    add(store, game("a0", *faults))
    assert find_failed_phases(store, "a0") == {0: "window", 1: "window"}
    store.db.execute("UPDATE fault SET reason = ? WHERE seat = 1", (damage,))
    assert find_failed_phases(store, "a0") == {0: "window"}
