"""What was played goes into the store, and the disk is waited for as seldom as may be."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from arena.model import (
    Bot,
    Entry,
    Fault,
    Fixture,
    Limits,
    Played,
    Pool,
    Reason,
    StoredPlan,
    Tally,
    Wanted,
)
from arena.plan.plan import Plan
from arena.runner.executor import Finished
from arena.runner.run import Collector
from arena.sandbox.walls import NONE
from arena.schedule.order import make_schedule
from arena.session.session import Job
from arena.store.chunk import make_chunk
from arena.store.store import Store
from tests.crews import Unshown

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = [Bot(name, name * 8) for name in ("ann", "bob", "cid")]
ENTRY = Entry(POOL, tuple(BOTS), 1, "all", False)


GAMES = list(make_schedule(StoredPlan("cup", True, NONE, Limits(), (ENTRY,)), ENTRY))
TALLIES = [Tally(bot.name, 7, 0.5, 0.1, ("a note",), "printed") for bot in BOTS]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store.create_or_open(tmp_path)) as made:
        for bot in BOTS:
            made.keep_bot(bot, ())
        yield made


def collector_of(store: Store) -> Collector:
    entered = (Wanted(ENTRY, None),)
    plan = Plan("cup", store.path.parent, 1, 1, Limits(), NONE, entered, {})
    return Collector(plan, store, Unshown())


def session_of(games: Sequence[Fixture]) -> Finished:
    """Return a session of these games, played on another machine, in two chunks."""
    fault = Fault(0, 3, Reason("error", "why"))
    played = [Played(game, b"{}", (1, 2, 3), (0, 0, 0), (fault,)) for game in games]
    half = len(played) // 2
    chunks = make_chunk(POOL, played[:half]), make_chunk(POOL, played[half:])
    return Finished(Job(POOL, Limits(), False, games, b"secret", {}), chunks, TALLIES, "far")


def test_a_session_of_many_bots_is_one_write(store: Store) -> None:
    """Of its games, and of what its bots used. With one a bot, 27 of them took seven eighths of the
    time that a session of 32 bots takes to be stored.
    """
    collector, said = collector_of(store), list[str]()
    store.db.set_trace_callback(said.append)
    collector.take(session_of(GAMES))
    store.db.set_trace_callback(None)
    assert store.count() == collector.played == len(GAMES)
    assert said.count("COMMIT") == 1
    kept = "name, decisions, cpu_s, worst_s, ends, notes, printed"
    rows = store.db.execute(f"SELECT {kept} FROM timing JOIN bot ON bot.id = bot ORDER BY name")
    texts = "[]", '["a note"]', "printed"
    assert rows.fetchall() == [(bot.name, 7, 0.5, 0.1, *texts) for bot in BOTS]


def test_of_a_session_whose_worker_was_lost_after_its_last_game_nothing_is_left_to_keep(
    store: Store,
) -> None:
    """It is played again without games; what its bots used was known to that worker alone."""
    collector, rest = collector_of(store), session_of(GAMES[:4]).job._replace(fixtures=())
    collector.take(session_of(GAMES[:4])._replace(tallies=None))
    before = count_rows(store)
    collector.take(Finished(rest, (), TALLIES))
    assert count_rows(store) == before
    assert collector.played == 4


def count_rows(store: Store) -> list[int]:
    return [
        store.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("game", "fault", "chunk", "played_on", "timing")
    ]
