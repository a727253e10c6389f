"""What bots' processes used: added up by pool and bot, and what is damaged left out."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.model import Bot, Entry, Limits, Pool, StoredPlan, Tally, Timing
from arena.store import usage
from arena.store.plans import keep_plan
from arena.store.store import Store
from tests.store.test_store import BOTS, POOL, new

OTHER = Pool("sixteen", 2, "{}", "")
VERSIONS = {"python": "3.11.7"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = new(tmp_path / "cup")
    entries = tuple(Entry(pool, BOTS, 1, "all", False) for pool in (POOL, OTHER))
    keep_plan(made, StoredPlan("cup", True, "", Limits(), entries))
    yield made
    made.close()


def used(store: Store, pool: Pool, bot: int, decisions: int, cpu_s: float, worst_s: float) -> None:
    tally = Tally(BOTS[bot].name, decisions, cpu_s, worst_s, ("in end: a note",), "printed")
    told = usage.played_in(f"a{decisions}", VERSIONS)
    usage.keep_usage(store, [usage.make_usage(pool, BOTS[bot], told, tally)])


def test_sessions_are_added_up_by_pool_and_bot(store: Store) -> None:
    used(store, OTHER, 0, 7, 0.5, 0.25)
    used(store, POOL, 1, 1, 0.125, 0.125)
    used(store, POOL, 0, 10, 1.5, 0.0625)
    used(store, POOL, 0, 20, 0.25, 0.5)
    assert usage.read_timings(store) == [
        Timing(POOL, "a", 30, 1.75, 0.5),
        Timing(POOL, "b", 1, 0.125, 0.125),
        Timing(OTHER, "a", 7, 0.5, 0.25),
    ]


def test_what_a_bot_s_earlier_files_used_is_left_out(store: Store) -> None:
    used(store, POOL, 0, 10, 1.5, 0.0625)
    before = Bot("a", "another file")
    store.keep_bot(before, ())
    tally = Tally("a", 20, 0.25, 0.5, (), "")
    usage.keep_usage(store, [usage.make_usage(POOL, before, usage.played_in("b", VERSIONS), tally)])
    assert usage.read_timings(store) == [Timing(POOL, "a", 10, 1.5, 0.0625)]


def test_the_versions_of_sessions_are_told_once_each(store: Store) -> None:
    """Also of those from before sessions had names."""
    used(store, POOL, 0, 1, 0.5, 0.25)
    used(store, POOL, 1, 2, 0.5, 0.25)
    before = json.dumps(VERSIONS, separators=(",", ":"))
    tally = Tally("a", 3, 0.5, 0.25, (), "")
    usage.keep_usage(store, [usage.make_usage(POOL, BOTS[0], before, tally)])
    assert usage.read_versions(store) == [VERSIONS]


def test_what_is_damaged_is_left_out(store: Store) -> None:
    used(store, POOL, 0, 1, 0.5, 0.25)
    used(store, POOL, 1, 1, 0.5, 0.25)
    with store.writing():
        store.db.execute("UPDATE timing SET versions = '[', cpu_s = 'x' WHERE id = 1")
        store.db.execute("UPDATE timing SET worst_s = 'x' WHERE id = 1")
    assert usage.read_versions(store) == [VERSIONS]
    assert [timing.bot for timing in usage.read_timings(store)] == ["b"]
