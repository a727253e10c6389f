"""What bots' processes used: added up by pool and bot, and what is damaged left out."""

import pytest

from arena.model import Bot, Entry, Limits, Pool, StoredPlan, Tally, Timing
from arena.store import usage
from arena.store.plans import keep_plan
from arena.store.store import Store
from tests.store.games import BOTS, POOL

OTHER = Pool("sixteen", 2, "{}", "")
VERSIONS = {"python": "3.11.7"}


@pytest.fixture(autouse=True)
def planned(store: Store) -> None:
    entries = tuple(Entry(pool, BOTS, 1, "all", False) for pool in (POOL, OTHER))
    keep_plan(store, StoredPlan("cup", True, "", Limits(), entries))


def used(store: Store, pool: Pool, bot: Bot, decisions: int, cpu_s: float, worst_s: float) -> None:
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
